'use strict'

// Runs the vectors and a few calls in a page, in Debian's headless Chromium: `node test/browser.js [CHROMIUM]`. The page
// imports browser.mjs as any page would, from a server on loopback, and sends what it found back.

const { spawn } = require('node:child_process')
const { appendFileSync, mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const readVectors = require('./read-vectors.js')

const SECONDS = 90
const here = join(__dirname, '..')
const root = process.env.KEYFALL_VECTORS || join(here, '../vectors')
const chromium = process.argv[2] || 'chromium-headless-shell'

const page = `<!doctype html><meta charset="utf-8"><title>keyfall</title><script type="module">
const answer = (result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) })
try {
  const { Placer, audit, schemes, direct, engine, KeyfallError, Rejected, vectors } = await import('/browser.mjs')
  const module = { exports: {} }
  new Function('module', await (await fetch('/check-vectors.js')).text())(module)
  const total = { passed: 0, failed: 0, failures: [], files: 0 }
  for (const file of await (await fetch('/vectors.json')).json()) {
    const { passed, failed, failures } = module.exports(Placer, file)
    total.passed += passed
    total.failed += failed
    total.failures.push(...failures)
    total.files++
  }
  const says = (what, holds) => holds || total.failures.push(what)
  const java = new Placer('kafka/java', { partitions: 12 })
  says('the engine', engine === 'wasm')
  says('a long key', java.place('k'.repeat(100000)) === java.place(new TextEncoder().encode('k'.repeat(100000))))
  says('an audit', audit([{ key: '100:48069', partition: 3 }], { scheme: 'kafka/java', params: { partitions: 12 } }).misplaced === 1)
  says('a direct function', direct.redisSlot('{user:1}:cart') === 10778)
  says('schemes', schemes().length > 40)
  const thrown = (f) => { try { f() } catch (error) { return error } }
  says('a number', thrown(() => java.place(42)) instanceof TypeError)
  says('an unknown scheme', thrown(() => new Placer('kafka/jva')) instanceof KeyfallError)
  says('a rejected key', thrown(() => new Placer('redis/cluster').place(null)) instanceof Rejected)
  says('no vectors', /in a browser/.test(thrown(vectors)?.message))
  await answer(total)
} catch (error) {
  await answer({ passed: 0, failed: 1, files: 0, failures: [String(error?.stack ?? error)] })
}
</script>`

const types = { mjs: 'text/javascript', js: 'text/javascript', wasm: 'application/wasm', json: 'application/json', html: 'text/html' }
const served = {
  '/': ['html', () => page],
  '/browser.mjs': ['mjs', () => readFileSync(join(here, 'browser.mjs'))],
  '/keyfall.wasm': ['wasm', () => readFileSync(join(here, 'keyfall.wasm'))],
  '/check-vectors.js': ['js', () => readFileSync(join(__dirname, 'check-vectors.js'))],
  '/vectors.json': ['json', () => JSON.stringify(readVectors(root).map(({ file }) => file))]
}

async function main() {
  const profile = mkdtempSync(join(tmpdir(), 'keyfall-chromium-'))
  let stop = () => {}
  const result = new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (request.url === '/result') {
        let body = ''
        request.on('data', (part) => (body += part)).on('end', () => {
          response.end()
          resolve(JSON.parse(body))
        })
      } else if (Object.hasOwn(served, request.url)) {
        const [type, content] = served[request.url]
        response.setHeader('content-type', types[type]).end(content())
      } else {
        response.writeHead(404).end()
      }
    }).listen(0, '127.0.0.1', () => {
      const url = `http://127.0.0.1:${server.address().port}/`
      const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0']
      // A group of its own: what is started is a script, and its processes are many.
      const browser = spawn(chromium, [...options, `--user-data-dir=${profile}`, url], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
      let log = ''
      browser.stderr.on('data', (part) => (log = (log + part).slice(-4000)))
      browser.on('error', reject)
      const exited = new Promise((done) => browser.on('exit', done))
      exited.then((status) => reject(new Error(`${chromium} ended with ${status}\n${log}`)))
      const timer = setTimeout(() => reject(new Error(`no answer from the page within ${SECONDS} s\n${log}`)), 1000 * SECONDS)
      stop = async () => {
        clearTimeout(timer)
        server.close()
        server.closeAllConnections()
        try {
          process.kill(-browser.pid, 'SIGKILL')
        } catch {
          // It has ended by itself.
        }
        await exited
        browser.stderr.destroy()
      }
    })
  })
  try {
    const { passed, failed, files, failures } = await result
    const commas = (n) => n.toLocaleString('en-US')
    const line = `Chromium: ${commas(passed)} vector cases passed, ${commas(failed)} failed\n`
    if (process.env.KEYFALL_COUNTS) appendFileSync(process.env.KEYFALL_COUNTS, line)
    else process.stdout.write(line)
    for (const failure of failures.slice(0, 40)) console.error(failure)
    process.exitCode = failures.length === 0 && failed === 0 && files > 0 ? 0 : 1
  } finally {
    await stop()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

main().catch((error) => {
  console.error(`browser: ${error.message}`)
  process.exitCode = 1
})
