'use strict'

const { Placer } = require('./index.js')
const partitioner = require('./lib/partitioners.js')

/**
 * For kafkajs: `kafka.producer({ createPartitioner })` places as the Java client does;
 * `kafka.producer({ createPartitioner: () => createPartitioner('kafka/librdkafka-consistent-random') })` as another one.
 */
function createPartitioner(scheme = 'kafka/java', params) {
  const { place, next } = partitioner(Placer, scheme, params)
  return ({ topic, partitionMetadata, message }) => {
    if (message.partition !== null && message.partition !== undefined) return message.partition
    const partition = place(message.key, partitionMetadata.length)
    if (partition !== null) return partition
    // No key: the client's own way is a partition that has a leader, in turns.
    const led = partitionMetadata.filter(({ leader }) => leader >= 0)
    return next(topic, led.length > 0 ? led : partitionMetadata).partitionId
  }
}

module.exports = { createPartitioner }
