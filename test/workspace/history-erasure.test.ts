// DELETE /api/v1/records/:id/history: what a record was before is gone for good. Contract 3 §3.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import { type BulkJobBody, errorsOf, runJob, undoJob, untilEnded } from '../helpers/bulk-jobs.ts'
import type { Client } from '../helpers/client.ts'
import { type EventReceiver, startReceiver } from '../helpers/event-receiver.ts'
import { jobFor, runOnce } from '../helpers/export-jobs.ts'
import { CSV } from '../helpers/importing.ts'
import { assertGuarded } from '../helpers/ladder.ts'
import { installPuppet, puppetIn } from '../helpers/puppet.ts'
import {
  everywhere,
  make,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { importFilesIn, storedIn } from '../helpers/tested-database.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

let shop: Workspace
let receiver: EventReceiver
before(async () => {
  const dataDir = makeTempDirectory()
  installPuppet(`${dataDir}/plugins`)
  receiver = await startReceiver()
  shop = await startWorkspace({ dataDir, maxRecords: 0, allowDestinations: ['127.0.0.1'] })
})
after(async () => {
  await receiver.close()
  await shop.stop()
  await assertSound(shop.dataDir)
})

let markers = 0
/** A text that stands nowhere else. The search index keeps texts in small letters. */
const newMarker = (): string => `marker${(markers += 1)}qzxvkjwq${'pimlet'.repeat(4)}`
const isStored = async (marker: string, dataDir = shop.dataDir): Promise<boolean> =>
  (await storedIn(dataDir)).some((part) => part.toLowerCase().includes(marker))

const erase = (id: string, headers?: Record<string, string>, client: Client = shop.admin) =>
  send(client, 'DELETE', `/api/v1/records/${id}/history`, undefined, headers)
async function erased(id: string): Promise<void> {
  const answer = await erase(id)
  assert.equal(answer.status, 204, answer.text)
}
const put = async (id: string, values: object) =>
  assert.equal((await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values })).status, 200)
const versionOf = (id: string, version: number) =>
  send<RecordBody>(shop.admin, 'GET', `/api/v1/records/${id}?version=${version}`)
const restore = (id: string, version: number) =>
  send<RecordBody>(shop.admin, 'POST', `/api/v1/records/${id}/restore`, { version })

/** A shirt that had the marker, and has another value now. */
async function makeOld(marker: string, id?: string): Promise<RecordBody> {
  const made = await makeShirt(shop.admin, { toString: everywhere(marker), weight: everywhere(1) }, id ? { id } : {})
  await put(made.id, { toString: everywhere('now') })
  return readRecord(shop.admin, made.id)
}

