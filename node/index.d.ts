import { Direct, Schemes } from './schemes.js'

export { Direct, Schemes } from './schemes.js'

/** The id of a scheme, `system/variant`. */
export type SchemeId = keyof Schemes

/** Who owns which places now: keyfall's own form, or what `CLUSTER SLOTS` or `CLUSTER SHARDS` answers. */
export type Topology = object | readonly unknown[]

/** The params of a scheme; a topology gives each place its owner. */
export type Params<S extends SchemeId> = Schemes[S]['params'] & { topology?: Topology }

/** What place() returns for a key that has a place: a number, a bigint where it has over 53 bits, a string where it is bytes. */
export type Place<S extends SchemeId> = Schemes[S]['place']

/**
 * A typed value, a tuple, named fields or another form of the machine interface. `type` is the system's own name. A number as a
 * value is a whole one up to 2^53 - 1 or a finite fraction: beyond, a number stands for several, and is a RangeError.
 */
export type KeyObject =
  | { hex: string }
  | { base64: string }
  | { text: string }
  | { utf16: readonly number[] }
  | { type: string; value: string | number | bigint }
  | { tuple: readonly (KeyObject | string | Uint8Array | bigint | null)[] }
  | { fields: Readonly<Record<string, KeyObject | string | number | boolean | Uint8Array | bigint | null>> }

/**
 * A key. A string reaches systems that hash UTF-16 as it is, lone surrogates included. A bigint is of the system's own type of
 * 64 bits. A Uint8Array may be a Buffer, not a view of a resizable or transferred buffer.
 */
export type Key = string | Uint8Array | bigint | KeyObject | null | undefined

/** What becomes of a key, as the machine interface has it. `P` is a string where a place has over 53 bits. */
export type Outcome<P extends number | string = number | string> =
  | { outcome: 'placed'; place: P; /** The last value before the map. */ hash?: string; owner?: string; why?: undefined }
  | { outcome: 'unpinned'; /** How the client chooses. */ why: string; place?: undefined; hash?: undefined; owner?: undefined }
  | { outcome: 'rejected'; why: string; place?: undefined; hash?: undefined; owner?: undefined }
  | { outcome: 'refused'; why: string; place?: undefined; hash?: undefined; owner?: undefined }
  | { outcome: 'error'; /** What is malformed. */ why: string; place?: undefined; hash?: undefined; owner?: undefined }

/** An outcome, and every value on the way to it. */
export interface Explanation<P extends number | string = number | string> {
  outcome: Outcome<P>
  steps: {
    stage: 'encode' | 'select' | 'hash' | 'map' | 'owner' | 'rule'
    /** What was done. */
    words: string
    /** What came out: bytes in hex, numbers in decimal. */
    value: string
  }[]
}

/** What became of a row: 0 placed, 1 unpinned, 2 rejected, 3 refused, 4 error. */
export type Status = 0 | 1 | 2 | 3 | 4

/** The array for a column's places. Tokens of 128 bits take two elements, the low half first. */
export type Places<S extends SchemeId> = Place<S> extends number
  ? Uint32Array | Int32Array | BigInt64Array
  : Place<S> extends bigint
    ? BigInt64Array | BigUint64Array
    : never

export interface ColumnOptions {
  /** A bit a row, least significant first, where 0 is a null key, as Arrow has it. */
  validity?: Uint8Array | null
  /** The bytes are UTF-8 text: for schemes to which text is another key than bytes. */
  text?: boolean
}

/** A scheme, such as `kafka/java`, bound to its params. */
export class Placer<S extends SchemeId = SchemeId> {
  /** Throws a TypeError or RangeError that says what is allowed. */
  constructor(scheme: S, ...params: {} extends Schemes[S]['params'] ? [params?: Params<S> | null] : [params: Params<S>])

  /**
   * Where a key falls; null where the client chooses freely. Throws Rejected (the system does not take this key), Refused (not
   * computable outside the system), or a TypeError or RangeError that says what is allowed.
   */
  place(key: Key): Place<S> | null

  /** What becomes of a key. Throws for a value that is no key at all. */
  outcome(key: Key): Outcome<Schemes[S]['json']>

  /** What becomes of a key, and every step on the way. */
  explain(key: Key): Explanation<Schemes[S]['json']>

  /** Where each key falls. The first one without an answer throws, and its message names it. */
  placeMany(keys: Iterable<Key>, options?: { status?: false }): (Place<S> | null)[]

  /** Where each key falls, null where it does not, and a byte a key that says why. */
  placeMany(keys: Iterable<Key>, options: { status: true }): { places: (Place<S> | null)[]; status: Uint8Array }

