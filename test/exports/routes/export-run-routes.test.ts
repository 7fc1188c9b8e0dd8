// Endpoints of export runs, the ladder for each.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { NOTHING_YET } from '../../../src/exports/rules/export-run.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import {
  cancel,
  getJob,
  type JobBody,
  jobFor,
  listRuns,
  makeJob,
  type RunBody,
  runOnce,
  trigger,
  TOKEN,
  whenEnded,
} from '../../helpers/export-jobs.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { eventually, installPuppet, type Puppet, puppetIn } from '../../helpers/puppet.ts'
import { english, everywhere, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir, keepRuns: 20 })
  await makeShirt(shop.admin, {
    name: [english('Shirt')],
    sku: everywhere('S-1'),
    price: everywhere({ amount: 9, currency: 'EUR' }),
  })
  await makeShirt(shop.admin, { name: [english('Blouse')], sku: everywhere('S-2') })
})
after(() => shop.stop())

const body = (more: object = {}) => jobFor(puppet, 'deliver', more)
/** A job whose deliveries wait until `go()` of the puppet in a directory of its own. */
async function makeWaitingJob(more: object = {}): Promise<{ job: JobBody; stage: Puppet }> {
  const stage = puppetIn(makeTempDirectory())
  return { job: await makeJob(shop.admin, jobFor(stage, 'waits', more)), stage }
}
const record = (jobId: string, entry: object) => send<RunBody>(shop.admin, 'POST', `${PATH}/${jobId}/runs`, entry)

