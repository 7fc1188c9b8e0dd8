// Import of records by the file: lines, modes, dry run, permissions. Contract 2 §7. Of csv: `import-csv.test.ts`; of large
// and broken transfers: `import-streaming.test.ts`.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { counts, failures, importFile, lines, NDJSON, sendImport } from '../../helpers/importing.ts'
import {
  english,
  everywhere,
  german,
  makeShirt,
  readAudit,
  readRecord,
  startWorkspace,
  type Workspace,
} from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const shirt = (id: string, values: object = {}, more: object = {}) => ({ id, schemaId: 'sch-shirt', values, ...more })
const exists = async (id: string) => (await send(shop.admin, 'GET', `/api/v1/records/${id}`)).status === 200

describe('Importing lines', () => {
  it('makes a record of each, like POST, with its audit entry', async () => {
    const values = { name: [english('One'), german('Eins')], weight: everywhere(1), toString: everywhere('odd') }
    const result = await importFile(
      shop.admin,
      lines(shirt('l-1', values), shirt('l-2'), { schemaId: 'sch-plain', values: {} }),
    )
    assert.deepEqual(result, { created: 3, updated: 0, unchanged: 0, failed: 0, errors: [] })
    const record = await readRecord(shop.admin, 'l-1')
    assert.deepEqual(record.values, values)
    assert.equal(record.lifecycleStateId, 'state-draft')
    const trail = await readAudit(shop.admin, 'l-1')
    assert.deepEqual(
      trail.map(({ action, changes, origin }) => [action, changes.length, origin]),
      [['create', 4, { kind: 'import' }]],
    )
  })

  it('reports what is wrong with a line, by number and ID, and goes on with the others', async () => {
    await makeShirt(shop.admin, { sku: everywhere('TAKEN') }, { id: 'l-taken' })
    const result = await importFile(
      shop.admin,
      lines(
        shirt('b-1'),
        'no json',
        '["no object"]',
        { id: 'b-4', values: {} },
        { id: 'b-5', schemaId: 'sch-gone', values: {} },
        shirt('b-6', { weight: everywhere(-1) }),
        shirt('l-taken'),
        shirt('b-8', { sku: everywhere('TAKEN') }),
        shirt('b-9', { related: everywhere('nobody') }),
        { ...shirt('no id, this'), values: {} },
        shirt('b-11', {}, { parentId: 'b-none' }),
        shirt('b-12'),
        { id: 'b-13', schemaId: 'sch-shirt' },
        `{"id":"b-14","schemaId":"sch-shirt","values":{"toString":[{"scope":{},"value":"\\ud800"}]}}`,
        '['.repeat(200) + ']'.repeat(200),
        shirt('b-16'),
      ),
    )
    assert.deepEqual(counts(result), [3, 0, 0, 13])
    assert.deepEqual(failures(result), [
      '2 null VALIDATION_ERROR',
      '3 null VALIDATION_ERROR',
      '4 b-4 VALIDATION_ERROR',
      '5 b-5 VALIDATION_ERROR',
      '6 b-6 VALIDATION_ERROR',
      '7 l-taken CONFLICT',
      '8 b-8 CONFLICT',
      '9 b-9 VALIDATION_ERROR',
      '10 no id, this VALIDATION_ERROR',
      '11 b-11 VALIDATION_ERROR',
      '13 b-13 VALIDATION_ERROR',
      '14 null VALIDATION_ERROR',
      '15 null VALIDATION_ERROR',
    ])
    const messages = result.errors.map(({ message }) => message)
    assert.match(messages[0]!, /line is not valid JSON/)
    assert.match(messages[4]!, /values\.weight\[0\]\.value must be at least 0/)
    assert.match(messages[6]!, /values\.sku must be unique/)
    assert.match(messages[9]!, /parentId names the unknown record 'b-none'/)
    assert.match(messages[11]!, /surrogate/)
    for (const id of ['b-1', 'b-12', 'b-16']) assert.ok(await exists(id), id)
    for (const id of ['b-6', 'b-8', 'b-11']) assert.ok(!(await exists(id)), id)
    const trail = await send(shop.admin, 'GET', '/api/v1/records/b-8/audit')
    assert.equal(trail.status, 404, 'nothing of a failed line is kept')
  })

  it('reports a line that is no UTF-8 and one that is too long', async () => {
    const small = await startWorkspace({ maxBody: 2048 })
    try {
      const body = Buffer.concat([
        Buffer.from(lines(shirt('u-1'))),
        Buffer.from('{"id":"u-2","schemaId":"sch-shirt","values":{},"x":"\xe4"}\n', 'latin1'),
        Buffer.from(lines(shirt('u-3', { toString: everywhere('x'.repeat(3000)) }), shirt('u-4'))),
      ])
      const result = await importFile(small.admin, body)
      assert.deepEqual(counts(result), [2, 0, 0, 2])
      assert.deepEqual(failures(result), ['2 null VALIDATION_ERROR', '3 null PAYLOAD_TOO_LARGE'])
      assert.match(result.errors[0]!.message, /UTF-8/)
      assert.match(result.errors[1]!.message, /2048/)
    } finally {
      await small.stop()
    }
  })

  it('takes lines in order, so that a variant may follow its parent', async () => {
    const result = await importFile(
      shop.admin,
      lines(shirt('p-1'), shirt('p-2', {}, { parentId: 'p-1' }), shirt('p-3', { related: everywhere('p-2') })),
    )
    assert.deepEqual(counts(result), [3, 0, 0, 0])
    assert.equal((await readRecord(shop.admin, 'p-2')).parentId, 'p-1')
  })

  it('passes over blank lines, and counts them as lines', async () => {
    const body = `\uFEFF\r\n${JSON.stringify(shirt('s-1'))}\r\n\n  \n${JSON.stringify(shirt('s-2'))}\r\n\nx`
    const result = await importFile(shop.admin, body)
    assert.deepEqual(counts(result), [2, 0, 0, 1])
    assert.deepEqual(failures(result), ['7 null VALIDATION_ERROR'])
    assert.deepEqual(counts(await importFile(shop.admin, `\uFEFF${lines(shirt('s-3'))}`)), [1, 0, 0, 0])
    assert.deepEqual(counts(await importFile(shop.admin, '')), [0, 0, 0, 0])
    assert.deepEqual(counts(await importFile(shop.admin, '\n\n')), [0, 0, 0, 0])
  })

  it('takes the schema of the query for lines that name none', async () => {
    const body = lines(
      { id: 'q-1', values: { title: everywhere('a') } },
      { id: 'q-2', schemaId: 'sch-shirt', values: {} },
    )
    assert.deepEqual(counts(await importFile(shop.admin, body, 'schemaId=sch-plain')), [2, 0, 0, 0])
    assert.equal((await readRecord(shop.admin, 'q-1')).schemaId, 'sch-plain')
    assert.equal((await readRecord(shop.admin, 'q-2')).schemaId, 'sch-shirt')
    assertRefused(
      await sendImport(shop.admin, body, { query: 'schemaId=nope' }),
      'VALIDATION_ERROR',
      'schemaId',
      'nope',
    )
  })

  it('lists the first 1000 failures and counts them all', async () => {
    const result = await importFile(shop.admin, `${'x\n'.repeat(1500)}${lines(shirt('many-1'))}`)
    assert.deepEqual(counts(result), [1, 0, 0, 1500])
    assert.equal(result.errors.length, 1000)
    assert.equal(result.errors[999]!.line, 1000)
  })

  it('counts every line once, however they are mixed', async () => {
    const items = Array.from({ length: 500 }, (_, index) => (index % 3 === 0 ? 'x' : shirt(`mix-${index % 200}`)))
    const result = await importFile(shop.admin, lines(...items), 'mode=upsert&duplicates=last')
    assert.equal(
      counts(result).reduce((sum, count) => sum + count),
      500,
    )
    assert.equal(result.failed, 167)
    assert.equal(
      result.created,
      new Set(items.filter((item) => item !== 'x').map((item) => (item as { id: string }).id)).size,
    )
  })
})

