// The Go drivers of Cassandra and ScyllaDB: Marshal writes a column, createRoutingKey composes the routing key, the
// partitioner's own hash function hashes it. What the driver does not export is linked by its name.
package main

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"keyfall/oracle"
)

const servers = "the driver leaves it to the server to refuse this"

// What a user would bind: a name of a type and a value of Go.
func bound(column any) (string, any, string) {
	switch column := column.(type) {
	case []byte:
		return "blob", column, ""
	case string:
		return "text", column, ""
	case oracle.UTF16:
		text := string(utf16.Decode(column))
		if strings.ContainsRune(text, '\uFFFD') {
			return "", nil, "a lone surrogate has no UTF-8"
		}
		return "text", text, ""
	case oracle.Typed:
		switch column.Type {
		case "tinyint", "smallint", "int", "bigint":
			value, err := strconv.ParseInt(column.Value, 10, 64)
			if err == nil {
				return column.Type, value, ""
			}
		case "boolean":
			return column.Type, column.Value == "true", ""
		case "ascii", "text", "varchar", "uuid", "timeuuid", "inet":
			return column.Type, column.Value, ""
		case "blob":
			value, err := hex.DecodeString(strings.TrimPrefix(column.Value, "0x"))
			if err == nil {
				return column.Type, value, ""
			}
		case "double":
			value, err := strconv.ParseFloat(column.Value, 64)
			if err == nil {
				return column.Type, value, ""
			}
		case "float":
			value, err := strconv.ParseFloat(column.Value, 32)
			if err == nil {
				return column.Type, float32(value), ""
			}
		}
		return "", nil, "values of " + column.Type + " are not bound here"
	}
	return "", nil, servers
}

func routed(answer func(params oracle.Params, routingKey []byte) (oracle.Outcome, error)) oracle.Scheme {
	return oracle.Each(func(params oracle.Params, key any) (oracle.Outcome, error) {
		columns, ok := key.(oracle.Tuple)
		if !ok {
			columns = oracle.Tuple{key}
		}
		var names []string
		var values []any
		for _, column := range columns {
			name, value, why := bound(column)
			if why != "" {
				return oracle.Error(why), nil
			}
			names = append(names, name)
			values = append(values, value)
		}
		if len(columns) == 0 {
			return oracle.Error(servers), nil
		}
		routingKey, err := compose(names, values)
		if err != nil {
			return oracle.Error(err.Error()), nil
		}
		if len(routingKey) > math.MaxUint16 {
			return oracle.Error(servers), nil
		}
		return answer(params, routingKey)
	})
}

func token(hash func(routingKey []byte) string) oracle.Scheme {
	return routed(func(_ oracle.Params, routingKey []byte) (oracle.Outcome, error) {
		text := hash(routingKey)
		return oracle.Outcome{Outcome: "placed", Place: text, Hash: text}, nil
	})
}

func main() {
	schemes := map[string]oracle.Scheme{
		"cassandra/murmur3": token(func(key []byte) string { return strconv.FormatInt(murmur(key), 10) }),
	}
	for name, scheme := range more {
		schemes[name] = scheme
	}
	oracle.Serve("gocql", version(), schemes)
}
