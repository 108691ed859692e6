//go:build v2

package main

import (
	"unsafe"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"keyfall/oracle"
)

//go:linkname createRoutingKey github.com/apache/cassandra-gocql-driver/v2.createRoutingKey
func createRoutingKey(meta *gocql.StatementMetadata, values []interface{}) ([]byte, error)

//go:linkname typeInfoFromString github.com/apache/cassandra-gocql-driver/v2.(*RegisteredTypes).typeInfoFromString
func typeInfoFromString(types *gocql.RegisteredTypes, proto int, name string) (gocql.TypeInfo, error)

//go:linkname murmur github.com/apache/cassandra-gocql-driver/v2/internal/murmur.Murmur3H1
func murmur(data []byte) int64

var _ unsafe.Pointer // for go:linkname

var more map[string]oracle.Scheme

func compose(names []string, values []any) ([]byte, error) {
	meta := &gocql.StatementMetadata{}
	for i, name := range names {
		info, err := typeInfoFromString(gocql.GlobalTypes, 4, name)
		if err != nil {
			return nil, err
		}
		meta.PKBindColumnIndexes = append(meta.PKBindColumnIndexes, i)
		meta.BindColumns = append(meta.BindColumns, gocql.ColumnInfo{TypeInfo: info})
	}
	return createRoutingKey(meta, values)
}

func version() string { return oracle.Version("github.com/apache/cassandra-gocql-driver/v2") }
