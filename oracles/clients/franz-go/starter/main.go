// Where franz-go puts keys, with the configuration of service.go: they are produced to kfake, its broker in memory.
package main

import (
	"context"

	"adapter/oracle"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	mostFaked = 10000  // partitions of a topic of kfake
	stick     = 70_000 // bytes: by default records without a key stay together up to 64 KiB
)

// connect is the service's client of a broker with one topic.
func connect(partitions int) (*kgo.Client, error) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(int32(partitions), "topic"))
	if err != nil {
		return nil, err
	}
	return kgo.NewClient(append(configure(), kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.DefaultProduceTopic("topic"))...)
}

var clients = map[int]*kgo.Client{}

// place produces each key once, and then those that may be unpinned again, until they land in a second place.
func place(params oracle.Params, keys []any) ([]oracle.Outcome, error) {
	partitions, err := params.Count("partitions", mostFaked)
	if err != nil {
		return nil, err
	}
	if clients[partitions] == nil {
		if clients[partitions], err = connect(partitions); err != nil {
			return nil, err
		}
	}
	outcomes := make([]oracle.Outcome, len(keys))
	records := make([]*kgo.Record, len(keys))
	var asked []*kgo.Record
	for i, key := range keys {
		data, err := oracle.Bytes(key)
		if err != nil {
			outcomes[i] = oracle.Error(err.Error())
			continue
		}
		records[i] = &kgo.Record{Key: data}
		asked = append(asked, records[i])
	}
	failures := map[*kgo.Record]error{}
	for _, result := range clients[partitions].ProduceSync(context.Background(), asked...) {
		failures[result.Record] = result.Err
	}
	for i, record := range records {
		switch {
		case record == nil:
		case failures[record] != nil:
			outcomes[i] = oracle.Rejected(failures[record].Error())
		case len(record.Key) > 0:
			outcomes[i] = oracle.Placed(record.Partition)
		default:
			outcomes[i], err = oracle.Observe(func() (int, error) {
				again := &kgo.Record{Key: record.Key, Value: make([]byte, stick)}
				err := clients[partitions].ProduceSync(context.Background(), again).FirstErr()
				return int(again.Partition), err
			})
		}
	}
	return outcomes, err
}

func main() {
	oracle.Serve(service, oracle.Version("github.com/twmb/franz-go"), map[string]oracle.Scheme{scheme: place})
}
