// Workbooks opened and saved by LibreOffice: nothing is lost on the way there, nor on the way back. Contract 3 §4.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { XLSX_TYPE } from '../../src/imports/rules/media-types.ts'
import { counts, CSV, importFile, lines } from '../helpers/importing.ts'
import { convert, lacksLibreOffice } from '../helpers/libreoffice.ts'
import { everywhere, make, startWorkspace, type ValuesBody, type Workspace } from '../helpers/shirts.ts'

/** What spreadsheets like to read as something else. */
const TEXTS = [
  '=1+1',
  "'=1",
  '+49 30 1234',
  '007',
  '1.10',
  '1e5',
  '2026-01-31',
  '1/2',
  'TRUE',
  ' padded ',
  'a\nb\n\nc',
  'tab\there',
  '"quoted", and; more',
  '_x000D_',
  '<b>&amp;</b>',
  'Größe 😀 漢字',
  '#N/A',
  '50 %',
  'a\u0001b',
  'x'.repeat(32_767),
]
const NUMBERS = [0, -1.5, 0.1, 1e-7, 123_456_789.012_3, 1e15, 1e21, 40_000]
const MOMENTS = ['2026-01-31T12:34:56.000Z', '1999-12-31T23:59:59.000Z', '1904-01-01T00:00:00.000Z']
/** As they are seen in a cell, and written into a csv. */
const SHOWN = Object.fromEntries(MOMENTS.map((moment) => [moment.slice(0, 19).replace('T', ' '), moment]))
const DAYS = ['2026-01-31', '1900-03-01', '1899-12-31', '9999-12-31']

const records = TEXTS.map((text, index) => ({
  id: `item-${index}`,
  schemaId: 'sch-all',
  values: {
    text: everywhere(text),
    name: [{ scope: { language: 'de' }, value: text }],
    number: everywhere(NUMBERS[index % NUMBERS.length]),
    yes: everywhere(index % 2 === 0),
    day: everywhere(DAYS[index % DAYS.length]),
    moment: everywhere(MOMENTS[index % MOMENTS.length]),
    exact: everywhere(`2026-01-31T12:34:56.${String(index).padStart(3, '0')}Z`),
    price: [{ scope: { market: 'eu' }, value: { amount: 9.99, currency: 'EUR' } }],
    weight: everywhere({ amount: 0.25, unit: 'kg' }),
    tags: everywhere(index % 3 === 0 ? ['x', 'y'] : ['y']),
    json: everywhere({ a: [1, 'b', null], text: text.slice(0, 100) }),
  } satisfies ValuesBody,
}))

const column = (header: string, to: object, ...steps: unknown[]) => ({ header, to, with: steps })
const profile = {
  id: 'profile',
  name: 'As LibreOffice writes it',
  schemaId: 'sch-all',
  columns: [
    column('id', { field: 'id' }),
    column('text', { attributeAlias: 'text' }),
    column('name[language=de]', { attributeAlias: 'name', scope: { language: 'de' } }),
    ...['number', 'yes', 'day', 'tags', 'json'].map((alias) => column(alias, { attributeAlias: alias })),
    column('moment', { attributeAlias: 'moment' }, { map: SHOWN }),
    column('price[market=eu]', { attributeAlias: 'price', scope: { market: 'eu' } }),
    column('price[market=eu].currency', { attributeAlias: 'price', scope: { market: 'eu' }, part: 'currency' }),
    column('weight', { attributeAlias: 'weight' }),
    column('weight.unit', { attributeAlias: 'weight', part: 'unit' }),
  ],
}

describe('A workbook that LibreOffice opens', { skip: lacksLibreOffice }, () => {
  let shop: Workspace
  let csv: Buffer
  let saved: Buffer
  before(async () => {
    shop = await startWorkspace({ maxRecords: 0 })
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-all',
      name: 'All',
      attributes: [
        { alias: 'text', dataType: 'text' },
        { alias: 'name', dataType: 'text', dimensionIds: ['language'] },
        { alias: 'number', dataType: 'number' },
        { alias: 'yes', dataType: 'boolean' },
        { alias: 'day', dataType: 'date' },
        { alias: 'moment', dataType: 'dateTime' },
        { alias: 'exact', dataType: 'dateTime' },
        { alias: 'price', dataType: 'price', dimensionIds: ['market'] },
        { alias: 'weight', dataType: 'measurement' },
        { alias: 'tags', dataType: 'multiSelect', options: [{ id: 'x' }, { id: 'y' }] },
        { alias: 'json', dataType: 'json' },
      ],
    })
    assert.deepEqual(counts(await importFile(shop.admin, lines(...records))), [records.length, 0, 0, 0])
    await make(shop.admin, '/api/v1/import-profiles', profile)
    const exported = await exportSheet()
    // One after the other: two LibreOffices that start at once get in each other's way.
    csv = await convert(exported, 'csv')
    saved = await convert(exported, 'xlsx')
  })
  after(() => shop.stop())

  async function exportSheet(): Promise<Buffer> {
    const body = { criteria: [], criteriaOperator: 'and', format: 'xlsx', variantValues: 'own' }
    const response = await fetch(`${shop.url}/api/v1/records/export`, {
      method: 'POST',
      headers: { ...shop.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }

  /** Whatever is not as it was, a dry run tells. */
  async function assertSame(file: Buffer, query: string, type: string): Promise<void> {
    const result = await importFile(shop.admin, file, `mode=upsert&dryRun=true&${query}`, type)
    const told = JSON.stringify([result.errors.slice(0, 3), result.sample?.slice(0, 3)])
    assert.deepEqual(counts(result), [0, 0, records.length, 0], told.slice(0, 2000))
  }

  it('is as a csv the same records', () => assertSame(csv, 'profile=profile', CSV))

  it('is when it was saved again the same records', () => assertSame(saved, '', XLSX_TYPE))
})
