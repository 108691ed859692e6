'use strict'

function load() {
  try {
    return require('./keyfall.node')
  } catch (cause) {
    const message = `keyfall: no binary for ${process.platform}-${process.arch}; in a checkout, \`npm run build\` makes one`
    throw new Error(message, { cause })
  }
}

module.exports = { Placer: load().Placer }