describe('The mode create', () => {
  it('is the default, and leaves a record alone whose ID a line names', async () => {
    await makeShirt(shop.admin, { weight: everywhere(1) }, { id: 'c-1' })
    for (const query of ['', 'mode=create']) {
      const result = await importFile(shop.admin, lines(shirt('c-1', { weight: everywhere(2) })), query)
      assert.deepEqual(failures(result), ['1 c-1 CONFLICT'])
    }
    assert.deepEqual((await readRecord(shop.admin, 'c-1')).values, { weight: everywhere(1) })
    assert.equal((await readAudit(shop.admin, 'c-1')).length, 1)
  })
})

describe('The mode update', () => {
  it('finds a record by its ID, whatever schema it has, and fails where there is none', async () => {
    await importFile(shop.admin, lines(shirt('upd-1')), 'mode=create')
    const values = { name: [{ scope: {}, value: 'Changed' }] }
    const result = await importFile(shop.admin, lines({ id: 'upd-1', values }, { id: 'upd-2', values }), 'mode=update')
    assert.deepEqual([result.updated, result.failed], [1, 1])
    assert.deepEqual(
      result.errors.map(({ line, error, message }) => [line, error, message]),
      [[2, 'NOT_FOUND', "Record 'upd-2' does not exist"]],
    )
  })
})

