'use strict'

const { Placer } = require('./index.js')
const partitioner = require('./lib/partitioners.js')

/**
 * For @platformatic/kafka: `new Producer({ partitioner: createPartitioner() })` places as the Java client does. It does not tell
 * a partitioner how many partitions there are before it has asked a broker: `await producer.metadata({ topics })` comes first,
 * or `partitions` says it, topic by topic.
 */
function createPartitioner(scheme = 'kafka/java', { partitions = {}, ...params } = {}) {
  const { place, next } = partitioner(Placer, scheme, params)
  return ({ topic }, key, context) => {
    const count = partitions[topic] ?? context?.metadata?.topics.get(topic)?.partitionsCount
    if (count === undefined) {
      throw new Error(
        `keyfall: the producer does not know yet how many partitions ${topic} has: call \`await producer.metadata({ topics: ['${topic}'] })\` ` +
          `before the first send, or give createPartitioner { partitions: { '${topic}': N } }`
      )
    }
    return place(key, count) ?? next(topic, Array.from({ length: count }, (_, partition) => partition))
  }
}

module.exports = { createPartitioner }
