'use strict'

// The partitioners inside the real clients, up to the point where these would write to a broker; oracles/ has them write.

const assert = require('node:assert/strict')
const { join } = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')
const keySlot = require('cluster-key-slot')
const { Partitioners } = require('kafkajs')
const group = require('kafkajs/src/producer/groupMessagesPerPartition')
const { Placer } = require('../index.js')
const ioredis = require('../ioredis.js')
const kafkajs = require('../kafkajs.js')
const platformatic = require('../platformatic.js')
const readVectors = require('./read-vectors.js')

const { cases } = readVectors(join(__dirname, '../../vectors')).find(({ file }) => file.scheme === 'kafka/java').file
const written = (key) => (key === null ? null : 'hex' in key ? Buffer.from(key.hex, 'hex') : 'text' in key ? key.text : undefined)
const keyed = cases.filter(({ key, params, outcome }) => outcome === 'placed' && written(key) !== undefined && params.partitions <= 2000)
const metadata = (partitions) => Array.from({ length: partitions }, (_, partitionId) => ({ partitionId, leader: partitionId % 3 - 1 }))

test('kafkajs puts records where the vectors of kafka/java say', () => {
  assert.ok(keyed.length > 500)
  const partitioner = kafkajs.createPartitioner()
  for (const { key, params, place } of keyed) {
    const messages = [{ key: written(key), value: 'v' }]
    const groups = group({ topic: 't', partitionMetadata: metadata(params.partitions), messages, partitioner })
    assert.deepEqual(Object.keys(groups), [String(place)])
  }
})

test('kafkajs does with every key what its own partitioner does', () => {
  const ours = kafkajs.createPartitioner()
  const theirs = Partitioners.DefaultPartitioner()
  const partitionMetadata = metadata(12)
  for (const key of ['', 'a', 'a\ud83d', '\ud83d\ude00', '\u043a\u043b\u044e\u0447', Buffer.alloc(0), Buffer.of(0, 255), '\0']) {
    const message = { key, value: 'v' }
    assert.equal(ours({ topic: 't', partitionMetadata, message }), theirs({ topic: 't', partitionMetadata, message }), JSON.stringify(key))
  }
  assert.equal(ours({ topic: 't', partitionMetadata, message: { key: 'a', partition: 7 } }), 7)
  assert.equal(ours({ topic: 't', partitionMetadata, message: { key: 'a', partition: 0 } }), 0)
})

test('kafkajs spreads records without a key over the partitions that have a leader', () => {
  const partitioner = kafkajs.createPartitioner()
  const partitionMetadata = metadata(12)
  for (const key of [null, undefined]) {
    const seen = Array.from({ length: 16 }, () => partitioner({ topic: 't', partitionMetadata, message: { key } }))
    assert.deepEqual([...new Set(seen)].sort((a, b) => a - b), [1, 2, 4, 5, 7, 8, 10, 11])
    assert.deepEqual(seen.slice(0, 8), seen.slice(8))
  }
  const nobody = Array.from({ length: 3 }, (_, partitionId) => ({ partitionId, leader: -1 }))
  assert.equal(new Set(Array.from({ length: 6 }, () => partitioner({ topic: 't', partitionMetadata: nobody, message: {} }))).size, 3)
})

