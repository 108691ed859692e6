'use strict'

// The platforms that have a package of their own, by Node's name of them; npm/ has each package, `publish.js` fills them.

exports.platforms = {
  'linux-x64': ['linux-x64-gnu', 'linux-x64-musl'],
  'linux-arm64': ['linux-arm64-gnu', 'linux-arm64-musl'],
  'darwin-x64': ['darwin-x64'],
  'darwin-arm64': ['darwin-arm64'],
  'win32-x64': ['win32-x64-msvc']
}
