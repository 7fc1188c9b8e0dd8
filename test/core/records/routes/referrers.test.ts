// Who refers to a record: GET /api/v1/records/:id/referrers, and DELETE /api/v1/records/:id of a record in lists. Contract 2 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, assertRefused, send } from '../../../helpers/answers.ts'
import { byIds, errorsOf, runJob, undoJob, untilEnded } from '../../../helpers/bulk-jobs.ts'
import type { BulkJobBody } from '../../../helpers/bulk-jobs.ts'
import type { Client } from '../../../helpers/client.ts'
import { importFile, lines, NDJSON } from '../../../helpers/importing.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace } from '../../../helpers/shirts.ts'
import type { RecordBody, Workspace } from '../../../helpers/shirts.ts'
import { assertSound } from '../../../helpers/soundness.ts'

interface ReferrerBody {
  recordId: string
  schemaId: string
  attributeAlias: string
  scope: object
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-picture', name: 'Picture' })
  const attributes = [
    { alias: 'pictures', dataType: 'references', dimensionIds: ['language'], validation: { schemaId: 'sch-picture' } },
    { alias: 'any', dataType: 'references' },
    { alias: 'secret', dataType: 'references' },
    { alias: 'main', dataType: 'reference' },
    { alias: 'note', dataType: 'text' },
  ]
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-album', name: 'Album', attributes })
})
after(async () => {
  try {
    await assertSound(shop.dataDir)
  } finally {
    await shop.stop()
  }
})

const picture = (id: string, more: object = {}) =>
  make<RecordBody>(shop.admin, '/api/v1/records', { id, schemaId: 'sch-picture', values: {}, ...more })
const album = (id: string, values: object, more: object = {}) =>
  make<RecordBody>(shop.admin, '/api/v1/records', { id, schemaId: 'sch-album', values, ...more })
const put = (id: string, values: object) => send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values })
const remove = (id: string, query = '', client: Client = shop.admin) =>
  send<BulkJobBody>(client, 'DELETE', `/api/v1/records/${id}${query}`)

async function referrersOf(id: string, query = '', client: Client = shop.admin): Promise<string[]> {
  const { status, body, text } = await send<{ items: ReferrerBody[] }>(
    client,
    'GET',
    `/api/v1/records/${id}/referrers${query}`,
  )
  assert.equal(status, 200, text)
  return body.items.map(
    ({ recordId, attributeAlias, scope }) => `${recordId} ${attributeAlias} ${JSON.stringify(scope)}`,
  )
}

const reader = (access: object) =>
  shop.clientWith(['records.read', 'records.update', 'records.delete'], {
    attributePermissions: { 'sch-album': access },
  })

