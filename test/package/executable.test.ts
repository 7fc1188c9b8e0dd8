// The executable as a user has it: one file, copied alone to where nothing else is, started with an empty environment.
// Contract 2 §8. It is made first where it is missing or older than the sources, of the bundle that a run of the suite builds.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it, type TestContext } from 'node:test'
import sharp from 'sharp'
import { ensureExecutable } from '../../scripts/package/release.ts'
import { TARGETS } from '../../scripts/package/targets.ts'
import { send } from '../helpers/answers.ts'
import { withoutBrowser } from '../console/helpers/chromium.ts'
import { assertConsole } from '../helpers/console-files.ts'
import { type Client, keyClient, tokenClient } from '../helpers/client.ts'
import { runCommand } from '../helpers/command.ts'
// What the browser of the journey closes by, which is loaded late.
import '../helpers/end-of-process.ts'
import { runOnce } from '../helpers/export-jobs.ts'
import { make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const place = makeTempDirectory()
/** What a program may write to unasked; each is a directory that stays empty. */
const elsewhere = ['home', 'temporary', 'working'].map((name) => path.join(place, name))
const [home, temporary, working] = elsewhere as [string, string, string]
const program = path.join(place, 'bin', 'pimlet')
const dataDir = path.join(place, 'data')
const plugins = path.join(place, 'plugins')
const exported = path.join(place, 'exported')
const ENVIRONMENT = { HOME: home, USERPROFILE: home, TMPDIR: temporary, TEMP: temporary, TMP: temporary }

/** Its types are those of a browser, which are not known here. */
const JOURNEY: string = '../console/helpers/whole-journey.ts'

/** An export destination in CommonJS; the sample of an ES module is `test/plugins/sample/file.mjs`. */
const COMMONJS_PLUGIN = `
const { copyFile } = require('node:fs/promises'), { join } = require('node:path')
module.exports = {
  type: 'copy',
  config: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
  async deliver(file, { directory }) {
    const destinationPath = join(directory, file.name)
    await copyFile(file.path, destinationPath)
    return { destinationPath }
  },
}
`

interface Server {
  readonly url: string
  readonly errors: () => string
  /** Resolves to the exit status and all of standard output. */
  stop(): Promise<{ status: number | null; output: string }>
}

const running = new Set<ChildProcess>()

async function serve(...args: string[]): Promise<Server> {
  const where = args.includes('--data-dir') ? [] : ['--data-dir', dataDir]
  const child = spawn(program, [...where, '--plugins-dir', plugins, '--port', '0', ...args], {
    cwd: working,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (more: string) => (errors += more))
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await Promise.race([once(reader, 'line'), once(child, 'close')])
  const url = /^pimlet listening on (http:\S+)$/.exec(lines[0] ?? '')?.[1]
  assert.ok(url !== undefined, `no listening line: ${lines.join('\n')}${errors}`)
  return {
    url,
    errors: () => errors,
    async stop() {
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      return { status: child.exitCode, output: lines.join('\n') }
    },
  }
}

/** Every change of a workspace is made with a key of its own, as a script of a user would. */
async function logIn(url: string, password: string): Promise<Client> {
  const login = { username: 'admin', password }
  const { body } = await send<{ accessToken: string }>(keyClient(url), 'POST', '/api/v1/auth/login', login)
  return tokenClient(url, body.accessToken)
}

/** The answer of a process as the server starts it. */
async function renderOf(picture: string): Promise<{ kind: string; rendered?: { mediaType: string; width: number } }> {
  const child = spawn(program, ['picture-process', dataDir], {
    cwd: working,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  running.add(child)
  const ended = once(child, 'exit')
  await once(child, 'message')
  const preset = { id: 'small', width: 30, fit: 'inside', format: 'webp' }
  const output = path.join(makeTempDirectory(), 'rendition')
  child.send({ kind: 'render', path: picture, preset, output, granted: 80e6, maxTime: 10_000 })
  const [answer] = (await once(child, 'message')) as [{ kind: string }]
  child.disconnect()
  await ended
  return answer
}

function bindings(): string[] {
  return readdirSync(path.join(dataDir, 'native'), { recursive: true, encoding: 'utf8' }).sort()
}

/** Elsewhere it depends on the Node that happens to be there whether an executable can be made. */
const canBeMade = TARGETS.some(
  ({ nodePackage }) => nodePackage !== undefined && process.execPath.includes(`${path.sep}${nodePackage}${path.sep}`),
)
const skip = !canBeMade && 'npm has no Node of this version for this machine'

describe('The executable', { timeout: 600_000, skip }, () => {
  let password = ''

  before(async () => {
    for (const directory of [...elsewhere, path.dirname(program), plugins, exported]) mkdirSync(directory)
    copyFileSync(await ensureExecutable(process.env['TEST_BUNDLE']), program)
    copyFileSync(path.join(ROOT, 'test/plugins/sample/file.mjs'), path.join(plugins, 'file.mjs'))
    writeFileSync(path.join(plugins, 'copy.cjs'), COMMONJS_PLUGIN)
    for (const name of readdirSync(plugins)) chmodSync(path.join(plugins, name), 0o644)
  })

  after(() => {
    for (const child of running) child.kill('SIGKILL')
  })

  it('is one file of less than 165 MB', () => {
    assert.ok(statSync(program).size < 165e6)
  })

  it('answers --version and --help as the checkout does, and wrong usage in one line, without writing anything', async () => {
    for (const args of [['--version'], ['--help'], ['openapi'], ['--no-such-flag'], ['export']]) {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: working,
        env: ENVIRONMENT,
        encoding: 'utf8',
        // The OpenAPI document is long.
        maxBuffer: 16 * 1024 ** 2,
      })
      assert.deepEqual({ status, stdout, stderr }, await runCommand(args))
    }
    assert.deepEqual(
      elsewhere.flatMap((directory) => readdirSync(directory)),
      [],
    )
  })

  it('serves from the first start on: records, search, exports to destinations in both kinds of module', async () => {
    const server = await serve('--log-level', 'warn')
    password = /password (\S+)/.exec(server.errors())?.[1] ?? ''
    const client = await logIn(server.url, password)
    const attributes = [{ alias: 'name', dataType: 'text' }]
    await make(client, '/api/v1/schemas', { id: 'sch-p', name: 'Packaged', attributes })
    const values = { name: [{ scope: {}, value: 'Ein Stück' }] }
    await make(client, '/api/v1/records', { id: 'one', schemaId: 'sch-p', values })
    const found = await send<{ id: string }[]>(client, 'POST', '/api/v1/search/full-text', { query: 'STÜCK' })
    assert.deepEqual([found.status, found.body.map(({ id }) => id)], [200, ['one']])
    for (const destinationType of ['file', 'copy']) {
      const run = await runOnce(client, {
        name: 'Out',
        destinationType,
        destinationConfig: { directory: exported },
        format: 'jsonl',
        schedule: '0 3 1 1 *',
        includeVariants: true,
        compress: false,
        filenameTemplate: `${destinationType}.jsonl`,
      })
      assert.deepEqual([run.status, run.recordCount, run.error], ['success', 1, null])
      assert.match(readFileSync(path.join(exported, `${destinationType}.jsonl`), 'utf8'), /^\{"id":"one",.*Ein Stück/)
    }
    assert.deepEqual(await server.stop(), { status: 0, output: `pimlet listening on ${server.url}` })
    assert.match(server.errors(), /^pimlet makes the user admin .*\n$/, 'no warning, neither its own nor that of Node')
  })

  it('keeps what it has over a restart', async () => {
    const server = await serve()
    const client = await logIn(server.url, password)
    const record = await send<{ id: string }>(client, 'GET', '/api/v1/records/one')
    assert.equal(record.body.id, 'one')
    assert.equal((await server.stop()).status, 0)
  })

  it('backs up while it serves, and serves what it restored', async () => {
    const backup = path.join(place, 'backup')
    const run = (...args: string[]) =>
      spawnSync(program, args, { cwd: working, env: ENVIRONMENT, encoding: 'utf8', timeout: 60_000 })
    const server = await serve()
    const made = run('backup', backup, '--data-dir', dataDir)
    await server.stop()
    assert.equal(made.status, 0, made.stderr)
    const restored = path.join(place, 'restored')
    const result = run('restore', backup, '--data-dir', restored)
    assert.equal(result.status, 0, result.stderr)
    const second = await serve('--data-dir', restored)
    const client = await logIn(second.url, password)
    assert.equal((await send<{ id: string }>(client, 'GET', '/api/v1/records/one')).body.id, 'one')
    assert.equal((await second.stop()).status, 0)
  })

  it('has its native code in the data directory, for its owner only, and writes it again when it was changed', async () => {
    const [version, file] = bindings() as [string, string]
    const binding = path.join(dataDir, 'native', file)
    assert.equal(statSync(binding).mode & 0o777, 0o600)
    assert.equal(statSync(path.dirname(binding)).mode & 0o777, 0o700)
    const content = readFileSync(binding)
    appendFileSync(binding, 'changed')
    const old = path.join(dataDir, 'native', 'of-an-older-version')
    mkdirSync(old)
    writeFileSync(path.join(old, 'better_sqlite3.node'), 'old')
    const server = await serve()
    assert.deepEqual(bindings(), [version, file])
    assert.ok(readFileSync(binding).equals(content))
    assert.equal((await server.stop()).status, 0)
  })

  it('renders a picture in a process of its own, by native code that an operator may replace', async () => {
    const picture = path.join(place, 'picture.png')
    writeFileSync(
      picture,
      await sharp({ create: { width: 60, height: 40, channels: 3, background: '#f00' } })
        .png()
        .toBuffer(),
    )
    const server = await serve()
    assert.ok(!bindings().some((name) => name.includes('vips')), 'a server without pictures has no such code')
    const first = await renderOf(picture)
    assert.deepEqual([first.kind, first.rendered?.mediaType, first.rendered?.width], ['rendered', 'image/webp', 30])
    const library = path.join(
      dataDir,
      'native',
      bindings().find((name) => /libvips-cpp|\.dylib$/.test(name))!,
    )
    assert.equal(statSync(library).mode & 0o777, 0o600)
    const content = readFileSync(library)
    // As a build of one's own would be.
    appendFileSync(library, 'changed')
    assert.equal((await renderOf(picture)).kind, 'rendered')
    assert.equal((await server.stop()).status, 0)
    const again = await serve()
    assert.equal(readFileSync(library).length, content.length + 'changed'.length)
    assert.equal((await again.stop()).status, 0)
    rmSync(path.dirname(path.dirname(path.dirname(library))), { recursive: true })
  })

  it('demonstrates itself from what is in it, and clears up', async () => {
    const child = spawn(program, ['demo'], { cwd: working, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    for await (const line of createInterface({ input: child.stdout })) {
      output += `${line}\n`
      if (line.includes('Ctrl+C')) break
    }
    const [, key = '', url = ''] = /X-Service-ApiKey: (\w+)" "(\S+)"/.exec(output) ?? []
    await assertConsole(url)
    const guide = await fetch(new URL('/docs/guides/destination-s3', url))
    assert.match(await guide.text(), /<h1 id=/)
    const { total } = (await (await fetch(url, { headers: { 'x-service-apikey': key } })).json()) as { total: number }
    assert.equal(total, 23)
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  it('has its console work in a browser', { skip: withoutBrowser }, async (t) => {
    const server = await serve()
    const { makeWholeJourney } = (await import(JOURNEY)) as {
      makeWholeJourney: (context: TestContext, journey: object) => Promise<void>
    }
    await makeWholeJourney(t, {
      url: server.url,
      username: 'admin',
      password,
      schemaId: 'sch-p',
      recordId: 'one',
      before: 'Ein Stück',
    })
    // After the page, which still asks it.
    t.after(() => server.stop())
  })

  it('has written to no other place', () => {
    assert.deepEqual(
      elsewhere.flatMap((directory) => readdirSync(directory)),
      [],
    )
    assert.deepEqual(readdirSync(path.dirname(program)), ['pimlet'])
    assert.deepEqual(readdirSync(plugins).sort(), ['copy.cjs', 'file.mjs'])
  })

  it('says what to do where the data directory forbids execution', (t) => {
    // Seen by the program and those that it starts only.
    const mount = 'mount -t tmpfs -o noexec none "$1"'
    const inside = (script: string) =>
      spawnSync('unshare', ['-m', 'sh', '-c', script, program, temporary], { encoding: 'utf8' })
    if (inside(mount).status !== 0) return t.skip('this user may not mount anything')
    const { status, stdout, stderr } = inside(`${mount} && exec "$0" --data-dir "$1" --port 0`)
    assert.deepEqual([status, stdout], [1, ''])
    assert.match(stderr, /^pimlet: The data directory .* noexec.*\n$/)
  })

  it('begins with code that was compiled when it was made', () => {
    const probe = path.join(place, 'probe.cjs')
    writeFileSync(
      probe,
      `const vm = require('node:vm'), { Script } = vm
       vm.Script = class extends Script {
         constructor(...args) { super(...args); process.stderr.write(\`rejected: \${this.cachedDataRejected}\`) }
       }`,
    )
    const env = { ...ENVIRONMENT, NODE_OPTIONS: `--require ${probe}` }
    assert.equal(spawnSync(program, ['--version'], { env, encoding: 'utf8' }).stderr, 'rejected: false')
  })
})
