'use strict'

// keyfall/testing, over the lock of the example fleet and one with every kind of key.
const assert = require('node:assert')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const test = require('node:test')
const { Placer } = require('..')
const { cases, checkPartitioner } = require('keyfall/testing')

const lock = path.join(__dirname, '../../examples/fleet/keyfall.lock.json')
const java = (key, { partitions }) => new Placer('kafka/java', { partitions }).place(key)

function write(t, dataset, format = 1) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'keyfall-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const lock = path.join(folder, 'keyfall.lock.json')
  fs.writeFileSync(lock, JSON.stringify({ format, datasets: { d: dataset } }))
  return { lock }
}

const failure = (check) => {
  try {
    check()
  } catch (error) {
    assert(error instanceof assert.AssertionError, error)
    return error.message
  }
  assert.fail('it passed')
}

test('a partitioner that keeps the contract', () => checkPartitioner(java, 'orders', { lock }))

test('one that does not', () => {
  const other = (key, { partitions }) => Buffer.byteLength(key) % partitions
  const lines = failure(() => checkPartitioner(other, 'orders', { lock })).split('\n')
  assert.match(lines[0], /^orders: kafka\/java: \d of 6 keys are not where they belong$/)
  assert.strictEqual(lines[1], "  'user:42' with partitions=12: expected 1, got 7")
})

test('the lock is found above', (t) => {
  const before = process.cwd()
  t.after(() => process.chdir(before))
  process.chdir(path.join(path.dirname(lock), 'services'))
  checkPartitioner(java, 'orders')
  assert.strictEqual(cases('orders').filter(({ outcome }) => outcome === 'unpinned').length, 1)
  process.chdir(os.tmpdir())
  assert.throws(() => cases('orders'), /keyfall contract lock/)
})

test('what is handed over', (t) => {
  const keys = [{ hex: '00ff' }, { base64: 'AP8=' }, { text: 'é' }, { utf16: [55357, 97] }, { type: 'long', value: '-1' },
    { type: 'integer', value: '7' }, { type: 'string', value: 's' }, { type: 'bytes', value: '00' },
    { type: 'boolean', value: 'false' }, { type: 'uuid', value: '0-0' }, { tuple: [{ text: 'a' }] }]
  const options = write(t, { scheme: 'a/b', cases: keys.map((key) => ({ key, params: {}, outcome: 'placed', place: 0 })) })
  const seen = []
  checkPartitioner((key) => { seen.push(key); return 0 }, 'd', options)
  assert.deepStrictEqual(seen, [Buffer.from([0, 255]), Buffer.from([0, 255]), 'é', '\ud83da', -1n, 7, 's', Buffer.from([0]), false,
    { type: 'uuid', value: '0-0' }, { tuple: [{ text: 'a' }] }])
})

test('outcomes', (t) => {
  const options = write(t, { scheme: 'a/b', cases: [
    { key: { text: 'far' }, params: {}, outcome: 'placed', place: '9223372036854775807' },
    { key: null, params: {}, outcome: 'unpinned' },
    { key: { text: '' }, params: {}, outcome: 'rejected' }
  ] })
  const strict = (key) => {
    if (key === '') throw new RangeError('empty')
    return 2n ** 63n - 1n
  }
  checkPartitioner(strict, 'd', options)
  for (const [partitioner, said] of [
    [() => 2n ** 63n - 1n, /'' with no params: got 9223372036854775807n, and is to be rejected/],
    [(key) => key === '' ? strict(key) : Number(2n ** 63n), /expected 9223372036854775807, got 9223372036854776000/],
    [() => { throw new Error('no') }, /threw Error: no/],
    [async () => 0, /got Promise/],
    [() => undefined, /got undefined/]
  ]) {
    assert.match(failure(() => checkPartitioner(partitioner, 'd', options)), said)
  }
})

test('a lock that cannot be asked', (t) => {
  assert.throws(() => checkPartitioner(java, 'payments', { lock }), /no dataset payments; there are orders/)
  const free = write(t, { scheme: 'a/b', cases: [{ key: null, params: {}, outcome: 'unpinned' }] })
  assert.match(failure(() => checkPartitioner(java, 'd', free)), /no fixtures/)
  assert.throws(() => checkPartitioner(java, 'd', write(t, {}, 2)), /format 2/)
})
