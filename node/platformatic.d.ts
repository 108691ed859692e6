import { Params } from './index.js'
import { Partitioned } from './kafkajs.js'

export { Partitioned } from './kafkajs.js'

/** What a producer knows of the cluster. */
export interface PartitionerContext {
  metadata?: { topics: Map<string, { partitionsCount: number }> } | undefined
}

/**
 * A partitioner for @platformatic/kafka: `new Producer({ partitioner: createPartitioner() })` places as the Java client does.
 * The producer must know how many partitions a topic has: `await producer.metadata({ topics })` before the first send, or
 * `partitions` by topic here.
 */
export function createPartitioner<S extends Partitioned = 'kafka/java'>(
  scheme?: S,
  params?: Omit<Params<S>, 'partitions'> & { partitions?: Record<string, number> }
): (message: { topic: string }, key: Uint8Array | string | undefined, context?: PartitionerContext) => number
