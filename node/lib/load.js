'use strict'

// Finds the addon for this machine: the one in this package first, then the package of this platform. KEYFALL_ENGINE=native takes
// nothing else, KEYFALL_ENGINE=wasm takes WebAssembly.

const createEngine = require('./wasm.js')
const { compiled } = require('./files.js')
const { platforms } = require('./platforms.js')

function addon() {
  const reasons = []
  for (const name of platforms[`${process.platform}-${process.arch}`] ?? []) {
    for (const path of [`../keyfall.${name}.node`, `keyfall-${name}`]) {
      try {
        return require(path)
      } catch (error) {
        reasons.push(error)
      }
    }
  }
  return reasons
}

/** The error of a machine for which there is nothing. */
function nothing(reasons, cause) {
  const machine = `${process.platform}-${process.arch}`
  const there = Object.keys(platforms).join(', ')
  const tried = reasons.map((reason) => reason.message.split('\n')[0]).join('; ') || 'there is no binary for it'
  return new Error(
    `keyfall: no binary for ${machine} (${tried}). There are binaries for ${there}; elsewhere WebAssembly does the same, more ` +
      'slowly: KEYFALL_ENGINE=wasm or keyfall/wasm. In a checkout `npm run build` makes both.',
    { cause }
  )
}

module.exports = function load(wanted = process.env.KEYFALL_ENGINE || undefined) {
  if (wanted !== undefined && wanted !== 'native' && wanted !== 'wasm') {
    throw new Error(`KEYFALL_ENGINE=${wanted}: native or wasm is allowed`)
  }
  const found = wanted === 'wasm' ? [] : addon()
  if (!Array.isArray(found)) return { name: 'native', schemes: found.schemes, bind: found.bind, audit: found.audit }
  if (wanted === 'native') throw nothing(found, found[0])
  try {
    return createEngine(compiled())
  } catch (cause) {
    throw nothing(found, cause)
  }
}
