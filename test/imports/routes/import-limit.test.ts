// Imports of more records than there may be: said in a dry run, and refused before the first row is written. Contract 2 §7, 3 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, untilEnded } from '../../helpers/bulk-jobs.ts'
import { counts, CSV, importFile, lines, sendImport } from '../../helpers/importing.ts'
import { everywhere, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { xlsxFile } from '../../helpers/xlsx-file.ts'

const MAX = 10

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: MAX })
  await importFile(shop.admin, shirts('first', 4))
})
after(() => shop.stop())

const shirt = (id: string, values: object = {}) => ({ id, schemaId: 'sch-shirt', values })
const shirts = (name: string, count: number, values: object = {}) =>
  lines(...Array.from({ length: count }, (_, index) => shirt(`${name}-${index}`, values)))
const wrong = { weight: everywhere(-1) }
const total = async () => (await send<{ total: number }>(shop.admin, 'GET', '/api/v1/records?limit=1')).body.total
const remove = async (name: string, count: number) => {
  for (let index = 0; index < count; index += 1)
    await send(shop.admin, 'DELETE', `/api/v1/records/${name}-${index}`, undefined, { 'if-match': '*' })
}
const PASSED = 'there would be 11 records, and there may be 10 (--max-records)'

type Limited = BulkJobBody & { limit?: object }

/** An import by a job. */
async function byJob(body: string, how: 'run' | 'dry-run', mapping: object = {}, type = 'application/x-ndjson') {
  const made = await fetch(`${shop.url}/api/v1/imports?fileName=a`, {
    method: 'POST',
    headers: { ...shop.admin.headers, 'content-type': type },
    body,
  })
  const { id } = (await made.json()) as { id: string }
  await send(shop.admin, 'PUT', `/api/v1/imports/${id}/mapping`, { columns: null, ...mapping })
  const begun = await send<BulkJobBody>(shop.admin, 'POST', `/api/v1/imports/${id}/${how}`)
  assert.equal(begun.status, 202, begun.text)
  return (await untilEnded(shop.admin, begun.body.id)) as Limited
}

describe('An import that would pass the limit of records', () => {
  it('says so in its dry run, which counts every record that it would make', async () => {
    const dry = await importFile(shop.admin, shirts('more', 7), 'dryRun=true')
    assert.deepEqual(counts(dry), [7, 0, 0, 0])
    assert.deepEqual(dry.limit, { records: 11, max: MAX })
    const job = await byJob(shirts('more', 7), 'dry-run')
    assert.deepEqual([job.status, job.created, job.failed, job.limit], ['succeeded', 7, 0, { records: 11, max: MAX }])
    // As it was then.
    await importFile(shop.admin, shirts('other', 2))
    const later = await send<Limited>(shop.admin, 'GET', `/api/v1/bulk-jobs/${job.id}`)
    assert.deepEqual(later.body.limit, { records: 11, max: MAX })
    await remove('other', 2)
  })

  it('says nothing where there is room', async () => {
    const file = shirts('more', 6) + shirts('wrong', 3, wrong)
    const dry = await importFile(shop.admin, file, 'dryRun=true')
    assert.deepEqual([counts(dry), dry.limit], [[6, 0, 0, 3], undefined])
    assert.equal((await byJob(file, 'dry-run')).limit, undefined)
  })

  it('is refused before it writes a record', async () => {
    for (const file of [shirts('more', 7), shirts('wrong', 3, wrong) + shirts('more', 7)])
      for (const query of ['', 'mode=upsert', 'mode=upsert&duplicates=last'])
        assertRefused(await sendImport(shop.admin, file, { query }), 'LIMIT_EXCEEDED', PASSED)
    const rows = Array.from({ length: 7 }, (_, index) => [`more-${index}`, 'sch-shirt'])
    const csv = [['id', 'schemaId'], ...rows].map((cells) => `${cells.join(',')}\n`).join('')
    assertRefused(await sendImport(shop.admin, csv, { type: CSV }), 'LIMIT_EXCEEDED', PASSED)
    const sheet = xlsxFile([['id', 'schemaId'], ...rows])
    assertRefused(await sendImport(shop.admin, sheet, { type: XLSX_TYPE }), 'LIMIT_EXCEEDED', PASSED)
    assert.equal(await total(), 4)
  })

  it('fails as a job before it writes a record', async () => {
    for (const mode of ['create', 'upsert']) {
      const job = await byJob(shirts('wrong', 3, wrong) + shirts('more', 7), 'run', { mode })
      assert.deepEqual([job.status, job.changed, job.limit], ['failed', 0, undefined])
      const [error] = await errorsOf(shop.admin, job.id)
      assert.deepEqual([error?.error, error?.recordId], ['LIMIT_EXCEEDED', null])
      assert.ok(error!.message.includes(PASSED), error!.message)
    }
    assert.equal(await total(), 4)
  })

  it('counts variants whose parents stand later in the file', async () => {
    const variants = Array.from({ length: 6 }, (_, index) => ({ ...shirt(`more-v${index}`), parentId: 'more-0' }))
    const file = lines(...variants, shirt('more-0'))
    assertRefused(await sendImport(shop.admin, file), 'LIMIT_EXCEEDED', PASSED)
    assert.equal((await byJob(file, 'run')).status, 'failed')
    assert.equal(await total(), 4)
  })
})

