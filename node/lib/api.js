'use strict'

// What users see, over an engine: the addon or WebAssembly (wasm.js). Types are checked here, once for both. This
// file and those that it needs run in browsers too: nothing of Node in them.

const functions = require('./direct.js')
const { KeyfallError, Rejected, Refused } = require('./errors.js')

const { isSafeInteger, isInteger, isFinite } = Number
const { isView } = ArrayBuffer
// The kind of a typed array, of another realm too (as in Jest), and whatever its prototype pretends.
const kindOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get
const typedArray = (value) => (isView(value) ? Reflect.apply(kindOf, value, []) : undefined)

const KEYS =
  "a key is a string, Buffer, Uint8Array, bigint, null, undefined, or an object such as { type: 'bigint', value: '42' }"

const article = (noun) => (/^[aeio]/i.test(noun) ? `an ${noun}` : `a ${noun}`)

/** What a value is, for messages. */
function named(value) {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') {
    const kind = typedArray(value) ?? tagOf(value)
    return kind === 'Object' ? 'an object' : article(kind)
  }
  return typeof value === 'number' ? `the number ${value}` : article(typeof value)
}

/** A number as text, if it is one that was surely meant. */
function numeral(value, what) {
  if (!isFinite(value)) {
    throw new TypeError(`${what} is ${value}: a finite number, or a string such as 'NaN' where the type has it, is allowed`)
  }
  if (isInteger(value) && !isSafeInteger(value)) {
    throw new RangeError(`${what} is ${value}, beyond 2^53 - 1, where a number stands for several: a bigint or a string is allowed`)
  }
  return Object.is(value, -0) ? '-0' : String(value)
}

/**
 * Whether bytes may be read where they are. Memory that another thread may write is copied; a buffer that was transferred or
 * that may change its length is an error, as what it held is not what would be placed.
 */
function steady(view, what) {
  const { buffer } = view
  if (buffer.resizable || buffer.growable) {
    throw new TypeError(`${what} is a view of a resizable buffer: one of a fixed length is allowed; slice() makes one`)
  }
  if (view.length === 0) {
    try {
      new Uint8Array(buffer)
    } catch {
      throw new TypeError(`${what} is a view of an ArrayBuffer that was transferred: one that is still here is allowed`)
    }
  }
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]' ? view.slice() : view
}

/** The JSON text of an object: numbers that are no certain ones are refused, bigints are written out. */
function json(value, what) {
  const text = JSON.stringify(value, (name, item) => {
    switch (typeof item) {
      case 'number':
        numeral(item, `${what}: ${name}`)
        return item
      case 'bigint':
        return String(item)
      case 'symbol':
      case 'function':
        throw new TypeError(`${what}: ${name} is ${named(item)}: a string, number, boolean, object or array is allowed`)
      default:
        return item
    }
  })
  if (text === undefined) throw new TypeError(`${what} is an object that is nothing in JSON`)
  return text
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A key as a KEY of the machine interface; `int64` is the system's type of 64-bit integers. */
function keyObject(key, int64, what = 'the key') {
  switch (typeof key) {
    case 'string':
      return { text: key }
    case 'undefined':
      return null
    case 'bigint':
      return { type: int64 ?? 'bigint', value: String(int(key)) }
    case 'object':
      if (key === null) return null
      if (typedArray(key) === 'Uint8Array') return { hex: hex(steady(key, what)) }
      if (!isKeyObject(key)) break
      if (Array.isArray(key.tuple)) {
        return { ...key, tuple: key.tuple.map((part, i) => keyObject(part, int64, `${what}: tuple[${i}]`)) }
      }
      if (isObject(key.fields)) {
        const field = ([name, part]) => [name, bare(part) ? part : keyObject(part, int64, `${what}: fields.${name}`)]
        return { ...key, fields: Object.fromEntries(Object.entries(key.fields).map(field)) }
      }
      if (typeof key.value === 'number') return { ...key, value: numeral(key.value, `${what}: value`) }
      return key
  }
  throw noKey(key, what === 'the key' ? '' : `${what}: `)
}

/** Values that a field may have beside keys. */
const bare = (value) => ['string', 'number', 'boolean'].includes(typeof value)

/** The error of a value that is no key. An object of another kind, or without members, may still be meant as one. */
function noKey(key, what) {
  const object = typeof key === 'object' && !Array.isArray(key) && !isView(key)
  const shown = object && tagOf(key) === 'Object' ? 'an object without members' : named(key)
  return new (object ? KeyfallError : TypeError)(`${what}${KEYS}, not ${shown}`)
}

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1)

