'use strict'

// The types: what must compile does, what must not does not.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')

test('tsc finds nothing wrong with test/types', () => {
  const tsc = join(__dirname, '../node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(__dirname, 'types')], { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
