import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inheritedValues } from '../../../../src/core/scopes/effective-values.ts'
import { effectiveValueIn, scopedValues } from '../../../../src/core/records/rules/record.ts'
import { attribute, LANGUAGE, layers, MARKET, modelOf } from '../../../helpers/domain-model.ts'
import { anyScopedValues, everyCombination, naiveEffectiveValue } from '../../../helpers/scope-oracle.ts'

const DIMENSION_IDS = ['language', 'market']
const { model, schema } = modelOf([attribute('name', { dimensionIds: DIMENSION_IDS }), attribute('constructor')])
const anyNames = anyScopedValues([LANGUAGE, MARKET], fc.nat(), 5)

test('an attribute called like a member of Object has no values until it is given some', () => {
  assert.deepEqual(scopedValues({}, 'constructor'), [])
  assert.deepEqual(scopedValues({}, '__proto__'), [])
  const values = { constructor: [{ scope: {}, value: 1 }] }
  assert.equal(scopedValues(values, 'constructor'), values.constructor)
})

test("a variant's value is its own where one covers the combination, else its parent's", () => {
  fc.assert(
    fc.property(anyNames, anyNames, (own, inherited) => {
      for (const combination of everyCombination([LANGUAGE, MARKET])) {
        const expected =
          naiveEffectiveValue(own, combination, DIMENSION_IDS) ??
          naiveEffectiveValue(inherited, combination, DIMENSION_IDS)
        const both = layers({ name: own }, { name: inherited })
        assert.equal(effectiveValueIn(both, 'name', combination, DIMENSION_IDS), expected)
      }
    }),
  )
})

test('a variant inherits exactly the values that are in force for it in some combination', () => {
  fc.assert(
    fc.property(anyNames, anyNames, (own, inherited) => {
      const inForce = new Set(
        everyCombination([LANGUAGE, MARKET])
          .filter((combination) => naiveEffectiveValue(own, combination, DIMENSION_IDS) === undefined)
          .map((combination) => naiveEffectiveValue(inherited, combination, DIMENSION_IDS)),
      )
      const expected = inherited.filter((value) => inForce.has(value))
      assert.deepEqual(inheritedValues(layers({ name: own }, { name: inherited }), schema, 'name', model), expected)
    }),
    { numRuns: 500 },
  )
})

test('a record that is no variant inherits nothing, nor does an attribute that the schema does not define', () => {
  assert.deepEqual(inheritedValues(layers({}), schema, 'name', model), [])
  assert.deepEqual(inheritedValues(layers({}, { gone: [{ scope: {}, value: 1 }] }), schema, 'gone', model), [])
  assert.deepEqual(inheritedValues(layers({}, {}), schema, 'constructor', model), [])
})
