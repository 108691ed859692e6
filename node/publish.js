'use strict'

// Packs what is published: `node publish.js BINARIES OUT`. BINARIES holds keyfall.<platform>.node of every platform in npm/, as
// `npm run build` makes them on a machine of each. OUT gets a tarball of each platform's package, and of this one, which from now
// on depends on them. Nothing is sent anywhere: `npm publish OUT/*.tgz` does that.

const { spawnSync } = require('node:child_process')
const { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join, resolve } = require('node:path')

const [binaries, out] = process.argv.slice(2)
if (out === undefined) {
  console.error('usage: node publish.js BINARIES OUT')
  process.exit(2)
}
const names = readdirSync(join(__dirname, 'npm')).sort()
const missing = names.filter((name) => !existsSync(join(binaries, `keyfall.${name}.node`)))
const needed = ['keyfall.wasm', 'browser.mjs', 'vectors.br'].filter((name) => !existsSync(join(__dirname, name)))
if (missing.length > 0 || needed.length > 0) {
  console.error(`not published: ${[...missing.map((name) => `keyfall.${name}.node in ${binaries}`), ...needed].join(', ')} missing`)
  process.exit(1)
}

const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const { version } = read(__dirname)
const staging = mkdtempSync(join(tmpdir(), 'keyfall-publish-'))
mkdirSync(out, { recursive: true })

/** Packs a folder whose package.json is made public. */
function pack(folder, changes) {
  const { private: _, scripts, devDependencies, ...described } = read(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...described, version, ...changes }, null, 2)}\n`)
  const { status } = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', resolve(out)], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`npm pack of ${described.name} failed`)
}

try {
  for (const name of names) {
    const folder = join(staging, name)
    cpSync(join(__dirname, 'npm', name), folder, { recursive: true })
    copyFileSync(join(binaries, `keyfall.${name}.node`), join(folder, `keyfall.${name}.node`))
    pack(folder, {})
  }
  const folder = join(staging, 'keyfall')
  const left = ['node_modules', 'npm', 'cli', 'src', 'test']
  const kept = (path) => !left.some((name) => path === join(__dirname, name)) && !/\.(node|tgz)$/.test(path)
  cpSync(__dirname, folder, { recursive: true, filter: kept })
  pack(folder, { optionalDependencies: Object.fromEntries(names.map((name) => [`keyfall-${name}`, version])) })
} finally {
  rmSync(staging, { recursive: true, force: true })
}
