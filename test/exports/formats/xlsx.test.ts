// Workbooks, read by a foreign library: typed cells, texts that are texts whatever is in them, and the limits of a sheet.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { PimletError } from '../../../src/kernel/errors.ts'
import {
  createFlatten,
  type ExportedRecord,
  exportedAttributes,
} from '../../../src/core/records/rules/exported-record.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../src/core/scopes/scope.ts'
import type { FilePart, SheetPart } from '../../../src/exports/formats/format.ts'
import { fileBytes, formats } from '../../../src/exports/formats/file-formats.ts'
import { attribute, LANGUAGE, modelOf } from '../../helpers/domain-model.ts'
import { partsOf, readSheet } from '../../helpers/workbook.ts'

const AT = '2026-01-02T03:04:05.678Z'
const admin = BUILT_IN_ROLES[0]!
const { model } = modelOf([
  attribute('name', { dimensionIds: [LANGUAGE.id] }),
  attribute('price', { dataType: 'price' }),
  attribute('day', { dataType: 'date' }),
  attribute('moment', { dataType: 'dateTime' }),
  attribute('sold', { dataType: 'boolean' }),
  attribute('year', { dataType: 'number', display: { style: 'plain', decimals: 0, unit: 'AD' } }),
  attribute('tags', { dataType: 'multiSelect', options: [{ id: 'a', name: 'A' }] }),
])
const everywhere = (value: unknown) => [{ scope: {}, value }]

function exported(values: Values, dimensionScope: Scope | null = null): ExportedRecord {
  const head = {
    id: 'r-1',
    schemaId: 'sch',
    parentId: null,
    lifecycleStateId: 'state-draft',
    createdAt: AT,
    updatedAt: AT,
  }
  const flatten = createFlatten({ model, role: admin, dimensionScope, variantValues: 'effective' })
  return flatten({ ...head, createdBy: 'u', updatedBy: 'u' }, { own: values, inherited: null })
}

async function workbook(records: readonly ExportedRecord[], more: { deleted?: string[]; sheet?: string } = {}) {
  const writer = formats.xlsx({
    isFlat: false,
    spreadsheetSafe: false,
    attributes: exportedAttributes(model.schemas.get('sch')!, admin),
    dimensions: model.dimensions,
    isDelta: more.deleted !== undefined,
  })
  records.forEach(writer.survey!)
  async function* parts(): AsyncGenerator<FilePart, void> {
    yield writer.begin()
    yield writer.write(records)
    if (more.deleted !== undefined) yield writer.writeDeleted(more.deleted)
    yield writer.end()
  }
  return buffer(fileBytes('xlsx', parts(), more.sheet ?? 'Records'))
}

async function* rows(count: number, ...cells: string[]): AsyncGenerator<SheetPart, void> {
  yield { columns: [{ header: 'id' }, { header: 'text' }] }
  for (let done = 0; done < count; done += 1000)
    yield { rows: Array.from({ length: Math.min(1000, count - done) }, () => cells) }
}

