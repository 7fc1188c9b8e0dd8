import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type Completeness, scoreCompleteness } from '../../../../src/core/records/rules/completeness.ts'
import { CRITERIA_OPERATORS } from '../../../../src/core/search/rules/criterion.ts'
import { BASIC_OPERATOR_NAMES } from '../../../../src/core/search/rules/operators.ts'
import type { Dimension } from '../../../../src/core/model/rules/dimension.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../../src/core/scopes/scope.ts'
import { attribute, dimension, layers, modelOf } from '../../../helpers/domain-model.ts'
import { naiveCompleteness } from '../../../helpers/naive-completeness.ts'
import { anyScope, anyScopedValues, everyCombination, naiveEffectiveValue } from '../../../helpers/scope-oracle.ts'
import { threadTime } from '../../../helpers/thread-time.ts'

const DRAFT = 'state-draft'
const REVIEW = 'state-review'
const global = (value: unknown) => [{ scope: {}, value }]

const DIMENSIONS = [dimension('constructor', 'en', 'toString'), dimension('market', 'eu', 'us')]

/** One attribute of the random model, in plain words. */
interface Plan {
  readonly alias: string
  readonly dimensions: Dimension[]
  readonly isRequired: boolean
  readonly guard: { alias: string; operator: 'isEmpty' | 'isNotEmpty'; scope: Scope } | null
}

const anyDimensions = fc.subarray(DIMENSIONS).chain((some) => fc.shuffledSubarray(some, { minLength: some.length }))
const anyPlans: fc.Arbitrary<Plan[]> = fc.tuple(
  ...['name', 'toString', 'third'].map((alias, index, aliases) =>
    fc.record({
      alias: fc.constant(alias),
      dimensions: anyDimensions,
      isRequired: fc.boolean(),
      guard: fc.option(
        fc.record({
          alias: fc.constant(aliases[(index + 1) % 3]!),
          operator: fc.constantFrom('isEmpty' as const, 'isNotEmpty' as const),
          scope: fc.oneof(fc.constant({}), anyScope(DIMENSIONS)),
        }),
      ),
    }),
  ),
)
const anyCase = anyPlans.chain((plans) => {
  const anyValues = fc
    .tuple(...plans.map((plan) => anyScopedValues(plan.dimensions, fc.constantFrom('', 'x'), 4)))
    .map((lists): Values => Object.fromEntries(lists.map((list, index) => [plans[index]!.alias, list])))
  return fc.record({
    plans: fc.constant(plans),
    own: anyValues,
    inherited: fc.option(anyValues),
    combinations: fc.option(fc.array(anyScope(DIMENSIONS), { maxLength: 3 })),
  })
})

/** Contract 2 §4, read word by word. */
function bruteForce(plans: Plan[], own: Values, inherited: Values | null, combinations: Scope[] | null): Completeness {
  const isFilled = (plan: Plan, combination: Scope): boolean => {
    const ids = plan.dimensions.map(({ id }) => id)
    const inForce =
      naiveEffectiveValue(own[plan.alias]!, combination, ids) ??
      naiveEffectiveValue(inherited?.[plan.alias] ?? [], combination, ids)
    return inForce !== undefined && inForce.value !== ''
  }
  const isShown = ({ guard }: Plan, combination: Scope): boolean => {
    if (guard === null) return true
    const asked = plans.find((plan) => plan.alias === guard.alias)!
    const scope = { ...combination, ...guard.scope }
    const isAny = everyCombination(asked.dimensions)
      .filter((candidate) => isAlike(scope, candidate))
      .some((candidate) => isFilled(asked, candidate))
    return guard.operator === 'isNotEmpty' ? isAny : !isAny
  }
  const required = plans
    .filter((plan) => plan.isRequired)
    .flatMap((plan) => everyCombination(plan.dimensions).map((scope) => ({ plan, scope })))
    .filter(({ scope }) => combinations === null || combinations.some((entry) => isAlike(entry, scope)))
    .filter(({ plan, scope }) => isShown(plan, scope))
  const missing = required.filter(({ plan, scope }) => !isFilled(plan, scope))
  const total = required.length
  const filled = total - missing.length
  return {
    filled,
    total,
    percentage: total === 0 ? 100 : Math.floor((100 * filled) / total),
    missing: missing.map(({ plan, scope }) => ({ attributeAlias: plan.alias, scope })),
  }
}

