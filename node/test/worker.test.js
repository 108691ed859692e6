'use strict'

// Worker threads, and memory.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Worker } = require('node:worker_threads')
const { Placer, audit } = require('../index.js')

const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { Placer } = require(${JSON.stringify(require.resolve('../index.js'))})
  const java = new Placer('kafka/java', { partitions: 12 })
  for (let i = 0; i < 20000; i++) {
    const placer = i % 100 === 0 ? new Placer('redis/cluster') : java
    placer.place('user:' + i)
    placer.place(Buffer.from('user:' + i))
  }
  parentPort.postMessage([java.place('100:48069'), java.place(null), java.outcome('100:48069').place])
`

test('threads place at the same time', async () => {
  const answers = Array.from({ length: 8 }, () => new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true })
    worker.on('message', resolve).on('error', reject)
  }))
  for (const answer of await Promise.all(answers)) assert.deepEqual(answer, [9, null, 9])
})

/** Bytes of the process that are not given back, after the calls of `f` that a warm-up has gone before. */
function grown(f, calls) {
  const measure = () => {
    for (let i = 0; i < 3; i++) global.gc()
    return process.memoryUsage().rss
  }
  for (let i = 0; i < calls / 2; i++) f(i)
  const before = measure()
  for (let i = 0; i < calls; i++) f(i)
  return measure() - before
}

test('a million calls leave no memory behind', { skip: !global.gc && 'node runs without --expose-gc' }, async () => {
  const java = new Placer('kafka/java', { partitions: 12 })
  const tokens = new Placer('cassandra/murmur3')
  const bytes = Buffer.from('100:48069')
  const out = new Uint32Array(1)
  const calls = {
    'place(string)': [() => java.place('100:48069'), 1_000_000],
    'place(Buffer)': [() => java.place(bytes), 1_000_000],
    'place, a bigint': [() => tokens.place(bytes), 1_000_000],
    'outcome': [() => java.outcome('100:48069'), 200_000],
    'a rejected key': [() => assert.throws(() => tokens.place(null)), 20_000],
    'placeColumn': [() => java.placeColumn(bytes, Int32Array.of(0, 9), out), 200_000],
    'explain': [() => java.explain({ type: 'long', value: 42n }), 50_000]
  }
  for (const [name, [call, count]] of Object.entries(calls)) {
    const bytes = grown(call, count)
    // 8 bytes a call would be 8 MB; what the collector keeps for itself is less.
    assert.ok(bytes < 8 * count + 6_000_000, `${name}: ${count} calls left ${bytes} bytes`)
  }
  // What is collected in a later turn: placers and their functions.
  const made = () => new Promise((resolve) => setImmediate(() => {
    for (let i = 0; i < 5_000; i++) new Placer('kafka/java', { partitions: 12 }).place('a')
    global.gc()
    resolve()
  }))
  for (let i = 0; i < 4; i++) await made()
  const before = process.memoryUsage().rss
  for (let i = 0; i < 12; i++) await made()
  const left = process.memoryUsage().rss - before
  assert.ok(left < 16_000_000, `60000 placers left ${left} bytes`)
  audit([], { scheme: 'redis/cluster' })
})
