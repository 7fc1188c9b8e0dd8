// The bundle is the whole program: it runs where nothing else of the checkout is.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { before, describe, it } from 'node:test'
import { type LineTable, withSourceLines } from '../src/kernel/executable/source-lines.ts'
import { send } from './helpers/answers.ts'
import { assertConsole } from './helpers/console-files.ts'
import { keyClient, type Client } from './helpers/client.ts'
import { makeBundle } from './helpers/program.ts'
import { make } from './helpers/shirts.ts'
import { makeTempDirectory } from './helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const KEY = 'a-key-for-this-test-that-is-long-enough'

const bundle = makeTempDirectory()
const entry = path.join(bundle, 'pimlet.cjs')

/** As a user has it: without the checkout, its environment, or a working directory that matters. */
function start(dataDir: string): ChildProcess {
  return spawn(process.execPath, [entry, '--data-dir', dataDir, '--port', '0', '--log-level', 'warn'], {
    cwd: dataDir,
    env: { PIMLET_ADMIN_API_KEY: KEY, PIMLET_ADMIN_PASSWORD: 'for this test' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function listening(child: ChildProcess): Promise<Client> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /^pimlet listening on (http:\S+)$/.exec(line)?.[1]
    if (url !== undefined) return keyClient(url, KEY)
  }
  throw new Error('The bundle ended before it listened')
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of stream.setEncoding('utf8')) chunks.push(String(chunk))
  return chunks.join('')
}

describe('The bundle', { timeout: 600_000 }, () => {
  before(() => makeBundle(bundle))

  it('serves, indexes in its own thread, searches in another, has its reference, and stops with status 0', async (t) => {
    const child = start(makeTempDirectory())
    t.after(() => child.kill('SIGKILL'))
    const faults = readAll(child.stderr!)
    const client = await listening(child)
    await make(client, '/api/v1/schemas', {
      id: 'sch-b',
      name: 'Bundled',
      attributes: [{ alias: 'name', dataType: 'text' }],
    })
    const values = { name: [{ scope: {}, value: 'Ein Stück' }] }
    await make(client, '/api/v1/records', { id: 'one', schemaId: 'sch-b', values })
    const found = await send<{ id: string }[]>(client, 'POST', '/api/v1/search/full-text', { query: 'stück' })
    assert.deepEqual([found.status, found.body.map((record) => record.id)], [200, ['one']])
    await assertConsole(client.url)
    const page = await fetch(`${client.url}/docs/page.js`)
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
    const guide = await (await fetch(`${client.url}/docs/guides/destinations`)).text()
    assert.match(guide, /<h1 id=/)
    const { body } = await send<{ openapi: string }>(client, 'GET', '/api/v1/openapi.json')
    assert.equal(body.openapi, '3.1.1')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.equal(await faults, '', 'nothing at level warn or above was logged')
  })

  it('leaves the files of a release beside it as they are', async () => {
    const directory = makeTempDirectory()
    const released = ['pimlet', 'pimlet-linux-x64', 'SHA256SUMS', 'LICENSES.txt']
    for (const name of released) writeFileSync(path.join(directory, name), `released ${name}`)
    await makeBundle(directory)
    for (const name of released) assert.equal(readFileSync(path.join(directory, name), 'utf8'), `released ${name}`)
  })

  it('names lines of the sources in the traces that it logs', () => {
    const readTable = (file: string): LineTable =>
      JSON.parse(readFileSync(path.join(bundle, `${file}.lines.json`), 'utf8')) as LineTable
    const lineOf = (file: string, code: string): number =>
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(code)) + 1
    for (const [file, source, code] of [
      ['pimlet.cjs', 'src/app/app-server.ts', 'Cannot listen on ${host}'],
      ['pimlet.cjs', 'src/kernel/webhook/webhook-request.ts', 'the connection was closed before'],
      ['thread.cjs', 'src/store/sqlite/connection.ts', 'SQLITE_READONLY'],
    ] as const) {
      const line = lineOf(path.join(bundle, file), code)
      const expected = `${source}:${lineOf(path.join(ROOT, source), code)}`
      for (const directory of ['', '/any where/', 'file:///any/']) {
        const place = `${directory}${file}:${line}:5`
        const mapped = withSourceLines(`at work (${place})\nat async ${place}\n`, readTable)
        assert.equal(mapped, `at work (${expected})\nat async ${expected}\n`)
      }
    }
    const foreign = `at ${entry}:${lineOf(entry, 'function createDatabase(')}:7`
    assert.equal(withSourceLines(foreign, readTable), foreign)
  })

  it('has ASCII alone, of which V8 keeps half as many bytes as of anything more', () => {
    for (const file of ['pimlet.cjs', 'thread.cjs'])
      assert.match(readFileSync(path.join(bundle, file), 'utf8'), /^[\0-\x7f]*$/, file)
  })

  it('knows its version', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const printed = execFileSync(process.execPath, [entry, '--version'], { cwd: bundle, env: {}, encoding: 'utf8' })
    assert.equal(printed.trim(), manifest.version)
  })
})
