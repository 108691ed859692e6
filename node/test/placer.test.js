'use strict'

// What the package promises beside the vectors.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Placer } = require('../index.js')

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
  assert.throws(() => new Placer('cassandra/murmur3').place(null), { name: 'Error', code: 'Rejected', message: /never null/ })
  assert.throws(() => new Placer('elasticsearch/legacy', { shards: 5 }).place(null), { code: 'Refused', message: /makes an id up/ })
  for (const key of [{}, { hex: '0' }, { hex: 5 }, { nonsense: 'x' }, { hex: '00', text: 'a' }, new Map(), new ArrayBuffer(1)]) {
    assert.throws(() => java.place(key), { code: 'KeyfallError' }, JSON.stringify(key))
  }
})

test('placers that cannot be say what is allowed', () => {
  const cases = [
    ['kafka/jva', {}, /did you mean kafka\/java/],
    ['kafka/java', undefined, /partitions is missing/],
    ['kafka/java', null, /partitions is missing/],
    ['kafka/java', { partitions: 0 }, /from 1 to 2147483647/],
    ['kafka/java', { partitions: -3 }, /from 1 to 2147483647/],
    ['kafka/java', { partitions: 1.5 }, /from 1 to 2147483647/],
    ['kafka/java', { partitions: NaN }, /partitions/],
    ['kafka/java', { partitions: 12, shards: 3 }, /unknown param shards/],
    ['elasticsearch/legacy', { shards: 5, routing_shards: 7 }, /not a multiple/]
  ]
  for (const [scheme, params, message] of cases) {
    assert.throws(() => new Placer(scheme, params), { code: 'KeyfallError', message })
  }
  for (const [scheme, params] of [[42], [null], [], ['kafka/java', 12], ['kafka/java', 'partitions=12'], ['kafka/java', { partitions: 12n }]]) {
    assert.throws(() => new Placer(scheme, params), TypeError)
  }
})

test('what is no key is a TypeError', () => {
  const keys = [42, NaN, 2 ** 53 + 1, true, 42n, Symbol('a'), () => 'a', ['a'], new Int16Array(2), new Float64Array(1), new BigInt64Array(1)]
  for (const key of keys) {
    assert.throws(() => java.place(key), { name: 'TypeError', message: /a key is a string, Buffer/ }, typeof key)
  }
  assert.throws(() => java.place({ type: 'long', value: 42n }), TypeError)
  const moved = new Uint8Array(8)
  structuredClone(moved.buffer, { transfer: [moved.buffer] })
  assert.throws(() => java.place(moved), { name: 'TypeError', message: /transferred/ })
  assert.throws(() => java.place({ toJSON() {} }), TypeError)
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
})
