'use strict'

// The engine over keyfall.wasm: linear memory, no glue but this. Nothing of Node in it.

/** Keys of up to so many bytes or code units take the hot call. */
const MOST = 1024
/** Strings of up to so many code units are written one by one. */
const SHORT = 24

module.exports = function createEngine(module) {
  const core = new WebAssembly.Instance(module, {}).exports
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  // Views end when the memory grows, and are made anew.
  let bytes = new Uint8Array(core.memory.buffer)
  const memory = () => (bytes.length > 0 ? bytes : (bytes = new Uint8Array(core.memory.buffer)))
  // Memory for the keys of hot calls, and its views.
  const scratch = core.alloc(2 * MOST)
  let ascii = new Uint8Array(core.memory.buffer, scratch, 2 * MOST)
  let units = new Uint16Array(core.memory.buffer, scratch, MOST)
  const renew = () => {
    ascii = new Uint8Array(core.memory.buffer, scratch, 2 * MOST)
    units = new Uint16Array(core.memory.buffer, scratch, MOST)
  }

  function allocate(length) {
    const at = core.alloc(length) >>> 0
    if (at === 0) throw new RangeError(`WebAssembly has no memory for ${length} bytes: hand over less at once`)
    return at
  }

  /** Calls `f` with where each of these bytes lies; undefined lies at 0. */
  function over(parts, f) {
    const places = []
    try {
      for (const part of parts) {
        const at = part === undefined ? 0 : allocate(part.length)
        places.push(at)
        if (at !== 0) memory().set(part, at)
      }
      return f(...places)
    } finally {
      places.forEach((at, i) => at !== 0 && core.dealloc(at, parts[i].length))
    }
  }

  /** Writes the string to where the hot call reads it, if it is ASCII; whether it is. */
  function isAscii(key, length) {
    // What encodes long strings at once costs more than short ones take one by one.
    if (length > SHORT) return encoder.encodeInto(key, ascii).written === length
    for (let i = 0; i < length; i++) {
      const unit = key.charCodeAt(i)
      if (unit >= 0x80) return false
      ascii[i] = unit
    }
    return true
  }

  const utf8 = (text) => encoder.encode(text)
  const utf16 = (text) => {
    const units = new Uint16Array(text.length)
    for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
    return new Uint8Array(units.buffer)
  }
  const answer = () => {
    const at = core.result() >>> 0
    return decoder.decode(memory().subarray(at, at + core.result_len()))
  }

  const gone = new FinalizationRegistry((placer) => core.unbind(placer))

  class Handle {
    #placer
    #narrow

    constructor(placer) {
      this.#placer = placer
      gone.register(this, placer)
      this.#narrow = JSON.parse(this.describe()).domain === 'i32'
    }

    describe() {
      core.describe(this.#placer)
      return answer()
    }

    #hot(kind, length) {
      const place = core.place(this.#placer, kind, scratch, length)
      if (place >= 0) return place
      if (place === -1) return null
      if (place === -2) return this.#narrow ? Number(core.place64()) : core.place64()
      return undefined
    }

    /** The hot functions; they keep the handle alive. */
    hot() {
      const text = (key) => {
        const { length } = key
        if (length > MOST) return undefined
        if (ascii.length === 0) renew()
        if (isAscii(key, length)) return this.#hot(5, length)
        for (let i = 0; i < length; i++) units[i] = key.charCodeAt(i)
        return this.#hot(2, length)
      }
      const bytes = (key) => {
        if (!(key instanceof Uint8Array)) return undefined
        const { length } = key
        if (length === 0 || length > MOST) return undefined
        if (ascii.length === 0) renew()
        ascii.set(key)
        return this.#hot(1, length)
      }
      return [text, bytes]
    }

    #ask(kind, key, int, explain) {
      over([key], (at) => core.ask(this.#placer, kind, at, kind === 2 ? key.length / 2 : key?.length ?? 0, int, explain))
      return answer()
    }

    askNull(explain) {
      return this.#ask(0, undefined, 0n, explain)
    }

    askBytes(key, explain) {
      return this.#ask(1, key, 0n, explain)
    }

    askText(key, explain) {
      return this.#ask(2, utf16(key), 0n, explain)
    }

    askJson(key, explain) {
      return this.#ask(3, utf8(key), 0n, explain)
    }

    askInt(key, explain) {
      return this.#ask(4, undefined, key, explain)
    }

    placeColumn(kind, data, offsets, wide, validity, out, status) {
      return over([utf8(kind), data, offsets, validity, out, status], (...at) => {
        const [k, d, o, v, places, states] = at
        const done = core.place_column(
          ...[this.#placer, k, kind.length, d, data.length, o, offsets?.length ?? 0, wide],
          ...[v, validity?.length ?? 0, places, out.length, states, status.length]
        )
        if (!done) return answer()
        out.set(memory().subarray(places, places + out.length))
        status.set(memory().subarray(states, states + status.length))
      })
    }
  }

  class Audit {
    #audit

    constructor(audit) {
      this.#audit = audit
    }

    add(records) {
      const text = utf8(records)
      return over([text], (at) => (core.audit_add(this.#audit, at, text.length) ? undefined : answer()))
    }

    report(sample) {
      core.audit_report(this.#audit, sample)
      return answer()
    }
  }

  /** What a core function makes of a scheme and params, or why it does not. */
  function made(make, Made, scheme, params) {
    const parts = [utf8(scheme), utf8(params)]
    const pointer = over(parts, (s, p) => make(s, parts[0].length, p, parts[1].length))
    return pointer === 0 ? answer() : new Made(pointer)
  }

  return {
    name: 'wasm',
    schemes() {
      core.schemes()
      return answer()
    },
    bind: (scheme, params) => made(core.bind, Handle, scheme, params),
    audit: (scheme, params) => made(core.audit, Audit, scheme, params)
  }
}