describe('An import of more rows than there is room for', () => {
  it('is taken where its rows fail, or name records that are there', async () => {
    const file = shirts('first', 4) + shirts('wrong', 6, wrong) + shirts('more', 6)
    for (const take of [
      async () => counts(await importFile(shop.admin, file, 'mode=upsert')),
      async () => {
        const { created, updated, unchanged, failed } = await byJob(file, 'run', { mode: 'upsert' })
        return [created, updated, unchanged, failed]
      },
    ]) {
      assert.deepEqual(await take(), [6, 0, 4, 6])
      assert.equal(await total(), MAX)
      await remove('more', 6)
    }
  })

  it('is taken where records are found by a value', async () => {
    const stock = Array.from({ length: 3 }, (_, index) => shirt(`more-${index}`, { sku: everywhere(`S-${index}`) }))
    await importFile(shop.admin, lines(...stock))
    const named = (index: number) => ({
      schemaId: 'sch-shirt',
      values: { sku: everywhere(`S-${index}`), weight: everywhere(2) },
    })
    const query = 'mode=upsert&matchBy=sku'
    const [three, more] = [lines(...[0, 1, 2].map(named)), lines(...[0, 1, 2, 3, 4, 5, 6].map(named))]
    assertRefused(await sendImport(shop.admin, more, { query }), 'LIMIT_EXCEEDED', PASSED)
    assert.deepEqual(counts(await importFile(shop.admin, three.repeat(4), `${query}&duplicates=last`)), [0, 3, 9, 0])
    assert.equal((await byJob(more, 'run', { mode: 'upsert', matchBy: 'sku' })).status, 'failed')
    await remove('more', 3)
  })

  it('never makes more than there may be, also where two are taken at once', async () => {
    const answers = await Promise.all(
      ['more', 'other'].map((name) => sendImport(shop.admin, shirts(name, 5), { query: 'mode=upsert' })),
    )
    const created = answers.map(({ status, body }) => (status === 200 ? body.created : 0))
    assert.equal(await total(), 4 + created[0]! + created[1]!)
    // Whoever comes first is taken whole; the other one is refused, whole or line by line.
    assert.ok(created.some((count) => count > 0) && created[0]! + created[1]! <= 6, String(created))
    for (const { status, body } of answers)
      if (status === 200) for (const { error } of body.errors) assert.equal(error, 'LIMIT_EXCEEDED')
    await remove('more', 5)
    await remove('other', 5)
  })

  it('is taken up to the limit, line by line, where only what comes behind its first MiB passes it', async () => {
    const wide = { toString: everywhere('x'.repeat(60_000)) }
    const file = shirts('wrong', 20, { ...wide, ...wrong }) + shirts('more', 8)
    const result = await importFile(shop.admin, file)
    assert.deepEqual(counts(result), [6, 0, 0, 22])
    assert.equal(result.errors.at(-1)?.error, 'LIMIT_EXCEEDED')
    await remove('more', 6)
  })
})
