// In which slot the cluster client of go-redis looks for keys, in its major versions 8 and 9.
//
//	go-redis MAJOR
package main

import (
	"context"
	"fmt"
	"os"

	redis8 "github.com/go-redis/redis/v8"
	redis9 "github.com/redis/go-redis/v9"
	"keyfall/oracle"
)

// A slot is told by the nodes of two clusters: in one, node n has the slots n, n+128, n+256, ..., in the other the slots
// from 128n on. A node for each slot would be 16384 clients.
const nodes = 128

// masters says, given a cluster's map from slots to addresses, which node is the master for a key.
type masters func(address func(slot int) string) func(key string) (string, error)

func v9(address func(slot int) string) func(key string) (string, error) {
	cluster := redis9.NewClusterClient(&redis9.ClusterOptions{
		ClusterSlots: func(context.Context) ([]redis9.ClusterSlot, error) {
			return slots(func(slot int) redis9.ClusterSlot {
				return redis9.ClusterSlot{Start: slot, End: slot, Nodes: []redis9.ClusterNode{{Addr: address(slot)}}}
			}), nil
		},
	})
	return func(key string) (string, error) {
		client, err := cluster.MasterForKey(context.Background(), key)
		if err != nil {
			return "", err
		}
		return client.Options().Addr, nil
	}
}

func v8(address func(slot int) string) func(key string) (string, error) {
	cluster := redis8.NewClusterClient(&redis8.ClusterOptions{
		ClusterSlots: func(context.Context) ([]redis8.ClusterSlot, error) {
			return slots(func(slot int) redis8.ClusterSlot {
				return redis8.ClusterSlot{Start: slot, End: slot, Nodes: []redis8.ClusterNode{{Addr: address(slot)}}}
			}), nil
		},
	})
	return func(key string) (string, error) {
		client, err := cluster.MasterForKey(context.Background(), key)
		if err != nil {
			return "", err
		}
		return client.Options().Addr, nil
	}
}

func slots[T any](slot func(int) T) []T {
	all := make([]T, 16384)
	for i := range all {
		all[i] = slot(i)
	}
	return all
}

func main() {
	majors := map[string]struct {
		module  string
		masters masters
	}{
		"8": {"github.com/go-redis/redis/v8", v8},
		"9": {"github.com/redis/go-redis/v9", v9},
	}
	major, ok := majors[os.Args[1]]
	if !ok {
		fmt.Fprintln(os.Stderr, "no go-redis", os.Args[1])
		os.Exit(2)
	}
	// Nobody is there: a client connects when it is first used, and none is.
	address := func(node int) string { return fmt.Sprintf("10.0.0.1:%d", node+1) }
	low := major.masters(func(slot int) string { return address(slot % nodes) })
	high := major.masters(func(slot int) string { return address(slot / nodes) })
	node := func(master func(string) (string, error), key string) (n int, err error) {
		addr, err := master(key)
		if err == nil {
			_, err = fmt.Sscanf(addr, "10.0.0.1:%d", &n)
		}
		return n - 1, err
	}
	place := oracle.Each(func(_ oracle.Params, key any) (oracle.Outcome, error) {
		data, err := oracle.Bytes(key)
		if err != nil {
			return oracle.Error(err.Error()), nil
		}
		if data == nil {
			return oracle.Error("a Go string is never nil"), nil
		}
		return oracle.Observe(func() (int, error) {
			lower, err := node(low, string(data))
			if err != nil {
				return 0, err
			}
			upper, err := node(high, string(data))
			return upper*nodes + lower, err
		})
	})
	oracle.Serve("go-redis", oracle.Version(major.module), map[string]oracle.Scheme{"redis/go-redis": place})
}
