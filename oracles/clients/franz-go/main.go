// The partitioners of franz-go. A keyed record goes to the partitioner itself; a record without a key is produced to kfake,
// franz-go's broker in memory, because its place depends on batches. -selftest produces keyed records too and compares.
package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log"
	"math"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"sync"

	"keyfall/oracle"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	mostFaked = 10000    // partitions of a topic of kfake
	stick     = 64 << 10 // bytes after which the default partitioner takes another partition for records without a key
)

func fnv1a(key []byte) uint32 {
	h := fnv.New32a()
	h.Write(key)
	return h.Sum32()
}

var partitioners = map[string]func() kgo.Partitioner{
	"kafka/franz-go":                     func() kgo.Partitioner { return kgo.UniformBytesPartitioner(stick, true, true, nil) },
	"kafka/franz-go-kafka-fnv1a":         func() kgo.Partitioner { return kgo.StickyKeyPartitioner(kgo.KafkaHasher(fnv1a)) },
	"kafka/franz-go-sarama-fnv1a":        func() kgo.Partitioner { return kgo.StickyKeyPartitioner(kgo.SaramaHasher(fnv1a)) },
	"kafka/franz-go-sarama-compat-fnv1a": func() kgo.Partitioner { return kgo.StickyKeyPartitioner(kgo.SaramaCompatHasher(fnv1a)) },
}

// keyed asks the partitioner of a topic for a record that has a key.
func keyed(topic kgo.TopicPartitioner, key []byte, partitions int) int {
	record := &kgo.Record{Key: key}
	if by, ok := topic.(kgo.TopicBackupPartitioner); ok {
		return by.PartitionByBackup(record, partitions, nil)
	}
	return topic.Partition(record, partitions)
}

// connect is a client of a broker. The default partitioner is the client's own.
func connect(scheme string, brokers []string, options ...kgo.Opt) (*kgo.Client, error) {
	options = append(options, kgo.SeedBrokers(brokers...))
	if scheme != "kafka/franz-go" {
		options = append(options, kgo.RecordPartitioner(partitioners[scheme]()))
	}
	return kgo.NewClient(options...)
}

// faked is a client of kfake with one topic of so many partitions.
func faked(scheme string, partitions int) (*kgo.Client, func()) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(int32(partitions), "t"))
	if err != nil {
		log.Fatal(err)
	}
	client, err := connect(scheme, cluster.ListenAddrs(), kgo.DefaultProduceTopic("t"))
	if err != nil {
		log.Fatal(err)
	}
	return client, func() { client.Close(); cluster.Close() }
}

// producer is a client of a running broker, with default settings.
func producer(scheme string) oracle.Producer {
	connected := sync.OnceValues(func() (*kgo.Client, error) {
		return connect(scheme, []string{os.Getenv("KAFKA_BOOTSTRAP")})
	})
	return func(ctx context.Context, params oracle.Params, topic string, records []*oracle.Record) error {
		if err := intBits(scheme, params); err != nil {
			return err
		}
		client, err := connected()
		if err != nil {
			return err
		}
		for _, record := range records {
			client.Produce(ctx, &kgo.Record{Topic: topic, Key: record.Key, Value: record.Value}, func(_ *kgo.Record, err error) {
				if err != nil {
					record.Fail(err, errors.Is(err, kerr.MessageTooLarge))
				}
			})
		}
		return client.Flush(ctx)
	}
}

func produce(client *kgo.Client, key, value []byte) (int, error) {
	record, err := client.ProduceSync(context.Background(), &kgo.Record{Key: key, Value: value}).First()
	if err != nil {
		return 0, err
	}
	return int(record.Partition), nil
}

func intBits(scheme string, params oracle.Params) error {
	if scheme == "kafka/franz-go-sarama-fnv1a" {
		if bits, err := params.Int("int_bits", 64); err != nil || bits != strconv.IntSize {
			return oracle.Skipped(fmt.Sprintf("int has %d bits here", strconv.IntSize))
		}
	}
	return nil
}

func scheme(name string) oracle.Scheme {
	topic := partitioners[name]().ForTopic("t")
	return oracle.Each(func(params oracle.Params, key any) (oracle.Outcome, error) {
		partitions, err := params.Count("partitions", math.MaxInt32)
		if err != nil {
			return oracle.Outcome{}, err
		}
		if err := intBits(name, params); err != nil {
			return oracle.Outcome{}, err
		}
		data, err := oracle.Bytes(key)
		if err != nil {
			return oracle.Error(err.Error()), nil
		}
		if data != nil {
			return oracle.Placed(keyed(topic, data, partitions)), nil
		}
		if partitions > mostFaked {
			return oracle.Error(fmt.Sprintf("no topic of %d partitions in kfake", partitions)), nil
		}
		client, stop := faked(name, partitions)
		defer stop()
		return oracle.Observe(func() (int, error) { return produce(client, nil, make([]byte, stick)) })
	})
}

func selftest() {
	source := rand.New(rand.NewSource(1))
	for name, partitioner := range partitioners {
		for _, partitions := range []int{1, 2, 3, 7, 12, 100, 1000} {
			client, stop := faked(name, partitions)
			topic := partitioner().ForTopic("t")
			sticky := kgo.StickyKeyPartitioner(nil).ForTopic("t")
			keys := [][]byte{{}, {0}, slices.Repeat([]byte{'k'}, 100000)}
			for range 300 {
				key := make([]byte, source.Intn(40))
				source.Read(key)
				keys = append(keys, key)
			}
			for _, key := range keys {
				direct := keyed(topic, key, partitions)
				produced, err := produce(client, key, nil)
				if err != nil || direct != produced {
					log.Fatalf("%s, %d partitions, %x: %d directly, %d produced, %v", name, partitions, key, direct, produced, err)
				}
				if other := keyed(sticky, key, partitions); name == "kafka/franz-go" && direct != other {
					log.Fatalf("%d partitions, %x: %d, %d by StickyKeyPartitioner(nil)", partitions, key, direct, other)
				}
			}
			stop()
			log.Printf("%s, %d partitions: %d keys agree", name, partitions, len(keys))
		}
	}
}

func main() {
	if slices.Equal(os.Args[1:], []string{"-selftest"}) {
		selftest()
		return
	}
	schemes := map[string]oracle.Scheme{}
	producers := map[string]oracle.Producer{}
	for name := range partitioners {
		schemes[name] = scheme(name)
		producers[name] = producer(name)
	}
	oracle.ServeProducers("franz-go", oracle.Version("github.com/twmb/franz-go"), schemes, producers)
}
