'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { AssertionError } = require('node:assert')
const { inspect } = require('node:util')

const LOCK = 'keyfall.lock.json'
const SHOWN = 5

/** The lock named, or the one in the current folder or above it. */
function find(lock) {
  if (lock !== undefined) return lock
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    const file = path.join(folder, LOCK)
    if (fs.existsSync(file)) return file
    if (folder === path.dirname(folder)) {
      throw new Error(`no ${LOCK} in ${process.cwd()} or above it: run \`keyfall contract lock\``)
    }
  }
}

const INTEGERS = ['short', 'integer', 'tinyint', 'smallint', 'int', 'int2', 'int4']
const LONGS = ['long', 'bigint', 'int8']

/** What a client is handed of a KEY: null, a Buffer, a string, of a typed key its value; others as they stand. */
function decode(key) {
  if (key === null) return null
  const { type, value } = key
  if (type !== undefined) {
    if (INTEGERS.includes(type)) return Number(value)
    if (LONGS.includes(type)) return BigInt(value)
    if (['string', 'text', 'varchar'].includes(type)) return value
    if (type === 'boolean') return value === 'true'
    if (type === 'bytes') return Buffer.from(value, 'hex')
    return type === 'void' ? null : key
  }
  if (key.hex !== undefined) return Buffer.from(key.hex, 'hex')
  if (key.base64 !== undefined) return Buffer.from(key.base64, 'base64')
  if (key.text !== undefined) return key.text
  if (key.utf16 !== undefined) return String.fromCharCode(...key.utf16)
  return key
}

function cases(dataset, { lock } = {}) {
  const file = find(lock)
  const { format, datasets } = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (format !== 1) throw new Error(`${file}: format ${format}, known is 1`)
  if (!Object.hasOwn(datasets, dataset)) {
    throw new Error(`${file}: no dataset ${dataset}; there are ${Object.keys(datasets).join(', ')}`)
  }
  const { scheme, cases } = datasets[dataset]
  return cases.map(({ key, params, outcome, place }) => ({ dataset, scheme, key: decode(key), params, outcome, place }))
}

/** What is wrong with what the partitioner does with a case; nothing if it keeps it. */
function wrong({ key, params, outcome, place }, partitioner) {
  let got
  try {
    got = partitioner(key, params)
  } catch (error) {
    return outcome === 'rejected' ? undefined : `threw ${error}`
  }
  if (outcome === 'rejected') return `got ${inspect(got)}, and is to be rejected: throw an error`
  // A place passes 2^53 where it is a string; a function that gives a number, a bigint or a string is right alike.
  const kept = ['number', 'bigint', 'string'].includes(typeof got) && String(got) === String(place)
  return kept ? undefined : `expected ${place}, got ${inspect(got)}`
}

function checkPartitioner(partitioner, dataset, options) {
  const all = cases(dataset, options)
  const asked = all.filter(({ outcome }) => outcome === 'placed' || outcome === 'rejected')
  const fail = (message) => {
    throw new AssertionError({ message, stackStartFn: checkPartitioner })
  }
  if (asked.length === 0) {
    fail(`${dataset}: no fixtures to ask about: write some into keyfall.toml, then \`keyfall contract lock\``)
  }
  const found = asked.map((one) => [one, wrong(one, partitioner)]).filter(([, why]) => why !== undefined)
  if (found.length === 0) return
  const shown = found.slice(0, SHOWN).map(([{ key, params }, why]) => {
    const given = Object.entries(params).map(([name, value]) => `${name}=${value}`).join(', ')
    return `  ${inspect(key)} with ${given || 'no params'}: ${why}`
  })
  fail([
    `${dataset}: ${asked[0].scheme}: ${found.length} of ${asked.length} keys are not where they belong`,
    ...shown,
    ...(found.length > SHOWN ? [`  and ${found.length - SHOWN} more`] : []),
    '`keyfall verify --contract keyfall.toml -- ADAPTER` tells whose function that is, and what to set'
  ].join('\n'))
}

module.exports = { cases, checkPartitioner }
