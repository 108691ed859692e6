'use strict'

// The packed tarball, installed in an empty folder without running any script: what users get.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { after, before, test } = require('node:test')
const examples = require('./examples.js')

const here = join(__dirname, '..')
const root = join(here, '..')
const folder = mkdtempSync(join(tmpdir(), 'keyfall-'))
const installed = join(folder, 'node_modules/keyfall')

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options })
  assert.ok(!error && status === 0, `${command} ${args.join(' ')}: ${error ?? stderr}`)
  return stdout
}

let files
before(() => {
  const [packed] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: here }))
  files = packed.files
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`])
  for (const name of ['kafkajs', '@platformatic/kafka', 'ioredis']) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(here, 'node_modules', name), join(folder, 'node_modules', name))
  }
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('it holds what it needs, and nothing else', () => {
  const names = files.map(({ path }) => path)
  const size = (name) => files.find(({ path }) => path === name).size
  const binaries = names.filter((name) => name.endsWith('.node'))
  assert.equal(binaries.length, 1)
  assert.ok(size(binaries[0]) < 2_000_000, `${binaries[0]}: ${size(binaries[0])} bytes`)
  if (process.env.KEYFALL_WASM === 'required' || names.includes('keyfall.wasm')) {
    assert.ok(size('keyfall.wasm') < 600_000, `keyfall.wasm: ${size('keyfall.wasm')} bytes`)
  }
  for (const name of ['index.js', 'index.d.ts', 'schemes.d.ts', 'browser.mjs', 'vectors.br', 'README.md', 'LICENSE-MIT']) assert.ok(names.includes(name), name)
  assert.deepEqual(names.filter((name) => /^(test|src|npm|cli|node_modules)\/|build|publish|\.rs$|\.toml$/.test(name)), [])
  assert.equal(existsSync(join(installed, 'node_modules')), false)
})

test('CommonJS and ES modules share one package', () => {
  writeFileSync(join(folder, 'a.cjs'), "const { Placer, engine } = require('keyfall'); console.log(engine, new Placer('kafka/java', { partitions: 12 }).place('100:48069'))")
  assert.equal(run('node', ['a.cjs']), 'native 9\n')
  writeFileSync(join(folder, 'a.mjs'), `
    import keyfall, { Placer, audit, schemes, direct, vectors, KeyfallError, Rejected, Refused, engine } from 'keyfall'
    import { createRequire } from 'node:module'
    console.log(createRequire(import.meta.url)('keyfall').Placer === Placer, keyfall.Placer === Placer, engine)
    console.log(new Placer('kafka/java', { partitions: 12 }).place('100:48069'), vectors().length === new Set(schemes().map(({ id }) => id)).size || vectors().length)
    console.log([audit, direct.kafkaJava, KeyfallError, Rejected, Refused].map((each) => typeof each).join())`)
  const [shared, place, types] = run('node', ['a.mjs']).split('\n')
  assert.equal(shared, 'true true native')
  assert.match(place, /^9 (true|\d+)$/)
  assert.equal(types, 'function,function,function,function,function')
})

const unbuilt = !existsSync(join(here, 'keyfall.wasm')) && process.env.KEYFALL_WASM !== 'required' && 'keyfall.wasm is not built'
test('WebAssembly takes the place of a binary, by name or where there is none', { skip: unbuilt }, () => {
  const program = "const { Placer, engine } = require('keyfall'); console.log(engine, new Placer('kafka/java', { partitions: 12 }).place('100:48069'))"
  assert.equal(run('node', ['-e', program], { env: { ...process.env, KEYFALL_ENGINE: 'wasm' } }), 'wasm 9\n')
  assert.equal(run('node', ['-e', program.replace("'keyfall'", "'keyfall/wasm'")]), 'wasm 9\n')
  const elsewhere = (os, env) => {
    const pretend = `Object.defineProperty(process, 'platform', { value: '${os}' });`
    return spawnSync('node', ['-e', pretend + program], { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } })
  }
  assert.equal(elsewhere('sunos', {}).stdout, 'wasm 9\n')
  assert.match(elsewhere('sunos', { KEYFALL_ENGINE: 'native' }).stderr, /keyfall: no binary for sunos-\w+ \(there is no binary for it\)\. There are binaries for linux-x64/)
  assert.match(elsewhere('darwin', { KEYFALL_ENGINE: 'native' }).stderr, /keyfall: no binary for darwin-\w+ \(Cannot find module/)
  assert.match(elsewhere('linux', { KEYFALL_ENGINE: 'java' }).stderr, /KEYFALL_ENGINE=java: native or wasm is allowed/)
})

const shim = join(here, 'test/with-resolvers.mjs')
for (const path of [join(here, 'README.md'), join(root, 'docs/node.md')]) {
  for (const { name, note, code, printed } of examples(path)) {
    test(`${name.slice(root.length + 1)} runs as written`, { skip: note?.startsWith('not run') && note }, () => {
      const file = `example.${/\brequire\(/.test(code) ? 'cjs' : 'mjs'}`
      writeFileSync(join(folder, file), code)
      assert.equal(run('node', ['--import', shim, file]).trimEnd(), printed.join('\n'))
    })
  }
}
