// Imports of zips: who may run them, and how far they go. Contract 4 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { part } from '../../helpers/zip-file.ts'
import {
  makeProductSchemas,
  mappedZip,
  postZipJob,
  runZip,
  uploadZip,
  ZIP_MAPPING,
  type ZipJob,
} from '../../helpers/zip-imports.ts'

const RIGHTS = ['records.read', 'records.create', 'records.update'] as const
const MAX = 60

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: MAX, maxImport: 1_000_000 })
  await makeProductSchemas(shop.admin)
})
after(() => shop.stop())

let made = 0
async function product(): Promise<{ id: string; sku: string }> {
  made += 1
  const sku = `R${made}`
  const body = { schemaId: 'sch-product', values: { sku: everywhere(sku) } }
  return { ...(await make<{ id: string }>(shop.admin, '/api/v1/records', body)), sku }
}
const total = async () => (await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records?limit=1')).body.total
const hidden = (schemaId: string, alias: string, access = 'none') => ({
  defaultAttributePermission: 'write' as const,
  attributePermissions: { [schemaId]: { [alias]: access } },
})

describe('The mapping of a zip', () => {
  it('may name no attribute that is hidden from the role', async () => {
    for (const [schemaId, alias] of [
      ['sch-product', 'sku'],
      ['sch-product', 'pictures'],
      ['sch-photo', 'content'],
    ] as const) {
      const client = await shop.clientWith([...RIGHTS], hidden(schemaId, alias))
      const { body } = await uploadZip(client, [part('A-1.jpg')])
      const answer = await send(client, 'PUT', `/api/v1/imports/${body.id}/mapping`, ZIP_MAPPING)
      assertRefused(answer, 'PERMISSION_DENIED', alias)
      const byAdmin = await send(shop.admin, 'PUT', `/api/v1/imports/${body.id}/mapping`, ZIP_MAPPING)
      assert.equal(byAdmin.status, 200, byAdmin.text)
      for (const how of ['dry-run', 'run'])
        assertRefused(await send(client, 'POST', `/api/v1/imports/${body.id}/${how}`), 'PERMISSION_DENIED', alias)
    }
  })

  it('is for a zip, and follows an attribute that gets another alias', async () => {
    const id = await mappedZip(shop.admin, [part('A-1.jpg')], {
      attributeAlias: 'others',
      pictureSchemaId: 'sch-photo',
    })
    const path = '/api/v1/schemas/sch-product/rename-attribute'
    const renaming = await send<BulkJobBody>(shop.admin, 'POST', path, { from: 'others', to: 'images' })
    assert.equal(renaming.status, 202, renaming.text)
    await untilEnded(shop.admin, renaming.body.id)
    const { body } = await send<{ mapping: object }>(shop.admin, 'GET', `/api/v1/imports/${id}`)
    assert.equal((body.mapping as { attributeAlias: string }).attributeAlias, 'images')
    const csv = await fetch(`${shop.url}/api/v1/imports?fileName=x.csv`, {
      method: 'POST',
      headers: { ...shop.admin.headers, 'content-type': 'text/csv' },
      body: 'id\nx\n',
    })
    const { id: other } = (await csv.json()) as { id: string }
    const answer = await send(shop.admin, 'PUT', `/api/v1/imports/${other}/mapping`, ZIP_MAPPING)
    assertRefused(answer, 'VALIDATION_ERROR', 'attributeAlias is for a zip')
  })
})

describe('The import of a zip', () => {
  it('needs the right to write the attribute, told in its dry run, too', async () => {
    const { id, sku } = await product()
    const client = await shop.clientWith([...RIGHTS], hidden('sch-product', 'pictures', 'read'))
    const zip = await mappedZip(client, [part(`${sku}-1.jpg`), part(`${sku}-2.jpg`)], {})
    const before = await total()
    for (const how of ['dry-run', 'run']) {
      const job = await runZip(client, zip, how)
      assert.deepEqual([job.status, job.failed, job.pictures], ['succeeded', 2, 0])
      const [error] = await errorsOf(client, job.id)
      assert.equal(error!.error, 'PERMISSION_DENIED')
    }
    assert.equal(await total(), before)
    assert.equal((await readAudit(shop.admin, id)).length, 1)
  })

  it('needs no right to write the attribute that identifies records', async () => {
    const { sku } = await product()
    const client = await shop.clientWith([...RIGHTS], hidden('sch-product', 'sku', 'read'))
    const job = await runZip(client, await mappedZip(client, [part(`${sku}-1.jpg`)], {}))
    assert.deepEqual([job.status, job.updated, job.failed], ['succeeded', 1, 0])
  })

  it('writes each record once, in the name of the caller and with the job as its origin', async () => {
    const { id, sku } = await product()
    const client = await shop.clientWith([...RIGHTS], { defaultAttributePermission: 'write' })
    const job = await runZip(client, await mappedZip(client, [part(`${sku}-1.jpg`), part(`${sku}-2.jpg`)], {}))
    assert.equal(job.updated, 2)
    const [entry, ...others] = await readAudit(shop.admin, id)
    assert.equal(others.length, 1)
    assert.deepEqual((entry as unknown as { origin: object }).origin, { kind: 'import', id: job.id })
    assert.equal(entry!.userId, job.createdBy)
  })

  it('that would pass the limit of records says so in a dry run, and is refused before its first file', async () => {
    const { sku } = await product()
    const free = MAX - (await total())
    const products = await Promise.all(Array.from({ length: Math.ceil((free + 3) / 4) }, () => product()))
    const left = MAX - (await total())
    const names = products.flatMap((one) => [1, 2, 3, 4].map((n) => `${one.sku}-${n}.jpg`))
    const parts = [part(`${sku}-1.jpg`), ...names.map((name) => part(name))].slice(0, left + 1)
    const zip = await mappedZip(shop.admin, parts, {})
    const dry = await runZip(shop.admin, zip, 'dry-run')
    assert.deepEqual([dry.updated, dry.pictures, dry.limit], [left + 1, left + 1, { records: MAX + 1, max: MAX }])
    const before = await total()
    const job = await runZip(shop.admin, zip)
    assert.deepEqual([job.status, job.done], ['failed', 0])
    const [error] = await errorsOf(shop.admin, job.id)
    assert.equal(error!.error, 'LIMIT_EXCEEDED')
    assert.equal(await total(), before)
    // Equal bytes make one record.
    const same = parts.map(({ name }) => part(name, 'the same'))
    const fitting = await runZip(shop.admin, await mappedZip(shop.admin, same, {}))
    assert.deepEqual([fitting.status, fitting.failed, fitting.pictures], ['succeeded', 0, 1])
    assert.equal((await undoJob(shop.admin, fitting.id)).status, 'succeeded')
    for (const { id } of products)
      await send(shop.admin, 'DELETE', `/api/v1/records/${id}`, undefined, { 'if-match': '*' })
  })

  it('is cancelled, and what it has changed is undone', async () => {
    const { id, sku } = await product()
    const parts = [part(`${sku}-1.jpg`), ...Array.from({ length: 3000 }, (_, n) => part(`none${n}-1.jpg`))]
    const zip = await mappedZip(shop.admin, parts, {})
    const { id: jobId } = await postZipJob(shop.admin, zip)
    assertRefused(await send(shop.admin, 'POST', `/api/v1/imports/${zip}/run`), 'CONFLICT', jobId)
    for (;;) {
      const { body } = await send<ZipJob>(shop.admin, 'GET', `/api/v1/bulk-jobs/${jobId}?wait=1`)
      if (body.done > 0) break
    }
    const cancelled = await send(shop.admin, 'POST', `/api/v1/bulk-jobs/${jobId}/cancel`)
    assert.equal(cancelled.status, 202, cancelled.text)
    const ended = await untilEnded(shop.admin, jobId)
    assert.deepEqual([ended.status, ended.updated, ended.done < 3001], ['cancelled', 1, true])
    const undone = await undoJob(shop.admin, jobId)
    assert.deepEqual([undone.status, undone.changed], ['succeeded', 2])
    assert.equal((await readRecord(shop.admin, id)).values['pictures'], undefined)
  })

  it('is paused where its owner goes, and goes on where it was with another owner', async () => {
    const { id, sku } = await product()
    const client = await shop.clientWith([...RIGHTS], { defaultAttributePermission: 'write' })
    const parts = [...Array.from({ length: 3000 }, (_, n) => part(`none${n}-1.jpg`)), part(`${sku}-1.jpg`)]
    const job = await postZipJob(client, await mappedZip(client, parts, {}))
    const look = () => send<ZipJob>(shop.admin, 'GET', `/api/v1/bulk-jobs/${job.id}`)
    while ((await look()).body.done === 0);
    const revoked = await send(shop.admin, 'DELETE', `/api/v1/api-keys/${job.ownerId}`)
    assert.equal(revoked.status, 204, revoked.text)
    let paused = (await look()).body
    while (paused.pausedReason === null && paused.completedAt === null) paused = (await look()).body
    assert.deepEqual([paused.status, paused.done < 3001], ['interrupted', true])
    const taken = await send<ZipJob>(shop.admin, 'POST', `/api/v1/bulk-jobs/${job.id}/take-over`)
    assert.equal(taken.status, 200, taken.text)
    const ended = await untilEnded(shop.admin, job.id)
    assert.deepEqual([ended.status, ended.failed, ended.updated], ['succeeded', 3000, 1])
    assert.equal((await readAudit(shop.admin, id))[0]!.userId, 'key-bootstrap')
  })

  it('is taken over by who manages users and may read what its mapping names', async () => {
    const { sku } = await product()
    const client = await shop.clientWith([...RIGHTS], { defaultAttributePermission: 'write' })
    const zip = await mappedZip(client, [part(`${sku}-1.jpg`)], {})
    const taken = await send<{ ownerId: string }>(shop.admin, 'POST', `/api/v1/imports/${zip}/take-over`)
    assert.deepEqual([taken.status, taken.body.ownerId], [200, 'key-bootstrap'])
    const blind = await shop.clientWith([...RIGHTS, 'users.manage'], hidden('sch-photo', 'content'))
    assertRefused(await send(blind, 'POST', `/api/v1/imports/${zip}/take-over`), 'PERMISSION_DENIED', 'content')
    assert.equal((await runZip(shop.admin, zip)).updated, 1)
  })

  it('has at most --max-import bytes with the other imports', async () => {
    const answer = await uploadZip(shop.admin, [part('A-1.jpg', Buffer.alloc(1_000_001))])
    assertRefused(answer, 'PAYLOAD_TOO_LARGE', '--max-import')
  })

  it('has at most 20,000 files', async () => {
    const many = Array.from({ length: 20_001 }, (_, n) => part(`${n}`, ''))
    const refused = await uploadZip((await startWorkspaceOnce()).admin, many)
    assertRefused(refused, 'VALIDATION_ERROR', '20001 files', '20000')
  })
})

let roomy: Workspace | undefined
after(() => roomy?.stop())
/** A workspace that takes large zips. */
async function startWorkspaceOnce(): Promise<Workspace> {
  roomy ??= await startWorkspace()
  return roomy
}
