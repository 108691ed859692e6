// Where sarama puts keys, with the configuration of service.go: its partitioner is called as its producer calls it.
package main

import (
	"math"

	"adapter/oracle"

	"github.com/IBM/sarama"
)

func main() {
	partitioner := configure().Producer.Partitioner("topic")
	place := func(_ oracle.Params, key []byte, partitions int) (int, error) {
		message := &sarama.ProducerMessage{Topic: "topic"}
		if key != nil {
			message.Key = sarama.ByteEncoder(key)
		}
		partition, err := partitioner.Partition(message, int32(partitions))
		return int(partition), err
	}
	oracle.Serve(service, oracle.Version("github.com/IBM/sarama"), map[string]oracle.Scheme{
		scheme: oracle.Partitions(math.MaxInt32, place),
	})
}