describe('POST /api/v1/export-jobs/:id/trigger', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-trigger' }))
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/job-trigger/trigger` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'POST', path: `${PATH}/${id}/trigger` }))
  })

  it('answers 202 with the run, which ends in success with what was delivered', async () => {
    const job = await makeJob(shop.admin, body())
    const run = await trigger(shop.admin, job.id)
    assert.match(run.id, /^run-[0-9a-z]{20,}$/)
    const told = { id: run.id, jobId: job.id, status: 'running', startedAt: run.startedAt, kind: 'full' }
    assert.deepEqual(run, { ...NOTHING_YET, ...told, durationMs: null, progress: null })
    const ended = await whenEnded(shop.admin, run)
    const name = `export-${run.id}.csv`
    const text = puppet.read(name).toString()
    assert.deepEqual(ended, {
      ...run,
      status: 'success',
      completedAt: ended.completedAt,
      recordCount: 2,
      fileSize: Buffer.byteLength(text),
      destinationPath: `${puppet.directory}/files/${name}`,
      durationMs: Date.parse(ended.completedAt!) - Date.parse(run.startedAt),
      attempts: 1,
      sha256: createHash('sha256').update(text).digest('hex'),
    })
    assert.ok(ended.completedAt! >= run.startedAt)
    assert.equal(text.trimEnd().split('\r\n').length, 3)
    assert.ok(puppet.log().includes(`deliver 1 ${name} ${ended.fileSize} text/csv; charset=utf-8`))
    assert.deepEqual((await getJob(shop.admin, job.id)).lastRun, ended)
  })

  it('runs a paused job too', async () => {
    const run = await runOnce(shop.admin, body({ active: false }))
    assert.equal(run.status, 'success')
  })

  it('is a CONFLICT while the job runs, and possible again afterwards', async () => {
    const { job, stage } = await makeWaitingJob()
    const run = await trigger(shop.admin, job.id)
    assertRefused(await send(shop.admin, 'POST', `${PATH}/${job.id}/trigger`), 'CONFLICT', job.id)
    stage.go()
    assert.equal((await whenEnded(shop.admin, run)).status, 'success')
    assert.equal((await whenEnded(shop.admin, await trigger(shop.admin, job.id))).status, 'success')
    assert.equal((await listRuns(shop.admin, job.id)).length, 2)
  })

  it('of two at once, one begins', async () => {
    const { job, stage } = await makeWaitingJob()
    const path = `${PATH}/${job.id}/trigger`
    const answers = await Promise.all([1, 2, 3].map(() => send(shop.admin, 'POST', path)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 409, 409],
    )
    stage.go()
  })

  it('exports what the owner may read, whoever triggers it', async () => {
    const writer = await shop.clientWith(['records.read', 'exportJobs.write'], {
      attributePermissions: { 'sch-shirt': { price: 'none', sku: 'none' } },
    })
    const job = await makeJob(writer, body({ schemaId: 'sch-shirt' }))
    const run = await whenEnded(shop.admin, await trigger(shop.admin, job.id))
    const header = puppet.read(`export-${run.id}.csv`).toString().split('\r\n')[0]!
    assert.match(header, /name/)
    assert.doesNotMatch(header, /price|sku/)
    assert.equal((await send(shop.admin, 'POST', `${PATH}/${job.id}/take-over`)).status, 200)
    const after = await whenEnded(shop.admin, await trigger(shop.admin, job.id))
    assert.match(puppet.read(`export-${after.id}.csv`).toString(), /price.*sku|sku.*price/)
  })

  it('a role that may not read records exports none: the run fails and says so', async () => {
    const writer = await shop.clientWith(['exportJobs.write'])
    const run = await whenEnded(shop.admin, await trigger(shop.admin, (await makeJob(writer, body())).id))
    assert.equal(run.status, 'failed')
    assert.match(run.error!, /records\.read/)
  })
})

describe('GET /api/v1/export-jobs/:id/runs', () => {
  it('needs exportJobs.read, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-runs' }))
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/job-runs/runs` }, 'exportJobs.read')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'GET', path: `${PATH}/${id}/runs` }))
  })

  it('lists the latest run first, as many as asked for', async () => {
    const job = await makeJob(shop.admin, body())
    for (const day of ['02', '04', '01', '03']) {
      const answer = await record(job.id, {
        status: 'success',
        startedAt: `2026-01-${day}T00:00:00Z`,
        id: `run-${day}`,
      })
      assert.equal(answer.status, 201)
    }
    const ids = async (query: string) =>
      (await send<RunBody[]>(shop.admin, 'GET', `${PATH}/${job.id}/runs${query}`)).body.map((run) => run.id)
    assert.deepEqual(await ids(''), ['run-04', 'run-03', 'run-02', 'run-01'])
    assert.deepEqual(await ids('?limit=2'), ['run-04', 'run-03'])
    assert.equal((await getJob(shop.admin, job.id)).lastRun?.id, 'run-04')
    for (const limit of ['0', '1001', 'x', '-1', '1.5'])
      assertRefused(await send(shop.admin, 'GET', `${PATH}/${job.id}/runs?limit=${limit}`), 'VALIDATION_ERROR', 'limit')
  })

  it('keeps as many runs as the server was told to', async () => {
    const job = await makeJob(shop.admin, body())
    for (let index = 0; index < 25; index += 1)
      await record(job.id, { status: 'failed', startedAt: new Date(Date.UTC(2026, 0, 1, index)).toISOString() })
    const run = await whenEnded(shop.admin, await trigger(shop.admin, job.id))
    const runs = await listRuns(shop.admin, job.id)
    assert.equal(runs.length, 20)
    assert.equal(runs[0]!.id, run.id)
    assert.equal(runs.at(-1)!.startedAt, '2026-01-01T06:00:00.000Z')
  })
})