describe('The mode upsert', () => {
  const upsert = (...items: unknown[]) => importFile(shop.admin, lines(...items), 'mode=upsert&duplicates=last')

  it('replaces the attributes that a line names as a whole, and leaves the others', async () => {
    const values = { name: [english('Old'), german('Alt')], weight: everywhere(1), toString: everywhere('stays') }
    await makeShirt(shop.admin, values, { id: 'up-1' })
    const line = shirt('up-1', { name: [english('New')], weight: everywhere(null) })
    assert.deepEqual(counts(await upsert(line, shirt('up-2'))), [1, 1, 0, 0])
    const record = await readRecord(shop.admin, 'up-1')
    assert.deepEqual(record.values, { name: [english('New')], toString: everywhere('stays') })
    const [newest] = await readAudit(shop.admin, 'up-1')
    assert.deepEqual([newest!.action, newest!.origin], ['update', { kind: 'import' }])
    assert.deepEqual(newest!.changes.map(({ attributeAlias }) => attributeAlias).sort(), ['name', 'name', 'weight'])
  })

  it('leaves a record untouched, without an audit entry, where nothing differs', async () => {
    const values = { name: [english('Same'), german('Gleich')], price: everywhere({ amount: 1, currency: 'EUR' }) }
    await makeShirt(shop.admin, values, { id: 'un-1' })
    const before = await readRecord(shop.admin, 'un-1')
    const reordered = { name: values.name.toReversed(), price: everywhere({ currency: 'EUR', amount: 1 }) }
    const nothing = shirt('un-1', { weight: [], description: everywhere(null) })
    assert.deepEqual(counts(await upsert(shirt('un-1', reordered), nothing, shirt('un-1'))), [0, 0, 3, 0])
    assert.deepEqual(await readRecord(shop.admin, 'un-1'), before)
    assert.equal((await readAudit(shop.admin, 'un-1')).length, 1)
  })

  it('run again changes nothing', async () => {
    const file = [shirt('twice-1', { weight: everywhere(1) }), shirt('twice-2', {}, { parentId: 'twice-1' })]
    assert.deepEqual(counts(await upsert(...file)), [2, 0, 0, 0])
    assert.deepEqual(counts(await upsert(...file)), [0, 0, 2, 0])
  })

  it('makes a record of a line without an ID', async () => {
    assert.deepEqual(counts(await upsert({ schemaId: 'sch-plain', values: {} })), [1, 0, 0, 0])
  })

  it('takes the schema from the record where a line names none', async () => {
    await makeShirt(shop.admin, {}, { id: 'from-1' })
    assert.deepEqual(counts(await upsert({ id: 'from-1', values: { weight: everywhere(3) } })), [0, 1, 0, 0])
  })

  it("makes no record another schema's or another parent's", async () => {
    await makeShirt(shop.admin, {}, { id: 'fix-1' })
    await makeShirt(shop.admin, {}, { id: 'fix-2', parentId: 'fix-1' })
    const result = await upsert(
      { id: 'fix-1', schemaId: 'sch-plain', values: {} },
      shirt('fix-1', {}, { parentId: 'up-1' }),
      shirt('fix-2', {}, { parentId: null }),
      shirt('fix-2', {}, { parentId: 'fix-1' }),
      shirt('fix-1', {}, { parentId: null }),
    )
    assert.deepEqual(counts(result), [0, 0, 2, 3])
    assert.match(result.errors[0]!.message, /schemaId cannot change/)
    assert.match(result.errors[1]!.message, /parentId cannot change.*no variant/)
    assert.match(result.errors[2]!.message, /parentId cannot change.*'fix-1'/)
  })

  it('keeps what is unique unique', async () => {
    await makeShirt(shop.admin, { sku: everywhere('UNI-1') }, { id: 'uni-1' })
    const result = await upsert(
      shirt('uni-2', { sku: everywhere('UNI-2') }),
      shirt('uni-2', { sku: everywhere('UNI-1') }),
      shirt('uni-1', { sku: everywhere('UNI-3') }),
      shirt('uni-2', { sku: everywhere('UNI-1') }),
    )
    assert.deepEqual(counts(result), [1, 2, 0, 1])
    assert.deepEqual(failures(result), ['2 uni-2 CONFLICT'])
  })
})

