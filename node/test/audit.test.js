'use strict'

// The audit of records, beside what the program finds in the same ones.

const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { test } = require('node:test')
const { audit } = require('../index.js')

const options = { scheme: 'kafka/java', params: { partitions: 12 } }
const lines = readFileSync(join(__dirname, '../../examples/orders.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
const records = lines.map(({ key, partition, offset, ts }) => ({ key, partition, offset, timestamp: ts }))

test('the example has the misplaced records that the README shows', () => {
  const report = audit(records, options)
  assert.equal(report.complete, true)
  assert.deepEqual([report.records, report.keyed, report.unpinned, report.misplaced], [10000, 9794, 206, 2201])
  assert.deepEqual(report.split_keys, { keys: 483, records: 7657 })
  assert.deepEqual([report.attribution[0].function, report.attribution[0].records], ['crc32-modulo', 2201])
  assert.equal(report.onset.find(({ place }) => place === 7).offset, 489)
  assert.equal(report.interval, undefined)
  assert.equal(audit(records, { ...options, sample: true }).interval.level, 0.95)
})

test('records come by any iterable, and as kafkajs has them', async () => {
  const report = audit(records, options)
  async function* messages() {
    for (const { key, partition, offset, timestamp } of records) {
      yield { key, partition, offset: String(offset), timestamp: String(timestamp) }
    }
  }
  assert.deepEqual(await audit(messages(), options), report)
  // Bytes: the same, but for functions to which a text is another key, and for how a key is shown.
  const bytes = audit(records.map((record) => ({ ...record, key: record.key === null ? null : Buffer.from(record.key) })), options)
  for (const member of ['keyed', 'misplaced', 'split_keys', 'onset']) assert.deepEqual(bytes[member], report[member])
})

test('what is no record says which one and what is allowed', () => {
  const cases = [
    [42, /record 1: a record is an object/],
    [{ key: 42, partition: 0 }, /a key is a string/],
    [{ key: 'a', partition: 1.5 }, /record 1: partition is the number 1.5: a whole number/],
    [{ key: 'a', partition: NaN }, /record 1: partition/],
    [{ key: 'a', partition: 0, offset: 2 ** 53 }, /record 1: offset/],
    [{ key: 'a', partition: 0, offset: 'x' }, /offset "x" is no whole number/],
    [{ key: 'a', partition: 0, timestamp: {} }, /record 1: timestamp is an object/]
  ]
  for (const [record, message] of cases) {
    assert.throws(() => audit([record], options), (error) => error instanceof TypeError && message.test(error.message), String(message))
  }
  for (const records of [null, undefined, 42, 'abc', {}]) assert.throws(() => audit(records, options), /records are an array/)
  assert.throws(() => audit([], {}), TypeError)
  assert.throws(() => audit([], { scheme: 'kafka/java' }), /partitions is missing/)
})

test('a record without a place is counted, and makes the report incomplete', () => {
  const report = audit([{ key: 'a' }, { key: { hex: '0' }, partition: 1 }, { key: 'a', partition: 'x' }], options)
  assert.deepEqual([report.complete, report.records, report.malformed], [false, 3, 3])
})
