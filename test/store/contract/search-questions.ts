// Whatever the model, the records and the question: the index answers as the plain predicate does, both while the index
// has not seen the records and after.
import { VALUE_PARTS } from '../../../src/core/datatypes/data-type.ts'
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { type AttributeInput, defineAttribute } from '../../../src/core/model/rules/attributes.ts'
import { type Criteria, matchesCriteria } from '../../../src/core/search/rules/criteria.ts'
import { compareSortValues, SORT_FIELDS, type SortKey, sortValueOf } from '../../../src/core/search/rules/sorting.ts'
import type { Category } from '../../../src/core/model/rules/catalog.ts'
import { FIELD_NAMES, type FieldMember, type FieldName, fields } from '../../../src/core/search/rules/fields.ts'
import type { Comparand } from '../../../src/core/search/rules/operator.ts'
import type { CategoryTree, SearchedRecord, SearchWorld } from '../../../src/core/search/rules/searched-record.ts'
import { matchesQuestion, TEXT_MODES, type TextQuestion } from '../../../src/core/search/rules/text-question.ts'
import {
  type AttributeCriterion,
  CRITERIA_OPERATORS,
  type CriteriaGroup,
  type Criterion,
  type FieldCriterion,
  type QueryCriterion,
} from '../../../src/core/search/rules/criterion.ts'
import { DATA_TYPE_NAMES, dataTypeOf, type DataTypeName } from '../../../src/core/datatypes/data-types.ts'
import { OPERATOR_NAMES, type OperatorName, operators } from '../../../src/core/search/rules/operators.ts'
import type { Model, SchemaDefinition } from '../../../src/core/model/rules/model.ts'
import { BUILT_IN_ROLES, type Role } from '../../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import { scopeKey, type ScopedValue } from '../../../src/core/scopes/scope.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { Store } from '../../../src/store/port.ts'
import { sizeOf } from '../../helpers/in-full.ts'
import type { Backend, OpenedStorage } from './backend.ts'
import { insertRecord, recordOf } from './fixtures.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'

/** Few workspaces, since each is a store of its own, and many questions to each. */
const MANY = sizeOf({ full: { runs: 6, questions: 140 }, short: { runs: 4, questions: 90 } })
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
const STATES = DEFAULT_WORKFLOW.states.map(({ id }) => id)
const USERS = ['usr-1', 'usr-2']
const TIMES = ['2026-01-01T00:00:00.000Z', '2026-01-01T12:00:00.000Z', '2026-02-01T00:00:00.000Z']
const CATALOGS = ['cat-1', 'cat-2']
const CATEGORIES: readonly Category[] = [
  { id: 'ctg-1', catalogId: 'cat-1', parentId: null, name: 'One', sortOrder: 0 },
  { id: 'ctg-2', catalogId: 'cat-1', parentId: 'ctg-1', name: 'Two', sortOrder: 0 },
  { id: 'ctg-3', catalogId: 'cat-1', parentId: 'ctg-2', name: 'Three', sortOrder: 0 },
  { id: 'ctg-4', catalogId: 'cat-2', parentId: null, name: 'Four', sortOrder: 0 },
]
const CATEGORY_IDS = CATEGORIES.map(({ id }) => id)
const TREE: CategoryTree = {
  catalogOf: (id) => CATEGORIES.find((category) => category.id === id)?.catalogId,
  withDescendants: (ids) => {
    const children = CATEGORIES.filter(({ parentId }) => parentId !== null && ids.includes(parentId))
    return new Set(children.length === 0 ? ids : [...ids, ...TREE.withDescendants(children.map(({ id }) => id))])
  },
}
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
  references: fc.shuffledSubarray(['ent-1', 'ent-2', 'ent-3']),
  file: fc.constantFrom('aa', 'bb', 'cc').map((pair, index = pair.charCodeAt(0) - 97) => ({
    sha256: pair.repeat(32),
    fileName: `${pair} ab.JPG`,
    mediaType: pair === 'cc' ? 'application/pdf' : 'image/jpeg',
    size: index + 1,
    width: pair === 'cc' ? null : 2.5,
    height: pair === 'cc' ? null : 10,
    thumbhash: null,
  })),
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
  'image/jpeg',
  'a',
  '.jpg',
]

