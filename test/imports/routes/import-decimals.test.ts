// The decimal sign of a csv is settled once for the whole file, or asked for. Contract 3 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../../helpers/bulk-jobs.ts'
import { counts, CSV, importFile, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'text', dataType: 'text' },
      { alias: 'number', dataType: 'number' },
    ],
  })
})
after(() => shop.stop())

const QUERY = 'schemaId=sch-item&mode=upsert'
const send1 = (body: string, query = '') => sendImport(shop.admin, body, { query: `${QUERY}${query}`, type: CSV })
const take = (body: string, query = '') => importFile(shop.admin, body, `${QUERY}${query}`, CSV)
const numberOf = async (id: string) => (await readRecord(shop.admin, id)).values['number']
const fileOf = (...rows: readonly string[]) => rows.map((row) => `${row}\n`).join('')

async function upload(body: string, query = ''): Promise<{ id: string; decimal: string | null }> {
  const response = await fetch(`${shop.admin.url}/api/v1/imports?fileName=a.csv${query}`, {
    method: 'POST',
    headers: { ...shop.admin.headers, 'content-type': CSV },
    body,
  })
  assert.equal(response.status, 201)
  const made = (await response.json()) as { id: string; decimal: string | null }
  const plan = { schemaId: 'sch-item', mode: 'upsert', columns: null }
  assert.equal((await send(shop.admin, 'PUT', `/api/v1/imports/${made.id}/mapping`, plan)).status, 200)
  return made
}
const begin = (id: string, how = 'run') => send<BulkJobBody>(shop.admin, 'POST', `/api/v1/imports/${id}/${how}`)
const decimalOf = async (id: string) =>
  (await send<{ decimal: string | null }>(shop.admin, 'GET', `/api/v1/imports/${id}`)).body.decimal

describe('The decimal sign of a csv', () => {
  it('is asked for where every number can be read with either sign, and the dry run asks, too', async () => {
    for (const written of ['1.200', '"1,200"']) {
      const body = fileOf('id,text,number', `e-1,a 12.34,${written}`, 'e-2,b,7')
      for (const query of ['', '&dryRun=true'])
        assertRefused(await send1(body, query), 'VALIDATION_ERROR', "The column 'number' has '1")
      assertRefused(await send(shop.admin, 'GET', '/api/v1/records/e-1'), 'NOT_FOUND', 'e-1')
    }
    const body = fileOf('id;number', 'e-1;1.200')
    assert.equal((await take(body, '&decimal=,')).decimal, ',')
    assert.deepEqual(await numberOf('e-1'), everywhere(1200))
    assert.equal((await take(body, '&decimal=.')).decimal, '.')
    assert.deepEqual(await numberOf('e-1'), everywhere(1.2))
  })

  it('is settled by one number of any column that holds numbers, and by no text', async () => {
    await take(fileOf('id;text;number', 's-1;12.34;1.200', 's-2;;0,5'))
    assert.deepEqual(await numberOf('s-1'), everywhere(1200))
    await take(fileOf('id;text;number', 's-1;12,34;1.200', 's-2;;0.5'))
    assert.deepEqual(await numberOf('s-1'), everywhere(1.2))
    await take(fileOf('id;number', 's-1;1.200', 's-2;1.200.300'))
    assert.deepEqual(await numberOf('s-2'), everywhere(1_200_300))
  })

  it('is not asked for where it is nothing to the file', async () => {
    const taken = await take(fileOf('id;text', 'n-1;1.200'))
    assert.deepEqual([counts(taken), taken.decimal], [[1, 0, 0, 0], '.'])
    assert.deepEqual(counts(await take(fileOf('id;number', 'n-2;1200', 'n-3;'))), [2, 0, 0, 0])
  })

  it('is known of an export of pimlet, which groups no thousands', async () => {
    const header = 'id;schemaId;parentId;lifecycleStateId;createdAt;updatedAt;number'
    await take(fileOf(header, 'x-1;sch-item;;;;;1.125'))
    assert.deepEqual(await numberOf('x-1'), everywhere(1.125))
    await take(fileOf(header, 'x-1;sch-item;;;;;1,250'))
    assert.deepEqual(await numberOf('x-1'), everywhere(1.25))
  })

  const LEAD = Array.from({ length: 300 }, (_row, index) => `f-${index};${index}`)

  it('is asked for because of a number far down, before anything is written', async () => {
    const body = fileOf('id;number', ...LEAD, 'f-end;1.200')
    for (const query of ['&dryRun=true', ''])
      assertRefused(await send1(body, query), 'VALIDATION_ERROR', "'number' has '1.200', which can be 1200 or 1.2")
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/f-0'), 'NOT_FOUND', 'f-0')
  })

  it('is found far down in a file that arrives, as in one that is kept', async () => {
    for (const [sign, last, value] of [
      [',', '0,5', 1200],
      ['.', '0.5', 1.2],
    ] as const) {
      const body = fileOf('id;number', 'f-first;1.200', ...LEAD, `f-end;${last}`)
      const taken = await take(body)
      assert.deepEqual([taken.decimal, taken.failed], [sign, 0])
      assert.deepEqual(await numberOf('f-first'), everywhere(value))
      assert.deepEqual(await take(body, `&decimal=${sign}`), { ...taken, created: 0, updated: 0, unchanged: 302 })
    }
  })

  it('is that of the first 200 rows where later ones say another, however long rows are', async () => {
    const filler = 'x'.repeat(5000)
    const rows = Array.from({ length: 210 }, (_row, index) => `l-${index};${filler};${index < 100 ? '0.5' : '0,5'}`)
    const body = fileOf('id;text;number', ...rows.slice(0, 99), ...rows.slice(100))
    const { id } = await upload(body)
    await untilEnded(shop.admin, (await begin(id, 'dry-run')).body.id)
    assert.deepEqual((await take(body, '&dryRun=true')).decimal, await decimalOf(id))
  })

  it('is found in all rows of a file that is kept', async () => {
    const rows = Array.from({ length: 300 }, (_row, index) => `k-${index};1.${100 + index}`)
    const { id, decimal } = await upload(fileOf('id;number', ...rows, 'k-end;0,5'))
    assert.equal(decimal, null)
    await untilEnded(shop.admin, (await begin(id)).body.id)
    assert.deepEqual([await decimalOf(id), await numberOf('k-0')], [',', everywhere(1100)])
  })

  it('is asked for before a kept file is tried or imported, and can be said then', async () => {
    const { id } = await upload(fileOf('id;number', 'p-1;1.200'))
    for (const how of ['dry-run', 'run'])
      assertRefused(await begin(id, how), 'VALIDATION_ERROR', "'1.200', which can be 1200 or 1.2: say by decimal")
    await untilEnded(shop.admin, (await begin(id, 'run?decimal=,')).body.id)
    assert.deepEqual([await decimalOf(id), await numberOf('p-1')], [',', everywhere(1200)])
  })

  it('can be sent back as it was told, which gives the same answer', async () => {
    const cell = fc.oneof(
      fc.constantFrom('', '7', '1.200', '1,200', '0,5', '0.5', '1.234,5', '1,234.5', '12.34', '1.200.300', 'x', '2,5'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 12 }), async (cells) => {
        const body = fileOf('id;number', ...cells.map((text, index) => `b-${index};${text}`))
        const first = await send1(body, '&dryRun=true')
        if (first.status === 400) return
        const again = await send1(body, `&dryRun=true&decimal=${first.body.decimal}`)
        assert.deepEqual(again.body, first.body)
      }),
      { numRuns: 60 },
    )
  })
})
