// A key stands once in a file that is imported: its second line fails, or the last one is taken. Contract 3 §12.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { send } from '../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, untilEnded } from '../../helpers/bulk-jobs.ts'
import { counts, CSV, failures, importFile, lines, NDJSON } from '../../helpers/importing.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { xlsxFile } from '../../helpers/xlsx-file.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'count', dataType: 'number' },
      { alias: 'friend', dataType: 'reference' },
    ],
  })
})
after(() => shop.stop())

const QUERY = 'schemaId=sch-item&mode=upsert'
const valueOf = async (id: string, alias: string) => (await readRecord(shop.admin, id)).values[alias]
const item = (id: string, count: number, friend?: string) => ({
  id,
  values: { count: everywhere(count), ...(friend === undefined ? {} : { friend: everywhere(friend) }) },
})
const files = (prefix: string): [string, string | Buffer][] => [
  [NDJSON, lines(item(`${prefix}-a`, 1), item(`${prefix}-b`, 2), '', item(`${prefix}-a`, 3), item(`${prefix}-a`, 4))],
  [CSV, `id,count\n${prefix}-c,1\n${prefix}-d,2\n${prefix}-c,3\n${prefix}-c,4\n`],
  [
    XLSX_TYPE,
    xlsxFile([
      ['id', 'count'],
      [`${prefix}-e`, 1],
      [`${prefix}-f`, 2],
      [`${prefix}-e`, 3],
      [`${prefix}-e`, 4],
    ]),
  ],
]

async function runKept(body: string | Buffer, type: string, mapping: object, query = ''): Promise<BulkJobBody> {
  const response = await fetch(`${shop.admin.url}/api/v1/imports?fileName=f`, {
    method: 'POST',
    headers: { ...shop.admin.headers, 'content-type': type },
    body: body as string,
  })
  const { id } = (await response.json()) as { id: string }
  await send(shop.admin, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  const begun = await send<BulkJobBody>(shop.admin, 'POST', `/api/v1/imports/${id}/run${query}`)
  assert.equal(begun.status, 202, begun.text)
  return untilEnded(shop.admin, begun.body.id)
}
const plain = { schemaId: 'sch-item', mode: 'upsert', columns: null }

describe('A key that a file has twice', () => {
  it('fails at its second line, which names the first, in each format and in a dry run', async () => {
    for (const [type, body] of files('one')) {
      for (const how of ['&dryRun=true', '']) {
        const taken = await importFile(shop.admin, body, `${QUERY}${how}`, type)
        assert.deepEqual(counts(taken), [2, 0, 0, 2], type)
        for (const { error, message } of taken.errors) {
          assert.equal(error, 'CONFLICT')
          assert.match(message, type === NDJSON ? /line 1 / : /line 2 /)
        }
      }
      const first = type === NDJSON ? 'one-a' : type === CSV ? 'one-c' : 'one-e'
      assert.deepEqual(await valueOf(first, 'count'), everywhere(1))
    }
  })

  it('fails in a file that is kept, too, where it is named with its ID', async () => {
    for (const [type, body] of files('kept')) {
      const job = await runKept(body, type, plain)
      assert.deepEqual([job.created, job.failed], [2, 2])
      const errors = await errorsOf(shop.admin, job.id)
      assert.deepEqual(
        errors.map(({ error, recordId }) => [error, recordId?.startsWith('kept-')]),
        [
          ['CONFLICT', true],
          ['CONFLICT', true],
        ],
      )
    }
  })

  it('is taken again with duplicates=last, so that the last line holds', async () => {
    for (const [type, body] of files('last')) {
      const taken = await importFile(shop.admin, body, `${QUERY}&duplicates=last`, type)
      assert.deepEqual(counts(taken), [2, 2, 0, 0], JSON.stringify(taken.errors))
      const first = type === NDJSON ? 'last-a' : type === CSV ? 'last-c' : 'last-e'
      assert.deepEqual(await valueOf(first, 'count'), everywhere(4))
    }
    const job = await runKept('id,count\nl-1,1\nl-1,5\n', CSV, plain, '?duplicates=last')
    assert.deepEqual([job.created, job.updated, await valueOf('l-1', 'count')], [1, 1, everywhere(5)])
  })

  it('is the value of matchBy, where records are found by it', async () => {
    const body = 'sku,count\nM1,1\nM2,2\nM1,3\n'
    const taken = await importFile(shop.admin, body, `${QUERY}&matchBy=sku`, CSV)
    assert.deepEqual([counts(taken), failures(taken)], [[2, 0, 0, 1], ['4 null CONFLICT']])
    assert.match(taken.errors[0]!.message, /sku 'M1' is in line 2/)
    const job = await runKept(body, CSV, { ...plain, matchBy: 'sku', mode: 'update' })
    assert.deepEqual([job.unchanged, job.failed], [2, 1])
  })

  it('is not taken from an earlier line that had to wait for what it names', async () => {
    const body = lines(item('w-1', 1, 'w-end'), item('w-1', 2), item('w-end', 3))
    const taken = await importFile(shop.admin, body, `${QUERY}&duplicates=last`)
    assert.deepEqual(failures(taken), ['1 w-1 CONFLICT'])
    assert.deepEqual(await valueOf('w-1', 'count'), everywhere(2))
    const kept = lines(item('v-1', 1, 'v-end'), item('v-1', 2), item('v-end', 3))
    const job = await runKept(kept, NDJSON, plain, '?duplicates=last')
    assert.deepEqual([job.created, job.failed, await valueOf('v-1', 'count')], [2, 1, everywhere(2)])
  })

  it('is judged by the categories of its earlier lines, in a dry run, too', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
    for (const id of ['ctg-a', 'ctg-b']) await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name: id })
    const columns = ['id', 'categories'].map((field) => ({ header: field, to: { field } }))
    const profile = { id: 'ipr-placed', name: 'Placed', schemaId: 'sch-item', mode: 'upsert', columns }
    await make(shop.admin, '/api/v1/import-profiles', profile)
    const file = 'id,categories\nk-1,ctg-a\nk-1,ctg-a\nk-1,ctg-b\nk-2,\nk-2,ctg-b|ctg-a\nk-2,ctg-a|ctg-b\n'
    for (const how of ['&dryRun=true', '']) {
      const taken = await importFile(shop.admin, file, `profile=ipr-placed&duplicates=last${how}`, CSV)
      assert.deepEqual(counts(taken), [2, 2, 2, 0], how)
    }
  })
})
