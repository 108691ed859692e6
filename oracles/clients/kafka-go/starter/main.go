// Where kafka-go puts keys, with the configuration of service.go: its balancer is called as its Writer calls it.
package main

import (
	"adapter/oracle"

	"github.com/segmentio/kafka-go"
)

const mostListed = 1_000_000 // partitions: a balancer is given the list of them

func main() {
	balancer := configure().Balancer
	if balancer == nil {
		balancer = &kafka.RoundRobin{} // what a Writer without one uses
	}
	var listed []int
	place := func(_ oracle.Params, key []byte, partitions int) (int, error) {
		if len(listed) != partitions {
			listed = make([]int, partitions)
			for i := range listed {
				listed[i] = i
			}
		}
		return balancer.Balance(kafka.Message{Key: key}, listed...), nil
	}
	oracle.Serve(service, oracle.Version("github.com/segmentio/kafka-go"), map[string]oracle.Scheme{
		scheme: oracle.Partitions(mostListed, place),
	})
}
