import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance, findNearest } from '../../../src/kernel/input/nearest.ts'
import { threadTime } from '../../helpers/thread-time.ts'

test('the distance counts what is missing, too much, other, or swapped with its neighbour', () => {
  const distances = [
    ['limit', 'limit', 0],
    ['limt', 'limit', 1],
    ['limiit', 'limit', 1],
    ['linit', 'limit', 1],
    ['liimt', 'limit', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ] as const
  for (const [one, other, distance] of distances) assert.equal(editDistance(one, other), distance, `${one}, ${other}`)
})

/** Few letters, so that words have much in common. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

test('the distance is the same both ways, none to itself alone, and never more than the longer word has letters', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = editDistance(one, other)
      assert.equal(editDistance(other, one), distance)
      assert.equal(distance === 0, one === other)
      assert.ok(distance <= Math.max(one.length, other.length))
      assert.ok(distance >= Math.abs(one.length - other.length))
    }),
  )
})

test('one edit is at most one away, and a word with a prefix and an end in common is no further than what is between', () => {
  fc.assert(
    fc.property(word, word, word, word, (start, one, other, end) => {
      assert.ok(editDistance(start + one + end, start + other + end) <= editDistance(one, other))
      const letters = (start + end).split('')
      const at = start.length
      if (at < 1 || end === '') return
      const swapped = letters.with(at - 1, letters[at]!).with(at, letters[at - 1]!)
      assert.ok(editDistance(letters.join(''), swapped.join('')) <= 1)
    }),
  )
})

test('the nearest is what may have been meant, not regarding case; what resembles nothing has none', () => {
  const known = ['criteria', 'criteriaOperator', 'schemaId', 'limit', 'offset', 'id']
  const meant = [
    ['criterias', 'criteria'],
    ['Criteria', 'criteria'],
    ['criteriaOperater', 'criteriaOperator'],
    ['schemaID', 'schemaId'],
    ['schema_id', 'schemaId'],
    ['limt', 'limit'],
    ['ofsfet', 'offset'],
    ['page', undefined],
    ['sort', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
  ] as const
  for (const [name, nearest] of meant) assert.equal(findNearest(name, known), nearest, name)
  assert.equal(findNearest('limit', []), undefined)
})

test('a name without end is compared with nothing', () => {
  const started = threadTime()
  assert.equal(findNearest('x'.repeat(10_000_000), ['x'.repeat(64)]), undefined)
  assert.ok(threadTime() - started < 1000)
})
