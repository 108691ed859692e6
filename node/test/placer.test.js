'use strict'

// What the package promises beside the vectors.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Placer, KeyfallError, Rejected, Refused, direct, schemes } = require('../index.js')

const java = new Placer('kafka/java', { partitions: 12 })

test('a place is a number, a token a bigint', () => {
  assert.equal(java.place('100:48069'), 9)
  assert.equal(java.place(Buffer.from('100:48069')), 9)
  assert.equal(java.place(new TextEncoder().encode('x100:48069').subarray(1)), 9)
  assert.equal(java.place({ text: '100:48069' }), 9)
  assert.equal(new Placer('cassandra/murmur3').place(Buffer.of(0x80)), -5284281814142962636n)
})

test('an empty key is a key', () => {
  for (const key of ['', Buffer.alloc(0), new Uint8Array(0), new Uint8Array(new SharedArrayBuffer(0)), { hex: '' }]) {
    assert.deepEqual({ ...java.outcome(key) }, { outcome: 'placed', place: 9, hash: '275646681' })
  }
})

test('an unpinned key is null', () => {
  assert.equal(java.place(null), null)
  assert.equal(java.place(undefined), null)
  assert.equal(java.place(), null)
  const { outcome, why } = java.outcome(null)
  assert.equal(outcome, 'unpinned')
  assert.ok(why)
})

test("an outcome is the machine interface's", () => {
  assert.deepEqual({ ...java.outcome('100:48069') }, { outcome: 'placed', place: 9, hash: '1009543857' })
  assert.equal(java.outcome({ hex: '0' }).outcome, 'error')
})

test('errors have a code and say why', () => {
  const rejected = () => new Placer('cassandra/murmur3').place(null)
  assert.throws(rejected, { name: 'Rejected', code: 'Rejected', message: /never null/ })
  assert.throws(rejected, (error) => error instanceof Rejected && !(error instanceof TypeError))
  const refused = () => new Placer('elasticsearch/legacy', { shards: 5 }).place(null)
  assert.throws(refused, { name: 'Refused', code: 'Refused', message: /makes an id up/ })
  assert.throws(refused, Refused)
  for (const key of [{}, { hex: '0' }, { hex: 5 }, { nonsense: 'x' }, { hex: '00', text: 'a' }, new Map(), new ArrayBuffer(1)]) {
    assert.throws(() => java.place(key), { code: 'KeyfallError' }, JSON.stringify(key))
    assert.throws(() => java.place(key), TypeError)
    assert.throws(() => java.place(key), KeyfallError)
  }
  for (const key of [{}, new Map(), new ArrayBuffer(1), new ArrayBuffer(1, { maxByteLength: 2 }), new Date(), /a/, new Promise(() => {})]) {
    assert.throws(() => java.place(key), /a key is a string, Buffer.*, not (an object without members|an? [A-Z])/)
  }
  assert.throws(() => java.place({ tuple: ['a', 7] }), /the key: tuple\[1\]: a key is a string.*not the number 7/)
})

test('placers that cannot be say what is allowed', () => {
  const cases = [
    ['kafka/jva', {}, /did you mean kafka\/java/],
    ['kafka/java', undefined, /partitions is missing/],
    ['kafka/java', null, /partitions is missing/],
    ['kafka/java', { partitions: 0 }, /from 1 to 2147483647/],
    ['kafka/java', { partitions: -3 }, /from 1 to 2147483647/],
    ['kafka/java', { partitions: 1.5 }, /from 1 to 2147483647/],
    ['kafka/java', { partitions: 12, shards: 3 }, /unknown param shards/],
    ['elasticsearch/legacy', { shards: 5, routing_shards: 7 }, /not a multiple/]
  ]
  for (const [scheme, params, message] of cases) {
    assert.throws(() => new Placer(scheme, params), { code: 'KeyfallError', message })
  }
  const wrong = [[42], [null], [], [Symbol('a')], ['kafka/java', 12], ['kafka/java', 'partitions=12'], ['kafka/java', [12]]]
  for (const [scheme, params] of [...wrong, ['kafka/java', { partitions: Symbol('a') }], ['kafka/java', { partitions: {} }]]) {
    assert.throws(() => new Placer(scheme, params), TypeError)
  }
  assert.throws(() => new Placer('kafka/java', { partitions: 2 ** 53 + 2 }), RangeError)
  assert.throws(() => new Placer('kafka/java', { partitions: NaN }), { name: 'TypeError', message: /partitions is NaN: a finite number/ })
  assert.equal(new Placer('kafka/java', { partitions: 12n }).place('100:48069'), 9)
})

