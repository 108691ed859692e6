'use strict'

/** A scheme, param or key that cannot be used: a TypeError, as Node's own, whose `code` tells it from others. */
class KeyfallError extends TypeError {
  code = 'KeyfallError'
}

/** The system or client does not take this key. */
class Rejected extends Error {
  name = 'Rejected'
  code = 'Rejected'
}

/** The place cannot be computed outside the system. */
class Refused extends Error {
  name = 'Refused'
  code = 'Refused'
}

module.exports = { KeyfallError, Rejected, Refused }
