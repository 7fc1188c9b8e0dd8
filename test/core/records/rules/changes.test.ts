import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  applyChanges,
  type CategoryPlace,
  diffCategories,
  diffValues,
  loseCategories,
} from '../../../../src/core/records/rules/changes.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import { anyName, anyScopedValues, nameScope } from '../../../helpers/scope-oracle.ts'
import { LANGUAGE, MARKET } from '../../../helpers/domain-model.ts'

const DIMENSIONS = [LANGUAGE, MARKET]

/** A stored value is never null. */
const anyValue = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.record({ amount: fc.integer(), unit: fc.string() }),
)

/** Values as they are stored: an attribute without any is not there. */
const anyValues: fc.Arbitrary<Values> = fc
  .uniqueArray(fc.tuple(anyName, anyScopedValues(DIMENSIONS, anyValue, 4)), {
    selector: ([alias]) => alias,
    maxLength: 4,
  })
  .map((entries) => Object.fromEntries(entries.filter(([, values]) => values.length > 0)))

/** The order of an attribute's scoped values means nothing. */
function normalise(values: Values): unknown {
  const sorted = Object.entries(values).map(([alias, scoped]) => {
    const byScope = scoped.map((item) => [nameScope(item.scope), item.value] as const)
    return [alias, byScope.sort(([one], [other]) => (one < other ? -1 : 1))] as const
  })
  return sorted.sort(([one], [other]) => (one < other ? -1 : 1))
}

test('replaying the changes of a record from the start gives its current values', () => {
  fc.assert(
    fc.property(fc.array(anyValues, { maxLength: 6 }), (states) => {
      let before: Values = {}
      let replayed: Values = {}
      for (const after of states) {
        replayed = applyChanges(replayed, diffValues(before, after))
        before = after
      }
      assert.deepEqual(normalise(replayed), normalise(before))
    }),
    { numRuns: 500 },
  )
})

test('undoing changes gives the values that were there before', () => {
  fc.assert(
    fc.property(anyValues, anyValues, (before, after) => {
      const undo = diffValues(before, after).map(({ oldValue, newValue, ...rest }) => ({
        ...rest,
        oldValue: newValue,
        newValue: oldValue,
      }))
      assert.deepEqual(normalise(applyChanges(after, undo)), normalise(before))
    }),
  )
})

test('only what differs is a change, whatever the order of keys and of scoped values', () => {
  fc.assert(
    fc.property(anyValues, (values) => {
      const shuffled = Object.fromEntries(Object.entries(values).map(([alias, scoped]) => [alias, scoped.toReversed()]))
      assert.deepEqual(diffValues(values, shuffled), [])
    }),
  )
  const before = { price: [{ scope: { market: 'eu', language: 'de' }, value: { amount: 1, currency: 'EUR' } }] }
  const after = { price: [{ scope: { language: 'de', market: 'eu' }, value: { currency: 'EUR', amount: 1 } }] }
  assert.deepEqual(diffValues(before, after), [])
})

test('a new value has null before it, a removed one null after it', () => {
  const before: Values = {
    name: [
      { scope: {}, value: 'a' },
      { scope: { language: 'de' }, value: 'b' },
    ],
  }
  const after: Values = { name: [{ scope: {}, value: 'c' }], constructor: [{ scope: {}, value: 1 }] }
  assert.deepEqual(diffValues(before, after), [
    { attributeAlias: 'name', scope: {}, oldValue: 'a', newValue: 'c' },
    { attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'b', newValue: null },
    { attributeAlias: 'constructor', scope: {}, oldValue: null, newValue: 1 },
  ])
})

test('attributes that are not asked for are not compared', () => {
  const before: Values = { a: [{ scope: {}, value: 1 }], b: [{ scope: {}, value: 1 }] }
  assert.deepEqual(diffValues(before, {}, ['b']), [{ attributeAlias: 'b', scope: {}, oldValue: 1, newValue: null }])
  assert.deepEqual(diffValues(before, {}, ['toString']), [])
})

test('0 and false and the empty text are values, not absences', () => {
  const before: Values = { a: [{ scope: {}, value: 0 }] }
  assert.deepEqual(diffValues({}, before), [{ attributeAlias: 'a', scope: {}, oldValue: null, newValue: 0 }])
  for (const value of [false, '', '0'])
    assert.deepEqual(diffValues(before, { a: [{ scope: {}, value }] }), [
      { attributeAlias: 'a', scope: {}, oldValue: 0, newValue: value },
    ])
})

const anyPlaces: fc.Arbitrary<CategoryPlace[]> = fc.uniqueArray(
  fc.record({ categoryId: anyName, sortOrder: fc.constantFrom(0, 1, -1.5) }, { noNullPrototype: true }),
  { selector: ({ categoryId }) => categoryId, maxLength: 4 },
)

test('a category change is one item with the old and the new list, and no change of values', () => {
  fc.assert(
    fc.property(anyPlaces, anyPlaces, anyValues, (before, after, values) => {
      const sortOrders = new Map(after.map(({ categoryId, sortOrder }) => [categoryId, sortOrder]))
      const changes = diffCategories(before, after)
      const isSame =
        before.length === after.length && before.every((item) => sortOrders.get(item.categoryId) === item.sortOrder)
      assert.deepEqual(changes, isSame ? [] : [{ field: 'categories', oldValue: before, newValue: after }])
      assert.equal(diffCategories(before, before.toReversed()).length, 0)
      assert.deepEqual(applyChanges(values, changes), values)
    }),
  )
  const place = { categoryId: 'ctg', sortOrder: 1, entityId: 'ent-1' }
  assert.deepEqual(loseCategories([place]), [
    { field: 'categories', oldValue: [{ categoryId: 'ctg', sortOrder: 1 }], newValue: null },
  ])
  assert.deepEqual(loseCategories([]), [])
})
