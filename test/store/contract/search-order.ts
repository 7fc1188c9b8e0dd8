// Many records in any order, page after page: the index gives them as the plain rule puts them.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { type AttributeInput, defineAttribute } from '../../../src/core/model/rules/attributes.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { Model, SchemaDefinition } from '../../../src/core/model/rules/model.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { Scope, ScopedValue } from '../../../src/core/scopes/scope.ts'
import type { Criterion } from '../../../src/core/search/rules/criterion.ts'
import { matchesCriteria } from '../../../src/core/search/rules/criteria.ts'
import { type Facet, facetKeysOf } from '../../../src/core/search/rules/facets.ts'
import { scoreWithin } from '../../../src/core/search/rules/scoped-score.ts'
import type { SearchedRecord } from '../../../src/core/search/rules/searched-record.ts'
import { compareSortValues, SORT_FIELDS, type SortKey, sortValueOf } from '../../../src/core/search/rules/sorting.ts'
import type { Store, Transaction } from '../../../src/store/port.ts'
import type { SearchPosition } from '../../../src/core/search/rules/sorting.ts'
import { sizeOf } from '../../helpers/in-full.ts'
import { searched, worldOf } from '../../helpers/searched-records.ts'
import { type Backend, openWithModel } from './backend.ts'
import { AT, insertRecord, insertRecords, recordOf } from './fixtures.ts'

const RECORDS = 1600
const MANY = sizeOf({ full: 60, short: 20 })
const ROLE = BUILT_IN_ROLES[0]!
const STATES = DEFAULT_WORKFLOW.states.map(({ id }) => id)
const DIMENSIONS = [
  { id: 'language', name: 'Language', segments: ['de', 'en', 'fr'].map((id) => ({ id, name: id })) },
  { id: 'market', name: 'Market', segments: ['eu', 'us'].map((id) => ({ id, name: id })) },
]

const attribute = (alias: string, more: Partial<AttributeInput> = {}) =>
  defineAttribute({
    alias,
    dataType: 'text',
    dimensionIds: [],
    description: '',
    unique: false,
    requiredInStateIds: ['state-review'],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
    ...more,
  })

const options = ['m', 's', 'xl', 'l'].map((id) => ({ id }))
const SCHEMAS: readonly SchemaDefinition[] = ['sch-a', 'sch-b'].map((id) => ({
  id,
  name: id,
  workflowId: DEFAULT_WORKFLOW.id,
  combinations: null,
  createdAt: AT,
  updatedAt: AT,
  attributes: [
    attribute('name', { dimensionIds: ['language', 'market'] }),
    attribute('weight', { dataType: 'number', dimensionIds: id === 'sch-a' ? ['market'] : [] }),
    attribute('size', { dataType: 'select', options: id === 'sch-a' ? options : options.toReversed() }),
    attribute('isNew', { dataType: 'boolean', dimensionIds: ['language'] }),
    ...(id === 'sch-a' ? [attribute('since', { dataType: 'date' })] : []),
  ],
}))

const LONG = 'a text that goes on for longer than what the index sorts by, and then '
const TEXTS = [
  '',
  'Hat',
  'hat',
  'HAT',
  'Äpfel',
  'apfel',
  'z',
  '𝒜',
  '\uffee',
  'a\u0001b',
  'a\u0002',
  'a',
  LONG,
  `${LONG}b`,
  `${LONG}A`,
]

