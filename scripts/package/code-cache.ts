// Makes the code cache: V8's compiled code of the program after a start and a few requests. With this cache, an
// executable neither parses nor compiles most of its start.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { NODE_FLAGS } from '../build/node-flags.ts'

const KEY = 'a-key-of-the-build-that-nobody-keeps'
const MILLISECONDS = 60_000

/**
 * Wraps `code`, the text of a CommonJS file, in the script that `src/kernel/executable/executable.ts` runs. Line
 * numbers stay the same.
 */
export function wrapProgram(code: string): string {
  return `(function(exports,require,module,__filename,__dirname,PIMLET_EXECUTABLE){${code}\n})`
}

/**
 * Stands for the program: runs it from `program.js`, and writes the cache at the end. A closed input tells it to stop. V8
 * forgets code that has not run for a while, which would be all code of the start. V8 takes a cache only under the flags
 * with which the cache was made.
 */
const STAND_IN = `
const { Script } = require('node:vm'), fs = require('node:fs'), path = require('node:path'), v8 = require('node:v8')
v8.setFlagsFromString('--no-flush-bytecode')
const script = new Script(fs.readFileSync(path.join(__dirname, 'program.js'), 'utf8'), { filename: 'pimlet.cjs' })
process.on('exit', () => {
  v8.setFlagsFromString('--flush-bytecode')
  fs.writeFileSync(path.join(__dirname, 'program.cache'), script.createCachedData())
})
process.stdin.resume().on('end', () => process.emit('SIGTERM'))
script.runInThisContext()(exports, require, module, __filename, __dirname)
`

/**
 * Runs the program of `bundle` by `node`, which must be the executable's Node. Resolves to the path of the cache in
 * `directory`.
 * @param script the result of `wrapProgram` for `pimlet.cjs`
 */
export async function makeCodeCache(node: string, bundle: string, script: string, directory: string): Promise<string> {
  mkdirSync(directory, { recursive: true })
  cpSync(bundle, directory, { recursive: true })
  writeFileSync(path.join(directory, 'program.js'), script)
  writeFileSync(path.join(directory, 'pimlet.cjs'), STAND_IN)
  const args = ['pimlet.cjs', '--data-dir', 'data', '--port', '0', '--log-level', 'warn', '--log-format', 'json']
  const server = spawn(node, [...NODE_FLAGS, ...args], { cwd: directory, env: environment(), timeout: MILLISECONDS })
  const ended = once(server, 'exit')
  const faults = text(server.stderr)
  try {
    await use(await listening(server))
    server.stdin.end()
  } finally {
    await ended
  }
  if (server.exitCode !== 0) throw new Error(`The program does not run: ${await faults}`)
  return path.join(directory, 'program.cache')
}

/** Returns our environment without settings of pimlet and Node. */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(PIMLET_|NODE_)/.test(name))
  return { ...Object.fromEntries(others), PIMLET_ADMIN_API_KEY: KEY }
}

/** Sends the requests that most servers get soon after their start. */
async function use(url: string): Promise<void> {
  const send = async (method: string, resource: string, body?: object): Promise<void> => {
    const headers = { 'x-service-apikey': KEY, 'content-type': 'application/json' }
    const response = await fetch(`${url}${resource}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${resource}: ${await response.text()}`)
    await response.arrayBuffer()
  }
  const values = { name: [{ scope: {}, value: 'Warm' }] }
  await send('GET', '/healthz')
  await send('POST', '/api/v1/schemas', { id: 'sch', name: 'S', attributes: [{ alias: 'name', dataType: 'text' }] })
  await send('POST', '/api/v1/records', { id: 'one', schemaId: 'sch', values })
  await send('PATCH', '/api/v1/records/one/values/name', { scopedValues: values.name })
  await send('GET', '/api/v1/records/one')
  await send('GET', '/api/v1/records?limit=10')
  await send('GET', '/api/v1/search/text?query=warm')
}

async function listening(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) {
    const url = /^pimlet listening on (http:\S+)$/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('The program ended before it listened')
}