describe('GET /api/v1/records/:id/referrers', () => {
  it('lists the values that name the record, with attribute and scope, as they are now', async () => {
    await picture('g-1')
    await album('ga-1', { pictures: [...everywhere(['g-1']), { scope: { language: 'de' }, value: ['g-1'] }] })
    await album('ga-2', { any: everywhere(['g-1', 'ga-1']), main: everywhere('g-1') })
    assert.deepEqual(await referrersOf('g-1'), [
      'ga-2 any {}',
      'ga-2 main {}',
      'ga-1 pictures {}',
      'ga-1 pictures {"language":"de"}',
    ])
    assert.deepEqual(await referrersOf('ga-1'), ['ga-2 any {}'])
    assert.equal((await put('ga-1', { pictures: [{ scope: { language: 'de' }, value: ['g-1'] }] })).status, 200)
    assert.equal((await remove('ga-2')).status, 204)
    assert.deepEqual(await referrersOf('g-1'), ['ga-1 pictures {"language":"de"}'])
  })

  it('is a page of them, of one alias where that is asked for, and an unknown alias finds nothing', async () => {
    await picture('page-1')
    for (const n of [1, 2, 3]) await album(`pa-${n}`, { any: everywhere(['page-1']), main: everywhere('page-1') })
    assert.deepEqual(await referrersOf('page-1', '?attributeAlias=main'), [
      'pa-1 main {}',
      'pa-2 main {}',
      'pa-3 main {}',
    ])
    assert.deepEqual(await referrersOf('page-1', '?attributeAlias=none'), [])
    const found: string[] = []
    let next: string | null = ''
    for (let pages = 0; next !== null; pages += 1) {
      const query: string = `?limit=2${next === '' ? '' : `&after=${next}`}`
      found.push(...(await referrersOf('page-1', query)))
      next = (await send(shop.admin, 'GET', `/api/v1/records/page-1/referrers${query}`)).headers.get('x-next-cursor')
      assert.equal(pages < 3, true)
    }
    assert.deepEqual(found, await referrersOf('page-1'))
    assert.equal(found.length, 6)
  })

  it('does not tell of attributes that the caller may not read', async () => {
    await picture('hid-1')
    await album('ha-1', { secret: everywhere(['hid-1']), any: everywhere(['hid-1']) })
    const blind = await reader({ secret: 'none' })
    assert.deepEqual(await referrersOf('hid-1', '', blind), ['ha-1 any {}'])
    assert.deepEqual(await referrersOf('hid-1', '?attributeAlias=secret', blind), [])
    const { headers } = await send(blind, 'GET', '/api/v1/records/hid-1/referrers?limit=1')
    assert.equal(headers.get('x-next-cursor'), null)
  })

  it('refuses a record that there is not, a cursor that is none, and who may not read records', async () => {
    await picture('ref-1')
    const path = '/api/v1/records/ref-1/referrers'
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/none/referrers'), 'NOT_FOUND', 'none')
    for (const cursor of ['x', 'W10', Buffer.from('[1,2,3,4]').toString('base64url')])
      assertRefused(await send(shop.admin, 'GET', `${path}?after=${cursor}`), 'VALIDATION_ERROR', 'after')
    assertRefused(await send(shop.admin, 'GET', `${path}?limit=1001`), 'VALIDATION_ERROR', 'limit')
    assertRefused(await send(shop.admin, 'GET', `${path}?offset=1`), 'VALIDATION_ERROR', 'offset')
    assertRefused(await send(shop.stranger, 'GET', path), 'PERMISSION_DENIED')
  })
})

