'use strict'

// Runs every vector: each key as a KEY object, and as the JavaScript value that it stands for where there is one.
// KEYFALL_VECTORS names another folder of vector files; KEYFALL_COUNTS a file for the closing line.

const assert = require('node:assert/strict')
const { existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { after, test } = require('node:test')
const { Placer } = require('../index.js')

const root = process.env.KEYFALL_VECTORS || join(__dirname, '../../vectors')
const folders = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : []
const files = folders
  .filter((entry) => entry.isDirectory() && !['data', 'runs'].includes(entry.name))
  .flatMap(({ name }) => readdirSync(join(root, name)).map((file) => `${name}/${file}`))
  .filter((file) => file.endsWith('.json'))
  .sort()
const counts = { passed: 0, failed: 0 }

// JSON.parse forgets how a number was written, and among a key's fields 1.0 is not 1: there it becomes a typed value.
class Written {
  constructor(text) {
    this.text = text
  }
}

function parse(json) {
  const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g
  const marked = json.replace(token, (text) => (text[0] === '"' ? text : `{"\\u0000":"${text}"}`))
  const revive = (_, value) => (value && typeof value === 'object' && '\0' in value ? new Written(value['\0']) : value)
  return plain(JSON.parse(marked, revive))
}

function plain(value, fields = false) {
  if (value instanceof Written) return fields ? { type: 'number', value: value.text } : Number(value.text)
  if (Array.isArray(value)) return value.map((item) => plain(item, fields))
  if (value === null || typeof value !== 'object') return value
  const isFields = Object.keys(value).join() === 'fields'
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, fields || isFields)]))
}

// Every way to write a key in JavaScript.
function* forms(key) {
  yield key
  if (key === null) {
    yield undefined
  } else if ('hex' in key || 'base64' in key) {
    const buffer = 'hex' in key ? Buffer.from(key.hex, 'hex') : Buffer.from(key.base64, 'base64')
    yield buffer
    yield Uint8Array.from([0, ...buffer]).subarray(1)
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

test('there are vectors', () => {
  assert.ok(files.length > 0, `no vector files <system>/<variant>.json in ${root}`)
})

for (const file of files) {
  test(file, () => {
    const vectors = parse(readFileSync(join(root, file), 'utf8'))
    assert.equal(vectors.format, 1)
    // Places over 53 bits are strings in JSON and bigints here; places that are bytes are strings in both.
    const tokens = vectors.cases.every(({ place }) => place === undefined || /^-?\d+$/.test(typeof place === 'string' ? place : 'x'))
    const failures = []
    for (const vector of vectors.cases) {
      let found
      try {
        found = differences(new Placer(vectors.scheme, vector.params), vector, tokens)
      } catch (error) {
        found = [String(error)]
      }
      counts[found.length > 0 ? 'failed' : 'passed']++
      failures.push(...found.map((what) => `case ${vector.id} ${show(vector.params)}: ${what}`))
    }
    assert.ok(failures.length === 0, `${failures.length} differences:\n${failures.slice(0, 40).join('\n')}`)
  })
}

after(() => {
  const commas = (n) => n.toLocaleString('en-US')
  const line = `Node: ${commas(counts.passed)} vector cases passed, ${commas(counts.failed)} failed\n`
  if (process.env.KEYFALL_COUNTS) writeFileSync(process.env.KEYFALL_COUNTS, line)
})
