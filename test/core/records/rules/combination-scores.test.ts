// The score in each combination of segments is that of the fields that agree with it, however it is worked out.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  assertFewCombinations,
  CombinationScores,
  type CombinationScore,
  MAX_COMBINATIONS,
} from '../../../../src/core/records/rules/combination-scores.ts'
import { type IsCounted, scoreCompleteness, tallyInSteps } from '../../../../src/core/records/rules/completeness.ts'
import type { Model, Schema } from '../../../../src/core/model/rules/model.ts'
import type { ValueLayers, Values } from '../../../../src/core/records/rules/record.ts'
import { agree, type Scope, scopeKey } from '../../../../src/core/scopes/scope.ts'
import { attribute, dimension, LANGUAGE, layers, MARKET, modelOf } from '../../../helpers/domain-model.ts'
import { anyScope, anyScopedValues, everyCombination } from '../../../helpers/scope-oracle.ts'

const REVIEW = 'state-review'
const DIMENSIONS = [LANGUAGE, MARKET, dimension('constructor', 'a', 'toString')]

function scoresOf(
  own: ValueLayers,
  schema: Schema,
  model: Model,
  isCounted: IsCounted = () => true,
): CombinationScore[] {
  const scores = new CombinationScores(schema, REVIEW, model, isCounted)
  Array.from(tallyInSteps({ layers: own, schema, model }, REVIEW, isCounted, scores))
  return [...scores.scores()]
}

const anyPlans = fc.tuple(
  ...['name', 'text', 'third'].map((alias) =>
    fc.record({
      alias: fc.constant(alias),
      dimensions: fc.subarray(DIMENSIONS),
      isRequired: fc.boolean(),
      isGuarded: fc.boolean(),
    }),
  ),
)
const anyCase = anyPlans.chain((plans) => {
  const values = fc
    .tuple(...plans.map((plan) => anyScopedValues(plan.dimensions, fc.constantFrom('', 'x'), 4)))
    .map((lists): Values => Object.fromEntries(lists.map((list, index) => [plans[index]!.alias, list])))
  return fc.record({
    plans: fc.constant(plans),
    own: values,
    inherited: fc.option(values),
    combinations: fc.option(fc.array(anyScope(DIMENSIONS), { maxLength: 3 })),
    hidden: fc.constantFrom('name', 'none'),
  })
})

describe('Completeness by combination', () => {
  it('counts in each combination that counts the fields that agree with it, of attributes that take part', () => {
    const property = fc.property(anyCase, ({ plans, own, inherited, combinations, hidden }) => {
      const attributes = plans.map(({ alias, dimensions, isRequired, isGuarded }) =>
        attribute(alias, {
          dimensionIds: dimensions.map(({ id }) => id),
          requiredInStateIds: isRequired ? [REVIEW] : [],
          ...(isGuarded && alias !== 'third'
            ? { guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'third', operator: 'isNotEmpty' }] } }
            : {}),
        }),
      )
      const { model, schema } = modelOf(attributes, { dimensions: DIMENSIONS, combinations })
      const isCounted: IsCounted = ({ alias }) => alias !== hidden
      const found = scoresOf(layers(own, inherited), schema, model, isCounted)

      const { missing, total, filled } = scoreCompleteness(
        { layers: layers(own, inherited), schema, model },
        REVIEW,
        isCounted,
      )
      const used = DIMENSIONS.filter(({ id }) =>
        attributes.some((one) => isCounted(one) && one.requiredInStateIds.length > 0 && one.dimensionIds.includes(id)),
      )
      const counts = (scope: Scope) => combinations?.some((one) => agree(one, scope)) ?? true
      const expected = everyCombination(used).filter(counts)
      const key = scopeKey
      assert.deepEqual(found.map(({ scope }) => key(scope)).sort(), expected.map(key).sort())
      for (const { scope, filled: had, total: wanted, percentage } of found) {
        const lacking = missing.filter((field) => agree(field.scope, scope))
        assert.equal(wanted - had, lacking.length)
        assert.equal(percentage, wanted === 0 ? 100 : Math.floor((100 * had) / wanted))
        assert.ok(wanted <= attributes.length)
      }
      if (expected.length > 0) {
        const isWhole = found.every((score) => score.filled === score.total)
        assert.equal(isWhole, filled === total)
      }
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it('counts a field without dimensions everywhere, and one in German in all markets', () => {
    const { model, schema } = modelOf([
      attribute('sku', { requiredInStateIds: [REVIEW] }),
      attribute('name', { requiredInStateIds: [REVIEW], dimensionIds: ['language'] }),
      attribute('price', { requiredInStateIds: [REVIEW], dimensionIds: ['market'] }),
      attribute('note', { dimensionIds: ['language'] }),
    ])
    const own = { sku: [{ scope: {}, value: 'A' }], name: [{ scope: { language: 'de' }, value: 'Hemd' }] }
    const found = scoresOf(layers(own), schema, model)
    assert.equal(found.length, 6)
    assert.deepEqual(
      found.find(({ scope }) => scope['language'] === 'de' && scope['market'] === 'us'),
      {
        scope: { language: 'de', market: 'us' },
        filled: 2,
        total: 3,
        percentage: 66,
      },
    )
    assert.ok(found.every(({ scope, filled }) => filled === (scope['language'] === 'de' ? 2 : 1)))
  })

  it('is one score where nothing is scoped, and leaves a dimension without segments aside', () => {
    const { model, schema } = modelOf(
      [
        attribute('sku', { requiredInStateIds: [REVIEW] }),
        attribute('name', { requiredInStateIds: [REVIEW], dimensionIds: ['empty'] }),
      ],
      { dimensions: [dimension('empty')] },
    )
    assert.deepEqual(scoresOf(layers({}), schema, model), [{ scope: {}, filled: 0, total: 1, percentage: 0 }])
  })

  it('is refused where a schema requires more combinations than are told apart, for that state alone', () => {
    const ids = Array.from({ length: 101 }, (_, index) => `s${index}`)
    const { model, schema } = modelOf(
      [
        attribute('one', { requiredInStateIds: [REVIEW], dimensionIds: ['a'] }),
        attribute('two', { requiredInStateIds: [REVIEW, 'state-draft'], dimensionIds: ['b'] }),
      ],
      { dimensions: [dimension('a', ...ids), dimension('b', ...ids)] },
    )
    const message = `by: what the schema 'sch' requires has 10201 combinations of segments, more than ${MAX_COMBINATIONS}`
    for (const stateId of [REVIEW, undefined])
      assert.throws(() => assertFewCombinations([schema], stateId, model, 'by'), { code: 'VALIDATION_ERROR', message })
    assertFewCombinations([schema], 'state-draft', model, 'by')
  })
})
