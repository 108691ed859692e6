'use strict'

const createApi = require('./lib/api.js')
const load = require('./lib/load.js')
const { vectors } = require('./lib/files.js')

const { Placer, audit, schemes, direct, KeyfallError, Rejected, Refused, engine } = createApi(load())

module.exports = { Placer, audit, schemes, direct, vectors, KeyfallError, Rejected, Refused, engine }
