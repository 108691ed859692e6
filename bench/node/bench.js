'use strict'

// Nanoseconds a key of what places or hashes keys in Node, in one run: README.md tells what is compared and why.
//
//   node bench.js [--rounds N] [--json FILE]
//
// Every round measures every case once, in turn, so that whatever else the machine does falls on all alike; the median and the
// least of the rounds are shown. Ratios are of medians.

const { spawnSync } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, json: { type: 'string' } } })
const rounds = Number(options.rounds)

const packageFolder = join(__dirname, '../../node')
process.env.KEYFALL_ENGINE = 'native'
const native = require(packageFolder)
const wasm = require(join(packageFolder, 'wasm.js'))
const kafkajs = require('kafkajs/src/producer/partitioners/default/murmur2')
const keySlot = require('cluster-key-slot')
const murmurhash = require('murmurhash')
const imurmurhash = require('imurmurhash')
const murmurhash3js = require('murmurhash3js-revisited')

const KEYS = 1024
/** Rows of a column: these keys again and again. */
const ROWS = 16384
const SEED = 0x9747b28c
const PARTITIONS = 12

/** Keys of a length, all different, letters and digits; as strings and as Buffers. */
function keysOf(length) {
  let state = 1
  const letter = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return 'abcdefghijklmnopqrstuvwxyz0123456789'[(state >>> 16) % 36]
  }
  // Flat, as keys that were read are: not concatenated while they are measured.
  const strings = Array.from({ length: KEYS }, () => Buffer.from(Array.from({ length }, letter).join('')).toString('latin1'))
  return { strings, buffers: strings.map((key) => Buffer.from(key)) }
}

/** The cases of a length: name, ns of one pass over the keys, and what it is a ratio to. */
function casesOf(length) {
  const { strings, buffers } = keysOf(length)
  const cases = []
  const each = (name, f, keys, expected) => {
    if (expected) keys.forEach((key, i) => { if (f(key) !== expected(keys[i])) throw new Error(`${name} of ${key} is ${f(key)}, not ${expected(key)}`) })
    cases.push({ length, name, run: () => { let sum = 0; for (let i = 0; i < KEYS; i++) sum += Number(f(keys[i])); return sum } })
  }
  const places = (engine) => {
    const java = new engine.Placer('kafka/java', { partitions: PARTITIONS })
    const redis = new engine.Placer('redis/cluster')
    const tokens = new engine.Placer('cassandra/murmur3')
    const of = (hash) => (key) => (hash(key) & 0x7fffffff) % PARTITIONS
    each(`${engine.engine}: kafka/java, Buffer`, (key) => java.place(key), buffers, of(kafkajs))
    each(`${engine.engine}: kafka/java, string`, (key) => java.place(key), strings, of(kafkajs))
    each(`${engine.engine}: redis/cluster, Buffer`, (key) => redis.place(key), buffers, keySlot)
    each(`${engine.engine}: redis/cluster, string`, (key) => redis.place(key), strings, keySlot)
    each(`${engine.engine}: cassandra/murmur3, Buffer`, (key) => tokens.place(key), buffers)

    const data = Buffer.concat(Array.from({ length: ROWS / KEYS }, () => buffers).flat())
    const offsets = Int32Array.from({ length: ROWS + 1 }, (_, i) => i * length)
    const out = new Uint32Array(ROWS)
    const column = (name, placer) => cases.push({ length, name, keys: ROWS, run: () => placer.placeColumn(data, offsets, out)[0] })
    column(`${engine.engine}: kafka/java, placeColumn`, java)
    column(`${engine.engine}: redis/cluster, placeColumn`, redis)
    cases.push({ length, name: `${engine.engine}: kafka/java, placeMany of Buffers`, run: () => java.placeMany(buffers)[0] })
  }
  places(native)
  places(wasm)
  each('kafkajs murmur2, Buffer', kafkajs, buffers)
  each('kafkajs murmur2, string', kafkajs, strings)
  each('cluster-key-slot, Buffer', keySlot, buffers)
  each('cluster-key-slot, string', keySlot, strings)
  each('murmurhash v2, string', (key) => murmurhash.v2(key, SEED), strings)
  each('murmurhash v3, string', (key) => murmurhash.v3(key, SEED), strings)
  each('imurmurhash, string', (key) => imurmurhash(key, SEED).result(), strings)
  each('murmurhash3js-revisited x64 128, Buffer', (key) => murmurhash3js.x64.hash128(key).length, buffers)
  return cases
}

