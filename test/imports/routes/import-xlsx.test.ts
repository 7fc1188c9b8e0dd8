// Import of spreadsheets, good ones and others. Contract 3 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { assertRefused } from '../../helpers/answers.ts'
import { counts, CSV, failures, sendImport } from '../../helpers/importing.ts'
import { everywhere, make, readRecord, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { importFilesIn } from '../../helpers/tested-database.ts'
import { type Part, workbookParts, xlsxFile, zip } from '../../helpers/xlsx-file.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0, maxBody: 100_000, maxImport: 12_000_000 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-item',
    name: 'Items',
    attributes: [
      { alias: 'text', dataType: 'text' },
      { alias: 'number', dataType: 'number' },
      { alias: 'yes', dataType: 'boolean' },
      { alias: 'day', dataType: 'date' },
      { alias: 'moment', dataType: 'dateTime' },
    ],
  })
})
after(() => shop.stop())

const send = (body: Buffer, query = '') =>
  sendImport(shop.admin, body, { type: XLSX_TYPE, query: `schemaId=sch-item&${query}` })
const take = async (body: Buffer, query = '') => {
  const answer = await send(body, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const valuesOf = async (id: string) => (await readRecord(shop.admin, id)).values
/** Milliseconds in which the file is refused. */
const refuse = async (body: Buffer, ...named: string[]): Promise<number> => {
  const begin = performance.now()
  assertRefused(await send(body), 'VALIDATION_ERROR', ...named)
  return performance.now() - begin
}
/** MiB of the threads that a storage starts when it likes to. */
const STORAGE_HEAP = 512
/** Heaps of the others that `work` starts, in MiB. */
const threadsOf = async (work: () => Promise<unknown>): Promise<(number | undefined)[]> => {
  const heaps: (number | undefined)[] = []
  const note = ({ resourceLimits }: Worker): void => {
    const heap = resourceLimits?.maxOldGenerationSizeMb
    if (heap !== STORAGE_HEAP) heaps.push(heap)
  }
  process.on('worker', note)
  await work().finally(() => process.off('worker', note))
  return heaps
}

const header = ['id', 'text', 'number', 'yes', 'day', 'moment']

describe('A spreadsheet', () => {
  for (const isShared of [false, true])
    it(`is read by what its cells are${isShared ? ', with texts that cells share' : ''}`, async () => {
      const id = `typed-${isShared}`
      const rows = [header, [id, 'Größe <&> _x000D_', 0.1, true, { days: 46_053 }, { days: 46_053.5 }]]
      const result = await take(xlsxFile(rows, { isShared }))
      assert.deepEqual(counts(result), [1, 0, 0, 0], JSON.stringify(result))
      assert.deepEqual([result.delimiter, result.decimal, result.encoding], [null, null, null])
      assert.deepEqual(await valuesOf(id), {
        text: everywhere('Größe <&> \r'),
        number: everywhere(0.1),
        yes: everywhere(true),
        day: everywhere('2026-01-31'),
        moment: everywhere('2026-01-31T12:00:00.000Z'),
      })
    })

  it('may have text for numbers, midnights, blank rows, short rows and days from 1904 on', async () => {
    const rows = [[], header, [], ['odd-1', 7, '1.5'], ['odd-2', true, null, null, null, { days: 44_591 }]]
    assert.deepEqual(counts(await take(xlsxFile(rows, { isFrom1904: true }))), [2, 0, 0, 0])
    assert.deepEqual(await valuesOf('odd-1'), { text: everywhere('7'), number: everywhere(1.5) })
    assert.deepEqual(await valuesOf('odd-2'), {
      text: everywhere('true'),
      moment: everywhere('2026-01-31T00:00:00.000Z'),
    })
  })

  it('may have titles above the header, and lines keep their numbers in the sheet', async () => {
    const titles = [['Price list of autumn'], [], ['As of', '1 October']]
    const rows = [...titles, header, ['titled-1', 'a', '1.5'], ['titled-2', 'b', 'much'], ['titled-3', 'c', '2']]
    const result = await take(xlsxFile(rows))
    assert.deepEqual(counts(result), [2, 0, 0, 1])
    assert.deepEqual(
      result.errors.map(({ line }) => line),
      [6],
    )
    // One column has no titles: one of its rows is faulty.
    const single = await take(xlsxFile([['id'], ['alone-1'], ['alone-2', 'more'], ['alone-3'], ['alone-4']]))
    assert.deepEqual(counts(single), [3, 0, 0, 1])
  })

  for (const isShared of [false, true])
    it(`may have empty texts where nothing is shown${isShared ? ', which cells share' : ''}`, async () => {
      const id = `shown-${isShared}`
      const rows = [
        ['', ''],
        ['id', 'text', ''],
        [id, '', '', ''],
        ['', '', ''],
      ]
      assert.deepEqual(counts(await take(xlsxFile(rows, { isShared }))), [1, 0, 0, 0])
      assert.deepEqual(await valuesOf(id), { text: everywhere('') })
    })

  it('has rows that fail alone, told by their number in the sheet', async () => {
    const rows = [
      ['id', 'text', 'number'],
      ['bad-1', 'a', 'much'],
      ['bad-2', { xml: '<c t="e"><v>#N/A</v></c>' }],
      ['bad-3', 'x'.repeat(32_768)],
      ['bad-4', 'x'.repeat(32_767), 1],
      ['bad-5', 'a', 1, 'more'],
      ['bad-6', { xml: '<c t="str"><f>A1</f><v>of a formula</v></c>' }],
    ]
    const result = await take(xlsxFile(rows))
    assert.deepEqual(counts(result), [2, 0, 0, 4])
    assert.deepEqual(failures(result), [
      '2 bad-1 VALIDATION_ERROR',
      '3 null VALIDATION_ERROR',
      '4 null VALIDATION_ERROR',
      '6 null VALIDATION_ERROR',
    ])
    assert.match(result.errors[1]!.message, /cell B3 holds the error #N\/A/)
    assert.match(result.errors[2]!.message, /cell B4 has more than 32767 characters/)
    assert.deepEqual(await valuesOf('bad-6'), { text: everywhere('of a formula') })
  })

  it('is read by its first sheet, or the one that is named', async () => {
    const sheets = [
      { name: 'First', rows: [['id'], ['sheet-1']] },
      { name: 'Größen & mehr', rows: [['id'], ['sheet-2'], ['sheet-3']] },
    ]
    const file = zip(workbookParts(sheets))
    assert.deepEqual(counts(await take(file)), [1, 0, 0, 0])
    assert.deepEqual(counts(await take(file, `sheet=${encodeURIComponent('Größen & mehr')}`)), [2, 0, 0, 0])
    assertRefused(await send(file, 'sheet=Third'), 'VALIDATION_ERROR', "no sheet 'Third'", "'First'", 'Größen & mehr')
    assertRefused(await send(file, `sheet=${'x'.repeat(32)}`), 'VALIDATION_ERROR', 'sheet', '31')
  })

  const good = workbookParts([{ name: 'S', rows: [['id'], ['never']] }])
  const whole = xlsxFile([['id'], ['never']])
  const sheet = 'xl/worksheets/sheet1.xml'
  const bomb = Buffer.alloc(20 * 1024 ** 2, ' ')
  const withPart = (name: string, change: Partial<Part>) =>
    zip(good.map((part) => (part.name === name ? { ...part, ...change } : part)))
  const contentOf = (name: string) => String(good.find((part) => part.name === name)!.content)

  it('that is none, or a bomb by what its directory says, is refused before a thread begins', async () => {
    const threads = await threadsOf(async () => {
      await refuse(withPart(sheet, { content: bomb }), 'too large when it is unpacked: at most 200 times')
      await refuse(withPart(sheet, { claimedSize: 3 * 1024 ** 3 }), 'too large')
      await refuse(zip([...good, ...good]), 'twice')
      await refuse(zip(Array.from({ length: 10_001 }, () => ({ name: 'a', content: '' }))), '10000 parts')
      await refuse(
        zip(Array.from({ length: 600 }, (_, at) => ({ name: `${at}`.padEnd(8000), content: '' }))),
        'directory',
      )
      await refuse(zip([{ name: 'x'.repeat(9000), content: '' }]), 'directory')
      await refuse(zip([{ name: 'a.txt', content: 'a' }]), 'no xlsx')
      for (const size of [whole.length - 30, whole.length >> 1, 10]) await refuse(whole.subarray(0, size), 'damaged')
      await refuse(Buffer.from('id,text\n1,a\n'), 'no xlsx')
      await refuse(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'xls')
      await refuse(Buffer.alloc(0), 'no xlsx')
      assertRefused(await sendImport(shop.admin, whole, { type: CSV }), 'VALIDATION_ERROR', 'xlsx')
    })
    assert.deepEqual(threads, [])
  })

  it('that is a bomb or damaged inside is refused as soon as a small one is read, by a thread with a small heap', async () => {
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    const spoiled = Buffer.from(whole)
    spoiled.fill(0xff, 60, 120)
    const hostile: [Buffer, string][] = [
      [withPart(sheet, { content: bomb, claimedSize: 1000 }), 'damaged'],
      [withPart(sheet, { content: `${entities}${contentOf(sheet)}` }), 'document type'],
      [withPart(sheet, { content: '<worksheet><sheetData><row><c><v>&a;' }), 'not readable XML'],
      [withPart(sheet, { content: '<a>'.repeat(100_000) }), 'nested'],
      [withPart(sheet, { content: `<worksheet><sheetData><row><c><v>${'1'.repeat(15 * 1024 ** 2)}` }), 'too long'],
      [withPart('xl/workbook.xml', { content: '<workbook/>' }), 'no sheet'],
      [spoiled, 'damaged'],
      [xlsxFile([]), 'empty'],
    ]
    let [spent, reference] = [0, 0]
    const threads = await threadsOf(async () => {
      for (const [file, named] of hostile) {
        const begin = performance.now()
        await take(whole, 'dryRun=true')
        reference += performance.now() - begin
        spent += await refuse(file, named)
      }
    })
    assert.deepEqual(new Set(threads), new Set([96]))
    assert.ok(spent < 3 * reference, `${spent} ms, and small files took ${reference} ms`)
  })

  it('may not be larger than files that are imported, and leaves nothing behind', async () => {
    const answer = await send(Buffer.concat([xlsxFile([['id']]), Buffer.alloc(12_000_000)]))
    assertRefused(answer, 'PAYLOAD_TOO_LARGE', '--max-import')
    assert.deepEqual(await importFilesIn(shop.dataDir), [])
  })
})
