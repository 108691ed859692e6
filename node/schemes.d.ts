// Written by `cargo xtask gen` from the registry.

import { Key } from './index.js'

/** What a scheme takes and gives: its params, the place that place() returns, and the one that outcome() has. */
export interface SchemeTypes {
  params: object
  place: number | bigint | string
  json: number | string
}

/** Every scheme. */
export interface Schemes {
  /** kafka-clients (Java) (its default): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/java': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
      /** partitioner.ignore.keys: true makes every key unpinned (default false): true or false */
      ignore_keys?: boolean
    }
    place: number
    json: number
  }
  /** librdkafka (its default): crc32(key) % partitions, unsigned. A place is a partition. */
  'kafka/librdkafka-consistent-random': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** librdkafka: crc32(key) % partitions, unsigned. A place is a partition. */
  'kafka/librdkafka-consistent': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** librdkafka: no key is looked at. A place is a partition. */
  'kafka/librdkafka-random': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** librdkafka: (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/librdkafka-murmur2-random': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** librdkafka: (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/librdkafka-murmur2': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** librdkafka: abs(int32(fnv1a_32(key)) % partitions). A place is a partition. */
  'kafka/librdkafka-fnv1a-random': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** librdkafka: abs(int32(fnv1a_32(key)) % partitions). A place is a partition. */
  'kafka/librdkafka-fnv1a': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** sarama (Go) (its default): abs(int32(fnv1a_32(key)) % partitions). A place is a partition. */
  'kafka/sarama-hash': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** sarama (Go): (fnv1a_32(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/sarama-reference-hash': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** sarama (Go): crc32(key) % partitions, unsigned. A place is a partition. */
  'kafka/sarama-crc32': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** sarama (Go): abs(int32(crc32(key)) % partitions). A place is a partition. */
  'kafka/sarama-custom-crc32': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** sarama (Go): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/sarama-murmur2': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** franz-go (Go) (its default): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/franz-go': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** franz-go (Go): abs(int32(fnv1a_32(key)) % partitions). A place is a partition. */
  'kafka/franz-go-sarama-compat-fnv1a': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** franz-go (Go): (fnv1a_32(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/franz-go-kafka-fnv1a': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** franz-go (Go): int(fnv1a_32(key)) % partitions, its sign dropped; an int has 64 or 32 bits. A place is a partition. */
  'kafka/franz-go-sarama-fnv1a': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
      /** the width of Go's int where the producer runs (default 64): one of 64, 32 */
      int_bits?: 64 | 32
    }
    place: number
    json: number
  }
  /** kafka-go (Go): abs(int32(fnv1a_32(key)) % partitions). A place is a partition. */
  'kafka/kafka-go-hash': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-go (Go): (fnv1a_32(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/kafka-go-reference-hash': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-go (Go): crc32(key) % partitions, unsigned. A place is a partition. */
  'kafka/kafka-go-crc32': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-go (Go): crc32(key) % partitions, unsigned. A place is a partition. */
  'kafka/kafka-go-crc32-consistent': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-go (Go): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/kafka-go-murmur2': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-go (Go): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/kafka-go-murmur2-consistent': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-python, aiokafka (Python) (its default): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/kafka-python': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** pykafka (Python): int(sha1(key)) % partitions. A place is a partition. */
  'kafka/pykafka-hashing': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-python (Python): hash(key) % partitions, Python's own hash. A place is a partition. */
  'kafka/kafka-python-hashed': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafkajs (Node) (its default): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/kafkajs': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafkajs (Node): (murmur2 in floating point & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/kafkajs-legacy': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** @platformatic/kafka (Node) (its default): uint32(murmur2(key)) % partitions. A place is a partition. */
  'kafka/platformatic': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** @platformatic/kafka (Node): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/platformatic-compatibility': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka-node (Node): (String.hashCode(key) & 0x7fffffff, or 1 for 0) % partitions. A place is a partition. */
  'kafka/kafka-node-keyed': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** no-kafka (Node) (its default): (murmur2(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/no-kafka': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** no-kafka (Node): abs(int32(crc32(low byte of each UTF-16 unit)) % partitions). A place is a partition. */
  'kafka/no-kafka-crc32': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** kafka (Rust) (its default): xxh32(key, seed 0) % partitions. A place is a partition. */
  'kafka/kafka-rust': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** Scala producer (its default): (hashCode(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/scala-0.8.0': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** Scala producer (its default): abs(hashCode(key)) % partitions; abs(-2^31) is 0. A place is a partition. */
  'kafka/scala-0.8.2': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** Kafka broker (group coordinator) (its default): abs(String.hashCode(group id)) % partitions of __consumer_offsets; abs(-2^31) is 0. A place is a partition. */
  'kafka/group-coordinator': {
    params: {
      /** the number of partitions of __consumer_offsets (offsets.topic.num.partitions, 50 by default): a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** ruby-kafka (Ruby) (its default): crc32(key) % partitions, unsigned. A place is a partition. */
  'kafka/ruby-kafka': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** ruby-kafka (Ruby): (murmur2(key), tail bytes sign-extended, & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/ruby-kafka-murmur2': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** Elastic Beats (Go): (fnv1a_32(key) & 0x7fffffff) % partitions. A place is a partition. */
  'kafka/elastic-beats-hash': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** Debezium (PartitionRouting) (its default): (sum of hashCode(field) & 0x7fffffff, or 0 for 2147483647) % partitions. A place is a partition. */
  'kafka/debezium-java': {
    params: {
      /** partition.topic.num, which should be the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** Debezium (PartitionRouting): (sum of murmur(field) & 0x7fffffff, or 0 for 2147483647) % partitions. A place is a partition. */
  'kafka/debezium-murmur': {
    params: {
      /** partition.topic.num, which should be the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** CSharpClient-for-Kafka, nkafka (.NET): key.GetHashCode() % partitions, .NET's own hash. A place is a partition. */
  'kafka/dotnet-gethashcode': {
    params: {
      /** the topic's number of partitions: a whole number from 1 to 2147483647 */
      partitions: number
    }
    place: number
    json: number
  }
  /** redis-server, valkey-server (its default): crc16_xmodem(hash tag or key) % 16384. A place is a slot. */
  'redis/cluster': {
    params: {}
    place: number
    json: number
  }
  /** ioredis, iovalkey (its default): as the server, but a } right after the first { is passed over and the tag reaches to the next }. A place is a slot. */
  'redis/ioredis': {
    params: {}
    place: number
    json: number
  }
  /** Redisson (its default): as the server, but the tag ends at the first } of the whole key: where that stands before the first {, the whole key is hashed. A place is a slot. */
  'redis/redisson': {
    params: {}
    place: number
    json: number
  }
  /** go-redis (its default): as the server; the empty key has no slot. A place is a slot. */
  'redis/go-redis': {
    params: {}
    place: number
    json: number
  }
  /** Redis Enterprise, Redis Cloud: crc16_xmodem(what stands between the last { that a } follows and the last }, empty or not) % 16384. A place is a slot. */
  'redis/enterprise': {
    params: {}
    place: number
    json: number
  }
  /** Cassandra (Murmur3Partitioner) (its default): first 64 bits of murmur3_x64_128(key), tail bytes sign-extended; -2^63 becomes 2^63 - 1. A place is a token. */
  'cassandra/murmur3': {
    params: {}
    place: bigint
    json: string
  }
  /** Cassandra (RandomPartitioner): abs(md5(key) as a signed 128-bit integer). A place is a token. */
  'cassandra/random': {
    params: {}
    place: bigint
    json: string
  }
  /** Cassandra (ByteOrderedPartitioner): the key's bytes. A place is a token. */
  'cassandra/byte-ordered': {
    params: {}
    place: string
    json: string
  }
  /** Cassandra (OrderPreservingPartitioner): the key's bytes as UTF-8 text, or their hex where they are none. A place is a token. */
  'cassandra/order-preserving': {
    params: {}
    place: string
    json: string
  }
  /** ScyllaDB (shards of a node) (its default): (((token + 2^63) << msb_ignore) * shards) >> 64, token as cassandra/murmur3. A place is a shard. */
  'scylla/murmur3': {
    params: {
      /** shards of a node (SCYLLA_NR_SHARDS in SUPPORTED): a whole number from 1 to 65535 */
      shards: number
      /** highest bits of the token that are left out (SCYLLA_SHARDING_IGNORE_MSB in SUPPORTED; default 12): a whole number from 0 to 63 */
      msb_ignore?: number
      /** the table has tablets, whose shards a topology of them alone tells (default false): true or false */
      tablets?: boolean
    }
    place: number
    json: number
  }
  /** ScyllaDB (CDCPartitioner): the first 8 of exactly 16 bytes, signed; -2^63 becomes 2^63 - 1; any other length: -2^63. A place is a token. */
  'scylla/cdc': {
    params: {}
    place: bigint
    json: string
  }
  /** drivers of ScyllaDB (CDCPartitioner): the first 8 bytes of 8 or more, signed; -2^63 becomes 2^63 - 1; less: -2^63. A place is a token. */
  'scylla/cdc-driver': {
    params: {}
    place: bigint
    json: string
  }
  /** Elasticsearch (its default): floorMod(h, shards), h = murmur3_x86_32(UTF-16LE of the routing value or id). A place is a shard. */
  'elasticsearch/modulo': {
    params: {
      /** index.number_of_shards: a whole number from 1 to 1024 */
      shards: number
      /** index.number_of_routing_shards, a multiple of shards (default: shards doubled as often as stays within 1024, at least once): a whole number from 1 to 2147483647 */
      routing_shards?: number
      /** index.routing_partition_size; above 1 the key is a tuple (routing, id) (default 1): a whole number from 1 to 2147483647 */
      routing_partition_size?: number
    }
    place: number
    json: number
  }
  /** Elasticsearch (its default): floorMod(h, routing_shards) / (routing_shards / shards), h = murmur3_x86_32(UTF-16LE of the routing value or id). A place is a shard. */
  'elasticsearch/legacy': {
    params: {
      /** index.number_of_shards: a whole number from 1 to 1024 */
      shards: number
      /** index.number_of_routing_shards, a multiple of shards (default: shards doubled as often as stays within 1024, at least once): a whole number from 1 to 2147483647 */
      routing_shards?: number
      /** index.routing_partition_size; above 1 the key is a tuple (routing, id) (default 1): a whole number from 1 to 2147483647 */
      routing_partition_size?: number
      /** the major version that created the index, if before 7.0: the default number of routing shards is then shards: one of 5, 6 */
      index_major?: 5 | 6
    }
    place: number
    json: number
  }
  /** Elasticsearch (index.mode: time_series): h = 31 h + (mm3(name) ^ mm3(value)) over the dimensions by name, as UTF-8; then as elasticsearch/legacy, from 9.4 on as elasticsearch/modulo. A place is a shard. */
  'elasticsearch/time-series': {
    params: {
      /** index.number_of_shards: a whole number from 1 to 1024 */
      shards: number
      /** the version that created the index, as 8.19 or 9.5: from 9.4 on there are no routing shards: text */
      index_version: string | number
      /** index.number_of_routing_shards, a multiple of shards (default: shards doubled as often as stays within 1024, at least once): a whole number from 1 to 2147483647 */
      routing_shards?: number
    }
    place: number
    json: number
  }
  /** Elasticsearch (index.mode: logsdb): h = 31 h + (mm3(name) ^ mm3(value)) over the dimensions by name, as UTF-8; then as elasticsearch/legacy, from 9.4 on as elasticsearch/modulo. A place is a shard. */
  'elasticsearch/logsdb': {
    params: {
      /** index.number_of_shards: a whole number from 1 to 1024 */
      shards: number
      /** the version that created the index, as 8.19 or 9.5: from 9.4 on there are no routing shards: text */
      index_version: string | number
      /** index.number_of_routing_shards, a multiple of shards (default: shards doubled as often as stays within 1024, at least once): a whole number from 1 to 2147483647 */
      routing_shards?: number
    }
    place: number
    json: number
  }
  /** Elasticsearch 1.x (its default): abs(h % shards), h = djb2(UTF-16 of the routing value or id), of type and id in one run where use_type is set. A place is a shard. */
  'elasticsearch/djb': {
    params: {
      /** index.number_of_shards: a whole number from 1 to 1024 */
      shards: number
    }
    place: number
    json: number
  }
  /** OpenSearch (its default): floorMod(h, routing_shards) / (routing_shards / shards), h = murmur3_x86_32(UTF-16LE of the routing value or id). A place is a shard. */
  'opensearch/routing': {
    params: {
      /** index.number_of_shards: a whole number from 1 to 1024 */
      shards: number
      /** index.number_of_routing_shards, a multiple of shards (default: shards doubled as often as stays within 1024, at least once): a whole number from 1 to 2147483647 */
      routing_shards?: number
      /** index.routing_partition_size; above 1 the key is a tuple (routing, id) (default 1): a whole number from 1 to 2147483647 */
      routing_partition_size?: number
      /** the major version that created the index, if before 7.0: the default number of routing shards is then shards: one of 5, 6 */
      index_major?: 5 | 6
    }
    place: number
    json: number
  }
}

/** Functions of hot schemes, without a placer; like place() otherwise. */
export interface Direct {
  /** kafka/java */
  kafkaJava(key: Key, partitions: number): number | null
  /** kafka/librdkafka-consistent */
  kafkaLibrdkafkaConsistent(key: Key, partitions: number): number | null
  /** kafka/sarama-hash */
  kafkaSaramaHash(key: Key, partitions: number): number | null
  /** redis/cluster */
  redisSlot(key: Key): number | null
  /** cassandra/murmur3 */
  cassandraToken(key: Key): bigint | null
}
