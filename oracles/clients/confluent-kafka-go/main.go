// librdkafka through confluent-kafka-go: its producer against its mock cluster. The delivery report says where a record went,
// and with which key.
package main

import (
	"bytes"
	"fmt"
	"log"
	"strings"
	"time"

	"keyfall/oracle"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

const (
	module     = "github.com/confluentinc/confluent-kafka-go/v2"
	mostMocked = 10000                 // partitions of a topic of the mock cluster
	sticky     = 11 * time.Millisecond // longer than the default sticky.partitioning.linger.ms
)

var (
	partitioners = []string{"random", "consistent", "consistent_random", "murmur2", "murmur2_random", "fnv1a", "fnv1a_random"}
	cluster      *kafka.MockCluster
	topics       = map[int]string{}
	producers    = map[string]*kafka.Producer{}
)

func topic(partitions int) (string, error) {
	name, ok := topics[partitions]
	if !ok {
		name = fmt.Sprintf("t%d", partitions)
		if err := cluster.CreateTopic(name, partitions, 1); err != nil {
			return "", err
		}
		topics[partitions] = name
	}
	return name, nil
}

func producer(partitioner string) (*kafka.Producer, error) {
	if made, ok := producers[partitioner]; ok {
		return made, nil
	}
	made, err := kafka.NewProducer(&kafka.ConfigMap{
		"bootstrap.servers":   cluster.BootstrapServers(),
		"partitioner":         partitioner,
		"linger.ms":           0,
		"go.delivery.reports": true,
	})
	if err == nil {
		producers[partitioner] = made
	}
	return made, err
}

// A question is a key and what came of it.
type question struct {
	key     []byte
	places  []int
	outcome *oracle.Outcome
}

func (q *question) answer(outcome oracle.Outcome) { q.outcome = &outcome }

func (q *question) seen(message *kafka.Message) {
	switch {
	case message.TopicPartition.Error != nil:
		q.answer(oracle.Rejected(message.TopicPartition.Error.Error()))
	case (message.Key == nil) != (q.key == nil) || !bytes.Equal(message.Key, q.key):
		q.answer(oracle.Error(fmt.Sprintf("on the wire the key was %x, null: %t", message.Key, message.Key == nil)))
	default:
		q.places = append(q.places, int(message.TopicPartition.Partition))
	}
}

// produce sends one record for each question and waits for their reports.
func produce(by *kafka.Producer, name string, questions []*question) error {
	reports := make(chan kafka.Event, len(questions))
	for _, q := range questions {
		message := &kafka.Message{
			TopicPartition: kafka.TopicPartition{Topic: &name, Partition: kafka.PartitionAny},
			Key:            q.key,
			Value:          []byte("v"),
			Opaque:         q,
		}
		for {
			err := by.Produce(message, reports)
			if err == nil {
				break
			}
			if code, ok := err.(kafka.Error); !ok || code.Code() != kafka.ErrQueueFull {
				return err
			}
			time.Sleep(sticky)
		}
	}
	for range questions {
		report := (<-reports).(*kafka.Message)
		report.Opaque.(*question).seen(report)
	}
	return nil
}

func scheme(partitioner string) oracle.Scheme {
	return func(params oracle.Params, keys []any) ([]oracle.Outcome, error) {
		partitions, err := params.Count("partitions", mostMocked)
		if err != nil {
			return nil, err
		}
		name, err := topic(partitions)
		if err != nil {
			return nil, err
		}
		by, err := producer(partitioner)
		if err != nil {
			return nil, err
		}
		questions := make([]*question, len(keys))
		for i, key := range keys {
			questions[i] = &question{}
			if malformed, ok := key.(error); ok {
				questions[i].answer(oracle.Error(malformed.Error()))
			} else if questions[i].key, err = oracle.Bytes(key); err != nil {
				questions[i].answer(oracle.Error(err.Error()))
			}
		}
		for turn := 1; turn <= oracle.Repeats; turn++ {
			var asked []*question
			for _, q := range questions {
				if q.outcome == nil {
					asked = append(asked, q)
				}
			}
			if len(asked) == 0 {
				break
			}
			if err := produce(by, name, asked); err != nil {
				return nil, err
			}
			for _, q := range asked {
				// A key may be unpinned where it is null or empty.
				often := partitioner == "random" || len(q.key) == 0
				switch {
				case q.outcome != nil:
				case q.places[0] != q.places[len(q.places)-1]:
					q.answer(oracle.Unpinned())
				case !often || turn == oracle.Repeats:
					q.answer(oracle.Placed(q.places[0]))
				}
			}
			time.Sleep(sticky)
		}
		outcomes := make([]oracle.Outcome, len(keys))
		for i, q := range questions {
			outcomes[i] = *q.outcome
		}
		return outcomes, nil
	}
}

func main() {
	var err error
	if cluster, err = kafka.NewMockCluster(1); err != nil {
		log.Fatal(err)
	}
	schemes := map[string]oracle.Scheme{}
	for _, partitioner := range partitioners {
		schemes["kafka/librdkafka-"+strings.ReplaceAll(partitioner, "_", "-")] = scheme(partitioner)
	}
	_, librdkafka := kafka.LibraryVersion()
	log.Printf("librdkafka %s", librdkafka)
	oracle.Serve("confluent-kafka-go", oracle.Version(module), schemes)
}
