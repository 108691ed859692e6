//go:build !shopify

package main

import (
	"context"
	"errors"
	"hash/crc32"
	"os"
	"sync"

	"github.com/IBM/sarama"
	"keyfall/oracle"
)

const module = "github.com/IBM/sarama"

var constructors = map[string]sarama.PartitionerConstructor{
	"kafka/sarama-hash":           sarama.NewHashPartitioner,
	"kafka/sarama-reference-hash": sarama.NewReferenceHashPartitioner,
	"kafka/sarama-crc32":          sarama.NewConsistentCRCHashPartitioner,
	"kafka/sarama-custom-crc32":   sarama.NewCustomHashPartitioner(crc32.NewIEEE),
	"kafka/sarama-murmur2":        sarama.NewMurmur2Partitioner,
}

func partitioners() map[string]partitioner {
	made := map[string]partitioner{}
	for scheme, constructor := range constructors {
		topic := constructor("t")
		made[scheme] = func(key []byte, partitions int32) (int32, error) {
			return topic.Partition(message("t", key), partitions)
		}
	}
	return made
}

func message(topic string, key []byte) *sarama.ProducerMessage {
	message := &sarama.ProducerMessage{Topic: topic}
	if key != nil {
		message.Key = sarama.ByteEncoder(key)
	}
	return message
}

func producers() map[string]oracle.Producer {
	made := map[string]oracle.Producer{}
	for scheme, constructor := range constructors {
		made[scheme] = producer(constructor)
	}
	return made
}

// All other settings are the defaults.
func producer(constructor sarama.PartitionerConstructor) oracle.Producer {
	connect := sync.OnceValues(func() (sarama.SyncProducer, error) {
		config := sarama.NewConfig()
		config.Producer.Return.Successes = true // as a SyncProducer must have it
		config.Producer.Partitioner = constructor
		return sarama.NewSyncProducer([]string{os.Getenv("KAFKA_BOOTSTRAP")}, config)
	})
	return func(_ context.Context, _ oracle.Params, topic string, records []*oracle.Record) error {
		producer, err := connect()
		if err != nil {
			return err
		}
		var messages []*sarama.ProducerMessage
		for _, record := range records {
			message := message(topic, record.Key)
			message.Value = sarama.ByteEncoder(record.Value)
			message.Metadata = record
			messages = append(messages, message)
		}
		err = producer.SendMessages(messages)
		var each sarama.ProducerErrors
		if !errors.As(err, &each) {
			return err
		}
		for _, failure := range each {
			var tooLarge sarama.ConfigurationError
			failure.Msg.Metadata.(*oracle.Record).Fail(failure.Err, errors.As(failure.Err, &tooLarge))
		}
		return nil
	}
}