/** Whether it is an object that may be a KEY: neither a Map nor a Date nor empty. */
const isKeyObject = (value) => isObject(value) && tagOf(value) === 'Object' && Object.keys(value).length > 0

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !isView(value)

function int(key) {
  if (BigInt.asIntN(64, key) !== key) {
    throw new RangeError(`a bigint key is of 64 bits, from -2^63 to 2^63 - 1: ${key} is not`)
  }
  return key
}

/** A place, an offset or a time: a number that is whole, or as text. */
function whole(value, what) {
  if (typeof value === 'number' && isSafeInteger(value)) return value
  if (typeof value === 'bigint' || typeof value === 'string') return String(value)
  throw new TypeError(`${what} is ${named(value)}: a whole number up to 2^53 - 1, a bigint or a string of digits is allowed`)
}

/** The kinds of a column's data, of its offsets, and of its places. */
const DATA = { Uint8Array: 'bytes', Uint16Array: 'utf16', Int32Array: 'int32', BigInt64Array: 'int64' }
const OUT = {
  index: [['Uint32Array', 'Int32Array'], 1],
  i32: [['BigInt64Array'], 1],
  i64: [['BigInt64Array'], 1],
  u128: [['BigUint64Array'], 2]
}
/** Offsets of 32 bits, signed as Arrow has them or not, and of 64. */
const OFFSETS = ['Int32Array', 'Uint32Array', 'BigInt64Array']

/** A typed array's bytes. */
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

const overlap = (a, b) =>
  a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength

function column(value, kinds, what) {
  if (!kinds.includes(typedArray(value))) throw new TypeError(`${what} is ${kinds.join(' or ')}, not ${named(value)}`)
  return steady(value, what)
}

/** What placeColumn and placeMany say of a row, by what place() throws. */
const STATUS = [, , 'Rejected', 'Refused', 'KeyfallError']
const ours = [Rejected, Refused, TypeError, RangeError]