const attribute = (alias: string): fc.Arbitrary<AttributeInput> =>
  fc
    .record({
      dataType: fc.constantFrom(...DATA_TYPE_NAMES),
      dimensionIds: fc.subarray(['language', 'market']),
      requiredInStateIds: fc.subarray(STATES),
      guard: fc.option(
        fc.record({
          criteriaOperator: fc.constantFrom(...CRITERIA_OPERATORS),
          criteria: fc.array(
            fc.record<QueryCriterion>({
              attributeAlias: fc.constantFrom(...ALIASES.filter((other) => other !== alias)),
              operator: fc.constantFrom('isEmpty' as const, 'isNotEmpty' as const),
            }),
            { maxLength: 2 },
          ),
        }),
      ),
    })
    .map(({ dataType, dimensionIds, requiredInStateIds, guard }) => ({
      alias,
      dataType,
      dimensionIds,
      description: '',
      unique: false,
      requiredInStateIds,
      guard,
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
  readonly lifecycleStateId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: string
  readonly updatedBy: string
  /** Its own. */
  readonly categoryIds: readonly string[]
}

const head = fc.record({
  lifecycleStateId: fc.constantFrom(...STATES),
  createdAt: fc.constantFrom(...TIMES),
  updatedAt: fc.constantFrom(...TIMES),
  createdBy: fc.constantFrom(...USERS),
  updatedBy: fc.constantFrom(...USERS),
  categoryIds: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray(CATEGORY_IDS) }),
})

const world = fc.tuple(schemaOf('sch-a'), schemaOf('sch-b')).chain((schemas) =>
  fc
    .array(
      fc
        .constantFrom(...schemas)
        .chain((schema) => fc.tuple(fc.constant(schema.id), fc.nat(), fc.boolean(), valuesOf(schema), head)),
      { minLength: 3, maxLength: 25 },
    )
    .map((drafts) => {
      const records: TestRecord[] = []
      drafts.forEach(([schemaId, seed, isVariant, values, rest], index) => {
        const parents = records.filter((record) => record.schemaId === schemaId && record.parentId === null)
        const parentId = isVariant && parents.length > 0 ? parents[seed % parents.length]!.id : null
        records.push({ id: `${index % 2 === 0 ? 'Ent' : 'ent'}-${index}`, schemaId, parentId, values, ...rest })
      })
      return { schemas, records }
    }),
)

const comparand = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...COMPARANDS) },
  { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: text },
)

function operandOf(operator: OperatorName, one: fc.Arbitrary<string>): fc.Arbitrary<Comparand> {
  const { operand } = operators[operator]
  if (operand === 'list') return fc.array(one, { minLength: 1, maxLength: 3 })
  return operand === 'range' ? fc.tuple(one, one) : one
}

const criterion: fc.Arbitrary<AttributeCriterion> = fc.constantFrom(...OPERATOR_NAMES).chain((operator) =>
  fc.record({
    attributeAlias: fc.constantFrom(...ALIASES),
    part: fc.option(fc.constantFrom(...VALUE_PARTS), { nil: undefined, freq: 1 }),
    operator: fc.constant(operator),
    value: operandOf(operator, comparand),
    scope: fc.option(scopeIn(['language', 'market']), { nil: undefined }),
  }),
)

const percent = fc.constantFrom(0, 1, 33, 50, 66, 99, 99.5, 100).map(String)
const moment = fc.constantFrom(...TIMES, '2026-01-01', '2026-01-02')
const FIELD_VALUES: Record<FieldName, fc.Arbitrary<string>> = {
  id: fc.constantFrom('ent-1', 'Ent-2', 'ENT-', 'e', 'x', ''),
  schemaId: fc.constantFrom('sch-a', 'sch-b', 'sch-none'),
  lifecycleStateId: fc.constantFrom(...STATES, 'state-none'),
  createdBy: fc.constantFrom(...USERS, 'usr-3'),
  updatedBy: fc.constantFrom(...USERS, 'usr-3'),
  parentId: fc.constantFrom('ent-1', 'Ent-0', 'Ent-2', 'ent-3'),
  createdAt: moment,
  updatedAt: moment,
  categoryId: fc.constantFrom(...CATEGORY_IDS, 'ctg-none'),
  catalogId: fc.constantFrom(...CATALOGS, 'cat-none'),
  completeness: percent,
  missing: fc.constantFrom(...ALIASES),
}

/** What is scored beforehand is asked for by itself, too. */
const SCORED = ['completeness', 'missing'] as const

function criterionOn(names: readonly FieldName[]): fc.Arbitrary<FieldCriterion> {
  return fc.constantFrom(...names).chain((field) =>
    fc.constantFrom(...fields[field].operators).chain((operator) => {
      const takes = (member: FieldMember): boolean => (fields[field].takes as readonly string[]).includes(member)
      return fc.record({
        field: fc.constant(field),
        operator: fc.constant(operator),
        value: operandOf(operator, FIELD_VALUES[field]),
        scope: takes('scope')
          ? fc.option(scopeIn(['language', 'market']), { nil: undefined, freq: 1 })
          : fc.constant(undefined),
        stateId: takes('stateId')
          ? fc.option(fc.constantFrom(...STATES), { nil: undefined, freq: 1 })
          : fc.constant(undefined),
        includeChildren: takes('includeChildren') ? fc.constantFrom(undefined, true, false) : fc.constant(undefined),
      })
    }),
  )
}

