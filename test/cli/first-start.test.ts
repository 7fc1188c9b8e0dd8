// The first start of a workspace: nobody loses the admin's password, whatever ends it; and what later starts say of secrets
// and variables that do nothing. Contract 3 §9.1, 3 §9.2.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type App, startApp } from '../../src/app/app.ts'
import { findUnknownVariables } from '../../src/kernel/settings/config.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { StartError } from '../../src/kernel/machine/start-error.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { bareEnvironment } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'
import { configFor } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const PASSWORD = 'the password of admin'
const KEY = 'the-key-of-admin-in-tests-is-long-enough'

interface StartOptions {
  readonly dataDir: string
  readonly port?: number
  readonly adminPassword?: string
  readonly adminApiKey?: string
  readonly announce?: (password: string) => Promise<void>
}

function start({ dataDir, port = 0, adminPassword, adminApiKey, announce }: StartOptions): Promise<App> {
  return startApp({
    config: { ...configFor(dataDir), port },
    firstStart: { adminPassword, adminApiKey },
    announcePassword: announce ?? (() => assert.fail('no password is made up')),
    version: '0.0.0-test',
    log: createLog({ level: 'error', format: 'json', system, write: () => undefined }),
    testing: { passwordCost: 4, stopGrace: 0 },
  })
}

async function takePort(t: TestContext): Promise<{ port: number; release: () => void }> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  return { port: (taken.address() as AddressInfo).port, release: () => taken.close() }
}

async function canLogIn(url: string, password: string): Promise<boolean> {
  const login = { username: 'admin', password }
  return (await send(keyClient(url), 'POST', '/api/v1/auth/login', login)).status === 200
}

describe('The first start', () => {
  it('makes no admin where the port is taken, so that the next start tells the password', async (t) => {
    const dataDir = makeTempDirectory()
    const taken = await takePort(t)
    await assert.rejects(start({ dataDir, port: taken.port }), StartError)
    const told: string[] = []
    const announce = async (password: string): Promise<void> => void told.push(password)
    const app = await start({ dataDir, announce })
    t.after(() => app.stop())
    assert.equal(told.length, 1)
    assert.ok(await canLogIn(app.url, told[0]!))
  })

  it('tells the password before it is stored, and answers 503 until it is ready', async (t) => {
    const dataDir = makeTempDirectory()
    const { port, release } = await takePort(t)
    release()
    const url = `http://127.0.0.1:${port}`
    const told: string[] = []
    const seen: unknown[] = []
    const announce = async (password: string): Promise<void> => {
      told.push(password)
      const health = await fetch(`${url}/healthz`)
      seen.push(health.status, ((await health.json()) as { status: string }).status)
      const login = { username: 'admin', password }
      const answer = await send<{ error: string }>(keyClient(url), 'POST', '/api/v1/auth/login', login)
      seen.push(answer.status, answer.body.error)
      if (told.length === 1) throw new StartError('nobody reads it')
    }
    await assert.rejects(start({ dataDir, port, announce }), /nobody reads it/)
    // It was told and not kept: the next start makes another one.
    const app = await start({ dataDir, port, announce })
    t.after(() => app.stop())
    assert.deepEqual(seen, [503, 'unavailable', 503, 'UNAVAILABLE', 503, 'unavailable', 503, 'UNAVAILABLE'])
    assert.deepEqual([await canLogIn(url, told[0]!), await canLogIn(url, told[1]!)], [false, true])
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
  })

  it('a later one knows which secrets of the first start do nothing', async () => {
    const dataDir = makeTempDirectory()
    const find = async (secrets: { adminPassword?: string; adminApiKey?: string }) => {
      const app = await start({ dataDir, ...secrets })
      const unknown = await app.findUnknownSecrets()
      await app.stop()
      return unknown
    }
    const right = { adminPassword: PASSWORD, adminApiKey: KEY }
    assert.deepEqual(await find(right), [])
    assert.deepEqual(await find(right), [])
    assert.deepEqual(await find({}), [])
    const wrong = { adminPassword: 'another password', adminApiKey: `${KEY}-not` }
    assert.deepEqual(await find(wrong), ['adminApiKey', 'adminPassword'])
  })
})

