'use strict'

// Columns: every kind of data, and every way to hand them over wrongly.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Placer } = require('../index.js')

const java = new Placer('kafka/java', { partitions: 12 })
const data = Buffer.from('100:48069100:48069')
const offsets = Int32Array.of(0, 9, 9, 18)

test('a row is a key', () => {
  const out = new Uint32Array(3)
  assert.deepEqual(java.placeColumn(data, offsets, out), Uint8Array.of(0, 0, 0))
  assert.deepEqual(out, Uint32Array.of(9, 9, 9))
  const signed = new Int32Array(3)
  java.placeColumn(data, Uint32Array.from(offsets), signed)
  assert.deepEqual(signed, Int32Array.of(9, 9, 9))
  const status = java.placeColumn(data, BigInt64Array.from(offsets, BigInt), out, { validity: Uint8Array.of(0b101) })
  assert.deepEqual([status, out], [Uint8Array.of(0, 1, 0), Uint32Array.of(9, 0, 9)])
})

test('a column may be a part of its memory', () => {
  const memory = new ArrayBuffer(64)
  const part = new Uint8Array(memory, 3, data.length)
  part.set(data)
  const places = new Uint32Array(memory, 24, 5)
  const at = new Int32Array(memory, 48, 4)
  at.set(offsets)
  places.fill(77)
  assert.deepEqual(java.placeColumn(part, at, places), Uint8Array.of(0, 0, 0))
  assert.deepEqual(places, Uint32Array.of(9, 9, 9, 77, 77))
})

test('no rows are a column', () => {
  assert.deepEqual(java.placeColumn(new Uint8Array(0), Int32Array.of(0), new Uint32Array(0)), new Uint8Array(0))
})

test('text, UTF-16 and integers are columns', () => {
  const out = new Uint32Array(2)
  const elasticsearch = new Placer('elasticsearch/modulo', { shards: 1009 })
  const units = Uint16Array.of(0x61, 0xd83d, 0x62)
  elasticsearch.placeColumn(units, Int32Array.of(0, 2, 3), out)
  assert.deepEqual([...out], [elasticsearch.place('a\ud83d'), elasticsearch.place('b')])
  const status = java.placeColumn(Uint8Array.of(0x61, 0xff), Int32Array.of(0, 1, 2), out, { text: true })
  assert.deepEqual(status, Uint8Array.of(0, 4))
  java.placeColumn(Int32Array.of(42, -1), null, out)
  assert.deepEqual([...out], [42, -1].map((value) => java.place({ type: 'integer', value })))
  java.placeColumn(BigInt64Array.of(42n, -1n), undefined, out)
  assert.deepEqual([...out], [42n, -1n].map((value) => java.place(value)))
})

test('tokens have arrays of their width', () => {
  const tokens = new BigInt64Array(1)
  new Placer('cassandra/murmur3').placeColumn(Uint8Array.of(0x80), Int32Array.of(0, 1), tokens)
  assert.equal(tokens[0], -5284281814142962636n)
  const random = new Placer('cassandra/random')
  const words = new BigUint64Array(2)
  random.placeColumn(Uint8Array.of(0x80), Int32Array.of(0, 1), words)
  assert.equal(words[0] | (words[1] << 64n), random.place(Uint8Array.of(0x80)))
})

