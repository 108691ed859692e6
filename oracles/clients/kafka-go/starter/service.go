package main

import "github.com/segmentio/kafka-go"

// What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
// schemes` lists them), and that configuration. Put your service's own here.
const (
	service = "kafka-go-service"
	scheme  = "kafka/kafka-go-hash"
)

func configure() *kafka.Writer {
	return &kafka.Writer{Balancer: &kafka.Hash{}} // without a Balancer it is round robin, whatever the key
}