/** The same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let bits = Math.imul(seed + 1, 2_654_435_761) >>> 0
  return (below) => {
    bits = (Math.imul(bits, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((bits / 2 ** 32) * below)
  }
}

function scopedOf(
  random: (below: number) => number,
  value: () => unknown,
  dimensionIds: readonly string[],
): ScopedValue[] {
  const scopes: Scope[] = [
    {},
    { language: 'de' },
    { language: 'en' },
    { language: 'fr' },
    { market: 'eu' },
    { language: 'de', market: 'eu' },
  ]
  return scopes
    .filter((scope) => Object.keys(scope).every((id) => dimensionIds.includes(id)))
    .filter(() => random(5) < 2)
    .map((scope) => ({ scope, value: value() }))
}

const made = Array.from({ length: RECORDS }, (_, index) => {
  const random = randomOf(index)
  const schema = SCHEMAS[random(4) === 0 ? 1 : 0]!
  const value: Record<string, () => unknown> = {
    name: () => (random(3) === 0 ? `Name ${random(500)}` : TEXTS[random(TEXTS.length)]),
    weight: () => random(40) - 20,
    size: () => ['', ...options.map(({ id }) => id)][random(5)],
    isNew: () => random(2) === 0,
    since: () => (random(4) === 0 ? '' : `2026-01-${String(1 + random(28)).padStart(2, '0')}`),
  }
  const values: Values = Object.fromEntries(
    schema.attributes.map(({ alias, dimensionIds }) => [alias, scopedOf(random, value[alias]!, dimensionIds)]),
  )
  return {
    id: `${random(2) === 0 ? 'Ent' : 'ent'}-${random(1000)}-${index}`,
    schemaId: schema.id,
    variantOf: random(3) === 0 ? random(index + 1) : undefined,
    lifecycleStateId: STATES[random(3)]!,
    createdBy: 'usr-1',
    updatedBy: 'usr-1',
    createdAt: `2026-01-0${1 + random(3)}T00:00:00.000Z`,
    updatedAt: `2026-02-01T00:00:00.${String(random(1000)).padStart(3, '0')}Z`,
    values,
  }
})

const records = made.map(({ variantOf, ...record }) => {
  const parent = variantOf === undefined ? undefined : made[variantOf]!
  const isParent = parent !== undefined && parent.variantOf === undefined && parent.schemaId === record.schemaId
  return { ...record, parentId: isParent && parent.id !== record.id ? parent.id : null }
})

const direction = fc.constantFrom('asc' as const, 'desc' as const)
const scope = fc.record(
  { language: fc.constantFrom('de', 'en', 'fr'), market: fc.constantFrom('eu', 'us') },
  { requiredKeys: [] },
)
const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({ field: fc.constantFrom(...SORT_FIELDS), direction }),
  fc.record({ attributeAlias: fc.constantFrom('name', 'weight', 'size', 'isNew', 'since'), scope, direction }),
  fc.record({ attributeAlias: fc.constant('name'), scope, direction }),
  fc.record({ field: fc.constant('completeness'), direction, stateId: fc.constantFrom(...STATES) }),
)
/** Up to three, of which two may order by the same: that one is of no consequence. */
const sortKeys = fc
  .tuple(fc.array(sortKey, { minLength: 1, maxLength: 3 }), fc.option(fc.nat(2), { freq: 2 }), direction)
  .map(([keys, again, way]) =>
    again === null ? keys : [...keys.slice(0, 2), { ...keys[again % Math.min(2, keys.length)]!, direction: way }],
  )
const criteria = fc.constantFrom<readonly Criterion[]>(
  [],
  [{ field: 'lifecycleStateId', operator: 'notEquals', value: STATES[0]! }],
  [{ field: 'lifecycleStateId', operator: 'equals', value: STATES[0]! }],
  [{ field: 'id', operator: 'startsWith', value: 'ent-1' }],
)

const anyScope = fc.option(scope, { nil: undefined, freq: 2 })
const completeness = fc.option(fc.record({ scope: anyScope, stateId: fc.constantFrom(undefined, ...STATES) }), {
  nil: undefined,
  freq: 2,
})
const scoredFacet: fc.Arbitrary<Facet> = fc.oneof(
  fc.record({ attributeAlias: fc.constantFrom('size', 'isNew'), scope: anyScope, completeness }),
  fc.record({ field: fc.constantFrom('lifecycleStateId', 'schemaId', 'categoryId'), completeness }),
)
const facet: fc.Arbitrary<Facet> = fc.oneof(
  scoredFacet,
  fc.record({ attributeAlias: fc.constantFrom('weight', 'size', 'isNew', 'since'), scope: anyScope }),
  fc.constantFrom('lifecycleStateId', 'schemaId', 'categoryId', 'createdBy').map((field): Facet => ({ field })),
  fc.record({
    field: fc.constant('completeness' as const),
    scope: anyScope,
    stateId: fc.constantFrom(undefined, ...STATES),
  }),
)

const NONE = { kind: 'criteria', criteria: { criteria: [], criteriaOperator: 'and' } } as const
const ALL = { find: NONE, role: ROLE, schemaId: undefined, offset: 0 }

async function insertSchemas(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  for (const dimension of DIMENSIONS) await tx.dimensions.insert(dimension)
  for (const schema of SCHEMAS) await tx.schemas.insert(schema)
}

