// Whatever the model, the records and the question: the index answers as the plain predicate does, both while the index
// has not seen the records and after.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { type AttributeInput, defineAttribute } from '../../../src/domain/model/attributes.ts'
import { type Criteria, matchesCriteria, matchesText } from '../../../src/domain/search/criteria.ts'
import { CRITERIA_OPERATORS, type QueryCriterion } from '../../../src/domain/search/criterion.ts'
import { DATA_TYPE_NAMES, dataTypeOf, type DataTypeName } from '../../../src/domain/datatypes/data-types.ts'
import { OPERATOR_NAMES } from '../../../src/domain/search/operators.ts'
import type { Model, SchemaDefinition } from '../../../src/domain/model/model.ts'
import { BUILT_IN_ROLES, type Role } from '../../../src/domain/accounts/permissions.ts'
import type { Values } from '../../../src/domain/records/record.ts'
import { scopeKey, type ScopedValue } from '../../../src/domain/scopes/scope.ts'
import { foldText } from '../../../src/domain/text.ts'
import { DEFAULT_WORKFLOW } from '../../../src/domain/model/workflows.ts'
import type { Store } from '../../../src/storage/port.ts'
import type { Backend, OpenedStorage } from './backend.ts'
import { insertRecord, recordOf } from './fixtures.ts'
import type { SearchQuery } from '../../../src/storage/search-port.ts'

/** Few workspaces, since each is a store of its own, and many questions to each. */
const RUNS = 12
const QUESTIONS = 140
const ADMIN = BUILT_IN_ROLES[0]!

const DIMENSIONS = [
  { id: 'language', name: 'Language', segments: ['de', 'en', 'fr'].map((id) => ({ id, name: id })) },
  { id: 'market', name: 'Market', segments: ['eu', 'us'].map((id) => ({ id, name: id })) },
]
const ALIASES = ['a', 'b', 'constructor', 'toString']
const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'abcd',
  'ABCD',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'e\u0301te\u0301',
  'été',
  '日本語',
  '日本',
  '👩‍👩‍👧 family',
  '"quoted" OR *',
  "a'b%c_d",
  'NEAR(a b)',
  'a\u0000bc\u0000d',
  'x\u001fy',
  'x\u001ey\u{f0001}z',
  'ΟΔΟΣ',
  'x'.repeat(150),
  `${'x'.repeat(149)}y`,
  'col:abc',
  '-abc',
]
const OPTIONS = ['red', 'green', 'blue']

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme', maxLength: 6 }))
const amount = fc.constantFrom(-1.5, 0, 1, 2, 2.5, 10, 1e21)

const VALUES: Record<DataTypeName, fc.Arbitrary<unknown>> = {
  text,
  richText: text,
  url: text,
  number: amount,
  boolean: fc.boolean(),
  date: fc.constantFrom('', '2024-02-29', '2025-01-01', '1969-12-31'),
  dateTime: fc.constantFrom('', '2024-02-29T00:00:00Z', '2024-02-29T01:00:00+01:00', '2025-01-01T12:30:00.5Z'),
  select: fc.constantFrom('', ...OPTIONS),
  multiSelect: fc.subarray(OPTIONS),
  price: amount.map((value) => ({ amount: value, currency: 'EUR' })),
  measurement: amount.map((value) => ({ amount: value, unit: 'kg' })),
  reference: fc.constantFrom('', 'ent-1', 'ent-2'),
  json: fc.constantFrom<unknown>('', [], {}, { a: 1, b: 2 }, 'abc', 5, true),
}

const COMPARANDS = [
  '1',
  '2.0',
  '2.5',
  '-1.5',
  '1e21',
  'true',
  'false',
  '2024-02-29',
  '2024-02-29T00:00:00Z',
  '2025-01-01',
  'red',
  'ent-1',
  '[]',
  '{"b":2,"a":1}',
  '"abc"',
  'not a number',
  'ab',
  'bc',
  's',
  '日',
  '本語',
  'STRA',
  'ß',
  'É',
  'x',
  'οδος',
  'bc\u0000d',
  'c_d',
  '%',
]