describe('Variables that look like settings and are none', () => {
  it('are told with what may be meant; those that are settings, secrets or empty are not', () => {
    const variables = { PIMLET_PROT: '1', PIMLET_DATADIR: '/d', PIMLET_ADMIN_APIKEY: 'x', PIMLET_QUITE_ELSE: 'x' }
    const known = { PIMLET_PORT: '1', PIMLET_API_KEY: 'x', PIMLET_ADMIN_PASSWORD: 'x', PIMLET_CONFIG: 'f', PATH: '/' }
    assert.deepEqual(findUnknownVariables({ ...known, PIMLET_NONE: '' }), [])
    assert.deepEqual(findUnknownVariables({ ...known, ...variables }), [
      'the variable PIMLET_ADMIN_APIKEY names no setting; did you mean PIMLET_ADMIN_API_KEY?',
      'the variable PIMLET_DATADIR names no setting; did you mean PIMLET_DATA_DIR?',
      'the variable PIMLET_PROT names no setting; did you mean PIMLET_PORT?',
      'the variable PIMLET_QUITE_ELSE names no setting; see pimlet --help',
    ])
  })
})

describe('pimlet serve', { timeout: 600_000 }, () => {
  const serve = (dataDir: string, env: Record<string, string>) => {
    const args = [PROGRAM, '--data-dir', dataDir, '--port', '0']
    const child = spawn(process.execPath, args, { env: { ...bareEnvironment(), ...env } })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const listening = once(child.stdout, 'data')
    const ended = once(child, 'close').then(() => child.exitCode)
    // Without lines of the log.
    return { child, listening, ended, errors: () => errors.replaceAll(/^\{.*\n/gm, '') }
  }

  it('warns of secrets and variables that do nothing, in a line each, and takes two quick signals for one', async (t) => {
    const dataDir = path.join(makeTempDirectory(), 'data')
    const first = serve(dataDir, { PIMLET_ADMIN_API_KEY: KEY })
    t.after(() => first.child.kill('SIGKILL'))
    await first.listening
    assert.match(first.errors(), /^pimlet makes the user admin with the password \S{20,} \(shown this once\)\n$/)
    first.child.kill('SIGINT')
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)

    const wrong = { PIMLET_ADMIN_API_KEY: `${KEY}-not`, PIMLET_ADMIN_PASSWORD: PASSWORD, PIMLET_PROT: '1' }
    const second = serve(dataDir, wrong)
    t.after(() => second.child.kill('SIGKILL'))
    while (!second.errors().includes('ADMIN_PASSWORD')) await once(second.child.stderr, 'data')
    const [, , ...more] = second.errors().trimEnd().split('\n')
    assert.match(second.errors(), /^pimlet: warning: the variable PIMLET_PROT names no setting.*PIMLET_PORT/)
    assert.match(second.errors(), /\npimlet: warning: PIMLET_ADMIN_API_KEY is no API key of this workspace.*\n/)
    assert.match(more.join('\n'), /^pimlet: warning: PIMLET_ADMIN_PASSWORD is not the password[^\n]*$/)
    assert.ok(!second.errors().includes(KEY) && !second.errors().includes(PASSWORD))
    // A request under way, for which a stop waits.
    const url = /http:\S+/.exec(String((await second.listening)[0]))![0]
    const headers = { 'content-type': 'application/json', expect: '100-continue' }
    const request = httpRequest(`${url}/api/v1/auth/login`, { method: 'POST', headers })
    request.on('error', () => undefined)
    request.write('{')
    await once(request, 'continue')
    // What says so is Node; pimlet has it a moment later.
    await new Promise((resolve) => setTimeout(resolve, 300))
    second.child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    assert.equal(second.child.exitCode, null)
    second.child.kill('SIGTERM')
    assert.equal(await second.ended, 1)
    assert.ok(existsSync(path.join(dataDir, 'pimlet.db')))
  })
})
