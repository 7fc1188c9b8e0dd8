// The model that a file proposes. Contract 5 §1.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BUILT_IN_ROLES } from '../../../../src/core/accounts/rules/permissions.ts'
import type { CsvCell } from '../../../../src/core/csv/csv-cell.ts'
import { PLAIN_CELLS } from '../../../../src/core/csv/csv-header.ts'
import type { Model } from '../../../../src/core/model/rules/model.ts'
import { NewModelInput, planModel } from '../../../../src/core/model/rules/new-model.ts'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'
import { headerOf } from '../../../../src/imports/file-header.ts'
import { prepare } from '../../../../src/imports/import-line.ts'
import { readLineValues } from '../../../../src/imports/line-values.ts'
import { MappingInput } from '../../../../src/imports/rules/import-profile.ts'
import { settingOf } from '../../../../src/imports/rules/import-setting.ts'
import { ColumnCounter, newMemory } from '../../../../src/imports/rules/proposal/column-facts.ts'
import { decimalOf, proposalOf } from '../../../../src/imports/rules/proposal/first-proposal.ts'
import { KINDS } from '../../../../src/imports/rules/proposal/kinds.ts'
import { fittingCells, mappingOf, type Proposal } from '../../../../src/imports/rules/proposal/proposal.ts'
import { proposeColumns } from '../../../../src/imports/rules/proposal/proposed-columns.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'
import { threadTime } from '../../../helpers/thread-time.ts'

type Row = readonly CsvCell[]

const EMPTY: Model = {
  dimensions: new Map(),
  workflows: new Map([[DEFAULT_WORKFLOW.id, DEFAULT_WORKFLOW]]),
  schemas: new Map(),
  roles: new Map(BUILT_IN_ROLES.map((role) => [role.id, role])),
  pending: undefined,
}

function propose(headers: readonly string[], rows: readonly Row[], model = EMPTY): Proposal {
  const memory = newMemory()
  const counters = headers.map(() => new ColumnCounter(memory, ';'))
  for (const row of rows) for (const [index, counter] of counters.entries()) counter.add(row[index] ?? null)
  const decimal = decimalOf(';', counters)
  const columns = headers.map((header, index) => ({ header, facts: counters[index]!.facts(decimal ?? '.') }))
  return proposalOf(
    'list.csv',
    {
      rows: rows.length,
      isWhole: true,
      loneCells: { rows: 0, samples: [] },
      decimal,
      columns: proposeColumns(columns, rows.length),
    },
    { model, catalogs: [] },
  )
}

/** How many rows the proposed mapping accepts. */
function acceptedRows(proposal: Proposal, headers: readonly string[], rows: readonly Row[]): number {
  const mapping = parse(MappingInput, mappingOf(proposal))
  const { model } = planModel(parse(NewModelInput, mapping.model), EMPTY, '')
  const setting = settingOf({}, mapping, EMPTY)
  const style = { ...PLAIN_CELLS, numbers: proposal.decimal === ',' ? ('comma' as const) : ('dot' as const) }
  const header = headerOf({ names: headers.map((name) => name.trim()), style }, setting, model)
  const schema = model.schemas.get(mapping.schemaId)!
  return rows.filter((cells, index) => {
    const line = prepare({ kind: 'row', line: index + 2, size: 1, cells }, header)
    if (line.kind !== 'row') return false
    try {
      readLineValues(line, { header, emptyCells: 'keep' }, { model, schema, own: {} })
      return true
    } catch {
      return false
    }
  }).length
}

/** A file attribute is filled by a download, which is no rule. */
function withoutFiles(proposal: Proposal): Proposal {
  const columns = proposal.columns.map((column) =>
    column.kind === 'file' ? { ...column, kind: 'url' as const } : column,
  )
  return { ...proposal, columns }
}

function kindsOf(headers: readonly string[], rows: readonly Row[]) {
  return propose(headers, rows).columns.map(({ kind }) => kind)
}
const column = (header: string, cells: readonly CsvCell[]) =>
  propose(
    [header],
    cells.map((cell) => [cell]),
  ).columns[0]!
