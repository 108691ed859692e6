module keyfall/oracle/gocql

go 1.26.0

require (
	github.com/apache/cassandra-gocql-driver/v2 v2.1.2
	github.com/gocql/gocql v1.7.0
	keyfall/oracle v0.0.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.17.9 // indirect
	golang.org/x/sys v0.26.0 // indirect
	gopkg.in/inf.v0 v0.9.1 // indirect
)

replace keyfall/oracle => ../../go

replace github.com/gocql/gocql => github.com/scylladb/gocql v1.15.3
