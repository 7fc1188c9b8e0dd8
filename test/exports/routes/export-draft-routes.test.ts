// Jobs that are not saved yet, and why a record is in a job with a selection or a delta. Contract 3 §5, 3 §9.5.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { getJob, jobFor, type JobBody, listRuns, makeJob, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { assertGuarded } from '../../helpers/ladder.ts'
import { installPuppet, type Puppet } from '../../helpers/puppet.ts'
import { english, everywhere, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'
const EXPLAIN = '/api/v1/export-jobs/:id/explain'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  await makeShirt(shop.admin, { name: [english('Heavy')], weight: everywhere(5) }, { id: 'heavy' })
  await makeShirt(shop.admin, { name: [english('Light')], weight: everywhere(1) }, { id: 'light' })
})
after(() => shop.stop())

const isHeavy = { criteria: [{ attributeAlias: 'weight', operator: 'gt', value: '2' }], criteriaOperator: 'and' }
const body = (more: object = {}) => jobFor(puppet, 'deliver', { format: 'jsonl', selection: isHeavy, ...more })

describe('POST /api/v1/export-jobs/check', () => {
  const path = '/api/v1/export-jobs/check'

  it('says whether the destination of a job that is not saved can be written, and saves nothing', async () => {
    await assertGuarded(shop, { method: 'POST', path, body: body() }, 'exportJobs.write')
    const answer = await send<{ ok: boolean }>(shop.admin, 'POST', path, body())
    assert.deepEqual([answer.status, answer.body.ok], [200, true])
    const failing = await send(shop.admin, 'POST', path, jobFor(puppet, 'rejects'))
    assert.deepEqual(failing.body, { ok: false, message: 'cannot be written, token ***' })
    assert.deepEqual((await send(shop.admin, 'GET', PATH)).body, [])
    assertRefused(await send(shop.admin, 'POST', path, body({ schedule: 'often' })), 'VALIDATION_ERROR', 'schedule')
    assertRefused(await send(shop.admin, 'POST', path, body({ formt: 'csv' })), 'VALIDATION_ERROR', "'format'")
  })

  it('takes a stored secret for its placeholder, with the ID of its job and at the same place alone', async () => {
    const stored = await makeJob(shop.admin, body({ selection: null }))
    const { destinationConfig: config } = await getJob(shop.admin, stored.id)
    const check = (more: object) =>
      send<{ ok: boolean }>(shop.admin, 'POST', path, body({ destinationConfig: config, ...more }))
    assert.equal((await check({ id: stored.id })).body.ok, true)
    assertRefused(await check({}), 'VALIDATION_ERROR', 'destinationConfig.token')
    assertRefused(await check({ id: 'job-other' }), 'VALIDATION_ERROR', 'destinationConfig.token')
    const moved = { ...config, directory: makeTempDirectory() }
    assertRefused(await check({ id: stored.id, destinationConfig: moved }), 'VALIDATION_ERROR', 'must be sent again')
  })
})

describe('POST /api/v1/export-jobs/preview', () => {
  const path = '/api/v1/export-jobs/preview'

  it('renders what a job that is not saved would export, of what the caller may read', async () => {
    await assertGuarded(shop, { method: 'POST', path, body: body() }, 'exportJobs.write')
    const columns = [{ header: 'No', field: 'id' }]
    const preview = (more: object) =>
      fetch(shop.url + path, {
        method: 'POST',
        headers: { ...shop.admin.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body({ columns, ...more })),
      })
    assert.equal(await (await preview({})).text(), '{"No":"heavy"}\n')
    const sheet = await preview({ selection: null, format: 'xlsx', limit: 1 })
    assert.equal(sheet.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(await sheet.text(), 'No\r\nheavy\r\n')
    // Settings of the destination may be filled in later.
    for (const destinationConfig of [{}, { behaviour: 'none such', token: '********' }])
      assert.equal(await (await preview({ destinationConfig })).text(), '{"No":"heavy"}\n')
    assertRefused(await send(shop.admin, 'POST', path, body({ destinationType: 'none' })), 'VALIDATION_ERROR', 'puppet')
    const unknown = body({ columns: [{ header: 'A', attributeAlias: 'none' }] })
    assertRefused(await send(shop.admin, 'POST', path, unknown), 'VALIDATION_ERROR', 'none')
    const writer = await shop.clientWith(['exportJobs.write'])
    assertRefused(await send(writer, 'POST', path, body()), 'PERMISSION_DENIED', 'records.read')
    assert.equal((await send<JobBody[]>(shop.admin, 'GET', PATH)).body.length, 1)
  })
})

describe(`POST ${EXPLAIN}`, () => {
  interface Explanation {
    included: boolean
    reasons: { rule: string; met: boolean; expected: unknown; actual: unknown }[]
  }
  const explain = async (jobId: string, entityId: string) => {
    const path = EXPLAIN.replace(':id', jobId)
    const { body: said } = await send<Explanation>(shop.admin, 'POST', path, { entityId })
    const of = (rule: string) => said.reasons.find((reason) => reason.rule === rule)!
    return { included: said.included, selection: of('selection'), delta: of('delta') }
  }

  it('tells whether the selection finds the record, and whether it has changed since the last delta', async () => {
    const { id } = await makeJob(shop.admin, body({ delta: {}, filenameTemplate: '{runId}' }))
    const first = await explain(id, 'heavy')
    assert.deepEqual(first.selection, { rule: 'selection', met: true, expected: isHeavy, actual: true })
    assert.deepEqual(first.delta, { rule: 'delta', met: true, expected: null, actual: null })
    const light = await explain(id, 'light')
    assert.deepEqual([light.included, light.selection.met, light.selection.actual], [false, false, false])
    await whenEnded(shop.admin, await trigger(shop.admin, id))
    assert.equal((await listRuns(shop.admin, id))[0]!.status, 'success')
    const unchanged = await explain(id, 'heavy')
    assert.deepEqual([unchanged.included, unchanged.delta.met], [false, false])
    const values = { name: [english('Heavier')] }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/records/heavy', { values })).status, 200)
    const changed = await explain(id, 'heavy')
    assert.deepEqual([changed.included, changed.delta.met], [true, true])
  })
})
