// The balancers of segmentio's kafka-go, each called as its Writer calls it: with the list of partitions.
package main

import (
	"context"
	"errors"
	"os"
	"time"

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

// By default the writer waits a second for more messages, does not wait for the broker, and for six seconds does not look
// whether a topic is there that was not; the topic is never made by this.
func producer(balancer kafka.Balancer) oracle.Producer {
	writer := &kafka.Writer{
		Addr:                   kafka.TCP(os.Getenv("KAFKA_BOOTSTRAP")),
		Balancer:               balancer,
		BatchTimeout:           time.Millisecond,
		RequiredAcks:           kafka.RequireAll,
		AllowAutoTopicCreation: true,
	}
	return func(ctx context.Context, _ oracle.Params, topic string, records []*oracle.Record) error {
		var messages []kafka.Message
		for _, record := range records {
			messages = append(messages, kafka.Message{Topic: topic, Key: record.Key, Value: record.Value, WriterData: record})
		}
		err := writer.WriteMessages(ctx, messages...)
		var tooLarge kafka.MessageTooLargeError
		for errors.As(err, &tooLarge) { // and nothing was written
			tooLarge.Message.WriterData.(*oracle.Record).Fail(err, true)
			messages = tooLarge.Remaining
			err = writer.WriteMessages(ctx, messages...)
		}
		var each kafka.WriteErrors
		if !errors.As(err, &each) {
			return err
		}
		for i, err := range each {
			if err != nil {
				messages[i].WriterData.(*oracle.Record).Fail(err, false)
			}
		}
		return nil
	}
}

func main() {
	balancers := map[string]func() kafka.Balancer{
		"kafka/kafka-go-hash":               func() kafka.Balancer { return &kafka.Hash{} },
		"kafka/kafka-go-reference-hash":     func() kafka.Balancer { return &kafka.ReferenceHash{} },
		"kafka/kafka-go-crc32":              func() kafka.Balancer { return kafka.CRC32Balancer{} },
		"kafka/kafka-go-crc32-consistent":   func() kafka.Balancer { return kafka.CRC32Balancer{Consistent: true} },
		"kafka/kafka-go-murmur2":            func() kafka.Balancer { return kafka.Murmur2Balancer{} },
		"kafka/kafka-go-murmur2-consistent": func() kafka.Balancer { return kafka.Murmur2Balancer{Consistent: true} },
	}
	schemes := map[string]oracle.Scheme{}
	producers := map[string]oracle.Producer{}
	for name, balancer := range balancers {
		schemes[name] = scheme(balancer())
		producers[name] = producer(balancer())
	}
	oracle.ServeProducers("kafka-go", oracle.Version("github.com/segmentio/kafka-go"), schemes, producers)
}
