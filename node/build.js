'use strict'

// Makes what the package holds beside its JavaScript: the addon, WebAssembly, the vectors, the file for browsers.
// `node build.js PART...` makes these alone. KEYFALL_WASM=required fails where no Rust for WebAssembly is installed, instead of
// leaving it out.

const { spawnSync } = require('node:child_process')
const { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { brotliCompressSync, constants } = require('node:zlib')
const { platforms } = require('./lib/platforms.js')
const readVectors = require('./test/read-vectors.js')

const root = join(__dirname, '..')
const made = (name) => join(__dirname, name)

function run(command, args, env = {}) {
  const options = { cwd: __dirname, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26, env: { ...process.env, ...env } }
  const { status, stdout, error } = spawnSync(command, args, options)
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  return stdout.toString()
}

const target = () => JSON.parse(run('cargo', ['metadata', '--format-version=1', '--no-deps', '--offline'])).target_directory

function native() {
  const library = { darwin: 'libkeyfall_node.dylib', win32: 'keyfall_node.dll' }[process.platform] ?? 'libkeyfall_node.so'
  const names = platforms[`${process.platform}-${process.arch}`]
  if (names === undefined) {
    console.error(`keyfall: there is no binary for ${process.platform}-${process.arch}; WebAssembly serves it`)
    return
  }
  // The second name is that of a machine without glibc.
  const glibc = process.platform !== 'linux' || process.report.getReport().header.glibcVersionRuntime !== undefined
  const name = glibc ? names[0] : names[1]
  run('cargo', ['build', '--quiet', '--profile=dist', '--locked', '-p', 'keyfall-node'])
  copyFileSync(join(target(), 'dist', library), made(`keyfall.${name}.node`))
}

/** A cargo that can build for WebAssembly: Debian's with the standard library's source, which makes the smallest file, or rustup's. */
function webCargo() {
  const version = spawnSync('/usr/bin/rustc', ['--version'], { encoding: 'utf8' }).stdout?.match(/^rustc 1\.(\d+)/)
  if (version && Number(version[1]) >= 88 && existsSync('/usr/bin/cargo') && existsSync('/usr/lib/rustlib/src/rust/library/std')) {
    return {
      cargo: '/usr/bin/cargo',
      args: ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'],
      env: {
        RUSTC: '/usr/bin/rustc',
        RUSTC_BOOTSTRAP: '1',
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: 'wasm-ld',
        // A panic is a trap either way; its text would be a tenth of the file.
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: '-Zunstable-options -Cpanic=immediate-abort'
      }
    }
  }
  const { status, stdout } = spawnSync('rustc', ['--print', 'target-libdir', '--target', 'wasm32-unknown-unknown'])
  return status === 0 && existsSync(stdout.toString().trim()) ? { cargo: 'cargo', args: [], env: {} } : undefined
}

function wasm() {
  const found = webCargo()
  if (found === undefined) {
    const how = '`rustup target add wasm32-unknown-unknown`, or Debian\'s rustc-web, cargo-web, rust-web-src and lld'
    console.error(`keyfall: no Rust for WebAssembly, so keyfall.wasm is not built. To build it: ${how}`)
    if (process.env.KEYFALL_WASM === 'required') process.exit(1)
    rmSync(made('keyfall.wasm'), { force: true })
    return
  }
  // A folder of its own: another compiler would make the first one's files anew each time.
  const out = join(target(), 'wasm')
  const args = ['build', '--quiet', '--profile=wasm', '--locked', '-p', 'keyfall-node', '--target=wasm32-unknown-unknown']
  run(found.cargo, [...args, ...found.args, '--target-dir', out], found.env)
  copyFileSync(join(out, 'wasm32-unknown-unknown/wasm/keyfall_node.wasm'), made('keyfall.wasm'))
}

/** A line of JSON a scheme, all of them compressed. */
function vectors() {
  const lines = readVectors(join(root, 'vectors')).map(({ file }) => JSON.stringify(file))
  const text = Buffer.from(`${lines.join('\n')}\n`)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length
  }
  writeFileSync(made('vectors.br'), brotliCompressSync(text, { params }))
}

/** The files of lib/ that browsers need, as one module. */
function browser() {
  const modules = ['errors', 'direct', 'api', 'wasm'].map((name) => {
    return `  './${name}.js'(module, require) {\n${readFileSync(made(`lib/${name}.js`), 'utf8').replace("'use strict'\n", '')}  }`
  })
  writeFileSync(
    made('browser.mjs'),
    `// Written by build.js: the files of lib/ that need nothing of Node, for browsers.

const files = {
${modules.join(',\n')}
}
const loaded = {}
function require(name) {
  if (!(name in loaded)) {
    const module = { exports: {} }
    files[name](module, require)
    loaded[name] = module.exports
  }
  return loaded[name]
}

const module = await WebAssembly.compileStreaming(fetch(new URL('./keyfall.wasm', import.meta.url)))
export const { Placer, audit, schemes, direct, KeyfallError, Rejected, Refused, engine } = require('./api.js')(require('./wasm.js')(module))
export function vectors() {
  throw new Error('keyfall: vectors are read from the package in Node; there is no such file in a browser')
}
`
  )
}

/** npm packs what lies in this folder alone. */
function licences() {
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(root, name), made(name))
}

const parts = { native, wasm, vectors, browser, licences }
for (const part of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)) {
  if (!Object.hasOwn(parts, part)) {
    console.error(`no part ${part}; there are ${Object.keys(parts).join(', ')}`)
    process.exit(2)
  }
  parts[part]()
}