async function openCatalogue(backend: Backend, test: TestContext): Promise<{ store: Store; model: Model }> {
  const { store, whenSettled } = await openWithModel(backend, test, insertSchemas)
  await store.transaction(async (tx) => {
    for (const { values, ...record } of records)
      await insertRecord(tx, recordOf(record.id, { ...record, valuesJson: JSON.stringify(values) }))
  })
  await whenSettled()
  return { store, model: await store.read.model() }
}

/** @param runs how many, for a backend that takes long to answer so many */
export function describeSearchOrder(backend: Backend, runs = MANY): void {
  describe(`${backend.name}: many records`, () => {
    it(`come in the order of the rule, for ${runs} random orders, page after page, with changes that the index has not seen`, async (test) => {
      const { store, model } = await openCatalogue(backend, test)
      await fc.assert(
        fc.asyncProperty(
          sortKeys,
          criteria,
          fc.constantFrom(undefined, 'sch-a', 'sch-b'),
          fc.constantFrom(7, 130, 700),
          fc.boolean(),
          async (sort, asked, schemaId, limit, isChanged) => {
            // Touched, and so not known to the index for a moment.
            if (isChanged) await store.transaction((tx) => touch(tx, records[limit]!.id))
            await assertOrder(store, model, { sort, criteria: asked, schemaId, limit })
          },
        ),
        { numRuns: runs, endOnFailure: true },
      )
    })

    it('come page after page if they have no value, although storage has their rows in another order', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, insertSchemas)
      const ids = Array.from({ length: 40 }, (_, at) => `r-${at}`)
      await insertRecords(store, ids, { schemaId: 'sch-a' })
      await whenSettled()
      for (const [at, id] of ids.toReversed().entries()) {
        const valuesJson = JSON.stringify({ name: [{ scope: {}, value: `Hat ${at}` }] })
        await store.transaction((tx) => touch(tx, id, { valuesJson }))
        if (at % 10 === 0) await whenSettled()
      }
      await whenSettled()
      const sort: readonly SortKey[] = [{ attributeAlias: 'weight', scope: {}, direction: 'desc' }]
      const found: string[] = []
      for (let after: SearchPosition | null | undefined; after !== null;) {
        const { batches, next } = await store.read.search(
          { ...ALL, sort, after, limit: 3 },
          AbortSignal.timeout(20_000),
        )
        found.push(...(await Array.fromAsync(batches)).flat().map(({ id }) => id))
        after = next
      }
      assert.deepEqual(found, ids)
    })

    it(`are counted by facets as they are one by one, for ${runs} random questions, with changes that the index has not seen`, async (test) => {
      const { store, model } = await openCatalogue(backend, test)
      await fc.assert(
        fc.asyncProperty(
          fc.array(facet, { minLength: 1, maxLength: 4 }),
          criteria,
          fc.constantFrom(undefined, 'sch-a', 'sch-b'),
          fc.integer({ min: 1, max: 100 }),
          fc.boolean(),
          async (facets, asked, schemaId, limit, isChanged) => {
            if (isChanged) await store.transaction((tx) => touch(tx, records[limit]!.id))
            await assertCounts(store, model, facets, { criteria: asked, schemaId, limit })
          },
        ),
        { numRuns: runs, endOnFailure: true },
      )
    })
  })
}

async function assertCounts(
  store: Store,
  model: Model,
  facets: readonly Facet[],
  { criteria: asked, schemaId, limit }: Omit<Asked, 'sort'>,
): Promise<void> {
  const find = { kind: 'criteria', criteria: { criteria: asked, criteriaOperator: 'and' } } as const
  const search = { find, role: ROLE, schemaId, offset: 0, limit: null }
  const counted = await store.read.facets({ search, facets, limit }, AbortSignal.timeout(20_000))
  const found = expectedRecords(model, asked, schemaId)
  const name = JSON.stringify({ facets, asked, schemaId, limit })
  assert.equal(counted.total, found.length, name)
  for (const [index, one] of facets.entries()) {
    const keys = found.map((record) => facetKeysOf(one, record, worldOf(model)))
    const missing = keys.filter((of) => of.length === 0).length
    const counts = Map.groupBy(keys.flat(), (key) => key)
    const isOrdered = 'attributeAlias' in one && ['weight', 'since'].includes(one.attributeAlias)
    if (isOrdered) {
      const numbers = [...counts.keys()].map(Number)
      const show = (number: number): unknown =>
        one.attributeAlias === 'weight' ? number : new Date(number).toISOString().slice(0, 10)
      const [min, max] = numbers.length === 0 ? [null, null] : [show(Math.min(...numbers)), show(Math.max(...numbers))]
      // In a schema without the attribute nothing says that it has an order.
      if (schemaId === 'sch-b' && one.attributeAlias === 'since')
        assert.equal(counted.facets[index]!.missing, missing, name)
      else assert.deepEqual(counted.facets[index], { min, max, missing }, name)
    } else {
      const isWith = (value: unknown) => (record: SearchedRecord) =>
        value === undefined
          ? facetKeysOf(one, record, worldOf(model)).length === 0
          : facetKeysOf(one, record, worldOf(model)).includes(value as string)
      const meanOf = (value: unknown, member: string): object =>
        one.completeness === undefined ? {} : { [member]: meanScore(found.filter(isWith(value)), one, model) }
      const values = [...counts].map(([value, all]) => ({
        value: String(value),
        count: all.length,
        ...meanOf(value, 'completeness'),
      }))
      values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      const expected = { values: values.slice(0, limit), missing, ...meanOf(undefined, 'missingCompleteness') }
      assert.deepEqual(counted.facets[index], expected, name)
    }
  }
}

