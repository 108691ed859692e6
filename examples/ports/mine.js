const SEED = 0x9747b28c

exports.partition = (key, partitions) => (murmur2(key) & 0x7fffffff) % partitions

function murmur2 (key) {
  const m = 0x5bd1e995
  const whole = key.length & ~3
  let h = SEED ^ key.length
  for (let i = 0; i < whole; i += 4) {
    const k = Math.imul(key.readInt32LE(i), m)
    h = Math.imul(h, m) ^ Math.imul(k ^ (k >>> 24), m)
  }
  if (whole < key.length) {
    for (let i = whole; i < key.length; i++) h ^= key[i] << (8 * (i - whole))
    h = Math.imul(h, m)
  }
  h = Math.imul(h ^ (h >>> 13), m)
  return h ^ (h >>> 15)
}
