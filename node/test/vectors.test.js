'use strict'

// Runs every vector: each key as a KEY object, and as the JavaScript value that it stands for where there is one; all keys of
// a scheme that are bytes as columns too. KEYFALL_VECTORS names another folder of vector files; KEYFALL_ENGINE the engine;
// KEYFALL_COUNTS a file for the closing line.

const assert = require('node:assert/strict')
const { appendFileSync } = require('node:fs')
const { join } = require('node:path')
const { after, test } = require('node:test')
const { Placer, engine } = require('../index.js')
const check = require('./check-vectors.js')
const readVectors = require('./read-vectors.js')

const root = process.env.KEYFALL_VECTORS || join(__dirname, '../../vectors')
const files = readVectors(root)
const counts = { passed: 0, failed: 0 }

test('there are vectors', () => {
  assert.ok(files.length > 0, `no vector files <system>/<variant>.json in ${root}`)
})

test('the engine is the one that was asked for', () => {
  assert.equal(engine, process.env.KEYFALL_ENGINE || 'native')
})

for (const { path, file } of files) {
  test(path, () => {
    const { passed, failed, failures } = check(Placer, file)
    counts.passed += passed
    counts.failed += failed
    assert.ok(failures.length === 0, `${failures.length} differences:\n${failures.slice(0, 40).join('\n')}`)
  })
}

after(() => {
  const commas = (n) => n.toLocaleString('en-US')
  const name = engine === 'wasm' ? 'WebAssembly' : 'Node'
  const line = `${name}: ${commas(counts.passed)} vector cases passed, ${commas(counts.failed)} failed\n`
  if (process.env.KEYFALL_COUNTS) appendFileSync(process.env.KEYFALL_COUNTS, line)
})
