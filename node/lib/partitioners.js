'use strict'

// What the partitioners of Kafka clients have in common.

const { randomInt } = require('node:crypto')

/** The key as it will be on the wire, where that is not what the string says: the client's encoder writes U+FFFD. */
const onWire = (key) => (typeof key === 'string' && !key.isWellFormed() ? Buffer.from(key) : key)

/** Places keys of any topic: a placer a count. */
module.exports = function partitioner(Placer, scheme, params) {
  const placers = new Map()
  const counters = new Map()
  const bound = (partitions) => {
    let placer = placers.get(partitions)
    if (placer === undefined) {
      placer = new Placer(scheme, { ...params, partitions })
      placers.set(partitions, placer)
    }
    return placer
  }
  if (params?.partitions !== undefined) throw new TypeError('partitions are the topic\'s: the client tells how many there are')
  bound(1) // An unknown scheme or param is told at once, not when the first message is sent.
  return {
    /** The partition of a key; null where the scheme pins none. */
    place: (key, partitions) => bound(partitions).place(onWire(key ?? null)),
    /** One of `among`, in turns, from a random one on. */
    next(topic, among) {
      const count = counters.get(topic) ?? randomInt(2 ** 31)
      counters.set(topic, (count + 1) % 2 ** 31)
      return among[count % among.length]
    }
  }
}