const fieldCriterion = criterionOn(FIELD_NAMES)

const { item } = fc.letrec<{ item: Criterion; group: CriteriaGroup }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: criterion },
    { weight: 3, arbitrary: fieldCriterion },
    { weight: 1, arbitrary: tie('group') },
  ),
  group: fc.record({
    criteriaOperator: fc.constantFrom(...CRITERIA_OPERATORS),
    criteria: fc.array(tie('item'), { maxLength: 3 }),
    not: fc.constantFrom(undefined, true, false),
  }),
}))

const textQuestion = fc.record<TextQuestion>({
  text: fc
    .oneof(fc.constantFrom(...TEXTS, ...COMPARANDS, 'ent-1 a', '"ab c" x', 'a ab'), text)
    .filter((it) => it !== ''),
  mode: fc.constantFrom(...TEXT_MODES),
})

const direction = fc.constantFrom('asc' as const, 'desc' as const)
const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({ field: fc.constantFrom(...SORT_FIELDS), direction }),
  fc.record({ field: fc.constant('completeness'), direction, stateId: fc.constantFrom(...STATES, 'state-none') }),
  fc.record({
    attributeAlias: fc.constantFrom(...ALIASES),
    scope: fc.option(scopeIn(['language', 'market']), { nil: undefined, freq: 2 }),
    direction,
  }),
)

/** Of the keys those by which records of the schemas can be ordered. */
function sortableIn(sort: readonly SortKey[] | undefined, schemas: readonly SchemaDefinition[]): SortKey[] {
  const unsorted = new Set(
    schemas.flatMap(({ attributes }) =>
      attributes
        .filter(({ dataType }) =>
          ['multiSelect', 'json', 'reference', 'references', 'file', 'richText'].includes(dataType),
        )
        .map(({ alias }) => alias),
    ),
  )
  return (sort ?? []).filter((key) => 'field' in key || !unsorted.has(key.attributeAlias))
}

const question = fc.record({
  find: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('criteria' as const),
        criteria: fc.record<Criteria>({
          criteria: fc.oneof(
            { weight: 1, arbitrary: fc.array(item, { maxLength: 2 }) },
            { weight: 1, arbitrary: fc.tuple(criterionOn(SCORED)) },
            { weight: 2, arbitrary: fc.array(item, { minLength: 3, maxLength: 3 }) },
          ),
          criteriaOperator: fc.constantFrom(...CRITERIA_OPERATORS),
        }),
        text: fc.option(textQuestion, { nil: undefined, freq: 5 }),
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
  sort: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.array(sortKey, { minLength: 1, maxLength: 3 }) },
  ),
  offset: fc.nat({ max: 4 }),
  limit: fc.option(fc.integer({ min: 1, max: 5 })),
  hidden: fc.option(fc.constantFrom(...ALIASES), { nil: undefined, freq: 1 }),
})

function roleHiding(alias: string | undefined): Role {
  if (alias === undefined) return ADMIN
  return { ...ADMIN, id: 'role-x', attributePermissions: { 'sch-a': Object.fromEntries([[alias, 'none' as const]]) } }
}

function expectedIds(records: readonly TestRecord[], query: SearchQuery, model: Model): string[] {
  const world: SearchWorld = { model, role: query.role, categories: TREE }
  return records
    .map((record): SearchedRecord => {
      const parent = records.find(({ id }) => id === record.parentId)
      return {
        ...record,
        schema: model.schemas.get(record.schemaId)!,
        layers: { own: record.values, inherited: parent?.values ?? null },
        categoryIds: [...new Set([...record.categoryIds, ...(parent?.categoryIds ?? [])])],
      }
    })
    .filter((record) => query.schemaId === undefined || query.schemaId === record.schemaId)
    .filter((record) => {
      const { find } = query
      if (find.kind === 'text') return matchesQuestion({ text: find.text, mode: 'phrase' }, record, world)
      const isFound = find.text === undefined || matchesQuestion(find.text, record, world)
      return isFound && matchesCriteria(find.criteria, record, world)
    })
    .map((record) => ({ record, values: (query.sort ?? []).map((key) => sortValueOf(key, record, world)) }))
    .toSorted((one, other) => {
      for (const [index, { direction: way }] of (query.sort ?? []).entries()) {
        const order = compareSortValues(one.values[index], other.values[index], way)
        if (order !== 0) return order
      }
      return 0
    })
    .map(({ record }) => record.id)
}