const attribute = (alias: string): fc.Arbitrary<AttributeInput> =>
  fc
    .record({ dataType: fc.constantFrom(...DATA_TYPE_NAMES), dimensionIds: fc.subarray(['language', 'market']) })
    .map(({ dataType, dimensionIds }) => ({
      alias,
      dataType,
      dimensionIds,
      description: '',
      unique: false,
      requiredInStateIds: [],
      guard: null,
      validation: {},
      options: OPTIONS.map((id) => ({ id })),
      units: [],
      currencies: [],
    }))

const schemaOf = (id: string): fc.Arbitrary<SchemaDefinition> =>
  fc
    .subarray(ALIASES, { minLength: 1 })
    .chain((aliases) => fc.tuple(...aliases.map(attribute)))
    .map((attributes) => ({
      id,
      name: id,
      workflowId: DEFAULT_WORKFLOW.id,
      combinations: null,
      createdAt: '',
      updatedAt: '',
      attributes: attributes.map((input) => defineAttribute(input)),
    }))

const scopeIn = (dimensionIds: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .record({ language: fc.constantFrom('de', 'en', 'fr'), market: fc.constantFrom('eu', 'us') }, { requiredKeys: [] })
    .map((scope) => Object.fromEntries(Object.entries(scope).filter(([id]) => dimensionIds.includes(id))))

const valuesOf = (schema: SchemaDefinition): fc.Arbitrary<Values> =>
  fc
    .tuple(
      ...schema.attributes.map(({ dataType, dimensionIds }) =>
        fc.uniqueArray(fc.record<ScopedValue>({ scope: scopeIn(dimensionIds), value: VALUES[dataType] }), {
          maxLength: 3,
          selector: ({ scope }) => scopeKey(scope),
        }),
      ),
    )
    .map((all) => Object.fromEntries(schema.attributes.map(({ alias }, index) => [alias, all[index]!])))

interface TestRecord {
  readonly id: string
  readonly schemaId: string
  readonly parentId: string | null
  readonly values: Values
}

const world = fc.tuple(schemaOf('sch-a'), schemaOf('sch-b')).chain((schemas) =>
  fc
    .array(
      fc
        .constantFrom(...schemas)
        .chain((schema) => fc.tuple(fc.constant(schema.id), fc.nat(), fc.boolean(), valuesOf(schema))),
      { minLength: 3, maxLength: 25 },
    )
    .map((drafts) => {
      const records: TestRecord[] = []
      drafts.forEach(([schemaId, seed, isVariant, values], index) => {
        const parents = records.filter((record) => record.schemaId === schemaId && record.parentId === null)
        const parentId = isVariant && parents.length > 0 ? parents[seed % parents.length]!.id : null
        records.push({ id: `ent-${index}`, schemaId, parentId, values })
      })
      return { schemas, records }
    }),
)

const criterion: fc.Arbitrary<QueryCriterion> = fc
  .record({
    attributeAlias: fc.constantFrom(...ALIASES),
    operator: fc.constantFrom(...OPERATOR_NAMES),
    value: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...COMPARANDS) },
      { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
      { weight: 1, arbitrary: text },
    ),
    scope: fc.option(scopeIn(['language', 'market']), { nil: undefined }),
  })
  .map((made) => ({ ...made }))

const question = fc.record({
  find: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('criteria' as const),
        criteria: fc.record<Criteria>({
          criteria: fc.oneof(
            { weight: 1, arbitrary: fc.array(criterion, { maxLength: 2 }) },
            { weight: 2, arbitrary: fc.array(criterion, { minLength: 3, maxLength: 3 }) },
          ),
          criteriaOperator: fc.constantFrom(...CRITERIA_OPERATORS),
        }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('text' as const),
        text: fc.oneof(fc.constantFrom(...TEXTS, ...COMPARANDS), text).filter((it) => it !== ''),
      }),
    },
  ),
  schemaId: fc.constantFrom(undefined, 'sch-a', 'sch-b', 'sch-none'),
  offset: fc.nat({ max: 4 }),
  limit: fc.option(fc.integer({ min: 1, max: 5 })),
  hidden: fc.option(fc.constantFrom(...ALIASES), { nil: undefined }),
})

function roleHiding(alias: string | undefined): Role {
  if (alias === undefined) return ADMIN
  return { ...ADMIN, id: 'role-x', attributePermissions: { 'sch-a': Object.fromEntries([[alias, 'none' as const]]) } }
}