describe('DELETE /api/v1/records/:id/history', () => {
  it('needs audit.erase', async () => {
    const { id } = await makeOld(newMarker())
    await assertGuarded(shop, { method: 'DELETE', path: `/api/v1/records/${id}/history` }, 'audit.erase')
    assertRefused(await erase(id, {}, shop.editor), 'PERMISSION_DENIED', 'audit.erase')
    const keeper = await shop.clientWith(['audit.erase'])
    assert.equal((await erase(id, {}, keeper)).status, 204)
    assertRefused(await erase('nobody', {}, keeper), 'NOT_FOUND', 'nobody')
  })

  it('leaves the record as it is, with a new version and an entry that says who erased', async () => {
    const before = await makeOld(newMarker())
    const answer = await erase(before.id)
    const read = await send<RecordBody>(shop.admin, 'GET', `/api/v1/records/${before.id}`)
    assert.deepEqual(read.body, before, 'updatedAt, too')
    assert.equal(answer.headers.get('etag'), read.headers.get('etag'))
    const entries = await readAudit(shop.admin, before.id)
    assert.deepEqual(
      entries.map(({ action, changes, ...entry }) => [action, changes, 'erased' in entry]),
      [
        ['erase', [], false],
        ['update', [], true],
        ['create', [], true],
      ],
    )
    assert.equal(`"${entries[0]!.version}"`, read.headers.get('etag'))
    const { items } = (
      await send<{ items: { entityId: string; action: string; changes: unknown[]; erased?: true }[] }>(
        shop.admin,
        'GET',
        '/api/v1/changes?before=latest&limit=3',
      )
    ).body
    assert.deepEqual(
      items.map(({ entityId, action, changes, erased: isErased }) => [entityId, action, changes, isErased === true]),
      [
        [before.id, 'erase', [], false],
        [before.id, 'update', [], true],
        [before.id, 'create', [], true],
      ],
    )
  })

  it('regards If-Match', async () => {
    const { id } = await makeOld(newMarker())
    const { headers } = await send(shop.admin, 'GET', `/api/v1/records/${id}`)
    assertRefused(await erase(id, { 'if-match': '"1"' }), 'PRECONDITION_FAILED')
    assert.equal((await erase(id, { 'if-match': headers.get('etag')! })).status, 204)
    assertRefused(await erase(id, { 'if-match': headers.get('etag')! }), 'PRECONDITION_FAILED')
  })

  it('lets no older version be read or restored, and later ones as ever', async () => {
    const { id, updatedAt, updatedBy } = await makeOld(newMarker())
    await erased(id)
    const [wall, , first] = await readAudit(shop.admin, id)
    assertRefused(await versionOf(id, first!.version), 'NOT_FOUND', 'erased', String(wall!.version))
    assertRefused(await restore(id, first!.version), 'CONFLICT', 'erased')
    await put(id, { weight: everywhere(2) })
    await put(id, { weight: everywhere(3) })
    const [, second] = await readAudit(shop.admin, id)
    assert.deepEqual((await versionOf(id, second!.version)).body.values['weight'], everywhere(2))
    const then = await versionOf(id, wall!.version)
    assert.deepEqual(then.body.values, { toString: everywhere('now'), weight: everywhere(1) })
    assert.deepEqual([then.body.updatedAt, then.body.updatedBy], [updatedAt, updatedBy], 'the erasing changed nothing')
    assert.equal((await restore(id, wall!.version)).status, 200)
    assertRefused(await versionOf(id, first!.version), 'NOT_FOUND', 'erased')
    await erased(id)
    assertRefused(await versionOf(id, wall!.version), 'NOT_FOUND', 'erased')
  })

  it('erases of a deleted record all that it was', async () => {
    const marker = newMarker()
    const { id } = await makeShirt(shop.admin, { toString: everywhere(marker) })
    const [made] = await readAudit(shop.admin, id)
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    assert.equal(await isStored(marker), true)
    assertRefused(await erase(id, { 'if-match': '"1"' }), 'PRECONDITION_FAILED')
    await erased(id)
    assert.equal(await isStored(marker), false)
    assertRefused(await versionOf(id, made!.version), 'NOT_FOUND', 'erased')
    assertRefused(await restore(id, made!.version), 'CONFLICT', 'erased')
    const deleted = await send<{ items: { entityId: string }[] }>(shop.admin, 'GET', '/api/v1/records/deleted')
    assert.ok(deleted.body.items.every(({ entityId }) => entityId !== id))
    await makeShirt(shop.admin, {}, { id })
    assertRefused(await versionOf(id, made!.version), 'NOT_FOUND', 'erased')
  })

  it('two at once both succeed', async () => {
    const marker = newMarker()
    const { id } = await makeOld(marker)
    const answers = await Promise.all([erase(id), erase(id)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204],
    )
    assert.equal(await isStored(marker), false)
    const entries = await readAudit(shop.admin, id)
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['erase', 'erase', 'update', 'create'],
    )
  })
})

