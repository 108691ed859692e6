/** The slot in which a Redis Cluster or Valkey server has a key. */
export function slot(key: string | Uint8Array): number

/** Keys by slot, in order: what one multi-key command, pipeline, transaction or script of a cluster may hold. */
export function groupBySlot<K extends string | Uint8Array>(keys: Iterable<K>): Map<number, K[]>
