// The command as a user has it: a process, its output, its exit status. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openDataDirectory } from '../../src/kernel/machine/data-directory.ts'
import { openWriter } from '../../src/store/sqlite/connection.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { bareEnvironment } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const KEY = 'a-key-for-this-test-that-is-long-enough'

interface Running {
  readonly process: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly ended: Promise<number | null>
}

/** Begins a command line: the same user, but bound by the modes of files even as root. */
const BOUND = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

function mayWriteEverywhere(): boolean {
  const [program, ...args] = BOUND
  return program !== undefined && spawnSync(program, [...args, 'true']).status !== 0
}

function run(
  t: TestContext,
  args: readonly string[],
  environment: Record<string, string> = {},
  before: readonly string[] = [],
): Running {
  const [program, ...rest] = [...before, process.execPath, PROGRAM, ...args]
  const child = spawn(program!, rest, {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(() => child.exitCode)
  t.after(async () => {
    if (child.exitCode === null) child.kill('SIGKILL')
    await ended
  })
  return { process: child, output: () => output, errors: () => errors, ended }
}

async function urlOf(running: Running): Promise<string> {
  for (let tries = 0; tries < 2400; tries += 1) {
    const url = /^pimlet listening on (http:\S+)\n/m.exec(running.output())?.[1]
    if (url !== undefined) return url
    if (running.process.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no listening line: ${running.errors()}`)
}

async function assertEnds(running: Running, status: number, ...named: string[]): Promise<void> {
  assert.equal(await running.ended, status, running.errors())
  const lines = running.errors().trimEnd().split('\n')
  assert.equal(lines.length, 1, running.errors())
  assert.match(lines[0]!, /^pimlet: /)
  for (const name of named) assert.ok(lines[0]!.includes(name), `'${lines[0]}' does not name ${name}`)
}

describe('pimlet serve', { timeout: 600_000 }, () => {
  it('prints one line when it accepts connections, and ends with 0 at SIGTERM and SIGINT, keeping what it has', async (t) => {
    const dataDir = path.join(makeTempDirectory(), 'data')
    const first = run(t, ['serve', '--data-dir', dataDir, '--port', '0'], { PIMLET_ADMIN_API_KEY: KEY })
    const url = await urlOf(first)
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    const made = await send(keyClient(url, KEY), 'POST', '/api/v1/roles', {
      id: 'role-kept',
      name: 'K',
      permissions: [],
    })
    assert.equal(made.status, 201)
    first.process.kill('SIGTERM')
    assert.equal(await first.ended, 0, first.errors())
    assert.equal(first.output(), `pimlet listening on ${url}\n`)
    assert.ok(
      !existsSync(path.join(dataDir, 'pimlet.db-wal')) || statSync(path.join(dataDir, 'pimlet.db-wal')).size === 0,
    )

    const second = run(t, ['--data-dir', dataDir, '--port', '0'])
    const again = await send<{ id: string }>(keyClient(await urlOf(second), KEY), 'GET', '/api/v1/roles/role-kept')
    assert.equal(again.body.id, 'role-kept')
    second.process.kill('SIGINT')
    assert.equal(await second.ended, 0)
  })

  it('logs how many records there may be', async (t) => {
    for (const [flags, maxRecords, words] of [
      [[], 500, 'at most 500 records, variants included (--max-records)'],
      [['--max-records', '0'], 0, 'any number of records (--max-records 0)'],
    ] as const) {
      const running = run(t, ['--data-dir', makeTempDirectory(), '--port', '0', ...flags])
      await urlOf(running)
      running.process.kill('SIGTERM')
      assert.equal(await running.ended, 0)
      const line = running
        .errors()
        .split('\n')
        .find((one) => one.includes('"maxRecords"'))
      assert.equal((JSON.parse(line ?? '{}') as { maxRecords?: number }).maxRecords, maxRecords, running.errors())
      assert.ok(line!.includes(words), line)
    }
  })

  it('logs for people where told to', async (t) => {
    const running = run(t, ['--data-dir', makeTempDirectory(), '--port', '0', '--log-format', 'pretty'])
    const id = (await fetch(`${await urlOf(running)}/healthz`)).headers.get('x-request-id')
    running.process.kill('SIGTERM')
    assert.equal(await running.ended, 0, running.errors())
    assert.ok(running.errors().includes(`requestId: "${id}"`) && /INFO.*: stopped/.test(running.errors()))
  })

  it('goes on, and stops, where nobody reads its log', async (t) => {
    const running = run(t, ['--data-dir', makeTempDirectory(), '--port', '0'])
    const url = await urlOf(running)
    running.process.stderr!.pause()
    for (let count = 0; count < 1500; count += 1) assert.equal((await fetch(`${url}/healthz`)).status, 200)
    running.process.kill('SIGTERM')
    assert.equal((await once(running.process, 'exit'))[0], 0)
    running.process.stderr!.resume()
  })

  it('the first start prints a random password once, later ones nothing, and no log line has a secret', async (t) => {
    const dataDir = makeTempDirectory()
    const first = run(t, ['--data-dir', dataDir, '--port', '0', '--log-level', 'debug'], { PIMLET_ADMIN_API_KEY: KEY })
    const url = await urlOf(first)
    const password = /password (\S+)/.exec(first.errors())?.[1]
    assert.ok(password !== undefined && password.length >= 20)
    const login = { username: 'admin', password }
    const session = await send<{ accessToken: string }>(keyClient(url), 'POST', '/api/v1/auth/login', login)
    assert.equal(session.status, 200)
    await send(keyClient(url, KEY), 'GET', '/api/v1/me')
    first.process.kill('SIGTERM')
    await first.ended
    assert.match(first.errors(), /"route":"\/api\/v1\/auth\/login"/)
    assert.equal(first.errors().split(password).length, 2)
    assert.ok(!first.errors().includes(KEY) && !first.errors().includes(session.body.accessToken))
    const second = run(t, [], { PIMLET_DATA_DIR: dataDir, PIMLET_PORT: '0', PIMLET_ADMIN_PASSWORD: password })
    const later = keyClient(await urlOf(second))
    assert.equal((await send(later, 'POST', '/api/v1/auth/login', login)).status, 200)
    assert.ok(!second.errors().includes('password'))
  })

  it('nothing in the data directory is readable by other users', async (t) => {
    const dataDir = makeTempDirectory()
    await urlOf(run(t, ['--data-dir', dataDir, '--port', '0']))
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    assert.ok(names.includes('pimlet.db'))
    for (const name of names) assert.equal(statSync(path.join(dataDir, name)).mode & 0o077, 0, name)
  })

  it('a second server on the same data directory refuses, naming the process; after kill -9 the next one starts', async (t) => {
    const dataDir = makeTempDirectory()
    const first = run(t, ['--data-dir', dataDir, '--port', '0'])
    await urlOf(first)
    await assertEnds(run(t, ['--data-dir', dataDir, '--port', '0']), 1, dataDir, `process ${first.process.pid}`)
    first.process.kill('SIGKILL')
    await first.ended
    await urlOf(run(t, ['--data-dir', dataDir, '--port', '0']))
  })

  it('finishes the request that is under way when it is told to stop', async (t) => {
    const running = run(t, ['--data-dir', makeTempDirectory(), '--port', '0'], {
      PIMLET_ADMIN_PASSWORD: 'the password',
    })
    const url = await urlOf(running)
    const login = { username: 'admin', password: 'the password' }
    const headers = { 'content-type': 'application/json', expect: '100-continue' }
    const request = httpRequest(`${url}/api/v1/auth/login`, { method: 'POST', headers })
    const answer = once(request, 'response') as Promise<[IncomingMessage]>
    const [begin, end] = ['{', JSON.stringify(login).slice(1)]
    request.write(begin)
    // The server has the request, and not yet all of its body.
    await once(request, 'continue')
    // What says so is Node; pimlet has it a moment later.
    await new Promise((resolve) => setTimeout(resolve, 300))
    running.process.kill('SIGTERM')
    request.end(end)
    const [{ statusCode }] = await answer
    assert.equal(statusCode, 200)
    assert.equal(await running.ended, 0)
  })

  it('wrong usage is status 2, in one line that helps', async (t) => {
    const dataDir = path.join(makeTempDirectory(), 'never-made')
    const wrong: [string[], ...string[]][] = [
      [[], '--data-dir'],
      [['--data-dir', dataDir, '--prot', '1'], '--prot', '--port'],
      [['--data-dir', dataDir, '--port', 'x'], '--port'],
      [['--data-dir', dataDir, '--port'], 'port'],
      [['--data-dir', dataDir, '--no-such-thing-anywhere'], 'no-such-thing-anywhere'],
      [['swerve', '--data-dir', dataDir], 'swerve'],
      [['--data-dir', dataDir, '--config', '/nowhere.json'], '/nowhere.json'],
      [['--data-dir', dataDir, '--trust-proxy', 'nonsense'], '--trust-proxy', 'nonsense'],
      [['--data-dir', dataDir, '--allow-destination', '10.0.0.0/99'], '--allow-destination', '10.0.0.0/99'],
    ]
    await Promise.all(wrong.map(([args, ...named]) => assertEnds(run(t, args), 2, ...named)))
    await assertEnds(run(t, ['--data-dir', dataDir], { PIMLET_ADMIN_API_KEY: 'short' }), 2, 'PIMLET_ADMIN_API_KEY')
    assert.ok(!existsSync(dataDir))
  })

  it('what stands in the way of a start is status 1, in one line that names it', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.after(() => taken.close())
    const port = String((taken.address() as AddressInfo).port)
    await assertEnds(run(t, ['--data-dir', makeTempDirectory(), '--port', port]), 1, port, 'taken')

    const file = path.join(makeTempDirectory(), 'file')
    writeFileSync(file, 'not a directory')
    await assertEnds(run(t, ['--data-dir', file, '--port', '0']), 1, file)
    await assertEnds(run(t, ['--data-dir', makeTempDirectory(), '--host', '192.0.2.1', '--port', '0']), 1, '192.0.2.1')

    const corrupt = makeTempDirectory()
    openDataDirectory(corrupt, system)
    writeFileSync(path.join(corrupt, 'pimlet.db'), 'this is no database at all'.repeat(100))
    await assertEnds(run(t, ['--data-dir', corrupt, '--port', '0']), 1, 'pimlet.db')
  })

  it('a database of a newer version is refused, and nothing in it changes', async (t) => {
    const dataDir = makeTempDirectory()
    openDataDirectory(dataDir, system)
    const db = openWriter(path.join(dataDir, 'pimlet.db'), { durable: true })
    db.pragma('user_version = 9999')
    db.close()
    await assertEnds(run(t, ['--data-dir', dataDir, '--port', '0']), 1, 'pimlet.db', 'newer')
  })

  it('--version and --help answer and end', async (t) => {
    const version = run(t, ['--version'])
    assert.equal(await version.ended, 0)
    assert.match(version.output(), /^\d+\.\d+\.\d+(-dev)?\n$/)
    const help = run(t, ['--help'])
    assert.equal(await help.ended, 0)
    for (const text of ['--data-dir', '--max-records', 'http://127.0.0.1:8080']) assert.ok(help.output().includes(text))
  })

  it(
    'a directory that cannot be written is refused',
    { skip: mayWriteEverywhere() && 'this user may write everywhere' },
    async (t) => {
      const parent = makeTempDirectory()
      chmodSync(parent, 0o500)
      const args = ['--data-dir', path.join(parent, 'data'), '--port', '0']
      await assertEnds(run(t, args, {}, BOUND), 1, 'permission denied')
      assert.deepEqual(readdirSync(parent), [])
    },
  )
})