describe('After the history of a record is erased, an old value stands nowhere', () => {
  it('of the trail, the record or the search index, however often it changed and however large it was', async () => {
    const all = Array.from({ length: 40 }, newMarker)
    const { id } = await makeOld(all[0]!)
    for (const [index, marker] of all.entries()) {
      const text = `${marker} ${'filling '.repeat(index * 60)}`
      await put(id, { toString: everywhere(text), slug: [{ scope: { language: 'en' }, value: marker }] })
      await makeShirt(shop.admin, { toString: everywhere('beside '.repeat(index * 30)) })
    }
    await put(id, { toString: everywhere('now'), slug: [] })
    for (const marker of all) assert.equal(await isStored(marker), true, marker)
    await erased(id)
    for (const marker of all) assert.equal(await isStored(marker), false, marker)
  })

  it('of bulk jobs and dry runs: an undo counts the record as CONFLICT', async () => {
    const [marker, tried] = [newMarker(), newMarker()]
    const { id } = await makeShirt(shop.admin, {})
    const other = await makeShirt(shop.admin, {})
    const setting = (text: string) => [
      { patchValues: { toString: everywhere(text) } },
      { clearValues: { attributeAliases: ['weight'] } },
    ]
    const selection = { ids: [id, other.id] }
    await runJob(shop.admin, { selection, actions: setting(tried), dryRun: true })
    const job = await runJob(shop.admin, { selection, actions: setting(marker) })
    const replacing = { replaceText: { attributeAlias: 'toString', find: marker, replace: 'now' } }
    await runJob(shop.admin, { selection, actions: [replacing] })
    for (const text of [marker, tried]) assert.equal(await isStored(text), true)
    await erased(id)
    assert.equal(await isStored(tried), true, 'what the dry run says of the other record stays')
    await erased(other.id)
    for (const text of [marker, tried]) assert.equal(await isStored(text), false)
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.changed, undone.failed], [0, 2])
    const errors = await errorsOf(shop.admin, undone.id)
    assert.deepEqual(
      errors.map(({ error }) => error),
      ['CONFLICT', 'CONFLICT'],
    )
  })

  it('of imports: the file that a job has read is gone, and what is shown of it', async () => {
    const [marker, failed] = [newMarker(), newMarker()]
    const { id } = await makeShirt(shop.admin, {})
    const response = await fetch(`${shop.url}/api/v1/imports?fileName=a.csv`, {
      method: 'POST',
      headers: { ...shop.admin.headers, 'content-type': CSV },
      body: `id,toString,weight\r\n${id},${marker},1\r\n${id}-none,${failed},-1\r\n`,
    })
    const { id: importId } = (await response.json()) as { id: string }
    const to = (attributeAlias: string) => ({ header: attributeAlias, to: { attributeAlias } })
    const columns = [{ header: 'id', to: { field: 'id' } }, to('toString'), to('weight')]
    await send(shop.admin, 'PUT', `/api/v1/imports/${importId}/mapping`, { schemaId: 'sch-shirt', columns })
    for (const how of ['dry-run', 'run']) {
      const begun = await send<BulkJobBody>(shop.admin, 'POST', `/api/v1/imports/${importId}/${how}`)
      await untilEnded(shop.admin, begun.body.id)
    }
    await put(id, { toString: everywhere('now') })
    assert.ok((await importFilesIn(shop.dataDir)).includes(importId))
    assert.equal(await isStored(marker), true)
    await erased(id)
    assert.equal(await isStored(marker), false)
    assert.ok(!(await importFilesIn(shop.dataDir)).includes(importId))
    assert.equal((await send(shop.admin, 'GET', `/api/v1/imports/${importId}`)).status, 200)
    assertRefused(await send(shop.admin, 'POST', `/api/v1/imports/${importId}/run`), 'NOT_FOUND', importId)
  })

  it('of files that could not be delivered', async () => {
    const marker = newMarker()
    const { id } = await makeShirt(shop.admin, { toString: everywhere(marker) })
    const run = await runOnce(
      shop.admin,
      jobFor(puppetIn(makeTempDirectory()), 'failsUntilGo', { filenameTemplate: '{runId}.csv' }),
    )
    assert.ok(run.keptUntil !== null, JSON.stringify(run))
    const kept = () => readdirSync(path.join(shop.dataDir, 'spool'), { recursive: true }).length
    assert.ok(kept() > 0)
    await put(id, { toString: everywhere('now') })
    await erased(id)
    assert.equal(await isStored(marker), false)
    assert.equal(kept(), 0)
    const now = await send<{ keptUntil: string | null }>(
      shop.admin,
      'GET',
      `/api/v1/export-jobs/${run.jobId}/runs/${run.id}`,
    )
    assert.equal(now.body.keptUntil, null)
  })

  it('of answers that were kept: the same request is told that it was done, and writes nothing again', async () => {
    const [marker, id] = [newMarker(), 'kept-shirt']
    const body = { id, schemaId: 'sch-shirt', values: { toString: everywhere(marker) } }
    const post = (url: string, key: string, what: object) =>
      send(shop.admin, 'POST', url, what, { 'idempotency-key': key })
    const create = () => post('/api/v1/records', 'erased-create', body)
    const search = () =>
      post('/api/v1/search', 'erased-search', {
        criteria: [{ field: 'id', operator: 'in', value: [id] }],
        criteriaOperator: 'and',
      })
    const other = () => post('/api/v1/records', 'erased-other', { schemaId: 'sch-shirt', values: {} })
    assert.equal((await create()).status, 201)
    assert.equal((await search()).status, 200)
    const beside = await other()
    await put(id, { toString: everywhere('now') })
    assert.match((await create()).text, new RegExp(marker))
    await erased(id)
    assertRefused(await create(), 'CONFLICT', 'erased')
    const found = await search()
    assert.doesNotMatch(found.text, new RegExp(marker))
    assert.equal((await other()).text, beside.text, 'what is about other records is kept')
    assert.equal((await readRecord(shop.admin, id)).values['toString']![0]!.value, 'now')
  })

  it('of events that are still to be delivered, and the erasing itself is none', async () => {
    const marker = newMarker()
    receiver.answers = [503]
    const { id: subscription } = await make<{ id: string }>(shop.admin, '/api/v1/subscriptions', {
      name: 'Shop',
      url: receiver.url,
      events: ['record.created', 'record.updated'],
    })
    const { id } = await makeOld(marker)
    await receiver.untilRequested(1)
    await erased(id)
    const asked = receiver.requests.length
    receiver.answers = [200]
    await send(shop.admin, 'POST', `/api/v1/subscriptions/${subscription}/resume`)
    await put(id, { weight: everywhere(9) })
    await receiver.untilAccepted(3)
    const later = receiver.requests.slice(asked).flatMap(({ events }) => events)
    assert.doesNotMatch(JSON.stringify(later), new RegExp(marker))
    const told = receiver.accepted.filter(({ data }) => data.entry?.entityId === id)
    assert.deepEqual(
      told.map(({ type, data }) => [type, (data.entry as { erased?: true }).erased === true, data.record === null]),
      [
        ['record.created', true, true],
        ['record.updated', true, true],
        ['record.updated', false, false],
      ],
    )
    await send(shop.admin, 'DELETE', `/api/v1/subscriptions/${subscription}`)
  })
})