describe('Who may import', () => {
  const file = lines(shirt('perm-1'))

  it('needs a credential and records.create, and for upsert records.update', async () => {
    assertRefused(await sendImport(shop.anonymous, file), 'UNAUTHORIZED')
    assertRefused(await sendImport(shop.viewer, file), 'PERMISSION_DENIED', 'records.create')
    const creator = await shop.clientWith(['records.create'])
    assertRefused(await sendImport(creator, file, { query: 'mode=upsert' }), 'PERMISSION_DENIED', 'records.update')
    assert.deepEqual(counts(await importFile(creator, file)), [1, 0, 0, 0])
  })

  it('needs write permission for each attribute of a line', async () => {
    await makeShirt(shop.admin, { sku: everywhere('PERM-2') }, { id: 'perm-2' })
    const result = await importFile(
      shop.clerk,
      lines(
        shirt('perm-3', { weight: everywhere(1) }),
        shirt('perm-4', { price: everywhere({ amount: 1, currency: 'EUR' }) }),
        shirt('perm-2', { sku: everywhere('PERM-2') }),
        shirt('perm-2', { weight: everywhere(4) }),
      ),
      'mode=upsert&duplicates=last',
    )
    assert.deepEqual(counts(result), [1, 1, 0, 2])
    assert.deepEqual(failures(result), ['2 perm-4 PERMISSION_DENIED', '3 perm-2 PERMISSION_DENIED'])
    assert.ok(!(await exists('perm-4')))
  })
})