  /**
   * Places a column: row i is `data` from `offsets[i]` to `offsets[i + 1]`. Writes its place to `out` (0 where it has none) and
   * returns a byte a row: 0 placed, 1 unpinned, 2 rejected, 3 refused, 4 error.
   *
   * `out` is a Uint32Array or Int32Array for indices (partitions, slots, shards), a BigInt64Array for codes and 64-bit tokens, a BigUint64Array
   * of two elements a row for 128-bit tokens. Places that are bytes have no column. No arrays share memory with `out`.
   */
  placeColumn(
    data: Uint8Array,
    offsets: Int32Array | Uint32Array | BigInt64Array,
    out: Places<S>,
    options?: ColumnOptions
  ): Uint8Array
  /** Places a column of strings, as UTF-16 code units. */
  placeColumn(data: Uint16Array, offsets: Int32Array | Uint32Array, out: Places<S>, options?: ColumnOptions): Uint8Array
  /** Places a column of integers, of the system's own type of that width. */
  placeColumn(
    data: Int32Array | BigInt64Array,
    offsets: null | undefined,
    out: Places<S>,
    options?: ColumnOptions
  ): Uint8Array

  /** The scheme's id. */
  readonly scheme: S
  /** The params, without the topology. */
  readonly params: Schemes[S]['params']
  /** What a place is: partition, slot, token, shard. */
  readonly unit: string
  /** What places are: numbers from 0, codes of 32 bits, tokens of 64 or 128 bits, or bytes. */
  readonly domain: 'index' | 'i32' | 'i64' | 'u128' | 'bytes'
  /** How many places there are, where they are indices; null elsewhere. */
  readonly places: number | null
}

/** A scheme, as programs need it to offer a choice. */
export interface SchemeInfo {
  id: SchemeId
  system: string
  /** Schemes that share one place ordinary keys alike. */
  function: string
  client: string
  /** Whether it is what that client does unless told otherwise. */
  default: boolean
  /** What to set in that client to get it. */
  setting: string
  rule: string
  unit: string
  domain: Placer['domain']
  params: { name: string; required: boolean; allowed: string; doc: string }[]
}

/** Every scheme. */
export function schemes(): SchemeInfo[]

/** Functions of hot schemes: `direct.kafkaJava(key, 12)`, `direct.redisSlot(key)`. */
export const direct: Direct

/** A golden case, computed by the real system. */
export interface VectorCase {
  id: number
  key: KeyObject | null
  params?: Record<string, unknown>
  outcome: Outcome['outcome']
  place?: number | string
  hash?: string
  owner?: string
  /** The mistakes that fail this case. */
  flags?: string[]
  /** Which sources computed it. */
  sources: string[]
}

/** The golden cases of a scheme. */
export interface VectorFile {
  format: 1
  scheme: SchemeId
  unit: string
  sources: { id: string; evidence: string; codebase: string; name: string; version: string; call: string }[]
  cases: VectorCase[]
}

/** The golden vectors of every scheme, computed by the real systems: to test a client of your own. Not in browsers. */
export function vectors(): VectorFile[]
/** The golden vectors of a scheme. */
export function vectors(scheme: SchemeId): VectorFile

/** A record as it was found. */
export interface AuditRecord {
  key: Key
  /** Where it was found; `place` is another name of it. Without one the record is counted as malformed. */
  partition?: number | bigint | string | null
  place?: number | bigint | string | null
  /** A number, or digits as kafkajs has it. */
  offset?: number | bigint | string | null
  /** Milliseconds since 1970-01-01 UTC, a number or digits as kafkajs has it; or a Date. */
  timestamp?: number | bigint | string | Date | null
  producer?: string | null
}

/** What an audit found: the report of `keyfall audit --format json`, with more members than these. */
export interface Report {
  format: 1
  complete: boolean
  scheme: SchemeId
  params: Record<string, unknown>
  records: number
  keyed: number
  unpinned: number
  undecidable: number
  rejected: number
  malformed: number
  misplaced: number
  split_keys: { keys: number; records: number; approximate?: boolean }
  attribution: { function: string; schemes: SchemeId[]; records: number }[]
  onset: { place: number | string; offset?: number; timestamp?: string }[]
  [more: string]: unknown
}

export interface AuditOptions<S extends SchemeId> {
  scheme: S
  params?: Params<S>
  /** The records are a random sample: the report then has an interval. */
  sample?: boolean
}

/** Which records are not where the scheme puts them, since when, and whose work that is. */
export function audit<S extends SchemeId>(records: Iterable<AuditRecord>, options: AuditOptions<S>): Report
export function audit<S extends SchemeId>(records: AsyncIterable<AuditRecord>, options: AuditOptions<S>): Promise<Report>

/** A scheme, param or key that cannot be used; the message says what is allowed. */
export class KeyfallError extends TypeError {
  readonly code: 'KeyfallError'
}

/** The system or client does not take this key. */
export class Rejected extends Error {
  readonly name: 'Rejected'
  readonly code: 'Rejected'
}

/** The place cannot be computed outside the system. */
export class Refused extends Error {
  readonly name: 'Refused'
  readonly code: 'Refused'
}

/** What computes: the addon of this platform, or WebAssembly. */
export const engine: 'native' | 'wasm'
