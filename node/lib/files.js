'use strict'

// What the package has beside code: keyfall.wasm and the vectors.

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { brotliDecompressSync } = require('node:zlib')

exports.compiled = () => new WebAssembly.Module(readFileSync(join(__dirname, '../keyfall.wasm')))

/** The vector files by scheme, each as the JSON text that it is. */
let texts

exports.vectors = (scheme) => {
  if (texts === undefined) {
    const lines = brotliDecompressSync(readFileSync(join(__dirname, '../vectors.br'))).toString().trimEnd().split('\n')
    texts = new Map(lines.map((line) => [/^\{"format":1,"scheme":"([^"]+)"/.exec(line)[1], line]))
  }
  if (scheme === undefined) return [...texts.values()].map((text) => JSON.parse(text))
  const text = texts.get(scheme)
  if (text === undefined) throw new RangeError(`no vectors of ${String(scheme)}: ${[...texts.keys()].join(', ')} have some`)
  return JSON.parse(text)
}
