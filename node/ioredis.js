'use strict'

const { Placer } = require('./index.js')

const placer = new Placer('redis/cluster')

/** The slot in which the server has a key. */
function slot(key) {
  return placer.place(key)
}

/** Keys by slot: what one pipeline, MGET or script of a cluster may hold. */
function groupBySlot(keys) {
  const groups = new Map()
  for (const key of keys) {
    const at = slot(key)
    const group = groups.get(at)
    if (group === undefined) groups.set(at, [key])
    else group.push(key)
  }
  return groups
}

module.exports = { slot, groupBySlot }
