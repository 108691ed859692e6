'use strict'

// Written by `cargo xtask gen` from the registry: direct functions, each with its scheme and the param that is its second argument.

module.exports = {
  kafkaJava: ['kafka/java', 'partitions'],
  kafkaLibrdkafkaConsistent: ['kafka/librdkafka-consistent', 'partitions'],
  kafkaSaramaHash: ['kafka/sarama-hash', 'partitions'],
  redisSlot: ['redis/cluster'],
  cassandraToken: ['cassandra/murmur3']
}
