// Where franz-go puts keys, with the configuration of service.go: they are produced to kfake, its broker in memory.
package main

import (
	"context"
	"fmt"

	"adapter/oracle"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

const mostFaked = 10000 // partitions of a topic of kfake

// connect is the service's client of a broker with one topic.
func connect(partitions int) (*kgo.Client, error) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(int32(partitions), "topic"))
	if err != nil {
		return nil, err
	}
	return kgo.NewClient(append(configure(), kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.DefaultProduceTopic("topic"))...)
}

func main() {
	clients := map[int]*kgo.Client{}
	place := func(_ oracle.Params, key []byte, partitions int) (int, error) {
		if partitions > mostFaked {
			return 0, oracle.Skipped(fmt.Sprintf("no topic of more than %d partitions here", mostFaked))
		}
		if clients[partitions] == nil {
			client, err := connect(partitions)
			if err != nil {
				return 0, err
			}
			clients[partitions] = client
		}
		// The default partitioner keeps records without a key together up to 64 KiB.
		record := &kgo.Record{Key: key, Value: make([]byte, 1)}
		if key == nil {
			record.Value = make([]byte, 70_000)
		}
		err := clients[partitions].ProduceSync(context.Background(), record).FirstErr()
		return int(record.Partition), err
	}
	oracle.Serve(service, oracle.Version("github.com/twmb/franz-go"), map[string]oracle.Scheme{
		scheme: oracle.Partitions(mostFaked, place),
	})
}