describe('DELETE /api/v1/records/:id of a record in lists', () => {
  it('is refused, naming up to 20 records with such lists', async () => {
    await picture('d-1')
    for (let n = 1; n <= 20; n += 1) await album(`da-${n}`, { any: everywhere(['d-1']) })
    const named = refusal(await remove('d-1'), "'da-1' (any)", "'da-20'", 'detach=true')
    assert.doesNotMatch(named, /others/)
    await album('da-21', { any: everywhere(['d-1']) })
    const message = refusal(await remove('d-1'), ', others. ')
    assert.equal([...message.matchAll(/'da-/g)].length, 20)
    assert.equal((await readRecord(shop.admin, 'd-1')).id, 'd-1')
  })

  it('says that there are others, and not which, where the caller may not read their lists', async () => {
    await picture('d-2')
    await album('db-1', { secret: everywhere(['d-2']) })
    const blind = await reader({ secret: 'none' })
    const hidden = refusal(await remove('d-2', '', blind), 'records that you may not read')
    await album('db-2', { any: everywhere(['d-2']) })
    const message = refusal(await remove('d-2', '', blind), "'db-2' (any), others")
    for (const text of [hidden, message]) assert.doesNotMatch(text, /secret|db-1/)
    const deleting = await shop.clientWith(['records.delete'])
    assert.doesNotMatch(refusal(await remove('d-2', '', deleting)), /db-/)
  })

  it('goes where only a single reference names it, its own list, or the list of a record that goes with it', async () => {
    await picture('d-3')
    await album('dc-1', { main: everywhere('d-3') })
    assert.equal((await remove('d-3')).status, 204)
    assert.deepEqual((await readRecord(shop.admin, 'dc-1')).values, { main: everywhere('d-3') })
    await album('dc-2', { any: everywhere(['dc-2']) })
    assert.equal((await remove('dc-2')).status, 204)
    await album('dc-3', {})
    await album('dc-4', { any: everywhere(['dc-3']) }, { parentId: 'dc-3' })
    assert.equal((await put('dc-3', { any: everywhere(['dc-4']) })).status, 200)
    await album('dc-5', { any: everywhere(['dc-4']) })
    assertRefused(await remove('dc-3'), 'CONFLICT', "'dc-4' cannot be deleted", "'dc-5'")
    assert.equal((await put('dc-5', { any: [] })).status, 200)
    assert.equal((await remove('dc-3')).status, 204)
  })

  it('is refused in a batch, and fails in a bulk job, its dry run and the undo of an import', async () => {
    await picture('d-4')
    await album('dd-1', { any: everywhere(['d-4']) })
    const operations = [{ op: 'delete', id: 'd-4' }]
    const batch = await send(shop.admin, 'POST', '/api/v1/records/batch', { atomic: true, operations })
    assertRefused(batch, 'CONFLICT', 'operations[0]', "'dd-1'")
    for (const dryRun of [true, false]) {
      const job = await runJob(shop.admin, { selection: byIds('d-4'), actions: [{ delete: true }], dryRun })
      assert.deepEqual([job.failed, job.changed], [1, 0])
      assert.match((await errorsOf(shop.admin, job.id))[0]!.message, /'dd-1'/)
      // The record with the list goes first.
      if (!dryRun) continue
      const both = await runJob(shop.admin, { selection: byIds('dd-1', 'd-4'), actions: [{ delete: true }], dryRun })
      assert.deepEqual([both.failed, both.changed], [0, 2])
    }
    const both = await runJob(shop.admin, { selection: byIds('dd-1', 'd-4'), actions: [{ delete: true }] })
    assert.deepEqual([both.failed, both.changed], [0, 2])
    assert.equal((await undoJob(shop.admin, both.id)).failed, 0)
    assert.deepEqual(await referrersOf('d-4'), ['dd-1 any {}'])
  })

  it('leaves no list that names it, where another request adds it at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `race-${round}`
      await picture(id)
      await album(`ra-${round}`, {})
      const add = () => put(`ra-${round}`, { any: everywhere([id]) })
      const early = round % 2 === 0 ? add() : undefined
      const removed = remove(id)
      const added = early ?? add()
      const isAdded = (await added).status === 200
      assert.deepEqual([(await removed).status, (await added).status], isAdded ? [409, 200] : [204, 400])
      if (isAdded) assert.deepEqual(await referrersOf(id), [`ra-${round} any {}`])
    }
  })
})

describe('Undoing a job that created records whose lists name each other', () => {
  it('deletes them, and leaves those that a list of a later record names', async () => {
    const record = (id: string, ids: string[]) => ({ id, schemaId: 'sch-album', values: { any: everywhere(ids) } })
    const file = lines(record('u-1', ['u-2']), record('u-2', ['u-3']), record('u-3', ['u-1']), record('u-4', []))
    const { id } = await importAsJob(file)
    await album('u-later', { any: everywhere(['u-4']) })
    const undone = await undoJob(shop.admin, id)
    assert.deepEqual([undone.changed, undone.failed], [3, 1])
    assert.match((await errorsOf(shop.admin, undone.id))[0]!.message, /'u-4'.*'u-later'/)
    for (const gone of ['u-1', 'u-2', 'u-3'])
      assertRefused(await send(shop.admin, 'GET', `/api/v1/records/${gone}`), 'NOT_FOUND')
  })

  it('does not bring back a list that names a record which was deleted since', async () => {
    await picture('u-5')
    await album('u-6', { any: everywhere(['u-5']) })
    const actions = [{ removeReferences: { attributeAlias: 'any', ids: ['u-5'] } }]
    const job = await runJob(shop.admin, { selection: byIds('u-6'), actions })
    assert.equal((await remove('u-5')).status, 204)
    const undone = await undoJob(shop.admin, job.id)
    assert.equal(undone.failed, 1)
    assert.match((await errorsOf(shop.admin, undone.id))[0]!.message, /values\.any.*'u-5', which does not exist/)
  })
})

describe('DELETE /api/v1/records/:id?detach=true', () => {
  async function detach(id: string, client: Client = shop.admin): Promise<BulkJobBody> {
    const { status, body, text } = await remove(id, '?detach=true', client)
    assert.equal(status, 202, text)
    return untilEnded(client, body.id)
  }
  const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values

  it('removes the record and its variants from all lists, deletes them, and can be undone', async () => {
    await album('t-1', {})
    await album('t-1-v', {}, { parentId: 't-1' })
    const lists = { any: everywhere(['t-2', 't-1']), secret: everywhere(['t-1', 't-1-v']), main: everywhere('t-1') }
    await album('t-2', {})
    await album('t-3', lists)
    await album('t-4', { any: everywhere(['t-1-v']) })
    const job = await detach('t-1')
    assert.deepEqual([job.kind, job.status, job.name, job.changed, job.failed], ['bulk', 'succeeded', 't-1', 3, 0])
    assert.deepEqual(await valuesOf('t-3'), { any: everywhere(['t-2']), main: everywhere('t-1') })
    assert.deepEqual(await valuesOf('t-4'), {})
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/t-1-v'), 'NOT_FOUND')
    const [entry] = await readAudit(shop.admin, 't-4')
    assert.deepEqual(entry!.origin, { kind: 'bulk', id: job.id })
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.changed, undone.failed], [3, 0])
    assert.deepEqual([await valuesOf('t-3'), await valuesOf('t-4')], [lists, { any: everywhere(['t-1-v']) }])
    assert.deepEqual(await referrersOf('t-1-v'), ['t-4 any {}', 't-3 secret {}'])
  })

  it('deletes a record that no list names', async () => {
    await picture('t-5')
    assert.equal((await detach('t-5')).changed, 1)
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/t-5'), 'NOT_FOUND')
  })

  it('needs both permissions, and every list open; a hidden list is not told of', async () => {
    await picture('t-6')
    await album('t-7', { secret: everywhere(['t-6']) })
    const path = '/api/v1/records/t-6?detach=true'
    const deleting = await shop.clientWith(['records.read', 'records.delete'])
    assertRefused(await send(deleting, 'DELETE', path), 'PERMISSION_DENIED', 'records.update')
    assertRefused(await send(await reader({ secret: 'read' }), 'DELETE', path), 'PERMISSION_DENIED', "'secret'")
    const { body } = await send<{ message: string }>(await reader({ secret: 'none' }), 'DELETE', path)
    assert.match(body.message, /records that you may not read\. Somebody who may write all these lists can delete it/)
    assert.doesNotMatch(body.message, /secret|t-7/)
  })

  it('is checked like a deletion: the record and its version', async () => {
    await picture('t-8')
    assertRefused(await remove('none', '?detach=true'), 'NOT_FOUND')
    const headers = { 'if-match': '"1"' }
    const stale = await send(shop.admin, 'DELETE', '/api/v1/records/t-8?detach=true', undefined, headers)
    assertRefused(stale, 'PRECONDITION_FAILED')
    assertRefused(await remove('t-8', '?detach=yes'), 'VALIDATION_ERROR', 'detach')
  })

  it('leaves the record where somebody puts it into a list meanwhile that the job cannot change', async () => {
    await picture('t-9')
    const ids = Array.from({ length: 300 }, (_, n) => `tx-${n}`)
    const records = ids.map((id) => ({ id, schemaId: 'sch-album', values: { any: everywhere(['t-9']) } }))
    assert.equal((await importFile(shop.admin, lines(...records))).created, 300)
    const { body } = await remove('t-9', '?detach=true')
    const late: number[] = []
    for (let n = 0; n < 50; n += 1) {
      const values = { any: everywhere(['t-9']) }
      late.push((await send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-album', values })).status)
    }
    const job = await untilEnded(shop.admin, body.id)
    const isThere = (await send(shop.admin, 'GET', '/api/v1/records/t-9')).status === 200
    assert.equal(job.failed, isThere ? 1 : 0)
    assert.equal(late.includes(400), !isThere)
    if (isThere) assert.match((await errorsOf(shop.admin, job.id))[0]!.message, /'t-9' cannot be deleted/)
  })
})

describe('The index of references', () => {
  const attribute = (alias: string, dataType: string) => ({ alias, dataType })
  const replace = async (...attributes: object[]) => {
    const answer = await send(shop.admin, 'PUT', '/api/v1/schemas/sch-turn', { name: 'Turn', attributes })
    assert.equal(answer.status, 200, answer.text)
  }

  it('follows a change of the data type, in both directions, and a removed attribute', async () => {
    await picture('x-1')
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-turn',
      name: 'Turn',
      attributes: [attribute('one', 'text'), attribute('many', 'json')],
    })
    const values = { one: everywhere('x-1'), many: everywhere(['x-1', 'x-none']) }
    await make(shop.admin, '/api/v1/records', { id: 'xa-1', schemaId: 'sch-turn', values })
    assert.deepEqual(await referrersOf('x-1'), [])
    await replace(attribute('one', 'reference'), attribute('many', 'references'))
    assert.deepEqual(await referrersOf('x-1'), ['xa-1 many {}', 'xa-1 one {}'])
    assertRefused(await remove('x-1'), 'CONFLICT', "'xa-1' (many)")
    await assertSound(shop.dataDir)
    await replace(attribute('one', 'text'), attribute('many', 'references'))
    assert.deepEqual(await referrersOf('x-1'), ['xa-1 many {}'])
    const body = { name: 'Turn', attributes: [attribute('one', 'text'), attribute('many', 'reference')] }
    assertRefused(await send(shop.admin, 'PUT', '/api/v1/schemas/sch-turn', body), 'CONFLICT', 'many')
    assert.deepEqual(await referrersOf('x-1'), ['xa-1 many {}'])
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/schemas/sch-turn?dropValues=true', body)).status, 200)
    assert.equal((await remove('x-1')).status, 204)
    await assertSound(shop.dataDir)
  })

  it('follows a renamed attribute', async () => {
    await picture('x-2')
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-name',
      name: 'Name',
      attributes: [attribute('old', 'references')],
    })
    await make(shop.admin, '/api/v1/records', {
      id: 'xb-1',
      schemaId: 'sch-name',
      values: { old: everywhere(['x-2']) },
    })
    const renaming = await send<BulkJobBody>(shop.admin, 'POST', '/api/v1/schemas/sch-name/rename-attribute', {
      from: 'old',
      to: 'new',
    })
    assert.equal((await untilEnded(shop.admin, renaming.body.id)).status, 'succeeded')
    assert.deepEqual(await referrersOf('x-2'), ['xb-1 new {}'])
  })
})

/** The job of an import of the file. */
async function importAsJob(body: string): Promise<BulkJobBody> {
  const response = await fetch(`${shop.admin.url}/api/v1/imports?fileName=f`, {
    method: 'POST',
    headers: { ...shop.admin.headers, 'content-type': NDJSON },
    body,
  })
  const { id } = (await response.json()) as { id: string }
  const mapping = { schemaId: 'sch-album', mode: 'upsert', columns: null }
  const mapped = await send(shop.admin, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  assert.equal(mapped.status, 200, mapped.text)
  const run = await send<BulkJobBody>(shop.admin, 'POST', `/api/v1/imports/${id}/run`)
  assert.equal(run.status, 202, run.text)
  return untilEnded(shop.admin, run.body.id)
}

/** The message of a refused deletion. */
function refusal(answer: Answer<unknown>, ...named: string[]): string {
  assertRefused(answer, 'CONFLICT', ...named)
  return (answer.body as { message: string }).message
}