let sink = 0
async function main() {
  const { murmur2: platformatic } = await import(join(__dirname, 'node_modules/@platformatic/kafka/dist/protocol/murmur2.js'))
  const cases = [4, 8, 16, 36, 256, 1024].flatMap((length) => {
    const { buffers } = keysOf(length)
    const run = () => { let sum = 0; for (const key of buffers) sum += platformatic(key); return sum }
    return [...casesOf(length), { length, name: '@platformatic/kafka murmur2, Buffer', run }]
  })
  for (const each of cases) {
    each.times = []
    // As many passes as take about 3 ms, after enough of them for the optimiser.
    let passes = 1
    for (const end = performance.now() + 60; performance.now() < end; passes++) sink += each.run()
    each.passes = Math.max(1, Math.round(passes / 20))
  }
  for (let round = 0; round < rounds; round++) {
    for (const each of cases) {
      const start = performance.now()
      for (let pass = 0; pass < each.passes; pass++) sink += each.run()
      each.times.push(((performance.now() - start) * 1e6) / (each.passes * (each.keys ?? KEYS)))
    }
  }
  const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]
  const results = cases.map(({ length, name, times }) => ({ length, name, median: median(times), least: Math.min(...times) }))
  const of = (length, name) => results.find((result) => result.length === length && result.name === name).median

  const lengths = [...new Set(results.map(({ length }) => length))]
  console.log(`Node ${process.version}, ${rounds} rounds, ns a key, median (least):\n`)
  console.log(`| | ${lengths.join(' | ')} |\n| --- | ${lengths.map(() => '---:').join(' | ')} |`)
  const number = (ns) => (ns < 100 ? ns.toFixed(1) : String(Math.round(ns)))
  for (const name of [...new Set(results.map(({ name }) => name))]) {
    const cells = results.filter((result) => result.name === name).map(({ median, least }) => `${number(median)} (${number(least)})`)
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }

  const ratio = (wanted, what, slower, faster, least) => {
    const times = slower / faster
    console.log(`${times >= least ? 'ok    ' : 'MISSED'} ${what}: ${times.toFixed(1)} times, at least ${wanted} wanted`)
  }
  console.log()
  ratio(15, "place, 16 bytes, beside kafkajs's murmur2 on Buffers", of(16, 'kafkajs murmur2, Buffer'), of(16, 'native: kafka/java, Buffer'), 15)
  ratio(200, "placeColumn, 16 bytes, beside kafkajs's murmur2 on Buffers", of(16, 'kafkajs murmur2, Buffer'), of(16, 'native: kafka/java, placeColumn'), 200)
  ratio(1, 'slots, 36 bytes, beside cluster-key-slot on Buffers', of(36, 'cluster-key-slot, Buffer'), of(36, 'native: redis/cluster, Buffer'), 1)
  ratio(1, 'slots, 36 bytes, beside cluster-key-slot on strings', of(36, 'cluster-key-slot, string'), of(36, 'native: redis/cluster, string'), 1)

  // A process of its own each: what require() takes, beside an empty program's.
  const program = "const start = performance.now(); require(process.argv[1]); console.log(performance.now() - start)"
  const requires = (file) => median(Array.from({ length: 15 }, () => Number(spawnSync(process.execPath, ['-e', program, join(packageFolder, file)], { encoding: 'utf8' }).stdout)))
  console.log(`\nrequire('keyfall'): ${requires('index.js').toFixed(1)} ms; require('keyfall/wasm'): ${requires('wasm.js').toFixed(1)} ms`)
  if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 1))
}

main()
