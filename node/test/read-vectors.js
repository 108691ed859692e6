'use strict'

// Vector files as JavaScript takes them. JSON.parse forgets how a number was written, and among a key's fields 1.0 is not 1:
// there it becomes a typed value.

const { existsSync, readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')

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

/** Numbers as they are; the bare ones among a key's fields as typed values. */
function plain(value, field = false) {
  if (value instanceof Written) return field ? { type: 'number', value: value.text } : Number(value.text)
  if (Array.isArray(value)) return value.map((item) => plain(item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, name === 'fields' ? fields(item) : plain(item)]))
}

function fields(value) {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item, true)]))
}

/** Every vector file under `root`: its path there, and what it says. */
module.exports = function readVectors(root) {
  const folders = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : []
  return folders
    .filter((entry) => entry.isDirectory() && !['data', 'runs'].includes(entry.name))
    .flatMap(({ name }) => readdirSync(join(root, name)).map((file) => `${name}/${file}`))
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => ({ path, file: parse(readFileSync(join(root, path), 'utf8')) }))
}
