#!/usr/bin/env node
'use strict'

// Runs the program of this platform, as if it had been called itself.

const { spawn } = require('node:child_process')
const { existsSync } = require('node:fs')
const { constants } = require('node:os')
const { join } = require('node:path')

const binary = join(__dirname, `keyfall-${process.platform}-${process.arch}`)
if (!existsSync(binary)) {
  console.error(`keyfall: this package has no program for ${process.platform}-${process.arch}; there is one for linux-x64. Elsewhere: cargo install keyfall`)
  process.exit(2)
}
const program = spawn(binary, process.argv.slice(2), { stdio: 'inherit' })
// A terminal's signals reach the program by themselves; it says when this ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal))
program.on('error', (error) => {
  console.error(`keyfall: ${binary}: ${error.message}`)
  process.exit(2)
})
program.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]))