describe('POST /api/v1/export-jobs/:id/runs', () => {
  it('takes failures with any characters, of jobs with any characters', async () => {
    const odd = 'a\0b\\u0000c'
    const job = await makeJob(shop.admin, body({ name: odd }))
    const answer = await record(job.id, { status: 'failed', error: odd })
    assert.equal(answer.status, 201)
    assert.equal(answer.body.error, odd)
    const [run] = await listRuns(shop.admin, job.id)
    assert.equal(run?.error, odd)
  })

  it('needs exportRuns.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-record' }))
    const entry = { status: 'success' }
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/job-record/runs`, body: entry }, 'exportRuns.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({
      method: 'POST',
      path: `${PATH}/${id}/runs`,
      body: entry,
    }))
  })

  it('answers 201 with the run as it was told, and runs nothing', async () => {
    const job = await makeJob(shop.admin, body())
    const entry = {
      id: 'run-told',
      status: 'failed',
      startedAt: '2026-02-03T04:05:06+01:00',
      completedAt: '2026-02-03T03:06:07Z',
      recordCount: 12,
      fileSize: 345,
      destinationPath: 's3://bucket/key',
      error: 'No space left',
    }
    const answer = await record(job.id, { ...entry, jobId: 'another' })
    assert.equal(answer.status, 201)
    const run = {
      ...NOTHING_YET,
      ...entry,
      jobId: job.id,
      startedAt: '2026-02-03T03:05:06.000Z',
      completedAt: '2026-02-03T03:06:07.000Z',
      durationMs: 61_000,
      progress: null,
    }
    assert.deepEqual(answer.body, run)
    assert.deepEqual(await listRuns(shop.admin, job.id), [run])
  })

  it('fills in the times that are missing', async () => {
    const job = await makeJob(shop.admin, body())
    const now = new Date().toISOString()
    const { body: run } = await record(job.id, { status: 'success' })
    assert.match(run.id, /^run-/)
    assert.ok(run.startedAt >= now && run.completedAt! >= run.startedAt)
    assert.equal((await record(job.id, { status: 'running' })).body.completedAt, null)
    const { body: early } = await record(job.id, { status: 'success', completedAt: '2026-01-01T00:00:00Z' })
    assert.equal(early.startedAt, '2026-01-01T00:00:00.000Z')
  })

  it('refuses what cannot be, naming the field', async () => {
    const job = await makeJob(shop.admin, body())
    const cases: [object, string][] = [
      [{}, 'status is required'],
      [{ status: 'done' }, 'status must be one of running, success, failed'],
      [{ status: 'success', startedAt: 'yesterday' }, 'startedAt'],
      [{ status: 'success', startedAt: '2026-02-30T00:00:00Z' }, 'startedAt'],
      [{ status: 'running', completedAt: '2026-01-01T00:00:00Z' }, 'completedAt'],
      [{ status: 'success', startedAt: '2026-01-02T00:00:00Z', completedAt: '2026-01-01T00:00:00Z' }, 'completedAt'],
      [{ status: 'success', recordCount: -1 }, 'recordCount'],
      [{ status: 'success', fileSize: 1.5 }, 'fileSize'],
      [{ status: 'success', error: 5 }, 'error'],
      [{ status: 'success', destinationPath: 'x'.repeat(10_001) }, 'destinationPath'],
      [{ status: 'success', id: 'a b' }, 'id'],
    ]
    for (const [entry, named] of cases) assertRefused(await record(job.id, entry), 'VALIDATION_ERROR', named)
    assert.deepEqual(await listRuns(shop.admin, job.id), [])
  })

  it('a duplicate ID is a CONFLICT', async () => {
    const job = await makeJob(shop.admin, body())
    await record(job.id, { id: 'run-twice', status: 'success' })
    assertRefused(await record(job.id, { id: 'run-twice', status: 'failed' }), 'CONFLICT', 'run-twice')
  })

  it('of one that is running updates it: what is left out stays, and an end is an end', async () => {
    const job = await makeJob(shop.admin, body())
    const { body: told } = await record(job.id, { id: 'run-step', status: 'running', recordCount: 5, error: 'slow' })
    const more = await record(job.id, { id: 'run-step', status: 'running', recordCount: 10, error: null })
    assert.equal(more.status, 200)
    assert.deepEqual(more.body, { ...told, recordCount: 10, error: null })
    const late = { id: 'run-step', status: 'success', completedAt: '2020-01-01T00:00:00Z' }
    assertRefused(await record(job.id, late), 'VALIDATION_ERROR', 'completedAt')
    const end = await record(job.id, { id: 'run-step', status: 'success', destinationPath: `there ${TOKEN}` })
    assert.deepEqual(end.body, {
      ...told,
      status: 'success',
      recordCount: 10,
      error: null,
      destinationPath: 'there ***',
      completedAt: end.body.completedAt,
      durationMs: end.body.durationMs,
    })
    assert.ok(end.body.completedAt! >= told.startedAt)
    assert.deepEqual(await listRuns(shop.admin, job.id), [end.body])
    assertRefused(await record(job.id, { id: 'run-step', status: 'running' }), 'CONFLICT', 'run-step')
  })

  it('of one of another job, or of one that this server performs, is a CONFLICT', async () => {
    const { job, stage } = await makeWaitingJob()
    const other = await makeJob(shop.admin, body())
    await record(other.id, { id: 'run-others', status: 'running' })
    assertRefused(await record(job.id, { id: 'run-others', status: 'success' }), 'CONFLICT', 'run-others')
    const run = await trigger(shop.admin, job.id)
    await eventually(() => stage.log().length > 0)
    assertRefused(await record(job.id, { id: run.id, status: 'success' }), 'CONFLICT', run.id)
    await cancel(shop.admin, run)
    assert.equal((await whenEnded(shop.admin, run)).error, 'cancelled')
  })

  it('a run that is told of as running keeps the job from running until it has ended, and can be cancelled', async () => {
    const job = await makeJob(shop.admin, body())
    const { body: told } = await record(job.id, { status: 'running' })
    const path = `${PATH}/${job.id}/trigger`
    assertRefused(await send(shop.admin, 'POST', path), 'CONFLICT', job.id, told.id)
    const cancelled = await cancel(shop.admin, told)
    assert.deepEqual([cancelled.status, cancelled.error], ['failed', 'cancelled'])
    assert.equal((await whenEnded(shop.admin, await trigger(shop.admin, job.id))).status, 'success')
    await record(job.id, { id: 'run-once-more', status: 'running' })
    assertRefused(await send(shop.admin, 'POST', path), 'CONFLICT', 'run-once-more')
    await record(job.id, { id: 'run-once-more', status: 'failed' })
    assert.equal((await whenEnded(shop.admin, await trigger(shop.admin, job.id))).status, 'success')
  })

  it('the secrets of the job are blotted out of what is told', async () => {
    const job = await makeJob(shop.admin, body())
    const { text, body: run } = await record(job.id, { status: 'failed', error: `refused ${TOKEN}!` })
    assert.equal(run.error, 'refused ***!')
    assert.ok(!text.includes(TOKEN))
  })
})

describe('GET /api/v1/export-jobs/:id/runs/:runId', () => {
  it('needs exportJobs.read; a run is found under its own job only', async () => {
    const job = await makeJob(shop.admin, body())
    const other = await makeJob(shop.admin, body())
    const { body: run } = await record(job.id, { status: 'success' })
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/${job.id}/runs/${run.id}` }, 'exportJobs.read')
    assert.deepEqual((await send(shop.editor, 'GET', `${PATH}/${job.id}/runs/${run.id}`)).body, run)
    assertRefused(
      await send(shop.admin, 'GET', `${PATH}/${other.id}/runs/${run.id}`),
      'NOT_FOUND',
      'Export run',
      run.id,
    )
    await assertNotFound(shop.admin, 'Export run', (id) => ({ method: 'GET', path: `${PATH}/${job.id}/runs/${id}` }))
  })
})