/** Whether two scopes name no dimension differently. */
function isAlike(one: Scope, other: Scope): boolean {
  const named = new Map(Object.entries(other))
  return Object.entries(one).every(([id, segment]) => !named.has(id) || named.get(id) === segment)
}

test('the score is what a brute-force count gives, with guards, combinations and variants', () => {
  fc.assert(
    fc.property(anyCase, ({ plans, own, inherited, combinations }) => {
      const attributes = plans.map(({ alias, dimensions, isRequired, guard }) =>
        attribute(alias, {
          dimensionIds: dimensions.map(({ id }) => id),
          requiredInStateIds: isRequired ? [REVIEW] : [DRAFT],
          guard: guard && {
            criteriaOperator: 'and',
            criteria: [{ attributeAlias: guard.alias, operator: guard.operator, scope: guard.scope }],
          },
        }),
      )
      const { model, schema } = modelOf(attributes, { dimensions: DIMENSIONS, combinations })
      const score = scoreCompleteness({ layers: layers(own, inherited), schema, model }, REVIEW)
      assert.deepEqual(score, bruteForce(plans, own, inherited, combinations))
    }),
    { numRuns: 2000 },
  )
})

const name = attribute('name', { dimensionIds: ['language'], requiredInStateIds: [REVIEW] })
const weight = attribute('weight', { dataType: 'number', requiredInStateIds: [REVIEW] })

test('each combination of segments counts, and what is missing is named in schema order with its full scope', () => {
  const { model, schema } = modelOf([name, weight])
  const values = { name: [{ scope: { language: 'de' }, value: 'Rad' }] }
  assert.deepEqual(scoreCompleteness({ layers: layers(values), schema, model }, REVIEW), {
    filled: 1,
    total: 4,
    percentage: 25,
    missing: [
      { attributeAlias: 'name', scope: { language: 'en' } },
      { attributeAlias: 'name', scope: { language: 'fr' } },
      { attributeAlias: 'weight', scope: {} },
    ],
  })
})

test('a state that requires nothing is complete', () => {
  const { model, schema } = modelOf([name, weight])
  const nothing = { filled: 0, total: 0, percentage: 100, missing: [] }
  assert.deepEqual(scoreCompleteness({ layers: layers({}), schema, model }, DRAFT), nothing)
})

test('the percentage is rounded down, so that 100 means complete', () => {
  const many = Array.from({ length: 200 }, (_, index) => attribute(`a${index}`, { requiredInStateIds: [REVIEW] }))
  const { model, schema } = modelOf(many)
  const values = Object.fromEntries(many.slice(1).map(({ alias }) => [alias, global('x')]))
  assert.equal(scoreCompleteness({ layers: layers(values), schema, model }, REVIEW).percentage, 99)
})

test('a global value fills every combination, an empty text in one takes it out again', () => {
  const { model, schema } = modelOf([name])
  const values = { name: [...global('Wheel'), { scope: { language: 'de' }, value: '' }] }
  const { missing } = scoreCompleteness({ layers: layers(values), schema, model }, REVIEW)
  assert.deepEqual(missing, [{ attributeAlias: 'name', scope: { language: 'de' } }])
})

test('zero and false fill a field', () => {
  const flag = attribute('flag', { dataType: 'boolean', requiredInStateIds: [REVIEW] })
  const { model, schema } = modelOf([weight, flag])
  const values = { weight: global(0), flag: global(false) }
  assert.equal(scoreCompleteness({ layers: layers(values), schema, model }, REVIEW).percentage, 100)
})

test('a market that speaks two of three languages has no missing text in the third', () => {
  const text = attribute('text', { dimensionIds: ['language', 'market'], requiredInStateIds: [REVIEW] })
  const combinations: Scope[] = [{ market: 'eu' }, { market: 'us', language: 'en' }]
  const { model, schema } = modelOf([text, name], { combinations })
  const { missing } = scoreCompleteness({ layers: layers({}), schema, model }, REVIEW)
  assert.deepEqual(
    missing.map(({ scope }) => Object.values(scope).join('-')),
    ['en-eu', 'en-us', 'de-eu', 'fr-eu', 'en', 'de', 'fr'],
  )
})