test('kafkajs takes other schemes, and says at once which there are none of', () => {
  const partitioner = kafkajs.createPartitioner('kafka/librdkafka-consistent-random')
  const place = new Placer('kafka/librdkafka-consistent-random', { partitions: 12 }).place('user:42')
  assert.equal(partitioner({ topic: 't', partitionMetadata: metadata(12), message: { key: 'user:42' } }), place)
  assert.throws(() => kafkajs.createPartitioner('kafka/jva'), /did you mean kafka\/java/)
  assert.throws(() => kafkajs.createPartitioner('redis/cluster'), /unknown param partitions/)
  assert.throws(() => kafkajs.createPartitioner('kafka/java', { partitions: 12 }), /partitions are the topic's/)
  const strict = kafkajs.createPartitioner('kafka/pykafka-hashing')
  assert.throws(() => strict({ topic: 't', partitionMetadata: metadata(3), message: { key: null } }), { name: 'Rejected' })
})

test('@platformatic/kafka puts records where the vectors of kafka/java say', async () => {
  // Node 20 has no Promise.withResolvers, which this client needs.
  Promise.withResolvers ??= () => {
    const resolvers = {}
    resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }))
    return resolvers
  }
  const dist = pathToFileURL(join(__dirname, '../node_modules/@platformatic/kafka/dist/'))
  const { Producer } = await import(new URL('index.js', dist))
  const { kGetConnection, kMetadata } = await import(new URL('clients/base/base.js', dist))

  // Every partition has a leader of its own, so the one that the producer connects to is the partition that it chose.
  class Chosen extends Error {}
  class Asked extends Producer {
    topology(partitionsCount) {
      const partitions = Array.from({ length: partitionsCount }, (_, leader) => ({ leader }))
      this.known = { topics: new Map([['t', { partitionsCount, partitions }]]), brokers: { get: (leader) => leader } }
    }

    get currentMetadata() {
      return this.known
    }

    [kMetadata](_, callback) {
      callback(null, this.known)
    }

    [kGetConnection](leader, callback) {
      callback(Object.assign(new Chosen(), { leader }))
    }

    partition(key) {
      return new Promise((resolve, reject) => {
        this.send({ messages: [{ topic: 't', key, value: undefined }] }, (error) => {
          const chosen = error?.errors?.find((each) => each instanceof Chosen) ?? error
          chosen instanceof Chosen ? resolve(chosen.leader) : reject(error)
        })
      })
    }
  }

  const options = { clientId: 'test', bootstrapBrokers: ['127.0.0.1:9'], retries: 0 }
  const producer = new Asked({ ...options, partitioner: platformatic.createPartitioner() })
  for (const { key, params, place } of keyed.slice(0, 500)) {
    producer.topology(params.partitions)
    assert.equal(await producer.partition(Buffer.from(written(key))), place)
  }
  producer.topology(12)
  const seen = new Set()
  for (let i = 0; i < 12; i++) seen.add(await producer.partition(undefined))
  assert.equal(seen.size, 12)

  const known = platformatic.createPartitioner('kafka/java', { partitions: { t: 12 } })
  assert.equal(known({ topic: 't' }, Buffer.from('100:48069')), 9)
  assert.throws(() => known({ topic: 'other' }, Buffer.from('a'), { metadata: undefined }), /await producer.metadata\(\{ topics: \['other'\] \}\)/)
})

test('slots are those of ioredis, but where ioredis differs from the server', () => {
  const vectors = readVectors(join(__dirname, '../../vectors')).find(({ file }) => file.scheme === 'redis/cluster').file
  let asked = 0
  for (const { key, place, outcome } of vectors.cases) {
    if (outcome !== 'placed' || written(key) === undefined) continue
    assert.equal(ioredis.slot(written(key)), place)
    asked++
  }
  assert.ok(asked > 300)
  for (let i = 0; i < 1000; i++) {
    for (const key of [`user:${i}`, `{user:${i}}:cart`, Buffer.from(`user:${i}`)]) assert.equal(ioredis.slot(key), keySlot(key))
  }
  // The server's rule: an empty hash tag is none. cluster-key-slot, which ioredis uses, looks for the next }.
  assert.deepEqual([ioredis.slot('foo{}{bar}'), keySlot('foo{}{bar}')], [8363, 4015])
})

test('keys are grouped by slot', () => {
  const groups = ioredis.groupBySlot(['{a}1', 'b', '{a}2', Buffer.from('{a}3')])
  assert.deepEqual([...groups.values()], [['{a}1', '{a}2', Buffer.from('{a}3')], ['b']])
  assert.deepEqual([...groups.keys()], [keySlot('a'), keySlot('b')])
})
