// `pimlet demo` as somebody sees it who tries pimlet: what it prints works when it is copied into a shell. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { assertRefused, send } from '../helpers/answers.ts'
import { type Client, keyClient } from '../helpers/client.ts'
import { runCommand } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'
import { listRuns, whenEnded } from '../helpers/export-jobs.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const hasCurl = spawnSync('curl', ['--version']).status === 0

interface Page {
  items: { id: string }[]
  total: number
}

/** Runs the line in a shell, or where there is no curl, does what it says. */
async function runLine(line: string): Promise<unknown> {
  if (hasCurl) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8', timeout: 120_000 })
    assert.equal(status, 0, stderr)
    return JSON.parse(stdout) as unknown
  }
  const [, key = '', method = 'GET', url = ''] = /^curl -H "X-Service-ApiKey: (\S+)"(?: -X (\S+))? "(\S+)"$/.exec(line)!
  return (await fetch(url, { method, headers: { 'x-service-apikey': key } })).json()
}

describe('pimlet demo', { timeout: 600_000 }, () => {
  const temporary = makeTempDirectory()
  let demo: ChildProcess
  let output = ''
  let errors = ''
  let client: Client
  let lines: string[] = []

  before(async () => {
    const env = { PATH: process.env['PATH'], TMPDIR: temporary, TEMP: temporary }
    demo = spawn(process.execPath, [PROGRAM, 'demo'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    demo.stderr!.setEncoding('utf8').on('data', (more: string) => (errors += more))
    const printed = Promise.withResolvers<void>()
    demo.stdout!.setEncoding('utf8').on('data', (more: string) => {
      output += more
      if (output.includes('Ctrl+C')) printed.resolve()
    })
    await Promise.race([printed.promise, once(demo, 'close')])
    const url = /^pimlet listening on (http:\S+)\n/.exec(output)?.[1]
    assert.ok(url !== undefined, output + errors)
    client = keyClient(url, /X-Service-ApiKey: (\w+)/.exec(output)?.[1])
    lines = output.split('\n').filter((line) => line.startsWith('curl '))
  })

  after(() => demo.kill('SIGKILL'))

  it('prints three lines for a shell: records, a text in them, and an export, whose file appears', async () => {
    assert.equal(lines.length, 3)
    const page = (await runLine(lines[0]!)) as Page
    assert.deepEqual([page.items.length, page.total], [3, 23])
    const found = (await runLine(lines[1]!)) as { id: string }[]
    assert.deepEqual(
      found.map(({ id }) => id),
      ['pic-jasmine-tin', 'pic-jasmine-cup', 'tea-jasmine', 'tea-jasmine-50', 'tea-jasmine-100'],
    )
    const run = (await runLine(lines[2]!)) as { id: string; jobId: string }
    assert.equal((await listRuns(client, run.jobId))[0]?.id, run.id)
    const ended = await whenEnded(client, run as Parameters<typeof whenEnded>[1])
    assert.deepEqual([ended.status, ended.error], ['success', null])
    const [directory] = readdirSync(temporary)
    const exported = path.join(temporary, directory!, 'exported')
    const read = (name: string): string => {
      const file = readdirSync(exported).find((candidate) => candidate.startsWith(name))
      return readFileSync(path.join(exported, file!), 'utf8')
    }
    const [header, ...rows] = read('teas').trimEnd().split('\r\n')
    assert.ok(output.includes(exported) && header?.includes('description,') && rows.length === 23)
    assert.match(read('feed'), /<g:image_link>\/public\/[\w-]+\/square\/assam-tin\.jpg<\/g:image_link>/)
    assert.ok(rows.some((row) => row.includes('AB-250') && row.includes('verträgt Milch') && row.includes(',EUR')))
  })

  it('shows a workflow with a gate, a guarded attribute, a role with limits, categories and a saved query', async () => {
    const get = async <Body>(resource: string): Promise<Body> =>
      (await send<Body>(client, 'GET', `/api/v1/${resource}`)).body
    const gate = await get<{ id: string; allowed: boolean; reasons: string[] }[]>('records/tea-chamomile/transitions')
    assert.deepEqual(
      gate.map(({ id, allowed }) => [id, allowed]),
      [['tea-sell', false]],
    )
    const { missing } = await get<{ missing: object[] }>('records/tea-chamomile/completeness?stateId=tea-sold')
    assert.ok(missing.some((one) => isDeepStrictEqual(one, { attributeAlias: 'certificate', scope: {} })))
    const { body: organic } = await send<Page['items']>(client, 'POST', '/api/v1/saved-queries/sq-evening/execute')
    assert.ok(organic.some(({ id }) => id === 'tea-rooibos'))
    const evening = await get<Page>('categories/ctg-evening/records')
    assert.deepEqual(
      evening.items.map(({ id }) => id),
      ['tea-rooibos', 'tea-chamomile'],
    )
    assert.ok((await get<{ id: string }[]>('roles')).some(({ id }) => id === 'role-translator'))
  })

  it('is the workspace of a tea shop', async () => {
    const { body } = await send<{ workspace: { name: string } }>(client, 'GET', '/api/v1/me')
    assert.equal(body.workspace.name, 'Tea shop')
  })

  it('has a colleague, who asks and assigns, and a job with several runs', async () => {
    const get = async <Body>(resource: string): Promise<Body> =>
      (await send<Body>(client, 'GET', `/api/v1/${resource}`)).body
    type Said = { readonly author: { readonly id: string }; readonly mentions: readonly { readonly name: string }[] }
    const { items: said } = await get<{ items: Said[] }>('records/tea-jasmine/comments')
    assert.deepEqual(
      said.map(({ author, mentions }) => [author.id, mentions.length]),
      [['claire', 1]],
    )
    const admin = (await get<{ id: string; username: string }[]>('users')).find(({ username }) => username === 'admin')!
    type Work = { readonly recordId: string; readonly overdue: boolean }
    const { items: work } = await get<{ items: Work[] }>(`assignments?assigneeId=${admin.id}`)
    assert.deepEqual(
      work.map(({ recordId, overdue }) => [recordId, overdue]),
      [['tea-chamomile', false]],
    )
    assert.ok((await listRuns(client, 'job-german-list')).length >= 3)
  })

  it('shows what happens to a catalogue: a language that comes later, bulk jobs, an import, exports good and failed, a subscription', async () => {
    const get = async <Body>(resource: string): Promise<Body> => {
      const answer = await send<Body>(client, 'GET', resource)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const missing = { field: 'missing', operator: 'equals', value: 'description', stateId: 'tea-sold' }
    const lacking = async (language: string): Promise<number> => {
      const criteria = [{ ...missing, scope: { language } }]
      const body = { schemaId: 'sch-tea', criteria, criteriaOperator: 'and' }
      const found = await send<object[]>(client, 'POST', '/api/v1/search', body)
      return found.body.length
    }
    assert.ok((await lacking('fr')) > (await lacking('de')) && (await lacking('de')) > 0)
    const jobs = await get<{ kind: string; status: string; changed: number; failed: number }[]>('/api/v1/bulk-jobs')
    assert.deepEqual(
      jobs.map(({ kind, status, changed }) => [kind, status, changed > 0]),
      ['import', 'undo', 'bulk', 'bulk', 'import'].map((kind) => [kind, 'succeeded', true]),
    )
    assert.equal(jobs[0]!.failed, 2)
    assert.deepEqual(
      (await get<{ active: boolean }[]>('/api/v1/subscriptions')).map(({ active }) => active),
      [false],
    )
    for (const [job, status] of [
      ['job-german-list', 'success'],
      ['job-shop-feed', 'success'],
      ['job-marketplace', 'failed'],
    ] as const) {
      const [run] = await listRuns(client, job)
      assert.equal((await whenEnded(client, run!)).status, status)
    }
  })

  it('leaves nothing behind when it is stopped', async () => {
    assert.equal(readdirSync(temporary).length, 1)
    const ended = once(demo, 'close')
    demo.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual(readdirSync(temporary), [])
    assert.equal(errors, '')
  })

  it('takes the settings of serve, and its secrets from the environment', async (t) => {
    const key = 'a-key-for-the-demonstration-of-the-test'
    const TMPDIR = makeTempDirectory()
    const env = { PATH: process.env['PATH'], TMPDIR, PIMLET_ADMIN_API_KEY: key, PIMLET_MAX_RECORDS: '42' }
    const args = [PROGRAM, 'demo', '--host', 'localhost']
    const other = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => other.kill('SIGKILL'))
    let text = ''
    for await (const more of other.stdout.setEncoding('utf8')) {
      text += String(more)
      if (text.includes('Ctrl+C')) break
    }
    const url = /^pimlet listening on (http:\/\/localhost:\d+)\n/.exec(text)?.[1]
    assert.ok(url !== undefined && text.includes(`X-Service-ApiKey: ${key}`), text)
    const answer = await send(keyClient(url, key), 'POST', '/api/v1/records', { schemaId: 'sch-tea', values: {} })
    assertRefused(answer, 'LIMIT_EXCEEDED')
  })

  it('leaves nothing behind when it cannot start', async () => {
    const result = await runCommand(['demo', '--port', 'nonsense'], { env: { TMPDIR: temporary } })
    assert.equal(result.status, 2)
    assert.match(result.stderr, /--port/)
    assert.deepEqual(readdirSync(temporary), [])
  })
})
