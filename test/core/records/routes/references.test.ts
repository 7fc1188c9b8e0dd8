// Ordered lists of references: what they may name, on every way to a value. Contract 2 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { byIds, errorsOf, postJob, runJob, undoJob } from '../../../helpers/bulk-jobs.ts'
import { counts, failures, importCsv, importFile, lines } from '../../../helpers/importing.ts'
import { everywhere, make, readAudit, readRecord, type RecordBody, startWorkspace } from '../../../helpers/shirts.ts'
import type { Workspace } from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-picture', name: 'Picture' })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-album',
    name: 'Album',
    attributes: [
      {
        alias: 'pictures',
        dataType: 'references',
        dimensionIds: ['language'],
        requiredInStateIds: ['state-review'],
        validation: { schemaId: 'sch-picture', maxCount: 3 },
      },
      { alias: 'next', dataType: 'references', validation: { schemaId: 'sch-album' } },
      { alias: 'any', dataType: 'references' },
    ],
  })
  for (const id of ['p-1', 'p-2', 'p-3', 'p-4'])
    await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-picture', values: {} })
})
after(() => shop.stop())

const album = (values: object, more: object = {}) =>
  send<RecordBody>(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-album', values, ...more })
const made = (values: object, more: object = {}) =>
  make<RecordBody>(shop.admin, '/api/v1/records', { schemaId: 'sch-album', values, ...more })

describe('Values of references', () => {
  it('are refused where one write would add so many that looking them up keeps others waiting', async () => {
    const segments = Array.from({ length: 6 }, (_, n) => ({ id: `m${n}`, name: `m${n}` }))
    await make(shop.admin, '/api/v1/dimensions', { id: 'many', name: 'Many', segments })
    const attributes = [{ alias: 'lists', dataType: 'references', dimensionIds: ['many'] }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-lists', name: 'Lists', attributes })
    const records = Array.from({ length: 200 }, (_, n) => ({ id: `l-${n}`, schemaId: 'sch-picture', values: {} }))
    assert.equal((await importFile(shop.admin, lines(...records))).created, 200)
    const ids = records.map(({ id }) => id)
    const listsOf = (some: typeof segments) => ({
      lists: some.map((segment) => ({ scope: { many: segment.id }, value: ids })),
    })
    const put = (values: object) => send(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-lists', values })
    assertRefused(await put(listsOf(segments)), 'VALIDATION_ERROR', 'values.lists', '1000')
    assert.equal((await put(listsOf(segments.slice(1)))).status, 201)
  })

  it('keep their order, and the audit trail and versions have the lists', async () => {
    const { id, values } = await made({ pictures: everywhere(['p-2', 'p-1']) })
    assert.deepEqual(values, { pictures: everywhere(['p-2', 'p-1']) })
    const put = await send(shop.admin, 'PUT', `/api/v1/records/${id}`, {
      values: { pictures: everywhere(['p-1', 'p-2']) },
    })
    assert.equal(put.status, 200)
    const [entry] = await readAudit(shop.admin, id)
    assert.deepEqual(entry!.changes, [
      { attributeAlias: 'pictures', scope: {}, oldValue: ['p-2', 'p-1'], newValue: ['p-1', 'p-2'] },
    ])
  })

  it('must name records that exist and have the schema of the rule, each once, and not too many', async () => {
    const refused = async (values: object, ...words: string[]) =>
      assertRefused(await album(values), 'VALIDATION_ERROR', ...words)
    await refused({ pictures: everywhere(['p-1', 'p-none']) }, 'values.pictures', "'p-none', which does not exist")
    const other = await made({})
    await refused(
      { pictures: everywhere([other.id]) },
      'values.pictures',
      other.id,
      "'sch-album'",
      "'sch-picture' only",
    )
    await refused({ pictures: everywhere(['p-1', 'p-1']) }, 'values.pictures[0].value must not list a record twice')
    await refused({ pictures: everywhere(['p-1', 'p-2', 'p-3', 'p-4']) }, 'must list at most 3 records')
    await refused({ pictures: everywhere('p-1') }, 'must be an array of record IDs')
    assert.equal((await album({ any: everywhere([other.id, 'p-1']) })).status, 201)
  })

  it('may name the record itself, as far as its schema fits', async () => {
    assert.equal((await album({ next: everywhere(['a-self']) }, { id: 'a-self' })).status, 201)
    assertRefused(
      await album({ pictures: everywhere(['a-own']) }, { id: 'a-own' }),
      'VALIDATION_ERROR',
      'a-own',
      'sch-album',
    )
  })

  it('that a record holds may be sent back', async () => {
    const { id } = await made({ any: everywhere(['p-2', 'p-1']) })
    const put = (ids: string[]) =>
      send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { any: everywhere(ids) } })
    assert.equal((await put(['p-1', 'p-2'])).status, 200)
    assertRefused(await put(['p-1', 'p-2', 'p-none']), 'VALIDATION_ERROR', 'p-none')
  })

  it('are checked without being written, each fault with its scope', async () => {
    const scope = { language: 'de' }
    const values = {
      pictures: [{ scope, value: ['p-1', 'p-none'] }, ...everywhere(['p-1'])],
      next: everywhere(['p-1']),
    }
    const body = { schemaId: 'sch-album', values }
    const { body: checked } = await send<{ issues: object[] }>(shop.admin, 'POST', '/api/v1/records/validate', body)
    assert.deepEqual(
      checked.issues.map((issue) => ({ ...issue, message: undefined })),
      [
        { attributeAlias: 'pictures', scope, code: 'reference', message: undefined },
        { attributeAlias: 'next', scope: {}, code: 'reference', message: undefined },
      ],
    )
  })

  it('are inherited by variants, and an empty list is an empty value', async () => {
    const { id: parentId } = await made({ pictures: everywhere(['p-4']) })
    const variant = await made({}, { parentId })
    const empty = await made({ pictures: everywhere([]) })
    const found = async (criterion: object) => {
      const criteria = [{ attributeAlias: 'pictures', ...criterion }]
      const body = { schemaId: 'sch-album', criteria, criteriaOperator: 'and' }
      return (await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search', body)).body.map(({ id }) => id)
    }
    assert.deepEqual(await found({ operator: 'in', value: ['p-4', 'p-none'] }), [parentId, variant.id])
    assert.ok((await found({ operator: 'isEmpty' })).includes(empty.id))
    assert.ok(!(await found({ operator: 'isEmpty' })).includes(variant.id))
    assert.ok((await found({ operator: 'notEquals', value: 'p-4' })).includes(empty.id))
  })

  it('pass csv, and lines of a file may name later lines, each other and themselves', async () => {
    const rows = [
      'id,schemaId,next,pictures',
      'c-1,sch-album,c-2|c-3,p-2|p-1',
      'c-2,sch-album,c-1,',
      'c-3,sch-album,c-3,',
    ]
    assert.deepEqual(counts(await importCsv(shop.admin, rows)), [3, 0, 0, 0])
    assert.deepEqual((await readRecord(shop.admin, 'c-1')).values, {
      next: everywhere(['c-2', 'c-3']),
      pictures: everywhere(['p-2', 'p-1']),
    })
    assert.deepEqual((await readRecord(shop.admin, 'c-2')).values, { next: everywhere(['c-1']) })
    assert.deepEqual((await readRecord(shop.admin, 'c-3')).values, { next: everywhere(['c-3']) })
  })

  it('of lines of JSON may name later lines, and a line fails with a record that never comes', async () => {
    const line = (id: string, ids: string[]) => ({ id, schemaId: 'sch-album', values: { next: everywhere(ids) } })
    const file = lines(line('j-1', ['j-2', 'j-1']), line('j-2', ['c-1', 'j-1']), line('j-3', ['j-1', 'j-none']))
    assert.deepEqual(counts(await importFile(shop.admin, file, 'dryRun=true')), [2, 0, 0, 1])
    const result = await importFile(shop.admin, file)
    assert.deepEqual(failures(result), ['3 j-3 VALIDATION_ERROR'])
    assert.deepEqual((await readRecord(shop.admin, 'j-1')).values, { next: everywhere(['j-2', 'j-1']) })
    assert.deepEqual((await readRecord(shop.admin, 'j-2')).values, { next: everywhere(['c-1', 'j-1']) })
  })
})

describe('The rules of references', () => {
  const schema = (attribute: object) =>
    send(shop.admin, 'POST', '/api/v1/schemas', { name: 'S', attributes: [{ alias: 'it', ...attribute }] })

  it('name a schema that exists, or their own, and a number of records up to 200', async () => {
    const rule = (validation: object, dataType = 'references') => schema({ dataType, validation })
    assertRefused(
      await rule({ schemaId: 'sch-none' }),
      'VALIDATION_ERROR',
      "attribute 'it'",
      "unknown schema 'sch-none'",
    )
    assertRefused(await rule({ maxCount: 201 }), 'VALIDATION_ERROR', 'maxCount', 'at most 200')
    assertRefused(await rule({ maxCount: 0 }), 'VALIDATION_ERROR', 'maxCount', '1 or more')
    assertRefused(await rule({ schemaId: 'sch-album' }, 'text'), 'VALIDATION_ERROR', 'validation.schemaId is for')
    assertRefused(await rule({ maxCount: 3 }, 'multiSelect'), 'VALIDATION_ERROR', 'validation.maxCount is for')
    assert.equal((await rule({ schemaId: 'sch-album', maxCount: 200 })).status, 201)
  })

  it('keep the schema that they name from being deleted', async () => {
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-named', name: 'N' })
    const attribute = { alias: 'it', dataType: 'references', validation: { schemaId: 'sch-named' } }
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-naming', name: 'N', attributes: [attribute] })
    const drop = (id: string) => send(shop.admin, 'DELETE', `/api/v1/schemas/${id}`)
    assertRefused(await drop('sch-named'), 'CONFLICT', "the attribute 'it' of the schema 'sch-naming'")
    assert.equal((await drop('sch-naming')).status, 204)
    assert.equal((await drop('sch-named')).status, 204)
  })
})

describe('addReferences and removeReferences of a bulk job', () => {
  const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values
  const pictures = (...ids: string[]) => ({ pictures: everywhere(ids) })

  it('change lists, judge each record, and can be undone', async () => {
    await made(pictures('p-1', 'p-2'), { id: 'b-1' })
    await made({}, { id: 'b-2' })
    await make(shop.admin, '/api/v1/records', { id: 'b-3', schemaId: 'sch-picture', values: {} })
    const selection = byIds('b-1', 'b-2', 'b-3')
    const added = await runJob(shop.admin, {
      selection,
      actions: [{ addReferences: { attributeAlias: 'pictures', ids: ['p-3'], at: 0 } }],
    })
    assert.deepEqual([added.changed, added.failed], [2, 1])
    assert.deepEqual(await valuesOf('b-1'), pictures('p-3', 'p-1', 'p-2'))
    assert.deepEqual(await valuesOf('b-2'), pictures('p-3'))
    const [error] = await errorsOf(shop.admin, added.id)
    assert.deepEqual([error!.recordId, error!.error], ['b-3', 'VALIDATION_ERROR'])
    const removed = await runJob(shop.admin, {
      selection: byIds('b-1', 'b-2'),
      actions: [{ removeReferences: { attributeAlias: 'pictures', ids: ['p-3', 'p-1'] } }],
    })
    assert.deepEqual([removed.changed, removed.failed], [2, 0])
    assert.deepEqual([await valuesOf('b-1'), await valuesOf('b-2')], [pictures('p-2'), {}])
    await undoJob(shop.admin, removed.id)
    await undoJob(shop.admin, added.id)
    assert.deepEqual([await valuesOf('b-1'), await valuesOf('b-2')], [pictures('p-1', 'p-2'), {}])
  })

  it('refuse records that do not exist or do not fit, a record named twice, and unknown places', async () => {
    await made({}, { id: 'b-4' })
    const job = (ids: string[], more: object = {}) => {
      const actions = [{ addReferences: { attributeAlias: 'pictures', ids, ...more } }]
      return { selection: byIds('b-4'), actions }
    }
    for (const [id, words] of [
      ['p-none', 'does not exist'],
      ['b-4', "'sch-picture' only"],
    ] as const) {
      const [error] = await errorsOf(shop.admin, (await runJob(shop.admin, job([id]))).id)
      assert.ok(error!.message.includes(words), error!.message)
    }
    assertRefused(await postJob(shop.admin, job(['p-1', 'p-1'])), 'VALIDATION_ERROR', 'ids', 'twice')
    assertRefused(await postJob(shop.admin, job(['p-1'], { at: -1 })), 'VALIDATION_ERROR', 'at', '0 or more')
  })
})
