// The mapping of a file's columns: initial draft, changes, request body.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorsByColumn } from '../../../console/imports/errors-by-column.ts'
import {
  draftOf,
  draftOfProfile,
  doubled,
  type Import,
  lackedBy,
  mappingBody,
  namesFiles,
  profileOf,
  stepsFor,
  stepsForField,
  withColumn,
  withSchema,
} from '../../../console/imports/mapping.ts'
import { TRUTH } from '../../../src/imports/rules/proposal/kinds.ts'
import type { Attribute } from '../../../src/core/model/rules/attributes.ts'

const attribute = (alias: string, more: object) =>
  ({
    alias,
    name: alias,
    dataType: 'text',
    dimensionIds: [],
    unique: false,
    options: [],
    ...more,
  }) as unknown as Attribute
const ATTRIBUTES = [
  attribute('sku', { unique: true }),
  attribute('price', { dataType: 'price', dimensionIds: ['market'] }),
  attribute('kind', { dataType: 'select', options: [{ id: 'green', name: 'Green tea' }] }),
  attribute('since', { dataType: 'date' }),
]
const column = (header: string, suggestion: object | null, samples: string[] = []) => ({ header, suggestion, samples })
const COLUMNS = [
  column('Nr', { attributeAlias: 'sku' }),
  column('VK', { attributeAlias: 'price' }),
  column('Whg', { attributeAlias: 'price', part: 'currency' }),
  column('Sorte', { attributeAlias: 'kind' }, ['Green tea']),
  column('Seit', { attributeAlias: 'since' }, ['1.2.2026']),
  column('Lager', null),
  column('createdAt', { field: 'ignore' }),
].map((one, index) => ({ ...one, index, confidence: null }))
const FOUND = { columns: COLUMNS, schemaId: 'tea', mapping: null, profileId: null } as unknown as Import
const DRAFT = draftOf(FOUND, () => ATTRIBUTES)

describe('What the columns of a file mean', () => {
  it('begins with suggestions, finds records by the unique value, and reads cells as people write them', () => {
    assert.equal(DRAFT.matchBy, 'sku')
    assert.equal(DRAFT.mode, 'upsert')
    assert.deepEqual(
      DRAFT.columns.map(({ steps }) => steps),
      [[], [], [], ['optionName'], ['trim', { date: 'd.M.yyyy' }], [], []],
    )
    assert.deepEqual(
      profileOf(DRAFT, COLUMNS as Import['columns']).columns.map(({ header }) => header),
      ['Nr', 'VK', 'Whg', 'Sorte', 'Seit'],
    )
  })

  it('has no two columns for the same, and takes the unit along into another scope', () => {
    const to = { attributeAlias: 'price', scope: { market: 'eu' } }
    const columns = withColumn(DRAFT.columns, 1, { to, steps: [] })
    assert.deepEqual(columns[2]!.to, { ...to, part: 'currency' })
    assert.deepEqual([...doubled({ ...DRAFT, columns })], [])
    assert.deepEqual([...doubled({ ...DRAFT, columns: columns.with(5, { to, steps: [] }) })], [1, 5])
  })

  it('comes back from a profile, which is named where it is just that', () => {
    const profile = { id: 'p', name: 'P', ...profileOf(DRAFT, COLUMNS as Import['columns']) }
    const draft = draftOfProfile(profile, COLUMNS as Import['columns'], 'p')
    assert.deepEqual(mappingBody(draft, FOUND.columns, [profile]), { profileId: 'p' })
    assert.ok('columns' in mappingBody({ ...draft, mode: 'create' }, FOUND.columns, [profile]))
    const shorter = draftOfProfile(profile, FOUND.columns.slice(1), 'p')
    assert.deepEqual(lackedBy(shorter), ['Nr'])
    const made = { ...profile, columns: [{ header: 'Nr', to: { attributeAlias: 'sku' }, with: [{ default: 'x' }] }] }
    assert.deepEqual(lackedBy(draftOfProfile(made, FOUND.columns.slice(1), 'p')), [])
  })

  it('keeps what an import makes, and knows whether cells name files', () => {
    const making = { createOptions: true }
    const columns = DRAFT.columns.with(3, { ...DRAFT.columns[3]!, making })
    const body = profileOf({ ...DRAFT, columns }, COLUMNS as Import['columns'])
    assert.equal(body.columns[3]!.createOptions, true)
    const draft = draftOfProfile(body, COLUMNS as Import['columns'], null)
    assert.deepEqual(draft.columns[3]!.making, making)
    assert.deepEqual(profileOf(draft, COLUMNS as Import['columns']), body)
    assert.equal(namesFiles(draft), false)
    assert.equal(namesFiles({ columns: [{ to: null, steps: ['fetch'] }] }), true)
  })

  it('leaves out what another schema does not know', () => {
    const other = withSchema(DRAFT, 'pot', [ATTRIBUTES[1]!])
    assert.deepEqual(
      other.columns.map(({ to }) => to !== null),
      [false, true, true, false, false, false, false],
    )
    assert.equal(other.matchBy, null)
  })
})

describe('The steps for cells of an attribute', () => {
  it('make true and false of words for yes and no, as the import did that made the schema', () => {
    const organic = attribute('organic', { dataType: 'boolean' })
    assert.deepEqual(stepsFor(organic, ['', 'ja', 'nein']), ['trim', { map: TRUTH }])
    assert.deepEqual(stepsFor(organic, ['true', ' false']), [])
    assert.deepEqual(stepsFor(organic, ['constructor']), ['trim', { map: TRUTH }])
    assert.deepEqual(stepsFor(organic, ['']), [])
  })

  it('find options by name or ID also where the first cells have both in one', () => {
    const options = [
      { id: 'rot', name: 'rot' },
      { id: 'gruen', name: 'grün' },
    ]
    assert.deepEqual(stepsFor(attribute('colour', { dataType: 'select', options }), ['rot']), ['optionName'])
    const colours = attribute('colours', { dataType: 'multiSelect', options })
    assert.deepEqual(stepsFor(colours, ['rot, rot']), [{ split: ',' }, 'optionName'])
  })

  it('read arrows in paths of categories', () => {
    const arrows = { replace: { find: String.raw`\s*>\s*`, by: '/' } }
    assert.deepEqual(stepsForField('categories', ['Tools > Pliers']), ['trim', arrows])
    assert.deepEqual(stepsForField('categories', ['Tools/Pliers']), ['trim'])
    assert.deepEqual(stepsForField('parentId', ['Tools > Pliers']), [])
  })
})

describe('Errors of rows', () => {
  const error = (message: string) => ({ recordId: null, line: 2, error: 'VALIDATION_ERROR' as const, message })

  it('stand with their columns, also those whose header has quotes or is shortened', () => {
    const headers = ["Kids' size", 'x'.repeat(200)]
    const errors = ["The column 'Kids' size' must be a number", `The column '${'x'.repeat(140)}…' is wrong`].map(error)
    assert.deepEqual(
      errorsByColumn(errors, headers, []).map(({ header }) => header),
      headers,
    )
  })

  it('stand with their columns, the one with the most first', () => {
    const headers = COLUMNS.map(({ header }) => header)
    const found = errorsByColumn(
      [
        error("The column 'VK' must be a number"),
        error('values.kind: no such option'),
        error("The column 'VK' is wrong"),
        error('no permission'),
      ],
      headers,
      DRAFT.columns,
    )
    assert.deepEqual(
      found.map(({ header, errors }) => [header, errors.length]),
      [
        ['VK', 2],
        ['Sorte', 1],
        ['', 1],
      ],
    )
  })
})
