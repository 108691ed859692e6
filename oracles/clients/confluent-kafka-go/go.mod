module keyfall/oracle/confluent-kafka-go

go 1.26.0

require (
	github.com/confluentinc/confluent-kafka-go/v2 v2.11.1
	keyfall/oracle v0.0.0
)

replace keyfall/oracle => ../../go
