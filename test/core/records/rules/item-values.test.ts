// The values of a record in effect and resolved, held against the one rule for scopes written naively, for random models.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  type IsSent,
  resolveValues,
  sentValues,
  valuesInEffect,
} from '../../../../src/core/records/rules/item-values.ts'
import {
  effectiveValueIn,
  scopedValues,
  type ValueLayers,
  type Values,
} from '../../../../src/core/records/rules/record.ts'
import { restrictScope } from '../../../../src/core/scopes/scope.ts'
import { attribute, layers, modelOf, type ModelOfOne } from '../../../helpers/domain-model.ts'
import {
  anyDimensions,
  anyScope,
  anyScopedValues,
  everyCombination,
  naiveEffectiveValue,
} from '../../../helpers/scope-oracle.ts'

const ALIASES = ['name', 'constructor', 'third']
const anyValue = fc.constantFrom<unknown>('a', 'b', '', [], { amount: 1, unit: 'kg' })

const anyCase = anyDimensions.chain((dimensions) =>
  fc.tuple(...ALIASES.map(() => fc.shuffledSubarray(dimensions))).chain((scoped) => {
    const values = fc
      .tuple(...scoped.map((some) => anyScopedValues(some, anyValue, 5)))
      .map((lists): Values => Object.fromEntries(lists.map((list, index) => [ALIASES[index]!, list])))
    return fc.record({
      dimensions: fc.constant(dimensions),
      model: fc.constant(
        modelOf(
          ALIASES.map((alias, index) => attribute(alias, { dimensionIds: scoped[index]!.map(({ id }) => id) })),
          { dimensions },
        ),
      ),
      own: values,
      inherited: fc.option(values),
      scope: anyScope(dimensions),
      sent: fc.subarray(ALIASES),
    })
  }),
)

function inEffect(of: ValueLayers, { schema, model }: ModelOfOne, isSent: IsSent): Values {
  const steps = valuesInEffect(of, schema, isSent, model)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

describe('Values in effect', () => {
  it('give by the one rule for scopes what is in force in every combination, of the attributes that are sent', () => {
    const property = fc.property(anyCase, ({ dimensions, model, own, inherited, sent }) => {
      const list = inEffect(layers(own, inherited), model, (alias) => sent.includes(alias))
      for (const { alias, dimensionIds } of model.schema.attributes) {
        assert.equal(Object.hasOwn(list, alias) && !sent.includes(alias), false)
        if (!sent.includes(alias)) continue
        const scoped = dimensionIds.map((id) => dimensions.find((one) => one.id === id)!)
        for (const combination of everyCombination(scoped)) {
          const wanted =
            naiveEffectiveValue(scopedValues(own, alias), combination, dimensionIds) ??
            naiveEffectiveValue(scopedValues(inherited ?? {}, alias), combination, dimensionIds)
          const read = naiveEffectiveValue(scopedValues(list, alias), combination, dimensionIds)
          assert.deepEqual(read?.value, wanted?.value)
        }
      }
    })
    fc.assert(property, { numRuns: 1500 })
  })

  it('are those of the record where it is no variant', () => {
    const own = { name: [{ scope: {}, value: 'x' }], third: [] }
    const model = modelOf(ALIASES.map((alias) => attribute(alias)))
    assert.deepEqual(
      inEffect(layers(own), model, () => true),
      own,
    )
  })
})

describe('Resolved values', () => {
  it('are the effective ones of the scope, as far as each attribute has its dimensions', () => {
    const property = fc.property(anyCase, ({ model: { schema }, own, inherited, scope, sent }) => {
      const of = layers(own, inherited)
      const resolved = resolveValues(of, schema.attributes, (alias) => sent.includes(alias), scope)
      for (const { alias, dimensionIds } of schema.attributes) {
        const wanted = effectiveValueIn(of, alias, restrictScope(scope, dimensionIds), dimensionIds)
        const isThere = sent.includes(alias) && wanted !== undefined
        assert.equal(Object.hasOwn(resolved, alias), isThere)
        if (isThere) assert.deepEqual(resolved[alias], wanted.value)
      }
    })
    fc.assert(property, { numRuns: 1500 })
  })

  it('are unscoped in dimensions that the scope does not name', () => {
    const { schema } = modelOf([attribute('name', { dimensionIds: ['language', 'market'] })])
    const of = layers({
      name: [
        { scope: {}, value: 'Shirt' },
        { scope: { language: 'de' }, value: 'Hemd' },
        { scope: { language: 'de', market: 'eu' }, value: 'Hemd EU' },
      ],
    })
    const resolve = (scope: Record<string, string>) => resolveValues(of, schema.attributes, () => true, scope)['name']
    assert.equal(resolve({}), 'Shirt')
    assert.equal(resolve({ language: 'de' }), 'Hemd')
    assert.equal(resolve({ language: 'de', market: 'eu' }), 'Hemd EU')
    assert.equal(resolve({ market: 'eu' }), 'Shirt')
  })
})

describe('A choice of values', () => {
  it('keeps the scoped values of what is sent', () => {
    const own = { name: [{ scope: {}, value: 'x' }], constructor: [] }
    assert.deepEqual(
      sentValues(own, (alias) => alias === 'constructor'),
      { constructor: [] },
    )
  })
})