test('what is no key is a TypeError', () => {
  const keys = [42, NaN, 2 ** 53 + 1, true, Symbol('a'), () => 'a', ['a'], new Int16Array(2), new Float64Array(1), new BigInt64Array(1)]
  for (const key of keys) {
    for (const call of ['place', 'outcome', 'explain']) {
      assert.throws(() => java[call](key), { name: 'TypeError', message: /a key is a string, Buffer/ }, typeof key)
    }
  }
  assert.throws(() => java.place({ toJSON() {} }), TypeError)
  assert.throws(() => java.place({ text: Symbol('a') }), TypeError)
  assert.throws(() => java.place(Object.create(Uint8Array.prototype)), TypeError)
  assert.throws(() => java.place(new Proxy(new Uint8Array(3), {})), TypeError)
})

test('memory that moved or may move is a TypeError', () => {
  for (const length of [0, 8, 2000]) {
    const moved = new Uint8Array(length)
    structuredClone(moved.buffer, { transfer: [moved.buffer] })
    assert.throws(() => java.place(moved), { name: 'TypeError', message: /transferred: one that is still here is allowed/ })
    const resizable = new Uint8Array(new ArrayBuffer(length, { maxByteLength: 4000 }))
    assert.throws(() => java.place(resizable), { name: 'TypeError', message: /resizable buffer: one of a fixed length is allowed/ })
    const growable = new Uint8Array(new SharedArrayBuffer(length, { maxByteLength: 4000 }))
    assert.throws(() => java.place(growable), TypeError)
    assert.equal(java.place(resizable.slice()), java.place(Buffer.alloc(length)))
  }
})

test('memory that threads share is a key', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(9))
  shared.set(Buffer.from('100:48069'))
  assert.equal(java.place(shared), 9)
})

test('long keys are keys', () => {
  for (const length of [1023, 1024, 1025, 1026, 100_000]) {
    const text = 'k'.repeat(length)
    const place = java.outcome({ text }).place
    assert.equal(java.place(text), place)
    assert.equal(java.place(Buffer.from(text)), place)
    const wide = '\u043a'.repeat(length)
    assert.equal(java.place(wide), java.place(Buffer.from(wide)))
  }
})

test('arrays and strings of another realm are keys', () => {
  const { runInNewContext } = require('node:vm')
  assert.equal(java.place(runInNewContext("Uint8Array.from('100:48069', (c) => c.charCodeAt(0))")), 9)
  assert.equal(java.place(runInNewContext("({ text: '100:48069' })")), 9)
})

