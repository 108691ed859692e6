import { Params, SchemeId, Schemes } from './index.js'

/** The schemes that place records among a topic's partitions. */
export type Partitioned = { [S in SchemeId]: Schemes[S]['params'] extends { partitions: number } ? S : never }[SchemeId]

/** What kafkajs hands to a partitioner. */
export interface PartitionerArgs {
  topic: string
  partitionMetadata: { partitionId: number; leader: number }[]
  message: { key?: Uint8Array | string | null; partition?: number | null }
}

/**
 * A partitioner for kafkajs. `kafka.producer({ createPartitioner })` places as the Java client does; another scheme is named:
 * `kafka.producer({ createPartitioner: () => createPartitioner('kafka/librdkafka-consistent-random') })`.
 */
export function createPartitioner<S extends Partitioned = 'kafka/java'>(
  scheme?: S,
  params?: Omit<Params<S>, 'partitions'>
): (args: PartitionerArgs) => number