const times = (count: number, cellOf: (n: number) => CsvCell): CsvCell[] =>
  Array.from({ length: count }, (_, n) => cellOf(n))

const written = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    'ja',
    'nein',
    'Yes',
    'no',
    'x',
    '0',
    '1',
    '007',
    '4006381333931',
    '1,5',
    '1.5',
    '1.200',
    '1.200,50',
    '12 kg',
    '3,5 cm',
    '9,90 €',
    '$ 5.00',
    'EUR',
    '2024-02-29',
    '29.2.2024',
    '3/4/2024',
    '02.03.2025',
    '11.02.2025 10:00',
    '2025-02-11 10:00:00',
    '2024-01-01T10:00:00Z',
    'red, blue',
    'Tea > Green',
    'Tea/Green|Gifts',
    'rot|blau',
    '<b>x</b>',
    'https://example.com/a.jpg',
    'https://example.com',
    'http://',
    '-',
    '+49 30',
    '1e5',
    'constructor',
    '__proto__',
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)
const cell = fc.oneof(
  { weight: 8, arbitrary: written },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.boolean() },
)
const headerText = fc.oneof(
  fc.constantFrom(
    'Name (de)',
    'name_en',
    'Beschreibung DE',
    'Weight (kg)',
    'Preis in EUR',
    'Price',
    'Currency',
    'constructor',
    '__proto__',
    '🫖',
    '',
    'SKU',
    'EAN',
    'id',
    'Weight',
    'Weight unit',
    'Category',
    'شاي',
    'a'.repeat(200),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const table = fc.array(headerText, { minLength: 1, maxLength: 8 }).chain((headers) => {
  // A column mostly has cells of one sort.
  const sorts = fc.tuple(...headers.map(() => fc.uniqueArray(cell, { minLength: 1, maxLength: 3 })))
  const rows = sorts.chain((choices) =>
    fc.array(fc.tuple(...choices.map((some) => fc.constantFrom(...some))), { minLength: 1, maxLength: 12 }),
  )
  return fc.record({ headers: fc.constant(headers), rows })
})

describe('The model that a file proposes', () => {
  it('accepts every row that it was proposed from', () => {
    fc.assert(
      fc.property(table, ({ headers, rows }) => {
        const proposal = withoutFiles(propose(headers, rows))
        if (!proposal.columns.some(({ isTaken }) => isTaken)) return
        assert.equal(acceptedRows(proposal, headers, rows), rows.length)
      }),
      { numRuns: 500 },
    )
  })

  it('says for each correction of a kind how many cells fit', () => {
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...KINDS.filter((kind) => kind !== 'file')),
        (cells, kind) => {
          const rows = cells.map((one) => [one])
          const proposal = propose(['Thing'], rows)
          const corrected = { ...proposal.columns[0]!, kind, isTaken: true, unit: null }
          const said = fittingCells(corrected, false)
          const empty = rows.length - corrected.facts.filled
          const accepted = acceptedRows({ ...proposal, columns: [corrected] }, ['Thing'], rows)
          assert.ok(
            accepted >= said + empty,
            `${kind}: ${accepted} rows are accepted, and ${said} + ${empty} are said to be`,
          )
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('gives every column a legal ID of its own, and a name', () => {
    fc.assert(
      fc.property(fc.array(headerText, { minLength: 1, maxLength: 20 }), (headers) => {
        const { columns } = propose(headers, [headers.map(() => 'x')])
        for (const { alias, name } of columns) {
          assert.match(alias, /^[A-Za-z][A-Za-z0-9_-]{0,63}$/)
          assert.ok(name.trim() !== '' && name.length <= 200 && name.isWellFormed())
        }
        const places = columns.map(({ alias, language, part }) => `${alias} ${language} ${part}`)
        assert.equal(new Set(places).size, places.length)
      }),
    )
  })

  it('reads the types of cells', () => {
    const of = (header: string, ...cells: CsvCell[]) => column(header, cells).kind
    assert.equal(of('Organic', 'ja', 'nein', 'ja'), 'boolean')
    assert.equal(of('Vegan', 'x', '', 'x'), 'boolean')
    assert.equal(of('Year', '1998', '2021', '2004'), 'integer')
    assert.equal(of('Rating', '1,5', '2,25', '3'), 'number')
    assert.equal(of('Since', '1.2.2024', '13.12.2023'), 'date')
    assert.equal(of('Since', '2024-02-01'), 'date')
    assert.equal(of('Since', '02.03.2025', '14.12.2024'), 'date')
    assert.equal(of('Since', '02/03/2025', '14/12/2024'), 'date')
    assert.equal(of('Seen', '11.02.2025 10:00', '01.02.2025 9:30'), 'dateTime')
    assert.equal(of('Seen', '2025-02-11 10:00:00', '2025-02-01 09:30:00'), 'dateTime')
    assert.equal(of('Article no.', '02.03', '14.12'), 'text')
    assert.equal(of('Seen', '2024-02-01T10:00:00Z'), 'dateTime')
    assert.equal(of('Link', 'https://example.com/a', 'https://example.com/b'), 'url')
    assert.equal(of('Picture', 'https://example.com/a.jpg', 'https://example.com/b.png'), 'url')
    assert.equal(of('Weight', '1,5 kg', '200 g'), 'measurement')
    assert.equal(of('Weight (kg)', '1,5', '2'), 'measurement')
    assert.equal(of('Preis in EUR', '1,50', '2,99'), 'price')
    assert.equal(of('price_eur', '1.50', '2.99'), 'price')
    assert.equal(of('VK-Preis (eur)', '1.50', '2.99'), 'price')
    assert.equal(of('weight_g', '150', '299'), 'measurement')
    assert.equal(of('for_all', '1.50', '2.99'), 'number')
    assert.equal(of('Height H', '150', '299'), 'integer')
    assert.equal(of('size_m', '150', '299'), 'integer')
    assert.equal(of('Text', '<p>Hello</p>', 'there'), 'richText')
    assert.equal(of('Name', 'Assam', 'Darjeeling', 'Ceylon'), 'text')
    assert.equal(of('Name', 'Assam', 'Assam', 'Assam'), 'text')
  })

  it('keeps the currency in the names of several prices', () => {
    const headers = ['price_eur', 'price_usd', 'cost_eur', 'weight_g']
    const { columns } = propose(headers, [
      ['1.5', '2.5', '1.1', '150'],
      ['2.5', '3.5', '2.1', '175'],
    ])
    assert.deepEqual(
      columns.map(({ alias, name, kind, unit }) => [alias, name, kind, unit]),
      [
        ['priceEur', 'Price eur', 'price', 'EUR'],
        ['priceUsd', 'Price usd', 'price', 'USD'],
        ['cost', 'Cost', 'price', 'EUR'],
        ['weight', 'Weight', 'measurement', 'g'],
      ],
    )
  })

  it('keeps codes as texts, with their zeros', () => {
    assert.equal(column('EAN', ['4006381333931', '4006381333948']).kind, 'text')
    assert.equal(column('Code', ['0012', '0013']).kind, 'text')
    assert.equal(column('Art.-Nr.', [4711, 4712]).kind, 'text')
    const { isUnique } = column('SKU', ['A-1', 'A-2'])
    assert.equal(isUnique, true)
    assert.equal(column('SKU', ['A-1', 'A-1']).isUnique, false)
  })

  it('finds options, and several in one cell', () => {
    const brands = column(
      'Brand',
      times(30, (n) => ['Globex', 'Initech', 'Umbrella'][n % 3]!),
    )
    assert.deepEqual([brands.kind, brands.facts.options], ['select', ['Globex', 'Initech', 'Umbrella']])
    const colours = column(
      'Colours',
      times(30, (n) => ['red, blue', 'blue', 'green, red'][n % 3]!),
    )
    assert.deepEqual(
      [colours.kind, colours.facts.parts, colours.facts.separator],
      ['multiSelect', ['red', 'blue', 'green'], ','],
    )
    assert.equal(
      column(
        'Material',
        times(30, (n) => `made of ${n}`),
      ).kind,
      'text',
    )
  })

  it('makes categories of a column of paths, in the only catalog or in a new one', () => {
    const headers = ['Name', 'Kategorie', 'Collection']
    const rows = times(6, String).map((n) => [`Tea ${n}`, n === '0' ? '' : 'Tea > Green > Sencha', 'Spring'])
    const proposal = propose(headers, rows)
    assert.deepEqual(
      proposal.columns.map(({ kind }) => kind),
      ['text', 'categories', 'select'],
    )
    const { columns, model } = mappingOf(proposal)
    assert.deepEqual(columns.at(-1), {
      header: 'Kategorie',
      to: { field: 'categories' },
      with: ['trim', { replace: { find: String.raw`\s*>\s*`, by: '/' } }],
      createCategories: true,
      catalogId: 'cat-list',
    })
    assert.deepEqual(model.catalogs, [{ id: 'cat-list', name: 'list', categories: [] }])
    assert.deepEqual(
      model.schemas[0]!.attributes.map(({ alias }) => alias),
      ['name', 'collection'],
    )
    const present = proposalOf('list.csv', proposal, { model: EMPTY, catalogs: [{ id: 'main', name: 'Shop' }] })
    assert.deepEqual(mappingOf(present).model.catalogs, [])
    assert.equal(mappingOf(present).columns.at(-1)!.catalogId, 'main')
  })

  it('makes no categories of texts, of broken paths, and where the caller may not', () => {
    const of = (cells: readonly string[]) => column('Category', cells).kind
    assert.equal(of(['Tea', 'Tea']), 'categories')
    assert.notEqual(of(['Tea / ', 'Tea']), 'categories')
    assert.equal(of(times(80, (n) => `made for ${n}`) as string[]), 'text')
    assert.equal(of(times(80, (n) => `Tea > ${n}`) as string[]), 'categories')
    assert.equal(of(['<b>Tea</b>', 'Tea']), 'richText')
    const counter = new ColumnCounter(newMemory(), ';')
    for (const text of ['Tea', 'Tea']) counter.add(text)
    const [closed] = proposeColumns([{ header: 'Category', facts: counter.facts('.') }], 2, false)
    assert.equal(closed!.kind, 'select')
  })

  it('counts cells of half-open tags in time that grows with their length', () => {
    const started = threadTime()
    const counter = new ColumnCounter(newMemory(), ';')
    for (let row = 0; row < 400; row += 1) counter.add('<a'.repeat(1000))
    assert.equal(counter.facts('.').hasTags, false)
    assert.ok(threadTime() - started < 500, `${threadTime() - started} ms`)
  })

  it('counts long lists with bars in hardly more time than those with commas', () => {
    const timeOf = (sign: string): number => {
      const rows = Array.from({ length: 1000 }, () => [Array.from({ length: 500 }, (_, n) => 'ab'[n % 2]).join(sign)])
      const started = threadTime()
      propose(['List'], rows)
      return threadTime() - started
    }
    timeOf(',')
    const [commas, bars] = [timeOf(','), timeOf('|')]
    assert.ok(bars < 3 * commas, `${bars} ms with bars, and ${commas} ms with commas`)
  })

  it('makes one attribute of columns in several languages, and has their segments', () => {
    const headers = ['SKU', 'Name (de)', 'name_en', 'Beschreibung DE', 'Description EN', 'Article no', 'Made in']
    const rows = times(4, String).map((n) => [`A-${n}`, 'Tee', 'Tea', 'lang', 'long', `x${n}`, 'India'])
    const proposal = propose(headers, rows)
    const told = proposal.columns.map(({ alias, language }) => [alias, language])
    assert.deepEqual(told, [
      ['sku', null],
      ['name', 'de'],
      ['name', 'en'],
      ['beschreibung', 'de'],
      ['beschreibung', 'en'],
      ['articleNo', null],
      ['madeIn', null],
    ])
    assert.deepEqual(proposal.segments, [
      { language: 'de', id: 'de', name: 'Deutsch' },
      { language: 'en', id: 'en', name: 'English' },
    ])
    const { model, matchBy, mode } = mappingOf(proposal)
    assert.deepEqual([mode, matchBy, model.schemas[0]!.labelAttribute], ['upsert', 'sku', 'name'])
    assert.deepEqual(model.dimensions, [
      {
        id: 'language',
        name: 'Language',
        segments: [
          { id: 'de', name: 'Deutsch' },
          { id: 'en', name: 'English' },
        ],
      },
    ])
  })

  it('uses the languages that the workspace has', () => {
    const language = { id: 'sprache', name: 'Sprachen', segments: [{ id: 'de_DE', name: 'Deutsch (Land)' }] }
    const model = { ...EMPTY, dimensions: new Map([['sprache', language]]) }
    const proposal = propose(['Name (de)', 'Name (fr)'], [['Tee', 'Thé']], model)
    assert.deepEqual(proposal.dimension, { id: 'sprache', name: 'Sprachen' })
    assert.deepEqual(
      proposal.segments.map(({ id }) => id),
      ['de_DE', 'fr'],
    )
  })

  it('takes the unit of a header or of another column', () => {
    const weight = column('Gewicht [g]', ['5', '6'])
    assert.deepEqual([weight.alias, weight.name, weight.unit], ['gewicht', 'Gewicht', 'g'])
    const { columns } = propose(
      ['Price', 'Currency', 'Weight', 'Weight unit'],
      [
        ['1', 'EUR', '2', 'kg'],
        ['2.5', 'USD', '3', 'g'],
      ],
    )
    assert.deepEqual(
      columns.map(({ alias, kind, part }) => [alias, kind, part]),
      [
        ['price', 'price', null],
        ['price', 'text', 'currency'],
        ['weight', 'measurement', null],
        ['weight', 'text', 'unit'],
      ],
    )
    assert.deepEqual(
      kindsOf(
        ['Price', 'Cost', 'Currency'],
        [
          ['1', '2', 'EUR'],
          ['3', '4', 'EUR'],
        ],
      ),
      ['price', 'price', 'select'],
    )
  })

  it('reads units in any case, and names written for programs', () => {
    const { kind, name, facts } = column('enginePower', ['198 kw', '90 kW'])
    assert.deepEqual([kind, name, facts.units], ['measurement', 'Engine power', ['kw', 'kW']])
    assert.equal(column('Size', ['42 M', '43 L']).kind, 'text')
  })

  it('leaves out columns that a mapping cannot name', () => {
    const { columns } = propose(['', 'x'.repeat(1001), 'Colour'], [['a', 'b', 'c']])
    assert.deepEqual(
      columns.map(({ closed }) => closed),
      ['empty', 'long', null],
    )
  })

  it('tells columns with one header apart by their letters, and reads their units as before', () => {
    const headers = ['Size', 'Weight (kg)', 'Size', 'Weight (kg)', 'Length', 'Unit', 'Width', 'Unit']
    const { columns } = propose(headers, [['S', '1', 'red', '2', '3', 'cm', '4', 'mm']])
    const seen = columns.map(({ header, name, alias, closed }) => [header, name, alias, closed])
    assert.deepEqual(seen, [
      ['Size (A)', 'Size (A)', 'size', null],
      ['Weight (kg) (B)', 'Weight (kg) (B)', 'weight', null],
      ['Size (C)', 'Size (C)', 'size2', null],
      ['Weight (kg) (D)', 'Weight (kg) (D)', 'weight2', null],
      ['Length', 'Length', 'length', null],
      ['Unit (F)', 'Length', 'length', null],
      ['Width', 'Width', 'width', null],
      ['Unit (H)', 'Width', 'width', null],
    ])
    assert.deepEqual([columns[3]!.kind, columns[3]!.unit], ['measurement', 'kg'])
  })
})
