//go:build shopify

package main

import (
	"hash/crc32"

	"github.com/Shopify/sarama"
	"keyfall/oracle"
)

const module = "github.com/Shopify/sarama"

func partitioners() map[string]partitioner {
	return map[string]partitioner{
		"kafka/sarama-hash":           topic(sarama.NewHashPartitioner),
		"kafka/sarama-reference-hash": topic(sarama.NewReferenceHashPartitioner),
		"kafka/sarama-custom-crc32":   topic(sarama.NewCustomHashPartitioner(crc32.NewIEEE)),
	}
}

func topic(constructor sarama.PartitionerConstructor) partitioner {
	made := constructor("t")
	return func(key []byte, partitions int32) (int32, error) {
		message := &sarama.ProducerMessage{Topic: "t"}
		if key != nil {
			message.Key = sarama.ByteEncoder(key)
		}
		return made.Partition(message, partitions)
	}
}

func producers() map[string]oracle.Producer { return nil }