/** By the plain rule, with one decimal. */
function meanScore(records: readonly SearchedRecord[], { completeness = {} }: Facet, model: Model): number | null {
  const scores = records.flatMap((record) => scoreWithin(record, completeness, worldOf(model))?.percentage ?? [])
  if (scores.length === 0) return null
  return Math.round((10 * scores.reduce((sum, score) => sum + score, 0)) / scores.length) / 10
}

async function touch(tx: Transaction, id: string, changes: { readonly valuesJson?: string } = {}): Promise<void> {
  const record = (await tx.records.get(id))!
  await tx.records.update(record, { ...record, ...changes, version: tx.newVersion() })
}

interface Asked {
  readonly sort: readonly SortKey[]
  readonly criteria: readonly Criterion[]
  readonly schemaId: string | undefined
  readonly limit: number
}

async function assertOrder(
  store: Store,
  model: Model,
  { sort, criteria: asked, schemaId, limit }: Asked,
): Promise<void> {
  const expected = expectedIds(model, sort, asked, schemaId)
  const query = {
    find: { kind: 'criteria', criteria: { criteria: asked, criteriaOperator: 'and' } },
    role: ROLE,
    schemaId,
    sort,
    limit,
  } as const
  const name = JSON.stringify({ sort, asked, schemaId, limit })
  const found: string[] = []
  let after: SearchPosition | undefined
  // Not to the end each time: the first pages, some in the middle, and those of records without a value.
  for (let page = 0; page < 8; page += 1) {
    const result = await store.read.search({ ...query, after, offset: 0 }, AbortSignal.timeout(20_000))
    assert.equal(result.total, expected.length, name)
    found.push(...(await Array.fromAsync(result.batches)).flat().map(({ id }) => id))
    if (result.next === null) break
    after = result.next
  }
  assert.deepEqual(found, expected.slice(0, 8 * limit), name)
  const offset = Math.floor(expected.length / 2)
  const { batches } = await store.read.search({ ...query, offset }, AbortSignal.timeout(20_000))
  const middle = (await Array.fromAsync(batches)).flat().map(({ id }) => id)
  assert.deepEqual(middle, expected.slice(offset, offset + limit), name)
}

function expectedIds(
  model: Model,
  sort: readonly SortKey[],
  asked: readonly Criterion[],
  schemaId: string | undefined,
): string[] {
  const world = worldOf(model)
  return expectedRecords(model, asked, schemaId)
    .map((record) => ({ id: record.id, values: sort.map((key) => sortValueOf(key, record, world)) }))
    .toSorted((one, other) => {
      const orders = sort.map(({ direction: way }, index) =>
        compareSortValues(one.values[index], other.values[index], way),
      )
      return orders.find((order) => order !== 0) ?? 0
    })
    .map(({ id }) => id)
}

function expectedRecords(model: Model, asked: readonly Criterion[], schemaId: string | undefined): SearchedRecord[] {
  const world = worldOf(model)
  const byId = new Map(records.map((record) => [record.id, record]))
  return records
    .filter((record) => schemaId === undefined || record.schemaId === schemaId)
    .map(({ values, ...record }) => {
      const inherited = record.parentId === null ? null : byId.get(record.parentId)!.values
      return searched({ ...record, schema: model.schemas.get(record.schemaId)!, layers: { own: values, inherited } })
    })
    .filter((record) => matchesCriteria({ criteria: asked, criteriaOperator: 'and' }, record, world))
}
