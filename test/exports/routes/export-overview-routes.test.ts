// The runs of all jobs, where they can go, and what a schedule means, over HTTP. Contract 3 §5.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { jobFor, makeJob, type RunBody } from '../../helpers/export-jobs.ts'
import { assertGuarded } from '../../helpers/ladder.ts'
import { installPuppet } from '../../helpers/puppet.ts'
import { make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

interface Field {
  format?: string
  additionalProperties?: Field
}
interface Destination {
  type: string
  title: string
  configSchema: { type: string; additionalProperties: boolean; properties?: Record<string, Field> }
  secrets: string[]
  source: string
}

let shop: Workspace
before(async () => {
  const dataDir = makeTempDirectory()
  const puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  for (const id of ['one', 'two']) await makeJob(shop.admin, jobFor(puppet, 'deliver', { id, active: false }))
  const runs = [
    ['one', 'a', 'success', 1],
    ['two', 'b', 'failed', 2],
    ['one', 'c', 'failed', 3],
    ['two', 'd', 'success', 4],
    ['two', 'e', 'running', 4],
  ] as const
  for (const [jobId, id, status, hour] of runs) {
    const startedAt = `2026-01-01T0${hour}:00:00Z`
    await make(shop.admin, `/api/v1/export-jobs/${jobId}/runs`, { id, status, startedAt })
  }
})
after(() => shop.stop())

describe('GET /api/v1/export-runs', () => {
  const list = (query = '') => send<RunBody[]>(shop.admin, 'GET', `/api/v1/export-runs${query}`)

  it('needs exportJobs.read', () =>
    assertGuarded(shop, { method: 'GET', path: '/api/v1/export-runs' }, 'exportJobs.read'))

  it('lists the runs of all jobs, the latest first, as their own job lists them', async () => {
    const { body } = await list()
    assert.equal(body.map(({ id }) => id).join(''), 'edcba')
    for (const jobId of ['one', 'two']) {
      const own = await send<RunBody[]>(shop.admin, 'GET', `/api/v1/export-jobs/${jobId}/runs`)
      assert.deepEqual(
        body.filter((run) => run.jobId === jobId),
        own.body,
      )
    }
  })

  it('takes limit, status and jobId', async () => {
    for (const [query, ids] of [
      ['?limit=2', 'ed'],
      ['?status=failed', 'cb'],
      ['?status=running', 'e'],
      ['?jobId=two', 'edb'],
      ['?jobId=two&status=success', 'd'],
      ['?status=failed&limit=1', 'c'],
      ['?jobId=none', ''],
    ] as const)
      assert.equal((await list(query)).body.map(({ id }) => id).join(''), ids, query)
    assertRefused(await list('?status=done'), 'VALIDATION_ERROR', 'status')
    assertRefused(await list('?jobid=one'), 'VALIDATION_ERROR', "'jobid'", "'jobId'")
    assertRefused(await list('?limit=0'), 'VALIDATION_ERROR', 'limit')
  })
})

describe('POST /api/v1/schedules/preview', () => {
  const path = '/api/v1/schedules/preview'
  const preview = (body: object) => send<{ next: string[] }>(shop.admin, 'POST', path, body)

  it('needs exportJobs.read', () =>
    assertGuarded(shop, { method: 'POST', path, body: { schedule: '0 2 * * *' } }, 'exportJobs.read'))

  it('says when the schedule matches next, in its time zone', async () => {
    const { status, body } = await preview({ schedule: '30 2 * * *', timezone: 'Asia/Kolkata', count: 50 })
    assert.equal(status, 200)
    assert.equal(body.next.length, 50)
    assert.ok(body.next[0]! > new Date().toISOString())
    for (const [index, moment] of body.next.entries()) {
      assert.match(moment, /T21:00:00\.000Z$/)
      if (index > 0) assert.equal(Date.parse(moment) - Date.parse(body.next[index - 1]!), 86_400_000)
    }
    assert.equal((await preview({ schedule: '0 0 1 1 *' })).body.next.length, 5)
  })

  it('is refused for what no job could have', async () => {
    for (const [body, named] of [
      [{ schedule: 'daily' }, 'schedule'],
      [{ schedule: '0 0 30 2 *' }, 'schedule'],
      [{ schedule: '0 0 * * *', timezone: '+02:00' }, 'timezone'],
      [{ schedule: '0 0 * * *', count: 51 }, 'count'],
      [{ schedule: '0 0 * * *', count: 0 }, 'count'],
      [{}, 'schedule'],
    ] as const)
      assertRefused(await preview(body), 'VALIDATION_ERROR', named)
  })
})

describe('GET /api/v1/export-destinations', () => {
  const path = '/api/v1/export-destinations'

  it('needs exportJobs.read', () => assertGuarded(shop, { method: 'GET', path }, 'exportJobs.read'))

  it('lists built-in ones with what their settings are, and plugins with what they tell', async () => {
    const { body } = await send<Destination[]>(shop.admin, 'GET', path)
    assert.deepEqual(
      body.map(({ type, source }) => `${type} ${source}`),
      ['s3 built-in', 'azure-blob built-in', 'sftp built-in', 'webhook built-in', 'puppet plugin'],
    )
    for (const { type, title, configSchema, secrets, source } of body) {
      assert.equal(configSchema.type, 'object')
      if (source === 'plugin') continue
      assert.notEqual(title, type)
      assert.equal(configSchema.additionalProperties, false)
      for (const secret of secrets) {
        const field = configSchema.properties![secret.replace('.*', '')]!
        assert.equal((secret.endsWith('.*') ? field.additionalProperties : field)?.format, 'password', secret)
      }
      assert.ok(!JSON.stringify(configSchema).includes('$ref'), `${type} stands by itself`)
    }
    assert.deepEqual(body.at(-1)!.secrets, ['token', 'headers.*'])
  })
})
