import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FirstPlaced } from '../../../../src/core/search/plan/first-placed.ts'
import { compareSortValues, type SearchPosition, type SortKey } from '../../../../src/core/search/rules/sorting.ts'

const KEYS: readonly SortKey[] = [
  { field: 'completeness', direction: 'desc' },
  { field: 'id', direction: 'asc' },
]
const value = fc.option(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.string({ maxLength: 2 })), { nil: undefined })

function compare(one: SearchPosition, other: SearchPosition): number {
  const orders = KEYS.map(({ direction }, at) => compareSortValues(one.values[at], other.values[at], direction))
  return orders.find((order) => order !== 0) ?? one.record - other.record
}

describe('The first of many records in an order', () => {
  it('are those that sorting all of them puts first, after the start', () => {
    const placed = fc.tuple(value, value).map((values) => ({ values }))
    fc.assert(
      fc.property(
        fc.array(placed, { minLength: 900, maxLength: 4000, size: 'max' }),
        fc.option(fc.nat(3999), { nil: undefined }),
        fc.constantFrom(0, 1, 3, 100, Infinity),
        (values, at, wanted) => {
          const records = values.map((one, record) => ({ record, ...one }))
          const start = at === undefined ? undefined : records[at]
          const first = new FirstPlaced(KEYS, start, wanted)
          for (const one of records) first.add(one)
          const after = records.filter((one) => start === undefined || compare(one, start) > 0)
          assert.deepEqual(first.inOrder(), after.toSorted(compare).slice(0, wanted))
        },
      ),
      // Shrinking thousands of records would take minutes.
      { numRuns: 30, endOnFailure: true },
    )
  })
})
