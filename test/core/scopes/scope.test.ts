import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  agree,
  combinationsOf,
  compareSpecificity,
  countCombinations,
  covers,
  effectiveValue,
  parseScopeKey,
  restrictScope,
  type ScopedValue,
  scopeKey,
  segmentOf,
} from '../../../src/core/scopes/scope.ts'
import { dimension, LANGUAGE, MARKET } from '../../helpers/domain-model.ts'
import {
  anyDimensions,
  anyScope,
  anyScopedValues,
  everyCombination,
  isCovered,
  naiveEffectiveValue,
  nameScope,
} from '../../helpers/scope-oracle.ts'
import { threadTime } from '../../helpers/thread-time.ts'

const byId = <Item extends { id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]))
const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)
const DIMENSIONS = byId([LANGUAGE, MARKET])

test('the value in force for a combination is the one that a naive enumeration finds, whatever things are called', () => {
  const anyCase = anyDimensions.chain((dimensions) =>
    fc.tuple(fc.constant(dimensions), anyScopedValues(dimensions, fc.nat())),
  )
  fc.assert(
    fc.property(anyCase, ([dimensions, values]) => {
      for (const combination of everyCombination(dimensions)) {
        const expected = naiveEffectiveValue(values, combination, idsOf(dimensions))
        assert.equal(effectiveValue(values, combination, idsOf(dimensions)), expected)
      }
    }),
    { numRuns: 500 },
  )
})

