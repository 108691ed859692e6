//go:build !shopify

package main

import (
	"hash/crc32"

	"github.com/IBM/sarama"
)

const module = "github.com/IBM/sarama"

func partitioners() map[string]partitioner {
	return map[string]partitioner{
		"kafka/sarama-hash":           topic(sarama.NewHashPartitioner),
		"kafka/sarama-reference-hash": topic(sarama.NewReferenceHashPartitioner),
		"kafka/sarama-crc32":          topic(sarama.NewConsistentCRCHashPartitioner),
		"kafka/sarama-custom-crc32":   topic(sarama.NewCustomHashPartitioner(crc32.NewIEEE)),
		"kafka/sarama-murmur2":        topic(sarama.NewMurmur2Partitioner),
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
