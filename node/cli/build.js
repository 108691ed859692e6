'use strict'

// Builds the program with cargo and puts it where bin/keyfall.js finds it, without its symbols.

const { spawnSync } = require('node:child_process')
const { chmodSync, copyFileSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '../..')
function cargo(...args) {
  const { status, stdout, error } = spawnSync('cargo', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}

cargo('build', '--quiet', '--release', '--locked', '-p', 'keyfall')
const { target_directory: target } = JSON.parse(cargo('metadata', '--format-version=1', '--no-deps', '--offline'))
const binary = join(__dirname, 'bin', `keyfall-${process.platform}-${process.arch}`)
copyFileSync(join(target, 'release/keyfall'), binary)
chmodSync(binary, 0o755)
const { error, status } = spawnSync('strip', [binary], { stdio: 'inherit' })
if (error || status !== 0) console.error('keyfall: strip is not there or failed: the program keeps its symbols')
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, name), join(__dirname, name))
