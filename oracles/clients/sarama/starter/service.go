package main

import "github.com/IBM/sarama"

// What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
// schemes` lists them), and that configuration. Put your service's own here.
const (
	service = "sarama-service"
	scheme  = "kafka/sarama-hash"
)

func configure() *sarama.Config {
	config := sarama.NewConfig() // its default is sarama.NewHashPartitioner
	return config
}
