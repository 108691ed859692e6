'use strict'

// Builds the addon with cargo and puts it where index.js finds it.

const { spawnSync } = require('node:child_process')
const { copyFileSync } = require('node:fs')
const { join } = require('node:path')

function cargo(...args) {
  const { status, stdout, error } = spawnSync('cargo', args, { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}

const library = { darwin: 'libkeyfall_node.dylib', win32: 'keyfall_node.dll' }[process.platform] ?? 'libkeyfall_node.so'
cargo('build', '--quiet', '--release', '--locked', '-p', 'keyfall-node')
const { target_directory: target } = JSON.parse(cargo('metadata', '--format-version=1', '--no-deps', '--offline'))
copyFileSync(join(target, 'release', library), join(__dirname, 'keyfall.node'))
