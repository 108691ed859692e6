package main

import "github.com/twmb/franz-go/pkg/kgo"

// What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
// schemes` lists them), and that configuration. Put your service's own here, without its brokers.
const (
	service = "franz-go-service"
	scheme  = "kafka/franz-go"
)

func configure() []kgo.Opt {
	return nil // its default is kgo.UniformBytesPartitioner
}