test('what does not fit is a RangeError or a TypeError, and nothing is written', () => {
  const out = new Uint32Array(3).fill(77)
  const resizable = new ArrayBuffer(32, { maxByteLength: 64 })
  const moved = new ArrayBuffer(32)
  const views = [new Uint8Array(moved), new Int32Array(moved), new Uint32Array(moved)]
  structuredClone(moved, { transfer: [moved] })
  const cases = [
    [[data, Int32Array.of(0, 9, 8), out], RangeError, /offset 2 is 8.*are allowed/],
    [[data, Int32Array.of(-1, 9), out], RangeError, /negative.*are allowed/],
    [[data, Int32Array.of(0, 19), out], RangeError, /beyond the data's length 18/],
    [[data, BigInt64Array.of(0n, 2n ** 62n), out], RangeError, /beyond/],
    [[data, BigInt64Array.of(0n, -(2n ** 63n)), out], RangeError, /negative/],
    [[data, new Int32Array(0), out], RangeError, /n \+ 1/],
    [[data, offsets, new Uint32Array(2)], RangeError, /out has 2 elements: 3 rows need 3/],
    [[data, offsets, out, { validity: new Uint8Array(0) }], RangeError, /3 rows need 1/],
    [[data, Uint32Array.of(0, 9, 8), out], RangeError, /offset 2 is 8.*are allowed/],
    [[data, Uint32Array.of(0, 2 ** 32 - 1), out], RangeError, /are allowed/],
    [[data, offsets, new Float64Array(3)], TypeError, /out is Uint32Array or Int32Array, not a Float64Array/],
    [[data, offsets, new Int16Array(3)], TypeError, /out is Uint32Array or Int32Array, not an Int16Array/],
    [[data, offsets, new BigInt64Array(3)], TypeError, /out is Uint32Array/],
    [[data, offsets, [0, 0, 0]], TypeError, /out is Uint32Array or Int32Array, not an array/],
    [[data, offsets], TypeError, /out is Uint32Array or Int32Array, not undefined/],
    [[data, [0, 9], out], TypeError, /offsets is Int32Array or Uint32Array or BigInt64Array/],
    [[data, null, out], TypeError, /offsets is Int32Array or Uint32Array or BigInt64Array, not null/],
    [['100:48069', offsets, out], TypeError, /data is Uint8Array or/],
    [[{}, offsets, out], TypeError, /data is Uint8Array or/],
    [[new Float64Array(3), offsets, out], TypeError, /not a Float64Array/],
    [[Symbol('a'), offsets, out], TypeError, /not a symbol/],
    [[NaN, offsets, out], TypeError, /not the number NaN/],
    [[new Int32Array(3), offsets, out], TypeError, /no offsets/],
    [[new Uint16Array(3), BigInt64Array.of(0n), out], TypeError, /Int32Array or Uint32Array, not a BigInt64Array/],
    [[new Uint16Array(3), Int32Array.of(0, 3), out, { text: true }], TypeError, /text: true is for a Uint8Array/],
    [[data, offsets, out, { validity: [1] }], TypeError, /validity is Uint8Array/],
    [[views[0], offsets, out], TypeError, /transferred/],
    [[data, views[1], out], TypeError, /transferred/],
    [[data, offsets, views[2]], TypeError, /transferred/],
    [[new Uint8Array(resizable), offsets, out], TypeError, /data is a view of a resizable buffer/],
    [[data, new Int32Array(resizable), out], TypeError, /offsets is a view of a resizable buffer/],
    [[data, offsets, new Uint32Array(resizable)], TypeError, /out is a view of a resizable buffer/],
    [[data, offsets, new Uint32Array(new SharedArrayBuffer(16))], TypeError, /other threads share/],
    [[new Uint8Array(out.buffer), Int32Array.of(0, 4), out], RangeError, /shares memory/]
  ]
  for (const [args, type, message] of cases) {
    assert.throws(() => java.placeColumn(...args), (error) => error instanceof type && message.test(error.message), String(message))
    assert.deepEqual([...out], [77, 77, 77])
  }
  assert.throws(() => java.placeColumn(data, offsets, out, { get validity() { throw new RangeError('mine') } }), /^RangeError: mine$/)
  assert.throws(() => new Placer('cassandra/byte-ordered').placeColumn(data, offsets, out), { name: 'TypeError', message: /placeMany gives them/ })
})

test('memory that threads share is copied, not refused', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(18))
  shared.set(data)
  const out = new Uint32Array(3)
  java.placeColumn(shared, offsets, out)
  assert.deepEqual([...out], [9, 9, 9])
})