async function assertAnswers(store: Store, query: SearchQuery, expected: readonly string[]): Promise<void> {
  const { total, batches } = await store.read.search(query, AbortSignal.timeout(20_000))
  const found = (await Array.fromAsync(batches)).flat().map((record) => record.id)
  assert.deepEqual(
    found,
    expected.slice(query.offset, query.offset + (query.limit ?? Infinity)),
    JSON.stringify([query.sort, query.find]),
  )
  assert.equal(total, query.limit === null ? null : expected.length, JSON.stringify(query.find))
  if (query.limit !== null && query.offset === 0) await assertPages(store, query, query.limit, expected)
}

/** By cursors, page after page, all are found in their order. */
async function assertPages(
  store: Store,
  query: SearchQuery,
  limit: number,
  expected: readonly string[],
): Promise<void> {
  const found: string[] = []
  for (let after: SearchQuery['after']; ;) {
    const { next, batches } = await store.read.search({ ...query, after }, AbortSignal.timeout(20_000))
    const page = (await Array.fromAsync(batches)).flat().map((record) => record.id)
    found.push(...page)
    assert.equal(next !== null, page.length === limit)
    if (next === null) break
    after = next
  }
  assert.deepEqual(found, expected, `pages: ${JSON.stringify(query.sort)} ${JSON.stringify(query.find)}`)
}

/** @param count how many, for a backend that takes long to answer so many */
export function describeSearchQuestions(backend: Backend, count = MANY): void {
  describe(`${backend.name}: random searches`, () => {
    it(`${count.runs} × ${count.questions} random questions, asked before and after indexing, are answered as the predicate answers them`, (test) =>
      askRandomQuestions(backend, test, count))

    it('every data type is among the random values', () => {
      assert.deepEqual(Object.keys(VALUES).sort(), [...DATA_TYPE_NAMES].sort())
      for (const name of DATA_TYPE_NAMES) assert.equal(typeof dataTypeOf({ dataType: name }).findFault, 'function')
    })
  })
}

async function askRandomQuestions(backend: Backend, test: TestContext, { runs, questions: length }: typeof MANY) {
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.array(question, { minLength: length, maxLength: length }),
      async ({ schemas, records }, questions) => {
        const opened = await backend.open(test)
        const { store } = opened
        try {
          await store.transaction(async (tx) => {
            await tx.workflows.insert(DEFAULT_WORKFLOW)
            for (const dimension of DIMENSIONS) await tx.dimensions.insert(dimension)
            for (const schema of schemas) await tx.schemas.insert(schema)
            for (const id of CATALOGS) await tx.catalogs.insert({ id, name: id })
            for (const category of CATEGORIES) await tx.categories.insert(category)
          })
          await opened.whenSettled()
          await store.transaction(async (tx) => {
            for (const { values, categoryIds, ...record } of records) {
              await insertRecord(tx, recordOf(record.id, { ...record, valuesJson: JSON.stringify(values) }))
              await tx.categories.setAssignments(record.id, placesOf(categoryIds))
            }
          })
          const model = await store.read.model()
          for (const isIndexed of [false, true]) {
            if (isIndexed) await opened.whenSettled()
            for (const { hidden, ...rest } of questions) {
              const sort = sortableIn(rest.sort, schemas)
              const query: SearchQuery = { ...rest, sort, role: roleHiding(hidden) }
              await assertAnswers(store, query, expectedIds(records, query, model))
            }
          }
          await assertFollowsChanges(
            opened,
            records,
            questions.map(({ hidden, ...rest }) => ({
              ...rest,
              sort: sortableIn(rest.sort, schemas),
              role: roleHiding(hidden),
            })),
          )
        } finally {
          await store.close()
        }
      },
    ),
    { numRuns: runs, endOnFailure: true },
  )
}

function placesOf(categoryIds: readonly string[]): { categoryId: string; sortOrder: number }[] {
  return categoryIds.map((categoryId) => ({ categoryId, sortOrder: 0 }))
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
    if (index % 2 !== 0 || donor === undefined) return record
    const { values, lifecycleStateId, updatedAt, categoryIds } = donor
    return { ...record, values, lifecycleStateId, updatedAt, categoryIds }
  })
  const left = changed.filter((record, index) => index % 5 !== 4 || isParent(record.id))
  await store.transaction(async (tx) => {
    for (const { id, values, lifecycleStateId, updatedAt, categoryIds } of changed) {
      const stored = (await tx.records.get(id))!
      if (left.some((record) => record.id === id)) {
        const now = { ...stored, lifecycleStateId, updatedAt, valuesJson: JSON.stringify(values) }
        await tx.records.update(stored, now)
        await tx.categories.setAssignments(id, placesOf(categoryIds))
      } else await tx.records.delete(id)
    }
  })
  const model = await store.read.model()
  for (const query of queries.slice(0, 10)) await assertAnswers(store, query, expectedIds(left, query, model))
  await opened.whenSettled()
  for (const query of queries) await assertAnswers(store, query, expectedIds(left, query, model))
}