describe('A workbook', () => {
  it('shows numbers as their attribute says, which stay numbers', async () => {
    const bytes = await workbook([exported({ year: everywhere(1961) })])
    const [header, row] = await readSheet(bytes)
    assert.equal(row![header!.indexOf('year')], 1961)
    assert.match(partsOf(bytes).get('xl/styles.xml')!, /formatCode="0 &quot;AD&quot;"/)
  })

  it('has numbers, truth values, dates and moments as such, and nothing where there is no value', async () => {
    const [header, row] = await readSheet(
      await workbook([
        exported({
          name: [{ scope: { [LANGUAGE.id]: LANGUAGE.segments[0]!.id }, value: 'Shirt' }],
          price: everywhere({ amount: 24.5, currency: 'EUR' }),
          day: everywhere('2026-03-28'),
          moment: everywhere('2026-03-28T12:30:00+02:00'),
          sold: everywhere(true),
        }),
        exported({ day: everywhere('1800-01-01'), tags: everywhere(['a', 'b']) }),
      ]),
    )
    const cell = (name: string) => row![header!.indexOf(name)]
    assert.deepEqual(header!.slice(0, 6), ['id', 'schemaId', 'parentId', 'lifecycleStateId', 'createdAt', 'updatedAt'])
    assert.equal(cell('parentId'), null)
    assert.equal((cell('createdAt') as Date).toISOString(), AT)
    assert.equal(cell('price'), 24.5)
    assert.equal(cell('price.currency'), 'EUR')
    assert.equal((cell('day') as Date).toISOString(), '2026-03-28T00:00:00.000Z')
    assert.equal((cell('moment') as Date).toISOString(), '2026-03-28T10:30:00.000Z')
    assert.equal(cell('sold'), true)
    assert.equal(cell('tags'), null)
  })

  it('keeps days that spreadsheets count differently as texts, and joins lists', async () => {
    const [header, row] = await readSheet(
      await workbook([exported({ day: everywhere('1800-01-01'), tags: everywhere(['a', 'b']) })]),
    )
    assert.equal(row![header!.indexOf('day')], '1800-01-01')
    assert.equal(row![header!.indexOf('tags')], 'a|b')
  })

  it('has one sheet of that name with a frozen header, and no formula whatever a text begins with', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", '=HYPERLINK("http://x")']
    const scope = { [LANGUAGE.id]: LANGUAGE.segments[0]!.id }
    const records = texts.map((value) => exported({ name: [{ scope, value }] }))
    const bytes = await workbook(records, { sheet: 'Preise & mehr' })
    const parts = partsOf(bytes)
    assert.deepEqual(
      [...parts.keys()].filter((name) => name.includes('worksheets/')),
      ['xl/worksheets/sheet1.xml'],
    )
    assert.match(parts.get('xl/workbook.xml')!, /name="Preise &amp; mehr"/)
    const sheet = parts.get('xl/worksheets/sheet1.xml')!
    assert.match(sheet, /<pane [^>]*ySplit="1"[^>]*state="frozen"/)
    assert.doesNotMatch(sheet, /<f[ >]/)
    assert.deepEqual(
      (await readSheet(bytes)).slice(1).map((row) => row[6]),
      texts,
    )
  })

  it('carries every text, with characters that XML has not', async () => {
    const scope = { [LANGUAGE.id]: LANGUAGE.segments[0]!.id }
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '<', '&', '"', '_', 'x', '0', '4', '1', 'ü', '😀') })
    const property = fc.asyncProperty(
      fc.array(
        text.filter((one) => one.trim() !== ''),
        { minLength: 1 },
      ),
      async (drawn) => {
        const bytes = await workbook(drawn.map((value) => exported({ name: [{ scope, value }] })))
        const sheet = partsOf(bytes).get('xl/worksheets/sheet1.xml')!
        const found = [...sheet.matchAll(/<c r="G\d+"[^>]*><is><t[^>]*>([^<]*)<\/t>/g)].slice(1)
        assert.deepEqual(
          found.map(([, cell]) => unescape(cell!)),
          drawn,
        )
      },
    )
    await fc.assert(property, { numRuns: 50 })
    const odd = await workbook([exported({ name: [{ scope, value: 'a\u0001b\uFFFEc\uD800d\re\uFFFF' }] })])
    assert.match(partsOf(odd).get('xl/worksheets/sheet1.xml')!, />a_x0001_b_xFFFE_c\uFFFDd_x000D_e_xFFFF_</)
    await readSheet(odd)
  })

  it('has a last column for records that are gone in a delta', async () => {
    const table = await readSheet(await workbook([exported({})], { deleted: ['r-9'] }))
    assert.deepEqual(
      table.map((row) => [row[0], row.at(-1)]),
      [
        ['id', 'deleted'],
        ['r-1', null],
        ['r-9', true],
      ],
    )
  })

  it('refuses a text that no cell holds, naming column and row, and more rows than a sheet has', async () => {
    const isInvalid = (message: RegExp) => (error: unknown) =>
      error instanceof PimletError && error.code === 'VALIDATION_ERROR' && message.test(error.message)
    await readSheet(await buffer(fileBytes('xlsx', rows(1, 'r-1', 'x'.repeat(32_767)), 'S')))
    const long = buffer(fileBytes('xlsx', rows(1, 'r-1', 'x'.repeat(32_768)), 'S'))
    await assert.rejects(long, isInvalid(/column 'text' has a text of 32768 characters in the row of 'r-1'/))
    const many = buffer(fileBytes('xlsx', rows(1_048_576), 'S'))
    await assert.rejects(many, isInvalid(/more than 1048576 rows/))
  })
})

/** As spreadsheets read it. */
function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/_x([0-9A-F]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
