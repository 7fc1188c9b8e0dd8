// Corrections of a proposed schema. Contract 5 §1.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  correct,
  faultOf,
  fittingRows,
  forKind,
  nearKind,
  NO_CORRECTIONS,
  withCorrection,
} from '../../../console/imports/proposal-draft.ts'
import { attributesFor } from '../../../console/imports/make-attributes.ts'
import { ColumnCounter, newMemory } from '../../../src/imports/rules/proposal/column-facts.ts'
import { proposalOf } from '../../../src/imports/rules/proposal/first-proposal.ts'
import { mappingOf, type Proposal } from '../../../src/imports/rules/proposal/proposal.ts'
import { proposeColumns } from '../../../src/imports/rules/proposal/proposed-columns.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'

const model = {
  dimensions: new Map(),
  workflows: new Map([[DEFAULT_WORKFLOW.id, DEFAULT_WORKFLOW]]),
  schemas: new Map(),
  roles: new Map(),
  pending: undefined,
}

function propose(headers: readonly string[], rows: readonly (readonly string[])[]): Proposal {
  const memory = newMemory()
  const columns = headers.map((header, index) => {
    const counter = new ColumnCounter(memory, ',')
    for (const row of rows) counter.add(row[index] ?? null)
    return { header, facts: counter.facts('.') }
  })
  const counted = {
    rows: rows.length,
    isWhole: true,
    loneCells: { rows: 0, samples: [] },
    decimal: '.' as const,
    columns: proposeColumns(columns, rows.length),
  }
  return proposalOf('teas.csv', counted, { model, catalogs: [] })
}

const TEAS = propose(
  ['SKU', 'Name (de)', 'Name (en)', 'Weight'],
  [
    ['A-1', 'Tee', 'Tea', '12'],
    ['A-2', 'Kaffee', 'Coffee', 'heavy'],
  ],
)
const nobody = () => false

describe('Corrections of a proposed schema', () => {
  it('of a name hold for the attribute in all languages; of a language, for its column', () => {
    const named = withCorrection(NO_CORRECTIONS, TEAS, 1, { name: 'Title' })
    assert.deepEqual(
      correct(TEAS, named).columns.map(({ name }) => name),
      ['SKU', 'Title', 'Title', 'Weight'],
    )
    const spoken = withCorrection(named, correct(TEAS, named), 1, { language: 'fr' })
    const { columns, segments } = correct(TEAS, spoken)
    assert.deepEqual(
      columns.map(({ language }) => language),
      [null, 'fr', 'en', null],
    )
    assert.deepEqual(
      segments.map(({ id }) => id),
      ['de', 'en', 'fr'],
    )
    const { model: made } = mappingOf(correct(TEAS, spoken))
    assert.deepEqual(
      made.dimensions[0]!.segments.map(({ id }) => id),
      ['en', 'fr'],
      'a language that no column has is not made',
    )
  })

  it('of a type say how many rows fit, and need a unit where the type has one', () => {
    const as = (kind: 'integer' | 'measurement', unit: string | null = null) => ({ ...TEAS.columns[3]!, kind, unit })
    assert.equal(fittingRows(TEAS, TEAS.columns[3]!), 2)
    assert.equal(fittingRows(TEAS, as('integer')), 1)
    assert.equal(fittingRows(TEAS, as('measurement')), 0)
    assert.equal(fittingRows(TEAS, as('measurement', 'kg')), 1)
    assert.deepEqual(forKind(TEAS.columns[0]!, 'integer'), { kind: 'integer', unit: null, isUnique: false })
  })

  it('leave the other columns the same objects', () => {
    const { columns } = correct(TEAS, withCorrection(NO_CORRECTIONS, TEAS, 0, { isTaken: false }))
    assert.equal(columns[3], TEAS.columns[3])
    assert.equal(columns[0]!.isTaken, false)
  })

  it('that cannot be are told', () => {
    const faultWith = (index: number, correction: object) =>
      faultOf(correct(TEAS, withCorrection(NO_CORRECTIONS, TEAS, index, correction)), nobody)
    assert.equal(faultOf(TEAS, nobody), undefined)
    assert.equal(
      faultOf(TEAS, (id) => id === 'sch-teas'),
      'proposal.schemaIdTaken',
    )
    assert.equal(faultOf({ ...TEAS, name: ' ' }, nobody), 'proposal.nameFirst')
    assert.equal(faultOf({ ...TEAS, schemaId: 'é' }, nobody), 'proposal.schemaIdWrong')
    assert.equal(faultWith(0, { alias: '1' }), 'proposal.aliasWrong')
    assert.equal(faultWith(0, { alias: 'weight' }), 'imports.twice')
    assert.equal(faultWith(0, { name: '' }), 'proposal.namesFirst')
    assert.equal(faultWith(3, { kind: 'price', unit: 'euro' }), 'proposal.currencyWrong')
    const none = TEAS.columns.reduce(
      (draft, { index }) => withCorrection(draft, TEAS, index, { isTaken: false }),
      NO_CORRECTIONS,
    )
    assert.equal(faultOf(correct(TEAS, none), nobody), 'proposal.columnFirst')
  })

  it('tell how many cells of a text are of a stricter kind, where most are', () => {
    const near = (...cells: string[]) =>
      nearKind(
        propose(
          ['Since'],
          cells.map((cell) => [cell]),
        ).columns[0]!,
      )
    const years = Array.from({ length: 20 }, (_, n) => String(1970 + n))
    assert.equal(near(...years, 'ca. 1970'), 'integer')
    assert.equal(near(...years), undefined)
    assert.equal(near('1970', 'ca. 1970', 'unknown'), undefined)
    assert.equal(near('02.03.2025', '03.03.2025', '04.03.2025', '05.03.2025', '06.03.2025', 'soon'), 'date')
    assert.equal(near('02.03.2025', '03.03.2025', '2025-03-04', '2025-03-05', '3/26/2025', '3/27/2025'), 'date')
    assert.equal(near('1175.99 €', '7.50 €', '8.00 €', '9.00 €', '9.90 €', 'auf Anfrage €'), 'price')
    assert.equal(near('0012', '0013', '0014', '0015', '0016', 'A-1'), undefined)
  })
})

describe('Attributes for columns of a file', () => {
  const made = (taken: readonly string[], segments: readonly string[]) =>
    attributesFor(TEAS, [0, 1, 2, 3], { taken: new Set(taken), segments: new Set(segments) })

  it('are the proposed ones, under IDs that the schema does not have, and no record breaks them', () => {
    const { attributes, columns } = made(['sku', 'sku2'], ['de', 'en'])
    assert.deepEqual(
      attributes.map(({ alias, unique, dimensionIds }) => [alias, unique, dimensionIds]),
      [
        ['sku3', false, []],
        ['name', false, ['language']],
        ['weight', false, []],
      ],
    )
    assert.deepEqual(columns.get('Name (en)')!.to, { attributeAlias: 'name', scope: { language: 'en' } })
  })

  it('are one for each language that the model lacks', () => {
    const { attributes, columns } = made([], ['de'])
    assert.deepEqual(
      attributes.map(({ alias, name }) => [alias, name]),
      [
        ['sku', 'SKU'],
        ['name', 'Name'],
        ['name_en', 'Name (en)'],
        ['weight', 'Weight'],
      ],
    )
    assert.deepEqual(columns.get('Name (en)')!.to, { attributeAlias: 'name_en' })
  })
})