test('a bigint is of the type of 64 bits that the system has', () => {
  const cassandra = new Placer('cassandra/murmur3')
  for (const n of [0n, 42n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    assert.equal(cassandra.place(n), cassandra.place({ type: 'bigint', value: String(n) }))
    assert.equal(java.place(n), java.place({ type: 'long', value: String(n) }))
    assert.equal(java.place({ type: 'long', value: n }), java.place({ type: 'long', value: String(n) }))
  }
  for (const n of [2n ** 63n, -(2n ** 63n) - 1n, 2n ** 200n]) {
    assert.throws(() => java.place(n), { name: 'RangeError', message: /from -2\^63 to 2\^63 - 1/ })
  }
  assert.throws(() => new Placer('redis/cluster').place(1n), { name: 'TypeError', message: /no 64-bit integer keys/ })
})

test('a number is a value where it stands for one alone', () => {
  assert.equal(java.place({ type: 'integer', value: 42 }), java.place({ type: 'integer', value: '42' }))
  assert.equal(java.place({ type: 'double', value: 1.5 }), java.place({ type: 'double', value: '1.5' }))
  assert.equal(java.place({ type: 'double', value: -0 }), java.place({ type: 'double', value: '-0.0' }))
  assert.notEqual(java.outcome({ type: 'double', value: -0 }).hash, java.outcome({ type: 'double', value: 0 }).hash)
  assert.throws(() => java.place({ type: 'long', value: 2 ** 53 + 1 }), { name: 'RangeError', message: /a bigint or a string is allowed/ })
  for (const value of [NaN, Infinity, -Infinity]) {
    assert.throws(() => java.place({ type: 'double', value }), { name: 'TypeError', message: /a finite number/ })
  }
})

test('parts of a tuple are keys, parts of fields too', () => {
  const cassandra = new Placer('cassandra/murmur3')
  const plain = cassandra.place({ tuple: [{ text: 'a' }, { hex: '00ff' }, { type: 'bigint', value: '7' }] })
  assert.equal(cassandra.place({ tuple: ['a', Buffer.of(0, 255), 7n] }), plain)
  assert.equal(cassandra.place({ tuple: ['a', Uint8Array.of(0, 255), { type: 'bigint', value: 7 }] }), plain)
  assert.throws(() => cassandra.place({ tuple: ['a', 7] }), TypeError)
  assert.throws(() => cassandra.place({ tuple: ['a', Symbol('b')] }), TypeError)
})

test('what a getter throws comes through', () => {
  const key = {
    get text() {
      throw new RangeError('mine')
    }
  }
  assert.throws(() => java.place(key), { name: 'RangeError', message: 'mine' })
  assert.equal(java.place('100:48069'), 9)
})

test('lone surrogates stay UTF-16 units', () => {
  const elasticsearch = new Placer('elasticsearch/modulo', { shards: 1009 })
  assert.equal(elasticsearch.place('a\ud83d'), elasticsearch.place({ utf16: [0x61, 0xd83d] }))
  assert.equal(elasticsearch.place('\ud83d\ude00'), elasticsearch.place('\u{1f600}'))
  assert.equal(java.place('a\ud83d'), java.place('a?'))
})

test('a placer says what it is', () => {
  assert.equal(java.scheme, 'kafka/java')
  assert.equal(java.constructor, Placer)
  assert.deepEqual(java.params, { partitions: 12 })
  assert.deepEqual([java.unit, java.domain, java.places], ['partition', 'index', 12])
  const tokens = new Placer('cassandra/murmur3')
  assert.deepEqual([tokens.unit, tokens.domain, tokens.places], ['token', 'i64', null])
})

test('explain shows each step', () => {
  const { outcome, steps } = java.explain('100:48069')
  assert.deepEqual(outcome, { outcome: 'placed', place: 9, hash: '1009543857' })
  assert.deepEqual(steps.map(({ stage }) => stage), ['encode', 'hash', 'map', 'map'])
  assert.equal(steps.at(-1).value, '9')
  assert.deepEqual(java.explain({ hex: '0' }).steps, [])
})

test('a topology names owners', () => {
  const topology = { format: 1, unit: 'slot', epoch: 7, entries: [{ first: 0, last: 5460, owner: 'node-1' }, { first: 5461, last: 16383, owner: 'node-2' }] }
  const redis = new Placer('redis/cluster', { topology })
  assert.equal(redis.outcome('{user:1}:cart').owner, 'node-2')
  assert.equal(redis.place('{user:1}:cart'), 10778)
})

test('many keys have a place each', () => {
  assert.deepEqual(java.placeMany(['100:48069', Buffer.from('100:48069'), null, { text: '' }]), [9, 9, null, 9])
  assert.deepEqual(java.placeMany(new Set(['100:48069'])), [9])
  const tokens = new Placer('cassandra/murmur3')
  assert.throws(() => tokens.placeMany(['a', null]), { name: 'Rejected', message: /^key 1: / })
  assert.throws(() => java.placeMany(['a', { hex: '0' }]), { name: 'TypeError', message: /^key 1: / })
  assert.throws(() => java.placeMany(['a', 42]), { name: 'TypeError', message: /^key 1: / })
  const { places, status } = tokens.placeMany([Buffer.of(0x80), null, { hex: '0' }], { status: true })
  assert.deepEqual(places, [-5284281814142962636n, null, null])
  assert.deepEqual(status, Uint8Array.of(0, 2, 4))
  assert.deepEqual(java.placeMany(['100:48069', null], { status: true }), { places: [9, null], status: Uint8Array.of(0, 1) })
  assert.throws(() => java.placeMany(['a', 42], { status: true }), TypeError)
  for (const keys of ['abc', Buffer.from('abc'), 42, null, undefined, {}]) {
    assert.throws(() => java.placeMany(keys), { name: 'TypeError', message: /an array or another iterable/ })
  }
})

test('direct functions are placers', () => {
  assert.equal(direct.kafkaJava('100:48069', 12), 9)
  assert.equal(direct.kafkaJava('100:48069', 7), new Placer('kafka/java', { partitions: 7 }).place('100:48069'))
  assert.equal(direct.kafkaJava(null, 12), null)
  assert.equal(direct.redisSlot('{user:1}:cart'), 10778)
  assert.equal(direct.cassandraToken(Buffer.of(0x80)), -5284281814142962636n)
  assert.throws(() => direct.kafkaJava('a', 0), /from 1 to 2147483647/)
  assert.throws(() => direct.kafkaJava('a'), TypeError)
})

test('every scheme is listed', () => {
  const list = schemes()
  const java = list.find(({ id }) => id === 'kafka/java')
  assert.ok(list.length > 40)
  assert.deepEqual([java.default, java.domain, java.params[0].name], [true, 'index', 'partitions'])
})
