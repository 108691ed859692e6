module github.com/redis/rueidis/oracle

go 1.26.0

require (
	github.com/redis/rueidis v1.0.79
	keyfall/oracle v0.0.0
)

replace keyfall/oracle => ../../go
