// Why a record is, or is not, in an export, over HTTP: it says what the export does. Contract 3 §5, 3 §11.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { jobFor, makeJob } from '../../helpers/export-jobs.ts'
import { assertGuarded, assertNotFound } from '../../helpers/ladder.ts'
import { installPuppet, type Puppet } from '../../helpers/puppet.ts'
import { everywhere, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

interface Inclusion {
  included: boolean
  reasons: { rule: string; met: boolean; expected: unknown; actual: unknown }[]
}
type JobInclusion = Inclusion & { jobId: string; name: string }

const RECORDS = ['shirt', 'red', 'sock', 'sold', 'plain']

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  const { admin } = shop
  await makeShirt(admin, {}, { id: 'shirt' })
  await makeShirt(admin, {}, { id: 'red', parentId: 'shirt' })
  for (const id of ['sock', 'sold']) await makeShirt(admin, {}, { id })
  await make(admin, '/api/v1/records', { id: 'plain', schemaId: 'sch-plain', values: { title: everywhere('T') } })
  assert.equal(
    (await send(admin, 'POST', '/api/v1/records/sold/transition', { transitionId: 'tr-submit' })).status,
    200,
  )
  for (const id of ['web', 'print']) {
    await make(admin, '/api/v1/catalogs', { id, name: id })
    await make(admin, `/api/v1/catalogs/${id}/categories`, { id: `in-${id}`, name: id })
  }
  for (const id of ['shirt', 'plain'])
    await send(admin, 'PUT', `/api/v1/records/${id}/categories`, [{ categoryId: 'in-web' }])
  await send(admin, 'PUT', '/api/v1/records/red/categories', [{ categoryId: 'in-print' }])
  let number = 0
  for (const schemaId of [null, 'sch-shirt'])
    for (const catalogId of [null, 'web', 'print'])
      for (const includeLifecycleStateIds of [null, ['state-draft'], ['state-review', 'state-published']])
        for (const includeVariants of [true, false]) {
          const rules = { schemaId, catalogId, includeLifecycleStateIds, includeVariants }
          await makeJob(
            admin,
            jobFor(puppet, 'deliver', { id: `job-${number}`, format: 'jsonl', active: false, ...rules }),
          )
          number += 1
        }
})
after(() => shop.stop())

const explain = (jobId: string, entityId: string) =>
  send<Inclusion>(shop.admin, 'POST', `/api/v1/export-jobs/${jobId}/explain`, { entityId })

describe('POST /api/v1/export-jobs/:id/explain', () => {
  it('needs exportJobs.read and records.read, a job and a record that exist', async () => {
    const request = { method: 'POST', path: '/api/v1/export-jobs/job-0/explain', body: { entityId: 'shirt' } }
    const blind = await shop.clientWith(['exportJobs.read'])
    assertRefused(await send(blind, 'POST', request.path, request.body), 'PERMISSION_DENIED', 'records.read')
    const deaf = await shop.clientWith(['records.read'])
    assertRefused(await send(deaf, 'POST', request.path, request.body), 'PERMISSION_DENIED', 'exportJobs.read')
    await assertNotFound(shop.admin, 'Export job', (id) => ({ ...request, path: `/api/v1/export-jobs/${id}/explain` }))
    assertRefused(await explain('job-0', 'none-such'), 'NOT_FOUND', 'none-such')
    const odd = await send(shop.admin, 'POST', request.path, { entityId: 5 })
    assertRefused(odd, 'VALIDATION_ERROR', 'entityId')
  })

  it('names each rule, met or not, with what is asked for and what is', async () => {
    const rules = {
      schemaId: 'sch-shirt',
      catalogId: 'web',
      includeLifecycleStateIds: ['state-published'],
      includeVariants: false,
    }
    await makeJob(shop.admin, jobFor(puppet, 'deliver', { id: 'job-strict', active: false, ...rules }))
    assert.deepEqual((await explain('job-strict', 'red')).body, {
      included: false,
      reasons: [
        { rule: 'schema', met: true, expected: 'sch-shirt', actual: 'sch-shirt' },
        { rule: 'state', met: false, expected: ['state-published'], actual: 'state-draft' },
        { rule: 'catalog', met: true, expected: 'web', actual: ['print', 'web'] },
        { rule: 'variants', met: false, expected: false, actual: true },
        { rule: 'selection', met: true, expected: null, actual: null },
        { rule: 'permission', met: true, expected: 'records.read', actual: 'records.read' },
        { rule: 'delta', met: true, expected: null, actual: null },
      ],
    })
    await send(shop.admin, 'DELETE', '/api/v1/export-jobs/job-strict')
  })

  it('says that the role of the job may not read records', async () => {
    const client = await shop.clientWith(['exportJobs.write', 'exportJobs.read'])
    await makeJob(client, jobFor(puppet, 'deliver', { id: 'job-blind', active: false }))
    const { included, reasons } = (await explain('job-blind', 'shirt')).body
    assert.equal(included, false)
    assert.deepEqual(reasons.at(-2), { rule: 'permission', met: false, expected: 'records.read', actual: null })
    await send(shop.admin, 'DELETE', '/api/v1/export-jobs/job-blind')
  })
})

describe('GET /api/v1/records/:id/exports', () => {
  it('needs records.read and exportJobs.read, and a record that exists', async () => {
    const path = '/api/v1/records/shirt/exports'
    await assertGuarded(shop, { method: 'GET', path }, 'records.read')
    assertRefused(await send(shop.viewer, 'GET', path), 'PERMISSION_DENIED', 'exportJobs.read')
    assertRefused(await send(shop.stranger, 'GET', path), 'PERMISSION_DENIED', 'records.read')
    await assertNotFound(shop.admin, 'Record', (id) => ({ method: 'GET', path: `/api/v1/records/${id}/exports` }))
  })

  it('says of each job what it exports: just the records that it says', async () => {
    const inclusions = new Map<string, JobInclusion[]>()
    for (const id of RECORDS) {
      const answer = await send<JobInclusion[]>(shop.editor, 'GET', `/api/v1/records/${id}/exports`)
      assert.equal(answer.status, 200, answer.text)
      inclusions.set(id, answer.body)
    }
    const [first] = inclusions.values()
    assert.equal(first!.length, 36)
    for (const [index, { jobId, name }] of first!.entries()) {
      assert.equal(name, 'Nightly')
      const preview = await fetch(`${shop.url}/api/v1/export-jobs/${jobId}/preview`, {
        method: 'POST',
        headers: shop.admin.headers,
      })
      const lines = (await preview.text()).split('\n').filter((line) => line !== '')
      const exported = lines.map((line) => (JSON.parse(line) as { id: string }).id)
      const said = RECORDS.filter((id) => inclusions.get(id)![index]!.included)
      assert.deepEqual(said, exported, jobId)
      for (const id of RECORDS) {
        const { included, reasons } = inclusions.get(id)![index]!
        assert.deepEqual((await explain(jobId, id)).body, { included, reasons })
      }
    }
  })
})