test('ten thousand combinations, as many that count, and guards that ask as many are scored within a second', () => {
  const hundred = (id: string) => dimension(id, ...Array.from({ length: 100 }, (_, n) => `s${n}`))
  const combinations = Array.from({ length: 10_000 }, (_, n) => ({ a: `s${n % 100}`, b: `s${Math.floor(n / 100)}` }))
  const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: 'other', operator: 'isEmpty' }] }
  const required = ['one', 'two', 'three'].map((alias) =>
    attribute(alias, { dimensionIds: ['a', 'b'], requiredInStateIds: [REVIEW], guard }),
  )
  const { model, schema } = modelOf([...required, attribute('other', { dimensionIds: ['c'] })], {
    dimensions: [hundred('a'), hundred('b'), hundred('c')],
    combinations,
  })
  const begin = threadTime()
  assert.equal(scoreCompleteness({ layers: layers({}), schema, model }, REVIEW).missing.length, 30_000)
  assert.ok(threadTime() - begin < 1000, 'it takes a tenth of this')
})

const SOME_TYPES = {
  text: fc.constantFrom('', 'Straße', 'STRASSE ÄÖ', 'red'),
  number: fc.constantFrom(0, 1, 2.5, -3),
  multiSelect: fc.subarray(['red', 'blue', 'x']),
  date: fc.constantFrom('2020-01-01', '2024-12-31', ''),
  json: fc.constantFrom<unknown>([], { a: 1 }, 'red'),
} as const
const COMPARANDS = ['red', 'strasse', 'ä', '1', '2.5', '2022-06-01', '{"a":1}', '']
const WIDE = [
  dimension('constructor', 'en', 'toString'),
  dimension('market', 'eu', 'us', 'jp'),
  dimension('size', 's', 'm'),
]
const ALIASES = ['name', 'toString', 'third', 'fourth']

/** Any attribute whose guard asks up to three of the others, whatever their types and dimensions. */
const anyGuarded = (alias: string) =>
  fc
    .record({
      dataType: fc.constantFrom(...(Object.keys(SOME_TYPES) as (keyof typeof SOME_TYPES)[])),
      dimensionIds: fc.shuffledSubarray(WIDE.map(({ id }) => id)),
      guard: fc.option(
        fc.record({
          criteriaOperator: fc.constantFrom(...CRITERIA_OPERATORS),
          criteria: fc.array(
            fc.record({
              attributeAlias: fc.constantFrom(...ALIASES.filter((other) => other !== alias)),
              operator: fc.constantFrom(...BASIC_OPERATOR_NAMES),
              value: fc.constantFrom(...COMPARANDS),
              scope: fc.option(anyScope(WIDE), { nil: undefined }),
            }),
            { maxLength: 3 },
          ),
        }),
      ),
    })
    .map((parts) =>
      attribute(alias, { ...parts, requiredInStateIds: [REVIEW], options: ['red', 'blue', 'x'].map((id) => ({ id })) }),
    )

const anyRecordOf = fc.tuple(...ALIASES.map(anyGuarded)).chain((attributes) => {
  const anyValues = fc
    .tuple(
      ...attributes.map(({ dataType, dimensionIds }) =>
        anyScopedValues(
          WIDE.filter(({ id }) => dimensionIds.includes(id)),
          SOME_TYPES[dataType as keyof typeof SOME_TYPES] as fc.Arbitrary<unknown>,
          6,
        ),
      ),
    )
    .map((lists): Values => Object.fromEntries(lists.map((list, index) => [ALIASES[index]!, list])))
  return fc.record({
    attributes: fc.constant(attributes),
    own: anyValues,
    inherited: fc.option(anyValues),
    combinations: fc.option(fc.array(anyScope(WIDE), { maxLength: 4 })),
  })
})

test('guards of every operator, type and scope give the score that judging combination by combination gives', () => {
  fc.assert(
    fc.property(anyRecordOf, ({ attributes, own, inherited, combinations }) => {
      const { model, schema } = modelOf(attributes, { dimensions: WIDE, combinations })
      const both = layers(own, inherited)
      const score = scoreCompleteness({ layers: both, schema, model }, REVIEW)
      assert.deepEqual(score, naiveCompleteness(both, schema, REVIEW, model))
    }),
    { numRuns: 1500 },
  )
})

test('attributes that are not counted are left out of all numbers', () => {
  const { model, schema } = modelOf([name, weight])
  const score = scoreCompleteness({ layers: layers({}), schema, model }, REVIEW, ({ alias }) => alias === 'weight')
  assert.deepEqual([score.total, score.missing.length], [1, 1])
})