describe('POST /api/v1/export-jobs/:id/runs/:runId/cancel', () => {
  it('needs exportJobs.write, and a run that exists', async () => {
    const job = await makeJob(shop.admin, body())
    const { body: run } = await record(job.id, { status: 'running' })
    const path = `${PATH}/${job.id}/runs/${run.id}/cancel`
    await assertGuarded(shop, { method: 'POST', path }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export run', (id) => ({
      method: 'POST',
      path: `${PATH}/${job.id}/runs/${id}/cancel`,
    }))
  })

  it('ends the run: it has failed as cancelled, and nothing was delivered', async () => {
    const { job, stage } = await makeWaitingJob()
    const run = await trigger(shop.admin, job.id)
    await eventually(() => stage.log().length > 0)
    await cancel(shop.admin, run)
    const ended = await whenEnded(shop.admin, run)
    assert.deepEqual([ended.status, ended.error, ended.recordCount], ['failed', 'cancelled', null])
    assert.deepEqual(stage.files(), [])
    assertRefused(await send(shop.admin, 'POST', `${PATH}/${job.id}/runs/${run.id}/cancel`), 'CONFLICT', run.id)
  })
})

describe('POST /api/v1/export-jobs/:id/check', () => {
  it('needs exportJobs.write, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-check' }))
    await assertGuarded(shop, { method: 'POST', path: `${PATH}/job-check/check` }, 'exportJobs.write')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ method: 'POST', path: `${PATH}/${id}/check` }))
  })

  it('says whether the destination can be written, without a secret, and runs nothing', async () => {
    const good = await makeJob(shop.admin, body())
    const yes = await send<{ ok: boolean; message: string }>(shop.admin, 'POST', `${PATH}/${good.id}/check`)
    assert.deepEqual([yes.status, yes.body.ok], [200, true])
    const bad = await makeJob(shop.admin, jobFor(puppet, 'rejects'))
    const no = await send<{ ok: boolean; message: string }>(shop.admin, 'POST', `${PATH}/${bad.id}/check`)
    assert.equal(no.status, 200)
    assert.deepEqual(no.body, { ok: false, message: 'cannot be written, token ***' })
    assert.deepEqual(await listRuns(shop.admin, bad.id), [])
  })
})

