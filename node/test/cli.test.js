'use strict'

// The package of the program, packed and installed in an empty folder, and the packages of platforms.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { after, test } = require('node:test')
const { platforms } = require('../lib/platforms.js')

const here = join(__dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'keyfall-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', ...options })
  assert.ok(!error && status === 0, `${command} ${args.join(' ')}: ${error ?? stderr}`)
  return stdout
}
const read = (path) => JSON.parse(readFileSync(join(here, path), 'utf8'))

test('keyfall-cli carries the program', { skip: !existsSync(join(here, 'cli/bin/keyfall-linux-x64')) && 'not built: node cli/build.js' }, () => {
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: join(here, 'cli') }))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', `./${filename}`])
  const keyfall = (args, input) => spawnSync(join(folder, 'node_modules/.bin/keyfall'), args, { encoding: 'utf8', input })
  const placed = keyfall(['place', '-s', 'kafka/java', '-p', 'partitions=12', 'user:42'])
  assert.deepEqual([placed.status, placed.stdout], [0, '1\n'])
  const lines = keyfall(['place', '-s', 'redis/cluster', '--jsonl'], '{"key":{"text":"{user:1}:cart"}}\n')
  assert.deepEqual([lines.status, JSON.parse(lines.stdout).place], [0, 10778])
  assert.equal(keyfall(['place', '-s', 'redis/cluster', '--jsonl'], '{"key":null}\n').status, 1)
  assert.equal(keyfall(['no-such-command']).status, 2)
  const elsewhere = spawnSync('node', ['-e', `Object.defineProperty(process, 'arch', { value: 's390x' }); require('keyfall-cli/bin/keyfall.js')`], { cwd: folder, encoding: 'utf8' })
  assert.deepEqual([elsewhere.status, /no program for linux-s390x; there is one for linux-x64/.test(elsewhere.stderr)], [2, true])
})

test('each platform has a package of the same version, which npm takes there alone', () => {
  const { name, version } = read('package.json')
  assert.equal(read('cli/package.json').version, version)
  assert.match(readFileSync(join(here, '../Cargo.toml'), 'utf8'), new RegExp(`\\nversion = "${version}"\\n`))
  const declared = Object.entries(platforms).flatMap(([platform, names]) => names.map((each) => [each, platform]))
  assert.deepEqual(readdirSync(join(here, 'npm')).sort(), declared.map(([each]) => each).sort())
  for (const [each, platform] of declared) {
    const described = read(`npm/${each}/package.json`)
    const binary = `keyfall.${each}.node`
    assert.deepEqual([described.name, described.version, described.main, described.files], [`${name}-${each}`, version, binary, [binary]])
    assert.equal(`${described.os}-${described.cpu}`, platform)
    assert.deepEqual(described.libc, { gnu: ['glibc'], musl: ['musl'] }[each.split('-')[2]])
  }
})

const unbuilt = !existsSync(join(here, 'keyfall.wasm')) && process.env.KEYFALL_WASM !== 'required' && 'keyfall.wasm is not built'
test('what is published depends on the packages of platforms', { skip: unbuilt }, () => {
  const binaries = join(folder, 'binaries')
  const out = join(folder, 'out')
  mkdirSync(binaries)
  const none = spawnSync('node', [join(here, 'publish.js'), binaries, out], { encoding: 'utf8' })
  assert.equal(none.status, 1)
  assert.match(none.stderr, /keyfall\.linux-arm64-musl\.node in .* missing/)
  // Any file will do: it is packed, not loaded.
  for (const name of readdirSync(join(here, 'npm'))) copyFileSync(join(here, 'README.md'), join(binaries, `keyfall.${name}.node`))
  run('node', [join(here, 'publish.js'), binaries, out])
  const { version } = read('package.json')
  const published = readdirSync(out).sort()
  assert.equal(published.length, 8)
  const manifest = (file) => JSON.parse(run('tar', ['xzOf', join(out, file), 'package/package.json']))
  const main = manifest(`keyfall-${version}.tgz`)
  assert.deepEqual(Object.keys(main.optionalDependencies), readdirSync(join(here, 'npm')).sort().map((name) => `keyfall-${name}`))
  assert.deepEqual([main.private, main.devDependencies, main.scripts], [undefined, undefined, undefined])
  const names = run('tar', ['tzf', join(out, `keyfall-${version}.tgz`)]).split('\n')
  assert.deepEqual(names.filter((name) => name.endsWith('.node')), [])
  assert.ok(names.includes('package/keyfall.wasm'))
  const arm = manifest(`keyfall-linux-arm64-gnu-${version}.tgz`)
  assert.deepEqual([arm.private, arm.cpu, arm.libc], [undefined, ['arm64'], ['glibc']])
})
