// The balancers of segmentio's kafka-go, each called as its Writer calls it: with the list of partitions.
package main

import (
	"keyfall/oracle"

	"github.com/segmentio/kafka-go"
)

const mostListed = 1_000_000

func scheme(balancer kafka.Balancer) oracle.Scheme {
	var listed []int
	return oracle.Partitions(mostListed, func(_ oracle.Params, key []byte, partitions int) (int, error) {
		if len(listed) != partitions {
			listed = make([]int, partitions)
			for i := range listed {
				listed[i] = i
			}
		}
		return balancer.Balance(kafka.Message{Key: key}, listed...), nil
	})
}

func main() {
	oracle.Serve("kafka-go", oracle.Version("github.com/segmentio/kafka-go"), map[string]oracle.Scheme{
		"kafka/kafka-go-hash":               scheme(&kafka.Hash{}),
		"kafka/kafka-go-reference-hash":     scheme(&kafka.ReferenceHash{}),
		"kafka/kafka-go-crc32":              scheme(kafka.CRC32Balancer{}),
		"kafka/kafka-go-crc32-consistent":   scheme(kafka.CRC32Balancer{Consistent: true}),
		"kafka/kafka-go-murmur2":            scheme(kafka.Murmur2Balancer{}),
		"kafka/kafka-go-murmur2-consistent": scheme(kafka.Murmur2Balancer{Consistent: true}),
	})
}
