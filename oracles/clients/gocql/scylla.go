//go:build scylla

package main

import (
	_ "unsafe" // for go:linkname

	"github.com/gocql/gocql"
	"keyfall/oracle"
)

// The head of the driver's own struct: the rest is not looked at.
type scyllaConnPicker struct {
	address, hostId, shardAwareAddress string
	conns, excessConns                 []*gocql.Conn
	nrConns, nrShards                  int
	msbIgnore                          uint64
	rest                               [16]uintptr
}

//go:linkname shardOf github.com/gocql/gocql.(*scyllaConnPicker).shardOf
func shardOf(picker *scyllaConnPicker, token int64) int

type scyllaCDCPartitioner struct {
	logger gocql.StdLogger
}

//go:linkname cdcHash github.com/gocql/gocql.scyllaCDCPartitioner.Hash
func cdcHash(partitioner scyllaCDCPartitioner, key []byte) gocql.Token

var more = map[string]oracle.Scheme{
	"scylla/murmur3": routed(func(params oracle.Params, routingKey []byte) (oracle.Outcome, error) {
		if _, tablets := params["tablets"]; tablets {
			return oracle.Outcome{}, oracle.Skipped("a driver asks the cluster for its tablets")
		}
		shards, err := params.Count("shards", 65535)
		if err != nil {
			return oracle.Outcome{}, err
		}
		ignored, err := params.Int("msb_ignore", 12)
		if err != nil {
			return oracle.Outcome{}, err
		}
		picker := &scyllaConnPicker{nrShards: shards, msbIgnore: uint64(ignored)}
		return oracle.Placed(shardOf(picker, murmur(routingKey))), nil
	}),
	"scylla/cdc-driver": token(func(key []byte) string { return cdcHash(scyllaCDCPartitioner{}, key).String() }),
}
