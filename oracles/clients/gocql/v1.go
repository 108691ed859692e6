//go:build !v2

package main

import (
	_ "unsafe" // for go:linkname

	"github.com/gocql/gocql"
	"keyfall/oracle"
)

// The head of the driver's own struct: the rest is not looked at.
type routingKeyInfo struct {
	indexes []int
	types   []gocql.TypeInfo
	rest    [16]uintptr
}

//go:linkname createRoutingKey github.com/gocql/gocql.createRoutingKey
func createRoutingKey(info *routingKeyInfo, values []interface{}) ([]byte, error)

//go:linkname murmur github.com/gocql/gocql/internal/murmur.Murmur3H1
func murmur(data []byte) int64

var types = map[string]gocql.Type{
	"tinyint": gocql.TypeTinyInt, "smallint": gocql.TypeSmallInt, "int": gocql.TypeInt, "bigint": gocql.TypeBigInt,
	"boolean": gocql.TypeBoolean, "ascii": gocql.TypeAscii, "text": gocql.TypeText, "varchar": gocql.TypeVarchar,
	"uuid": gocql.TypeUUID, "timeuuid": gocql.TypeTimeUUID, "inet": gocql.TypeInet, "blob": gocql.TypeBlob,
	"double": gocql.TypeDouble, "float": gocql.TypeFloat,
}

func compose(names []string, values []any) ([]byte, error) {
	info := &routingKeyInfo{}
	for i, name := range names {
		info.indexes = append(info.indexes, i)
		info.types = append(info.types, gocql.NewNativeType(4, types[name], ""))
	}
	return createRoutingKey(info, values)
}

func version() string { return oracle.Version("github.com/gocql/gocql") }
