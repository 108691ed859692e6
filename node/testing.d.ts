/** What a partitioner is handed: of a typed key its value; a tuple, fields and types without a value in JavaScript as they stand. */
export type LockedKey = null | Buffer | string | number | bigint | boolean | object

export interface Case {
  dataset: string
  scheme: string
  key: LockedKey
  params: Record<string, any>
  outcome: 'placed' | 'unpinned' | 'rejected' | 'refused'
  /** Where it falls, if it is placed: a string where places pass 2^53. */
  place?: number | string
}

export interface Options {
  /** The lock; `keyfall.lock.json` in the current folder or above it, if not given. */
  lock?: string
}

/** The fixtures of a dataset, for a test that is written case by case. */
export function cases(dataset: string, options?: Options): Case[]

/**
 * Calls `partitioner(key, params)` for each fixture of a dataset of the contract, and throws an AssertionError that shows the keys
 * which it does not put where they belong. Keys that the client chooses freely for are not asked.
 *
 * ```js
 * const { checkPartitioner } = require('keyfall/testing')
 * test('orders', () => checkPartitioner((key, { partitions }) => myPartitioner(key, partitions), 'orders'))
 * ```
 */
export function checkPartitioner(
  partitioner: (key: any, params: any) => number | bigint | string | null | undefined,
  dataset: string,
  options?: Options
): void