test('many values are looked up with the same answer', () => {
  const wide = [
    dimension('constructor', 'a', 'b', 'c', 'd'),
    dimension('m', 'a', 'b', 'toString', 'd'),
    dimension('x', 'a', 'b', 'c'),
  ]
  const orders = [idsOf(wide), idsOf(wide).toReversed()]
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ scope: anyScope(wide), value: fc.nat() }), {
        minLength: 40,
        maxLength: 70,
        selector: ({ scope }) => nameScope(scope),
      }),
      (values) => {
        for (const dimensionIds of orders) {
          for (const combination of everyCombination(wide)) {
            const expected = naiveEffectiveValue(values, combination, dimensionIds)
            assert.equal(effectiveValue(values, combination, dimensionIds), expected)
          }
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('ten thousand values in ten thousand combinations are resolved within seconds', () => {
  const segments = Array.from({ length: 100 }, (_, index) => `s${index}`)
  const dimensions = byId([dimension('one', ...segments), dimension('two', ...segments)])
  const dimensionIds = ['one', 'two']
  const combinations = combinationsOf(dimensionIds, dimensions)
  const values = combinations.map((scope, index) => ({ scope, value: index }))
  const start = threadTime()
  combinations.forEach((combination, index) =>
    assert.equal(effectiveValue(values, combination, dimensionIds)?.value, index),
  )
  assert.ok(threadTime() - start < 3000)
})

test('the most specific value wins: two dimensions beat one, one beats the global value', () => {
  const values: ScopedValue[] = [
    { scope: {}, value: 'global' },
    { scope: { language: 'de' }, value: 'german' },
    { scope: { market: 'eu', language: 'de' }, value: 'german in Europe' },
  ]
  const inForce = (combination: Record<string, string>): unknown =>
    effectiveValue(values, combination, ['language', 'market'])?.value
  assert.equal(inForce({ language: 'de', market: 'eu' }), 'german in Europe')
  assert.equal(inForce({ language: 'de', market: 'us' }), 'german')
  assert.equal(inForce({ language: 'en', market: 'us' }), 'global')
  assert.equal(effectiveValue(values.slice(1), { language: 'en', market: 'us' }, ['language', 'market']), undefined)
})

test('on a tie the dimension that comes first in dimensionIds wins', () => {
  const values: ScopedValue[] = [
    { scope: { market: 'eu' }, value: 'by market' },
    { scope: { language: 'de' }, value: 'by language' },
  ]
  const combination = { language: 'de', market: 'eu' }
  assert.equal(effectiveValue(values, combination, ['language', 'market'])?.value, 'by language')
  assert.equal(effectiveValue(values, combination, ['market', 'language'])?.value, 'by market')
  assert.equal(effectiveValue(values.toReversed(), combination, ['market', 'language'])?.value, 'by market')
})

test('specificity is an order: antisymmetric, transitive, zero only for scopes that name the same dimensions', () => {
  const anyThree = anyDimensions.chain((dimensions) =>
    fc.tuple(fc.constant(idsOf(dimensions)), anyScope(dimensions), anyScope(dimensions), anyScope(dimensions)),
  )
  fc.assert(
    fc.property(anyThree, ([ids, one, two, three]) => {
      const compare = (left: typeof one, right: typeof one): number => Math.sign(compareSpecificity(left, right, ids))
      assert.equal(compare(one, two), 0 - compare(two, one))
      if (compare(one, two) < 0 && compare(two, three) < 0) assert.equal(compare(one, three), -1)
      const isSame = Object.keys(one).sort().join() === Object.keys(two).sort().join()
      assert.equal(compare(one, two) === 0, isSame)
    }),
  )
})

test('a scope survives its key, and two scopes have one key exactly where they name the same', () => {
  const anyTwo = anyDimensions.chain((dimensions) => fc.tuple(anyScope(dimensions), anyScope(dimensions)))
  fc.assert(
    fc.property(anyTwo, ([one, other]) => {
      assert.deepEqual(parseScopeKey(scopeKey(one)), one)
      assert.equal(scopeKey(one) === scopeKey(other), nameScope(one) === nameScope(other))
    }),
  )
  assert.equal(scopeKey({}), '')
  assert.equal(scopeKey({ market: 'eu', language: 'de' }), 'language=de;market=eu')
})

test('a scope covers a combination where all that it names is named alike', () => {
  const anyTwo = anyDimensions.chain((dimensions) => fc.tuple(anyScope(dimensions), anyScope(dimensions)))
  fc.assert(
    fc.property(anyTwo, ([scope, combination]) =>
      assert.equal(covers(scope, combination), isCovered(scope, combination)),
    ),
  )
  assert.equal(covers({ constructor: 'x' }, {}), false)
})

test('two scopes agree where a full combination exists that both cover', () => {
  const anyCase = anyDimensions.chain((dimensions) =>
    fc.tuple(fc.constant(dimensions), anyScope(dimensions), anyScope(dimensions)),
  )
  fc.assert(
    fc.property(anyCase, ([dimensions, one, other]) => {
      const isShared = everyCombination(dimensions).some((full) => isCovered(one, full) && isCovered(other, full))
      assert.equal(agree(one, other), isShared)
    }),
  )
})

test('combinations are all choices of segments that agree with a scope, in the order of dimensions and segments', () => {
  const anyCase = anyDimensions.chain((dimensions) => fc.tuple(fc.constant(dimensions), anyScope(dimensions)))
  fc.assert(
    fc.property(anyCase, ([dimensions, within]) => {
      const ids = idsOf(dimensions)
      const expected = everyCombination(dimensions)
      assert.deepEqual(combinationsOf(ids, byId(dimensions)), expected)
      assert.equal(countCombinations(ids, byId(dimensions)), expected.length)
      const agreeing = expected.filter((combination) => isCovered(within, combination))
      assert.deepEqual(combinationsOf(ids, byId(dimensions), within), agreeing)
    }),
  )
})

test('no dimensions make one combination, an unknown dimension or one without segments makes none', () => {
  assert.deepEqual(combinationsOf([], DIMENSIONS), [{}])
  assert.deepEqual(combinationsOf(['language', 'gone'], DIMENSIONS), [])
  assert.equal(countCombinations(['language', 'gone'], DIMENSIONS), 0)
  assert.deepEqual(combinationsOf(['empty'], byId([dimension('empty')])), [])
})

test('restricting a scope leaves the dimensions asked for', () => {
  assert.deepEqual(restrictScope({ language: 'de', market: 'eu' }, ['market', 'other']), { market: 'eu' })
  assert.deepEqual(restrictScope({ constructor: 'de' }, ['constructor']), { constructor: 'de' })
  assert.deepEqual(restrictScope({}, ['market']), {})
})

test('a dimension called like a member of Object is not there until it is named', () => {
  assert.equal(segmentOf({}, 'constructor'), undefined)
  assert.equal(segmentOf({}, '__proto__'), undefined)
  assert.equal(segmentOf({ constructor: 'x' }, 'constructor'), 'x')
})
