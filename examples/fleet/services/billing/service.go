package main

import "github.com/IBM/sarama"

// billing: Go. Somebody has never thought about the partitioner: sarama's default is not what the contract says.
const (
	service = "billing"
	scheme  = "kafka/sarama-hash"
)

func configure() *sarama.Config {
	config := sarama.NewConfig()
	config.Producer.RequiredAcks = sarama.WaitForAll
	return config
}