module.exports = function createApi(engine) {
  /** A scheme's id and its params as JSON, checked. */
  function request(scheme, params) {
    if (typeof scheme !== 'string') {
      throw new TypeError(`a scheme's id is a string, such as 'kafka/java', not ${named(scheme)}`)
    }
    if (params === undefined || params === null) return [scheme, '{}']
    if (!isObject(params)) throw new TypeError(`params are an object, such as { partitions: 12 }, not ${named(params)}`)
    return [scheme, json(params, `${scheme}: params`)]
  }

  class Placer {
    #handle
    #text
    #bytes
    #about

    constructor(scheme, params) {
      const handle = engine.bind(...request(scheme, params))
      if (typeof handle === 'string') throw new KeyfallError(handle)
      this.#handle = handle
      const [text, bytes] = handle.hot()
      this.#text = text
      this.#bytes = bytes
    }

    get #described() {
      return (this.#about ??= JSON.parse(this.#handle.describe()))
    }

    get scheme() {
      return this.#described.scheme
    }

    get params() {
      return { ...this.#described.params }
    }

    get unit() {
      return this.#described.unit
    }

    get domain() {
      return this.#described.domain
    }

    get places() {
      return this.#described.places ?? null
    }

    place(key) {
      // Memory that may be written or shrink meanwhile goes the other way.
      if (typeof key === 'string') {
        const place = this.#text(key)
        if (place !== undefined) return place
      } else if (typeof key === 'object' && key?.buffer?.resizable === false) {
        const place = this.#bytes(key)
        if (place !== undefined) return place
      }
      const { outcome, place, why } = JSON.parse(this.#ask(key, false))
      switch (outcome) {
        case 'placed':
          return typeof place === 'string' && this.#described.domain !== 'bytes' ? BigInt(place) : place
        case 'unpinned':
          return null
        case 'rejected':
          throw new Rejected(why)
        case 'refused':
          throw new Refused(why)
        default:
          throw new KeyfallError(why)
      }
    }

    outcome(key) {
      return JSON.parse(this.#ask(key, false))
    }

    explain(key) {
      return JSON.parse(this.#ask(key, true))
    }

    placeMany(keys, { status = false } = {}) {
      if (typeof keys === 'string' || typeof keys?.[Symbol.iterator] !== 'function' || isView(keys)) {
        throw new TypeError(`keys are an array or another iterable of keys, not ${named(keys)}`)
      }
      const places = []
      const states = []
      for (const key of keys) {
        let place = null
        let state
        try {
          place = this.place(key)
          state = place === null ? 1 : 0
        } catch (error) {
          state = STATUS.indexOf(error?.code)
          if (!status || state < 0) {
            if (ours.some((type) => error instanceof type)) error.message = `key ${places.length}: ${error.message}`
            throw error
          }
        }
        places.push(place)
        states.push(state)
      }
      return status ? { places, status: Uint8Array.from(states) } : places
    }

    placeColumn(data, offsets, out, { validity, text = false } = {}) {
      const { domain, scheme, places } = this.#described
      if (domain === 'bytes') {
        throw new TypeError(`${scheme}: places that are bytes do not fit a typed array: placeMany gives them`)
      }
      data = column(data, Object.keys(DATA), 'data')
      let kind = DATA[typedArray(data)]
      const plain = kind === 'int32' || kind === 'int64'
      let wide = false
      let rows = data.length
      if (!plain) {
        offsets = column(offsets, kind === 'utf16' ? OFFSETS.slice(0, 2) : OFFSETS, 'offsets')
        wide = typedArray(offsets) === 'BigInt64Array'
        rows = offsets.length - 1
        if (rows < 0) throw new RangeError('offsets are empty: a column of n rows has n + 1')
      } else if (offsets !== undefined && offsets !== null) {
        throw new TypeError(`a column of integers has no offsets: null is allowed, not ${named(offsets)}`)
      }
      if (text) {
        if (kind !== 'bytes') throw new TypeError('text: true is for a Uint8Array of UTF-8')
        kind = 'text'
      }
      if (validity !== undefined && validity !== null) {
        validity = column(validity, ['Uint8Array'], 'validity')
        const least = Math.ceil(rows / 8)
        if (validity.length < least) {
          throw new RangeError(`validity has ${validity.length} bytes: ${rows} rows need ${least}, a bit each`)
        }
      } else {
        validity = undefined
      }
      const [types, each] = OUT[domain]
      const given = out
      // An index of 2^31 would be below zero in an Int32Array.
      out = column(out, domain === 'index' && !(places <= 2 ** 31) ? types.slice(0, 1) : types, 'out')
      if (out !== given) throw new TypeError('out is of memory that other threads share: an ArrayBuffer of this thread is allowed')
      if (out.length < rows * each) {
        throw new RangeError(`out has ${out.length} elements: ${rows} rows need ${rows * each}`)
      }
      for (const input of [data, plain ? undefined : offsets, validity]) {
        if (input !== undefined && overlap(input, out)) {
          throw new RangeError('out shares memory with what is read: memory of its own is allowed')
        }
      }
      const status = new Uint8Array(rows)
      const why = this.#handle.placeColumn(
        kind,
        bytesOf(data),
        plain ? undefined : bytesOf(offsets),
        wide,
        validity && bytesOf(validity),
        bytesOf(out).subarray(0, rows * each * out.BYTES_PER_ELEMENT),
        status
      )
      if (typeof why === 'string') {
        throw new RangeError(`${why}: offsets from 0 to ${data.length}, none below the one before, are allowed`)
      }
      return status
    }

    #ask(key, explain) {
      switch (typeof key) {
        case 'string':
          return this.#handle.askText(key, explain)
        case 'undefined':
          return this.#handle.askNull(explain)
        case 'bigint':
          return this.#handle.askInt(int(key), explain)
        case 'object':
          if (key === null) return this.#handle.askNull(explain)
          if (typedArray(key) === 'Uint8Array') return this.#handle.askBytes(steady(key, 'the key'), explain)
          if (isKeyObject(key)) return this.#handle.askJson(json(keyObject(key, this.#described.int64), 'the key'), explain)
      }
      throw noKey(key, '')
    }
  }

  /** Records to the engine in batches, and the report. */
  class Auditing {
    #engine
    #int64
    #batch = []
    #count = 0

    constructor(scheme, params) {
      const audit = engine.audit(...request(scheme, params))
      if (typeof audit === 'string') throw new KeyfallError(audit)
      this.#engine = audit
      this.#int64 = JSON.parse(engine.bind(...request(scheme, params)).describe()).int64
    }

    add(record) {
      const what = `record ${++this.#count}`
      if (!isObject(record)) {
        throw new TypeError(`${what}: a record is an object such as { key, partition }, not ${named(record)}`)
      }
      const { key, place, partition = place, offset, timestamp, producer } = record
      const line = { key: keyObject(key, this.#int64, `${what}: key`) }
      if (partition !== undefined && partition !== null) line.place = whole(partition, `${what}: partition`)
      if (offset !== undefined && offset !== null) line.offset = whole(offset, `${what}: offset`)
      if (timestamp !== undefined && timestamp !== null) {
        line.time = whole(timestamp instanceof Date ? timestamp.getTime() : timestamp, `${what}: timestamp`)
      }
      if (producer !== undefined && producer !== null) line.producer = String(producer)
      this.#batch.push(json(line, what))
      if (this.#batch.length === 1000) this.#flush()
    }

    #flush() {
      const why = this.#engine.add(`[${this.#batch.join()}]`)
      this.#batch = []
      if (typeof why === 'string') throw new KeyfallError(why)
    }

    report(sample) {
      this.#flush()
      return JSON.parse(this.#engine.report(sample))
    }
  }

  function audit(records, { scheme, params, sample = false } = {}) {
    const auditing = new Auditing(scheme, params)
    if (typeof records?.[Symbol.asyncIterator] === 'function') {
      return (async () => {
        for await (const record of records) auditing.add(record)
        return auditing.report(sample)
      })()
    }
    if (typeof records === 'string' || typeof records?.[Symbol.iterator] !== 'function') {
      throw new TypeError(`records are an array or another iterable, or an async one, not ${named(records)}`)
    }
    for (const record of records) auditing.add(record)
    return auditing.report(sample)
  }

  function schemes() {
    return JSON.parse(engine.schemes())
  }

  /** A direct function: one placer, or one for each value of the param. */
  function directly(scheme, param) {
    let placer
    if (param === undefined) return (key) => (placer ??= new Placer(scheme)).place(key)
    let last
    const placers = new Map()
    return (key, value) => {
      if (placer === undefined || value !== last) {
        placer = placers.get(value)
        if (placer === undefined) {
          placer = new Placer(scheme, { [param]: value })
          placers.set(value, placer)
        }
        last = value
      }
      return placer.place(key)
    }
  }

  const direct = Object.fromEntries(Object.entries(functions).map(([name, row]) => [name, directly(...row)]))

  return { Placer, audit, schemes, direct, KeyfallError, Rejected, Refused, engine: engine.name }
}
