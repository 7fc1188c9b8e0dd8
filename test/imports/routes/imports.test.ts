// Imports as a resource: uploaded, explained, tried, run, undone. Contract 3 §4, 3 §11.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { ask } from '../../helpers/files.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import type { Client } from '../../helpers/client.ts'
import { counts, CSV, failures, importFile, NDJSON } from '../../helpers/importing.ts'
import { itLong } from '../../helpers/long.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { importFilesIn } from '../../helpers/tested-database.ts'
import { xlsxFile } from '../../helpers/xlsx-file.ts'

const PATH = '/api/v1/imports'
interface ImportBody {
  id: string
  status: string
  columns: { index: number; header: string; samples: string[]; suggestion: unknown; confidence: string | null }[]
  mapping: unknown
  profileId: string | null
  jobIds: string[]
  [member: string]: unknown
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, maxImport: 250_000 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'name', dataType: 'text', dimensionIds: ['language'] },
      { alias: 'count', dataType: 'number' },
      { alias: 'friend', dataType: 'reference' },
    ],
  })
})
after(() => shop.stop())

async function upload(
  body: string | Buffer,
  { type = CSV, query = 'fileName=items.csv', client = shop.admin, headers = {} } = {},
) {
  const response = await fetch(`${client.url}${PATH}?${query}`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': type, ...headers },
    body: body as string,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as ImportBody }
}
async function take(body: string | Buffer, options: { type?: string; query?: string } = {}): Promise<ImportBody> {
  const answer = await upload(body, options)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const columns = [
  { header: 'id', to: { field: 'id' } },
  { header: 'sku', to: { attributeAlias: 'sku' } },
  { header: 'count', to: { attributeAlias: 'count' } },
]
const map = async (id: string, more: object = {}) => {
  const answer = await send<ImportBody>(shop.admin, 'PUT', `${PATH}/${id}/mapping`, {
    schemaId: 'sch-item',
    columns,
    ...more,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const run = async (id: string, how = 'run'): Promise<BulkJobBody> => {
  const answer = await send<BulkJobBody>(shop.admin, 'POST', `${PATH}/${id}/${how}`)
  assert.equal(answer.status, 202, answer.text)
  assert.deepEqual(
    [answer.body.kind, answer.body.importId, answer.body.dryRun],
    ['import', id, how.startsWith('dry-run')],
  )
  return untilEnded(shop.admin, answer.body.id)
}
const get = async (id: string) => (await send<ImportBody>(shop.admin, 'GET', `${PATH}/${id}`)).body
const numbers = ({ selected, done, created, updated, unchanged, failed }: BulkJobBody) => [
  selected,
  done,
  created,
  updated,
  unchanged,
  failed,
]
const exists = async (id: string) => (await send(shop.admin, 'GET', `/api/v1/records/${id}`)).status === 200
const failedOf = async (id: string, client: Client = shop.admin) => {
  const response = await fetch(`${client.url}${PATH}/${id}/failed.csv`, { headers: client.headers })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}
const samplesOf = async (id: string, outcome: string) =>
  (await send<object[]>(shop.admin, 'GET', `/api/v1/bulk-jobs/${id}/samples?outcome=${outcome}`)).body

describe('An import', () => {
  it('is what a file is like: how it is written, its columns, and what they may be for', async () => {
    // POST /api/v1/imports, GET /api/v1/imports/:id, GET /api/v1/imports
    const body = Buffer.from('id;SKU;Bezeichnung;Anzahl\r\nw-1;W;Größe;1,5\r\nw-2;;Hemd;2,25\r\n', 'latin1')
    const made = await take(body, { query: 'fileName=Liste%20ä.csv&schemaId=sch-item' })
    assert.deepEqual(
      [made['fileName'], made['size'], made['format'], made['delimiter'], made['encoding'], made['decimal']],
      ['Liste ä.csv', body.length, 'csv', ';', 'windows-1252', ','],
    )
    assert.deepEqual(made.columns[2]!.samples, ['Größe', 'Hemd'])
    assert.deepEqual(
      made.columns.slice(0, 3).map(({ index, header, suggestion }) => [index, header, suggestion]),
      [
        [0, 'id', { field: 'id' }],
        [1, 'SKU', { attributeAlias: 'sku', scope: {} }],
        [2, 'Bezeichnung', { attributeAlias: 'name', scope: { language: 'de' } }],
      ],
    )
    assert.deepEqual([made.status, made.mapping, made.profileId, made.jobIds], ['uploaded', null, null, []])
    assert.equal(made['lastRun'], null)
    assert.deepEqual(await get(made.id), made)
    const listed = await send<ImportBody[]>(shop.admin, 'GET', `${PATH}?limit=1`)
    const { columns: _columns, mapping: _mapping, ...summary } = made
    assert.deepEqual(listed.body, [summary])

    const sheet = await take(xlsxFile([['id'], ['x']]), { type: 'application/octet-stream', query: 'fileName=a.xlsx' })
    assert.deepEqual(
      [sheet['format'], sheet['sheets'], sheet['delimiter'], sheet['encoding']],
      ['xlsx', ['Sheet1'], null, null],
    )
  })

  it('is mapped, tried, run and undone', async () => {
    // PUT /api/v1/imports/:id/mapping, POST /api/v1/imports/:id/dry-run, POST /api/v1/imports/:id/run
    await make(shop.admin, '/api/v1/records', { id: 'r-2', schemaId: 'sch-item', values: { count: everywhere(1) } })
    const { id } = await take('id,sku,count\nr-1,R1,1\nr-2,R2,2\nr-3,R3,much\nr-4,R1,4\n')
    assertRefused(await send(shop.admin, 'POST', `${PATH}/${id}/run`), 'CONFLICT', 'mapping')
    assert.equal((await map(id, { mode: 'upsert' })).status, 'mapped')
    const tried = await run(id, 'dry-run')
    assert.deepEqual(numbers(tried), [4, 4, 1, 1, 0, 2])
    assert.deepEqual(tried.sample, [
      {
        recordId: 'r-1',
        line: 2,
        changes: [
          { attributeAlias: 'sku', scope: {}, oldValue: null, newValue: 'R1' },
          { attributeAlias: 'count', scope: {}, oldValue: null, newValue: 1 },
        ],
      },
      {
        recordId: 'r-2',
        line: 3,
        changes: [
          { attributeAlias: 'sku', scope: {}, oldValue: null, newValue: 'R2' },
          { attributeAlias: 'count', scope: {}, oldValue: 1, newValue: 2 },
        ],
      },
    ])
    assert.ok(!(await exists('r-1')))
    assert.equal((await get(id)).status, 'mapped')
    const job = await run(id)
    assert.deepEqual([job.status, ...numbers(job)], ['succeeded', 4, 4, 1, 1, 0, 2])
    assert.deepEqual(
      (await errorsOf(shop.admin, job.id)).map(({ line, recordId, error }) => [line, recordId, error]),
      [
        [4, 'r-3', 'VALIDATION_ERROR'],
        [5, 'r-4', 'CONFLICT'],
      ],
    )
    assert.deepEqual(await samplesOf(job.id, 'failed'), [
      { recordId: 'r-3', changes: [], line: 4 },
      { recordId: 'r-4', changes: [], line: 5 },
    ])
    assert.deepEqual((await samplesOf(job.id, 'created')).length, 1)
    const after = await get(id)
    assert.deepEqual([after.status, after.jobIds.at(-1)], ['done', job.id])
    // The dry run before is no run.
    assert.deepEqual(after['lastRun'], { jobId: job.id, status: 'succeeded', done: 4, failed: 2 })
    assert.deepEqual((await readAudit(shop.admin, 'r-1'))[0]!.origin, { kind: 'import', id: job.id })
    // GET /api/v1/imports/:id/failed.csv
    const [header, ...rows] = (await failedOf(id)).toString().trimEnd().split('\r\n')
    assert.equal(header, 'id,sku,count,error,message')
    assert.match(rows[0]!, /^r-3,R3,much,VALIDATION_ERROR,"?The column 'count' must be a number/)
    assert.match(rows[1]!, /^r-4,R1,4,CONFLICT,/)
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.status, undone.changed, undone.failed], ['succeeded', 2, 0])
    assert.ok(!(await exists('r-1')))
    assert.deepEqual((await readRecord(shop.admin, 'r-2')).values, { count: everywhere(1) })
  })

  itLong(
    'has every row that failed in failed.csv, also beyond the errors that are listed, and in the order of the file',
    async () => {
      const rows = Array.from(
        { length: 10_040 },
        (_, at) => `f-${at},${at % 5000 === 1 ? 'f-9' : ''},${at === 9 ? 1 : 'x'}`,
      )
      const { id } = await take(`id,friend,count\n${rows.join('\n')}\n`)
      await map(id, { columns: [columns[0], { header: 'friend', to: { attributeAlias: 'friend' } }, columns[2]] })
      const job = await run(id)
      assert.deepEqual(numbers(job), [10_040, 10_040, 1, 0, 0, 10_039])
      const failed = (await failedOf(id)).toString().trimEnd().split('\r\n').slice(1)
      assert.deepEqual(
        failed.map((row) => row.split(',').slice(0, 3).join(',')),
        rows.filter((_row, at) => at !== 9),
      )
      const listed = async (offset: number) =>
        (await send<object[]>(shop.admin, 'GET', `/api/v1/bulk-jobs/${job.id}/errors?offset=${offset}&limit=100`)).body
          .length
      assert.deepEqual([await listed(9950), await listed(10_000)], [50, 0])
    },
  )

  it('keeps in failed.csv the delimiter and encoding of the file, also of rows that could not be read', async () => {
    const file = Buffer.from('id;sku;count\r\nä-1;"a;b";1,5\r\nq-1;"Größe"x;1\r\nq-2;€;1;2\r\nq-3;ok;1,5\r\n', 'latin1')
    file[file.indexOf(0x3f) === -1 ? 0 : file.indexOf(0x3f)] ||= 0x80
    const { id } = await take(file)
    await map(id)
    assert.equal((await run(id)).failed, 3)
    const text = new TextDecoder('windows-1252').decode(await failedOf(id))
    const rows = text.trimEnd().split('\r\n')
    assert.equal(rows[0], 'id;sku;count;error;message')
    assert.match(rows[1]!, /^ä-1;"a;b";1,5;VALIDATION_ERROR;/)
    assert.match(rows[2]!, /^q-1;"Größe"x;1;VALIDATION_ERROR;/)
    assert.match(rows[3]!, /^q-2;.*;1;2;VALIDATION_ERROR;/)
    for (const mark of ['\ufeff', '']) {
      const marked = await take(`${mark}id,sku,count\nö-1,s,x\n`)
      await map(marked.id)
      assert.equal((await run(marked.id)).failed, 1)
      assert.match((await failedOf(marked.id)).toString(), new RegExp(`^${mark}id,sku,count,error,message\r\nö-1,s,x,`))
    }
  })

  it('has in failed.csv the cells of the rows of a sheet, also of rows that could not be read', async () => {
    const wrong = { xml: '<c t="e"><v>#N/A</v></c>' }
    const rows = [
      ['id', 'sku', 'count'],
      ['x-1', 'a', wrong],
      ['x-2', wrong, 7],
      ['x-3', 'b', 'many'],
      ['x-4', 'c', 1, 'more'],
    ]
    const { id } = await take(xlsxFile(rows), { type: 'application/octet-stream', query: 'fileName=a.xlsx' })
    await map(id)
    assert.equal((await run(id)).failed, 4)
    const [head, ...failed] = (await failedOf(id)).toString().trimEnd().split('\r\n')
    assert.equal(head, 'id,sku,count,error,message')
    const beginnings = ['x-1,a,#N/A,', 'x-2,#N/A,7,', 'x-3,b,many,', 'x-4,c,1,more,']
    for (const [at, row] of failed.entries()) assert.ok(row.startsWith(`${beginnings[at]}VALIDATION_ERROR,`), row)
    assert.equal(failed.length, 4)
  })

  it('writes rows whose parents and references stand later when these are there, and undoes them in the other order', async () => {
    const rows = ['id,parent,friend', 'v-1,v-2,v-3', 'v-2,,', 'v-3,,v-4', 'v-4,,v-3', 'v-5,,v-none', 'v-6,v-none,']
    const { id } = await take(rows.join('\n'))
    const mapped = [
      { header: 'id', to: { field: 'id' } },
      { header: 'parent', to: { field: 'parentId' } },
      { header: 'friend', to: { attributeAlias: 'friend' } },
    ]
    await map(id, { columns: mapped })
    assert.deepEqual(numbers(await run(id, 'dry-run')), [6, 6, 4, 0, 0, 2])
    const job = await run(id)
    assert.deepEqual(numbers(job), [6, 6, 4, 0, 0, 2])
    assert.deepEqual(
      (await errorsOf(shop.admin, job.id)).map(({ line }) => line),
      [6, 7],
    )
    const variant = await readRecord(shop.admin, 'v-1')
    assert.deepEqual([variant.parentId, variant.values], ['v-2', { friend: everywhere('v-3') }])
    assert.deepEqual((await readRecord(shop.admin, 'v-3')).values, { friend: everywhere('v-4') })
    assert.deepEqual((await readRecord(shop.admin, 'v-4')).values, { friend: everywhere('v-3') })
    const undone = await undoJob(shop.admin, job.id)
    assert.deepEqual([undone.changed, undone.failed], [4, 0], JSON.stringify(await errorsOf(shop.admin, undone.id)))
    for (const gone of ['v-1', 'v-2', 'v-3', 'v-4']) assert.ok(!(await exists(gone)), gone)
  })

  it('counts a row as failed whose partner fails after it, as the import of a stream does', async () => {
    await make(shop.admin, '/api/v1/records', { schemaId: 'sch-item', values: { sku: everywhere('TAKEN') } })
    const file = (name: string) => `id,sku,friend\n${name}-1,${name},${name}-2\n${name}-2,TAKEN,${name}-1\n`
    const { id } = await take(file('PAIR'))
    await map(id, { columns: [...columns.slice(0, 2), { header: 'friend', to: { attributeAlias: 'friend' } }] })
    assert.deepEqual(numbers(await run(id, 'dry-run')), [2, 2, 0, 0, 0, 2])
    assert.deepEqual(numbers(await run(id)), [2, 2, 0, 0, 0, 2])
    const result = await importFile(shop.admin, file('OTHER'), 'schemaId=sch-item', CSV)
    assert.deepEqual(counts(result), [0, 0, 0, 2])
    assert.deepEqual(failures(result), ['2 OTHER-1 VALIDATION_ERROR', '3 OTHER-2 CONFLICT'])
  })

  it('of JSON lines needs a schema and a mode only, and of a spreadsheet a sheet', async () => {
    const { id, columns: none } = await take('{"id":"j-1","values":{}}\n\nno json\n', {
      type: NDJSON,
      query: 'fileName=a.ndjson',
    })
    assert.deepEqual(none, [])
    await map(id, { columns: [] })
    assert.deepEqual(numbers(await run(id)), [2, 2, 1, 0, 0, 1])
    const sheet = await take(
      xlsxFile([
        ['id', 'sku', 'count'],
        ['s-1', 'S1', 1.5],
        ['s-2', 'S2', 'x'],
      ]),
      { type: XLSX_TYPE, query: 'fileName=a' },
    )
    await map(sheet.id)
    assert.deepEqual(numbers(await run(sheet.id)), [2, 2, 1, 0, 0, 1])
    assert.match((await failedOf(sheet.id)).toString(), /^id,sku,count,error,message\r\ns-2,S2,x,VALIDATION_ERROR,/)
  })

  it('takes a profile that is kept', async () => {
    await make(shop.admin, '/api/v1/import-profiles', {
      id: 'ipr-1',
      name: 'P',
      schemaId: 'sch-item',
      mode: 'upsert',
      matchBy: 'sku',
      columns,
    })
    const { id } = await take('id,sku,count\np-1,P1,1\n,P1,2\n')
    const mapped = await send<ImportBody>(shop.admin, 'PUT', `${PATH}/${id}/mapping`, { profileId: 'ipr-1' })
    assert.deepEqual(
      [mapped.body.profileId, mapped.body.mapping],
      ['ipr-1', { schemaId: 'sch-item', mode: 'upsert', matchBy: 'sku', emptyCells: 'keep', columns }],
    )
    assert.deepEqual(numbers(await run(id, 'run?duplicates=last')), [2, 2, 1, 1, 0, 0])
    const refused = await send(shop.admin, 'PUT', `${PATH}/${id}/mapping`, { profileId: 'ipr-none' })
    assertRefused(refused, 'VALIDATION_ERROR', 'profileId', 'ipr-none')
  })

  it('follows an attribute that gets another alias', async () => {
    const attributes = [{ alias: 'code', dataType: 'text', unique: true }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-old', name: 'Old', attributes })
    const { id } = await take('Code\nold-1\n')
    const to = (attributeAlias: string) => [{ header: 'Code', to: { attributeAlias } }]
    await map(id, { schemaId: 'sch-old', mode: 'upsert', matchBy: 'code', columns: to('code') })
    const renaming = { from: 'code', to: 'number' }
    const job = await send<BulkJobBody>(shop.admin, 'POST', '/api/v1/schemas/sch-old/rename-attribute', renaming)
    await untilEnded(shop.admin, job.body.id)
    const { matchBy, columns: after } = (await get(id)).mapping as { matchBy: string; columns: object[] }
    assert.deepEqual([matchBy, after], ['number', to('number')])
    const { status, created } = await run(id)
    assert.deepEqual([status, created], ['succeeded', 1])
  })

  it('refuses what cannot be read, does not fit the file, or is too large, and leaves nothing of it', async () => {
    const before = await importFilesIn(shop.dataDir)
    assertRefused(await upload('id\n', { query: 'fileName=' }), 'VALIDATION_ERROR', 'fileName')
    assertRefused(await upload('id\n', { query: '' }), 'VALIDATION_ERROR', 'fileName')
    assertRefused(await upload('id\n', { query: 'fileName=a&name=b' }), 'VALIDATION_ERROR', 'name')
    assertRefused(
      await upload('id\n', { type: 'application/octet-stream', query: 'fileName=a.doc' }),
      'VALIDATION_ERROR',
      'fileName',
    )
    assertRefused(await upload('id\n', { query: 'fileName=a&schemaId=none' }), 'VALIDATION_ERROR', 'schemaId')
    assertRefused(await upload('no xlsx', { type: XLSX_TYPE, query: 'fileName=a.xlsx' }), 'VALIDATION_ERROR', 'xlsx')
    assertRefused(await upload(''), 'VALIDATION_ERROR', 'empty')
    assertRefused(
      await upload(Array.from({ length: 501 }, (_, n) => `c${n}`).join(',')),
      'VALIDATION_ERROR',
      '500 columns',
    )
    assertRefused(await upload('x'.repeat(250_001)), 'PAYLOAD_TOO_LARGE', '--max-import')
    assert.deepEqual(await importFilesIn(shop.dataDir), before)
    const { id } = await take('id,sku\n1,2\n')
    const mapping = { schemaId: 'sch-item', columns }
    assertRefused(
      await send(shop.admin, 'PUT', `${PATH}/${id}/mapping`, mapping),
      'VALIDATION_ERROR',
      "no column 'count'",
    )
    assertRefused(
      await send(shop.admin, 'PUT', `${PATH}/${id}/mapping`, { ...mapping, columns: [] }),
      'VALIDATION_ERROR',
      'columns',
    )
    assertRefused(
      await send(shop.admin, 'PUT', `${PATH}/${id}/mapping`, { ...mapping, modes: 1 }),
      'VALIDATION_ERROR',
      'modes',
    )
    // DELETE /api/v1/imports/:id
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/${id}`)).status, 204)
    assertRefused(await send(shop.admin, 'GET', `${PATH}/${id}`), 'NOT_FOUND', id)
    assert.deepEqual(await importFilesIn(shop.dataDir), before)
  })

  it('is there for who has uploaded it, and for who manages users', async () => {
    const clerk = await shop.clientWith(['records.read', 'records.create', 'records.update'])
    const other = await shop.clientWith(['records.read', 'records.create', 'records.update'])
    const mine = await upload('id\nx\n', { client: clerk })
    assert.equal(mine.status, 201, mine.text)
    assertRefused(await send(other, 'GET', `${PATH}/${mine.body.id}`), 'NOT_FOUND')
    assert.equal((await send(shop.admin, 'GET', `${PATH}/${mine.body.id}`)).status, 200)
    assert.deepEqual((await send<ImportBody[]>(other, 'GET', PATH)).body, [])
    const creator = await shop.clientWith(['records.create'])
    assertRefused(await upload('id\nx\n', { client: creator }), 'PERMISSION_DENIED', 'records.update')
  })

  it('is taken over (POST /api/v1/imports/:id/take-over) by who manages users and may read what its mapping names', async () => {
    const { body: mine } = await upload(Buffer.from('sku,count\nX-1,1\n'), { client: shop.editor })
    const mapped = { schemaId: 'sch-item', columns: columns.slice(1) }
    assert.equal((await send(shop.editor, 'PUT', `${PATH}/${mine.id}/mapping`, mapped)).status, 200)
    const rights = ['records.create', 'records.update'] as const
    const hidden = { attributePermissions: { 'sch-item': { count: 'none' } } }
    const path = `${PATH}/${mine.id}/take-over`
    assertRefused(await send(await shop.clientWith([...rights]), 'POST', path), 'NOT_FOUND')
    const blind = await shop.clientWith([...rights, 'users.manage', 'model.write'], hidden)
    assertRefused(await send(blind, 'POST', path), 'PERMISSION_DENIED', 'count')
    const seen = await send<ImportBody>(blind, 'GET', `${PATH}/${mine.id}`)
    assert.deepEqual([seen.status, seen.text.includes('X-1')], [200, false])
    const elsewhere = { schemaId: 'sch-item', columns: columns.slice(1, 2) }
    for (const [method, end, body] of [
      ['PUT', 'mapping', elsewhere],
      ['GET', 'proposal', undefined],
      ['GET', 'failed.csv', undefined],
    ] as const)
      assertRefused(await send(blind, method, `${PATH}/${mine.id}/${end}`, body), 'PERMISSION_DENIED', 'count')
    assert.match((await send(shop.admin, 'GET', `${PATH}/${mine.id}`)).text, /X-1/)
    const taken = await send<ImportBody>(shop.admin, 'POST', path)
    assert.deepEqual([taken.status, taken.body['ownerId'], taken.body.status], [200, 'key-bootstrap', 'mapped'])
    assert.equal(taken.body['createdBy'], mine['ownerId'])
    assertRefused(await send(shop.editor, 'GET', `${PATH}/${mine.id}`), 'NOT_FOUND')
    const listed = await send<ImportBody[]>(shop.admin, 'GET', PATH)
    assert.ok(listed.body.some(({ id }) => id === mine.id))
  })

  it('without a mapping of columns shows its cells only to who may read what its header, or any line, may name', async () => {
    const plain = { id: 'sch-plain-file', name: 'P', attributes: [{ alias: 'title', dataType: 'text' }] }
    await make(shop.admin, '/api/v1/schemas', plain)
    const hidden = { attributePermissions: { 'sch-item': { count: 'none' } } }
    const blind = await shop.clientWith(['records.create', 'records.update', 'users.manage'], hidden)
    const line = `${JSON.stringify({ schemaId: 'sch-item', values: { count: everywhere(7777) } })}\n`
    for (const [content, type, schemaId, isSeen] of [
      ['sku,count\nX-2,7777\n', CSV, 'sch-item', false],
      ['schemaId,count\nsch-item,7777\n', CSV, 'sch-plain-file', false],
      [line, NDJSON, 'sch-plain-file', false],
      ['title\n7777\n', CSV, 'sch-plain-file', true],
    ] as const) {
      const { id } = await take(content, { type })
      await map(id, { schemaId, mode: 'create', columns: null })
      assert.equal((await send(blind, 'GET', `${PATH}/${id}`)).text.includes('7777'), isSeen, content)
      const failed = await ask(blind, `${PATH}/${id}/failed.csv`)
      assert.equal(failed.status, isSeen ? 200 : 403, content)
      assert.equal((await send(blind, 'POST', `${PATH}/${id}/take-over`)).status, isSeen ? 200 : 403, content)
    }
  })

  it('is uploaded once under one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'import-once' }
    const [first, again] = [await upload('id\n1\n', { headers }), await upload('id\n1\n', { headers })]
    assert.deepEqual([again.status, again.body, again.headers.get('idempotency-replayed')], [201, first.body, 'true'])
    assertRefused(await upload('id\n2\n', { headers }), 'CONFLICT', 'Idempotency-Key')
  })

  it('is cancelled as a job is, and goes on nowhere', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `x-${n},X${n},1`)
    const { id } = await take(['id,sku,count', ...rows].join('\n'))
    await map(id)
    const job = await send<BulkJobBody>(shop.admin, 'POST', `${PATH}/${id}/run`)
    assertRefused(await send(shop.admin, 'POST', `${PATH}/${id}/run`), 'CONFLICT', job.body.id)
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/${id}`), 'CONFLICT', job.body.id)
    const cancelled = await send(shop.admin, 'POST', `/api/v1/bulk-jobs/${job.body.id}/cancel`)
    assert.equal(cancelled.status, 202, cancelled.text)
    const ended = await untilEnded(shop.admin, job.body.id)
    assert.deepEqual([ended.status, ended.done < 3000], ['cancelled', true])
    assert.equal((await get(id)).status, 'done')
  })

  it('waits until something of it has changed', async () => {
    const { id } = await take('id,sku,count\nn-1,N,1\n')
    const waiting = send<ImportBody>(shop.admin, 'GET', `${PATH}/${id}?wait=20`)
    await map(id)
    assert.equal((await waiting).body.status, 'mapped')
  })
})