function expectedIds(records: readonly TestRecord[], query: SearchQuery, model: Model): string[] {
  return records
    .filter(({ schemaId, parentId, values }) => {
      const schema = model.schemas.get(schemaId)!
      if (query.schemaId !== undefined && query.schemaId !== schemaId) return false
      const parent = records.find((record) => record.id === parentId)
      const layers = { own: values, inherited: parent?.values ?? null }
      return query.find.kind === 'criteria'
        ? matchesCriteria(query.find.criteria, layers, schema, model)
        : matchesText(foldText(query.find.text), layers, schema, query.role, model)
    })
    .map((record) => record.id)
}

async function assertAnswers(store: Store, query: SearchQuery, expected: readonly string[]): Promise<void> {
  const { total, batches } = await store.read.search(query, AbortSignal.timeout(20_000))
  const found = (await Array.fromAsync(batches)).flat().map((record) => record.id)
  assert.deepEqual(
    found,
    expected.slice(query.offset, query.offset + (query.limit ?? Infinity)),
    JSON.stringify(query.find),
  )
  assert.equal(total, query.limit === null ? null : expected.length, JSON.stringify(query.find))
}

export function describeSearchQuestions(backend: Backend): void {
  describe(`${backend.name}: random searches`, () => {
    it(`${RUNS} × ${QUESTIONS} random questions, asked before and after indexing, are answered as the predicate answers them`, (test) =>
      askRandomQuestions(backend, test))

    it('every data type is among the random values', () => {
      assert.deepEqual(Object.keys(VALUES).sort(), [...DATA_TYPE_NAMES].sort())
      for (const name of DATA_TYPE_NAMES) assert.equal(typeof dataTypeOf({ dataType: name }).findFault, 'function')
    })
  })
}

async function askRandomQuestions(backend: Backend, test: TestContext): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(question, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async ({ schemas, records }, questions) => {
        const opened = await backend.open(test)
        const { store } = opened
        try {
          await store.transaction(async (tx) => {
            await tx.workflows.insert(DEFAULT_WORKFLOW)
            for (const dimension of DIMENSIONS) await tx.dimensions.insert(dimension)
            for (const schema of schemas) await tx.schemas.insert(schema)
          })
          await opened.whenSettled()
          await store.transaction(async (tx) => {
            for (const { id, schemaId, parentId, values } of records)
              await insertRecord(tx, recordOf(id, { schemaId, parentId, valuesJson: JSON.stringify(values) }))
          })
          const model = await store.read.model()
          for (const isIndexed of [false, true]) {
            if (isIndexed) await opened.whenSettled()
            for (const { hidden, ...rest } of questions) {
              const query: SearchQuery = { ...rest, role: roleHiding(hidden) }
              await assertAnswers(store, query, expectedIds(records, query, model))
            }
          }
          await assertFollowsChanges(
            opened,
            records,
            questions.map(({ hidden, ...rest }) => ({ ...rest, role: roleHiding(hidden) })),
          )
        } finally {
          await store.close()
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
}

/** Every second record takes the values of the next one of its schema, every fifth goes: the index follows. */
async function assertFollowsChanges(
  opened: OpenedStorage,
  records: readonly TestRecord[],
  queries: readonly SearchQuery[],
): Promise<void> {
  const { store } = opened
  const isParent = (id: string): boolean => records.some((record) => record.parentId === id)
  const changed = records.map((record, index) => {
    const donor = records.slice(index + 1).find((other) => other.schemaId === record.schemaId)
    return index % 2 === 0 && donor !== undefined ? { ...record, values: donor.values } : record
  })
  const left = changed.filter((record, index) => index % 5 !== 4 || isParent(record.id))
  await store.transaction(async (tx) => {
    for (const { id, values } of changed) {
      const stored = (await tx.records.get(id))!
      if (left.some((record) => record.id === id))
        await tx.records.update(stored, { ...stored, valuesJson: JSON.stringify(values) })
      else await tx.records.delete(id)
    }
  })
  const model = await store.read.model()
  for (const query of queries.slice(0, 10)) await assertAnswers(store, query, expectedIds(left, query, model))
  await opened.whenSettled()
  for (const query of queries) await assertAnswers(store, query, expectedIds(left, query, model))
}