describe('POST /api/v1/export-jobs/:id/preview', () => {
  const preview = (id: string, input?: object, client = shop.admin) =>
    fetch(`${client.url}${PATH}/${id}/preview`, {
      method: 'POST',
      headers: { ...client.headers, ...(input === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })

  it('needs exportJobs.read and records.read, and a job that exists', async () => {
    await makeJob(shop.admin, body({ id: 'job-preview' }))
    const path = `${PATH}/job-preview/preview`
    await assertGuarded(shop, { method: 'POST', path, body: {} }, 'exportJobs.read')
    const blind = await shop.clientWith(['exportJobs.read'])
    assertRefused(await send(blind, 'POST', path, {}), 'PERMISSION_DENIED', 'records.read')
    await assertNotFound(shop.admin, 'Export job', (id) => ({
      method: 'POST',
      path: `${PATH}/${id}/preview`,
      body: {},
    }))
  })

  it('answers the first records as text in the job’s format, and delivers nothing', async () => {
    const job = await makeJob(shop.admin, body({ compress: true, schemaId: 'sch-shirt' }))
    const before = puppet.log().length
    const answer = await preview(job.id, { limit: 1 })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    const text = await answer.text()
    assert.equal(text.trimEnd().split('\r\n').length, 2)
    assert.match(text, /Shirt/)
    assert.equal(
      (await (await preview(job.id)).text()).trimEnd().split('\r\n').length,
      3,
      'without a body: ten records',
    )
    assert.equal(puppet.log().length, before)
    assert.deepEqual(await listRuns(shop.admin, job.id), [])
  })

  it('shows what the caller may read, not what the job’s writer may', async () => {
    const job = await makeJob(shop.admin, body({ format: 'jsonl', schemaId: 'sch-shirt' }))
    const reader = await shop.clientWith(['records.read', 'exportJobs.read'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    assert.match(await (await preview(job.id, {})).text(), /price/)
    const text = await (await preview(job.id, {}, reader)).text()
    assert.match(text, /Shirt/)
    assert.doesNotMatch(text, /price/)
  })

  it('refuses a limit that is none', async () => {
    const job = await makeJob(shop.admin, body())
    for (const limit of [0, 101, 1.5, '5', null]) {
      const answer = await send(shop.admin, 'POST', `${PATH}/${job.id}/preview`, { limit })
      assertRefused(answer, 'VALIDATION_ERROR', 'limit')
    }
    assertRefused(await send(shop.admin, 'POST', `${PATH}/${job.id}/preview`, [5]), 'VALIDATION_ERROR', 'body')
  })
})
