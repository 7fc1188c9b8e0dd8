// How complete records are and what they lack, asked for every scope, state and role: the index answers as the plain predicate.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AttributeInput, defineAttribute } from '../../../src/core/model/rules/attributes.ts'
import { BUILT_IN_ROLES, type Role } from '../../../src/core/accounts/rules/permissions.ts'
import type { Model, SchemaDefinition } from '../../../src/core/model/rules/model.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../src/core/scopes/scope.ts'
import { matchesField } from '../../../src/core/search/rules/judge-field.ts'
import type { FieldCriterion } from '../../../src/core/search/rules/criterion.ts'
import type { Store } from '../../../src/store/port.ts'
import { searched, worldOf } from '../../helpers/searched-records.ts'
import { type Backend, openWithModel } from './backend.ts'
import { AT, insertRecord, recordOf } from './fixtures.ts'

const DIMENSIONS = [
  { id: 'language', name: 'Language', segments: ['de', 'en', 'fr'].map((id) => ({ id, name: id })) },
  { id: 'market', name: 'Market', segments: ['eu', 'us'].map((id) => ({ id, name: id })) },
]
const STATES = DEFAULT_WORKFLOW.states.map(({ id }) => id)

const attribute = (alias: string, dimensionIds: string[], more: Partial<AttributeInput> = {}) =>
  defineAttribute({
    alias,
    dataType: 'text',
    dimensionIds,
    description: '',
    unique: false,
    requiredInStateIds: ['state-review', 'state-published'],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
    ...more,
  })

const SCHEMA: SchemaDefinition = {
  id: 'sch-a',
  name: 'A',
  workflowId: DEFAULT_WORKFLOW.id,
  combinations: [{ market: 'eu' }, { language: 'en' }],
  createdAt: AT,
  updatedAt: AT,
  attributes: [
    attribute('name', ['language', 'market']),
    attribute('note', ['language'], { requiredInStateIds: ['state-published'] }),
    attribute('price', ['market'], {
      guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'code', operator: 'isNotEmpty' }] },
    }),
    attribute('code', [], { requiredInStateIds: [] }),
  ],
}

const ROLES: readonly Role[] = [
  BUILT_IN_ROLES[0]!,
  { ...BUILT_IN_ROLES[0]!, id: 'role-x', attributePermissions: { 'sch-a': { code: 'none' } } },
]

const scopes = (dimensionIds: readonly string[]): readonly Scope[] =>
  dimensionIds.reduce<readonly Scope[]>(
    (made, id) =>
      made.flatMap((scope) => [
        scope,
        ...DIMENSIONS.find((one) => one.id === id)!.segments.map((segment) => ({ ...scope, [id]: segment.id })),
      ]),
    [{}],
  )

/** Each scope has a value where the bits of the seed say so: an empty one, now and then. */
function valuesOf(seed: number): Values {
  let bits = (seed * 2_654_435_761) >>> 0
  const next = (): number => {
    bits = (bits * 1_664_525 + 1_013_904_223) >>> 0
    return bits / 2 ** 32
  }
  const share = next()
  return Object.fromEntries(
    SCHEMA.attributes.map(({ alias, dimensionIds }) => [
      alias,
      scopes(dimensionIds)
        .filter((scope) => next() < (Object.keys(scope).length === 0 ? share / 4 : share))
        .map((scope) => ({ scope, value: next() < 0.1 ? '' : 'x' })),
    ]),
  )
}

const RECORDS = Array.from({ length: 60 }, (_, index) => ({
  id: `ent-${index}`,
  parentId: index % 5 === 4 ? `ent-${index - 4}` : null,
  lifecycleStateId: STATES[index % 3]!,
  values: index === 0 ? {} : valuesOf(index),
}))

const CRITERIA: readonly Pick<FieldCriterion, 'field' | 'operator' | 'value'>[] = [
  ...(['lt', 'gte', 'equals'] as const).map((operator) => ({ field: 'completeness', operator, value: '100' }) as const),
  { field: 'completeness', operator: 'between', value: ['20', '60'] },
  { field: 'completeness', operator: 'gt', value: '50' },
  { field: 'completeness', operator: 'lte', value: '0' },
  { field: 'missing', operator: 'isNotEmpty' },
  { field: 'missing', operator: 'equals', value: 'name' },
  { field: 'missing', operator: 'in', value: ['note', 'price'] },
]

export function describeSearchedScores(backend: Backend): void {
  describe(`${backend.name}: searches for what is complete`, () => {
    it('are answered as the predicate answers them, for every scope, state and role, before and after indexing', async (test) => {
      const { store, whenSettled } = await openWithModel(backend, test, async (tx) => {
        await tx.workflows.insert(DEFAULT_WORKFLOW)
        for (const dimension of DIMENSIONS) await tx.dimensions.insert(dimension)
        await tx.schemas.insert(SCHEMA)
      })
      await store.transaction(async (tx) => {
        for (const { values, ...record } of RECORDS)
          await insertRecord(tx, recordOf(record.id, { ...record, valuesJson: JSON.stringify(values) }))
      })
      const model = await store.read.model()
      for (const criterion of questions().slice(0, 30)) await assertAnswer(store, model, criterion, ROLES[0]!)
      await whenSettled()
      const seen = new Set<number>()
      for (const role of ROLES)
        for (const criterion of questions()) seen.add(await assertAnswer(store, model, criterion, role))
      assert.ok(seen.size > 15, `${seen.size} numbers of hits`)
    })
  })
}

function questions(): FieldCriterion[] {
  return scopes(['language', 'market']).flatMap((scope) =>
    [undefined, ...STATES].flatMap((stateId) => CRITERIA.map((criterion) => ({ ...criterion, scope, stateId }))),
  )
}

async function assertAnswer(store: Store, model: Model, criterion: FieldCriterion, role: Role): Promise<number> {
  const schema = model.schemas.get('sch-a')!
  const expected = RECORDS.filter(({ values, ...record }) => {
    const inherited = RECORDS.find(({ id }) => id === record.parentId)?.values ?? null
    return matchesField(
      criterion,
      searched({ ...record, schema, layers: { own: values, inherited } }),
      worldOf(model, role),
    )
  })
  const criteria = { criteria: [criterion], criteriaOperator: 'and' } as const
  const query = { find: { kind: 'criteria', criteria }, role, offset: 0, limit: 100 } as const
  const { batches } = await store.read.search(query, AbortSignal.timeout(20_000))
  const found = (await Array.fromAsync(batches)).flat().map(({ id }) => id)
  assert.deepEqual(
    found,
    expected.map(({ id }) => id),
    `${role.id} ${JSON.stringify(criterion)}`,
  )
  return found.length
}
