// The partitioners of sarama, each called as a producer calls it: ibm.go and shopify.go hold the calls.
package main

import (
	"math"

	"keyfall/oracle"
)

// A partitioner of one topic; a nil key is a message without one.
type partitioner func(key []byte, partitions int32) (int32, error)

func main() {
	schemes := map[string]oracle.Scheme{}
	for scheme, place := range partitioners() {
		schemes[scheme] = oracle.Partitions(math.MaxInt32, func(_ oracle.Params, key []byte, partitions int) (int, error) {
			at, err := place(key, int32(partitions))
			return int(at), err
		})
	}
	oracle.ServeProducers("sarama", oracle.Version(module), schemes, producers())
}