describe('A dry run', () => {
  it('says what would come of each line, and writes nothing', async () => {
    await makeShirt(shop.admin, { sku: everywhere('DRY'), weight: everywhere(1) }, { id: 'dry-1' })
    const cursor = async () =>
      (await send<{ cursor: string }>(shop.admin, 'GET', '/api/v1/changes?after=0&limit=1000')).body
    const total = async () => (await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records?limit=1')).body.total
    const [before, count, record] = [await cursor(), await total(), await readRecord(shop.admin, 'dry-1')]
    const file = lines(
      shirt('dry-2', { sku: everywhere('DRY-2') }),
      shirt('dry-3', {}, { parentId: 'dry-2' }),
      shirt('dry-1', { weight: everywhere(2) }),
      shirt('dry-1', { weight: everywhere(1) }),
      shirt('dry-4', { sku: everywhere('DRY') }),
      shirt('dry-5', { weight: everywhere('heavy') }),
      shirt('dry-6', { sku: everywhere('DRY-2') }),
      shirt('dry-7', { related: everywhere('dry-2') }),
    )
    const dry = await importFile(shop.admin, file, 'mode=upsert&duplicates=last&dryRun=true')
    assert.deepEqual(counts(dry), [3, 2, 0, 3])
    assert.deepEqual(failures(dry), ['5 dry-4 CONFLICT', '6 dry-5 VALIDATION_ERROR', '7 dry-6 CONFLICT'])
    assert.deepEqual([await cursor(), await total(), await readRecord(shop.admin, 'dry-1')], [before, count, record])
    assert.ok(!(await exists('dry-2')))
    const real = await importFile(shop.admin, file, 'mode=upsert&duplicates=last&dryRun=false')
    assert.deepEqual([counts(real), failures(real)], [counts(dry), failures(dry)])
  })

  it('sees what earlier lines would have made of records and of their unique values', async () => {
    for (const sku of ['SEEN-1', 'SEEN-2']) await makeShirt(shop.admin, { sku: everywhere(sku) }, { id: sku })
    const file = lines(
      shirt('seen-3', { sku: everywhere('SEEN-3'), weight: everywhere(1) }),
      shirt('seen-3', { weight: everywhere(1) }),
      shirt('seen-3', { sku: everywhere('SEEN-4') }),
      shirt('seen-5', { sku: everywhere('SEEN-3') }),
      shirt('SEEN-1', { sku: everywhere('SEEN-6') }),
      shirt('SEEN-2', { sku: everywhere('SEEN-1') }),
      shirt('seen-7', { sku: everywhere('SEEN-2') }),
      shirt('seen-8', { sku: everywhere('SEEN-1') }),
      shirt('SEEN-1', { sku: everywhere('SEEN-2') }),
      shirt('SEEN-1', { sku: [] }),
      shirt('SEEN-1', { sku: [] }),
    )
    const dry = await importFile(shop.admin, file, 'mode=upsert&duplicates=last&dryRun=true')
    assert.deepEqual(counts(dry), [3, 4, 2, 2])
    assert.deepEqual(failures(dry), ['8 seen-8 CONFLICT', '9 SEEN-1 CONFLICT'])
    const real = await importFile(shop.admin, file, 'mode=upsert&duplicates=last')
    assert.deepEqual([counts(real), failures(real)], [counts(dry), failures(dry)])
  })

  it('sees an ID that is in the file twice', async () => {
    const result = await importFile(shop.admin, lines(shirt('dup-1'), shirt('dup-1')), 'dryRun=true')
    assert.deepEqual(failures(result), ['2 dup-1 CONFLICT'])
  })
})

describe('A request to import', () => {
  it('with an unknown mode, or a dryRun that is neither true nor false, is 400', async () => {
    for (const query of ['mode=replace', 'mode=', 'mode=Create'])
      assertRefused(await sendImport(shop.admin, lines(shirt('r-1')), { query }), 'VALIDATION_ERROR', 'mode', 'upsert')
    assertRefused(
      await sendImport(shop.admin, lines(shirt('r-1')), { query: 'dryRun=maybe' }),
      'VALIDATION_ERROR',
      'dryRun',
    )
    assert.ok(!(await exists('r-1')))
  })

  it('with another content type, another charset or a compressed body is 400', async () => {
    for (const type of ['application/json', 'text/plain', '', `${NDJSON}; charset=latin1`, 'text/csv; charset=utf-16'])
      assertRefused(await sendImport(shop.admin, lines(shirt('r-2')), { type }), 'VALIDATION_ERROR', 'Content-Type')
    const gzip = { headers: { 'content-encoding': 'gzip' } }
    assertRefused(await sendImport(shop.admin, lines(shirt('r-2')), gzip), 'VALIDATION_ERROR', 'Content-Encoding')
    assert.ok(!(await exists('r-2')))
    const answer = await sendImport(shop.admin, lines(shirt('r-3')), { type: `${NDJSON}; charset=UTF-8` })
    assert.equal(answer.body.created, 1)
  })

  it('leaves GET of its path to records, of which none can be called import', async () => {
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/import'), 'NOT_FOUND', 'Record', 'import')
    const record = { id: 'import', schemaId: 'sch-plain', values: {} }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/records', record), 'VALIDATION_ERROR', 'id')
  })
})
