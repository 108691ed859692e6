/** A typed value, a tuple, named fields or another form of the machine interface; its objects hold strings, not numbers. */
export type KeyObject =
  | { hex: string }
  | { base64: string }
  | { text: string }
  | { utf16: number[] }
  | { type: string; value: string }
  | { tuple: (KeyObject | null)[] }
  | { fields: Record<string, KeyObject | string | number | boolean | null> }

/** A string reaches systems that hash UTF-16 as it is, lone surrogates included. */
export type Key = string | Uint8Array | KeyObject | null | undefined

/** What becomes of a key, as the machine interface has it. */
export interface Outcome {
  outcome: 'placed' | 'unpinned' | 'rejected' | 'refused' | 'error'
  /** A string where it has over 53 bits. */
  place?: number | string
  /** The last value before the map. */
  hash?: string
  /** Who owns the place. */
  owner?: string
  /** Why there is no place. */
  why?: string
}

/** The `code` of what is thrown, unless it is a TypeError. */
export type ErrorCode = 'Rejected' | 'Refused' | 'KeyfallError'

/** A scheme, such as `kafka/java`, bound to its params. */
export class Placer {
  /** Throws an Error of code KeyfallError that says what is allowed. */
  constructor(scheme: string, params?: Record<string, unknown> | null)

  /**
   * Where a key falls: a number, a bigint where it has over 53 bits, a string where it is bytes; null where the client
   * chooses freely. Throws an Error of code Rejected (the system does not take this key), Refused (not computable outside
   * the system) or KeyfallError (a malformed key).
   */
  place(key: Key): number | bigint | string | null

  /** What becomes of a key. */
  outcome(key: Key): Outcome

  /** The scheme's id. */
  readonly scheme: string
}
