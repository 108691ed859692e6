'use strict'

// Holds a Placer against a vector file. Nothing of Node in it: browsers run it too.

const bytesOf = {
  hex: (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16)),
  base64: (text) => Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
}

/** Every way to write a key in JavaScript. */
function* forms(key) {
  yield key
  if (key === null) {
    yield undefined
  } else if ('hex' in key || 'base64' in key) {
    const bytes = 'hex' in key ? bytesOf.hex(key.hex) : bytesOf.base64(key.base64)
    yield bytes
    yield Uint8Array.from([0, ...bytes]).subarray(1)
  } else if ('text' in key) {
    yield key.text
  } else if ('utf16' in key) {
    yield key.utf16.map((unit) => String.fromCharCode(unit)).join('')
  }
}

function placed(placer, key) {
  try {
    const place = placer.place(key)
    return [place === null ? 'unpinned' : 'placed', place]
  } catch (error) {
    const outcome = { Rejected: 'rejected', Refused: 'refused', KeyfallError: 'error' }[error.code]
    if (outcome === undefined) throw error
    return [outcome, null]
  }
}

function show(value) {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item))
}

function differences(placer, vector, tokens) {
  const found = []
  const compare = (key, what, got, wanted) => {
    if (!Object.is(got, wanted)) found.push(`${what} of ${show(key)} is ${show(got)}, expected ${show(wanted)}`)
  }
  for (const key of forms(vector.key)) {
    const got = placer.outcome(key)
    for (const name of ['outcome', 'place', 'hash', 'owner']) {
      if (name in vector || name === 'place') compare(key, `the ${name}`, got[name], vector[name])
    }
    const wanted = vector.place === undefined ? null : tokens ? BigInt(vector.place) : vector.place
    const [outcome, place] = placed(placer, key)
    compare(key, 'what place() does', outcome, vector.outcome)
    compare(key, 'place()', place, wanted)
  }
  return found
}

const STATUS = ['placed', 'unpinned', 'rejected', 'refused', 'error']

/** What placeColumn says of the keys that are bytes or null, a column for each set of params. */
function* columns(Placer, file) {
  const groups = new Map()
  for (const vector of file.cases) {
    if (vector.key !== null && !('hex' in vector.key)) continue
    const params = show(vector.params)
    if (!groups.has(params)) groups.set(params, [])
    groups.get(params).push(vector)
  }
  for (const vectors of groups.values()) {
    const keys = vectors.map(({ key }) => (key === null ? [] : bytesOf.hex(key.hex)))
    const offsets = new Int32Array(keys.length + 1)
    keys.forEach((key, i) => (offsets[i + 1] = offsets[i] + key.length))
    const data = new Uint8Array(offsets.at(-1))
    const validity = new Uint8Array(Math.ceil(keys.length / 8))
    keys.forEach((key, i) => {
      data.set(key, offsets[i])
      if (vectors[i].key !== null) validity[i >> 3] |= 1 << (i & 7)
    })
    const placer = new Placer(file.scheme, vectors[0].params)
    const { domain } = placer
    if (domain === 'bytes') return
    const out = { index: Uint32Array, i32: BigInt64Array, i64: BigInt64Array, u128: BigUint64Array }[domain]
    const places = new out(keys.length * (domain === 'u128' ? 2 : 1))
    const status = placer.placeColumn(data, offsets, places, { validity })
    for (const [i, vector] of vectors.entries()) {
      const wide = () => BigInt.asIntN(128, places[2 * i] | (places[2 * i + 1] << 64n))
      // 2^127 is a token, -1 that of the empty key: what is below 0 and not -1 has no sign.
      const place = domain === 'u128' ? (wide() < -1n ? BigInt.asUintN(128, wide()) : wide()) : places[i]
      const wanted = vector.place ?? 0
      if (STATUS[status[i]] !== vector.outcome) yield [vector, `its status in a column is ${status[i]}, expected ${vector.outcome}`]
      else if (String(place) !== String(wanted)) yield [vector, `its place in a column is ${place}, expected ${wanted}`]
    }
  }
}

/** How many cases pass, and what is wrong with the others. */
module.exports = function check(Placer, file) {
  const failures = new Map()
  const failed = (vector, what) => {
    if (!failures.has(vector.id)) failures.set(vector.id, [])
    failures.get(vector.id).push(`case ${vector.id} ${show(vector.params)}: ${what}`)
  }
  if (file.format !== 1) throw new Error(`${file.scheme}: format ${file.format}`)
  // Places over 53 bits are strings in JSON and bigints here; places that are bytes are strings in both.
  const tokens = file.cases.every(({ place }) => place === undefined || /^-?\d+$/.test(typeof place === 'string' ? place : 'x'))
  const placers = new Map()
  for (const vector of file.cases) {
    try {
      const params = show(vector.params)
      if (!placers.has(params)) placers.set(params, new Placer(file.scheme, vector.params))
      for (const what of differences(placers.get(params), vector, tokens)) failed(vector, what)
    } catch (error) {
      failed(vector, String(error))
    }
  }
  try {
    for (const [vector, what] of columns(Placer, file)) failed(vector, what)
  } catch (error) {
    failed(file.cases[0], `as a column: ${error}`)
  }
  return { passed: file.cases.length - failures.size, failed: failures.size, failures: [...failures.values()].flat() }
}
