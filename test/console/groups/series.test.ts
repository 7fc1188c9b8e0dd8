// Series that are filled downwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { continueSeries } from '../../../console/groups/series.ts'

test('numbers go on with their step, one alone by one', () => {
  assert.deepEqual(continueSeries(['7'], 3), ['8', '9', '10'])
  assert.deepEqual(continueSeries(['10', '20'], 2), ['30', '40'])
  assert.deepEqual(continueSeries(['1,5', '1,0'], 3, ','), ['0,5', '0,0', '-0,5'])
})

test('texts go on by their last number, with its zeros', () => {
  assert.deepEqual(continueSeries(['SKU-0099-B'], 2), ['SKU-0100-B', 'SKU-0101-B'])
  assert.deepEqual(continueSeries(['Size 8', 'Size 10'], 2), ['Size 12', 'Size 14'])
  assert.deepEqual(continueSeries(['3', 'Size 10'], 1), ['3'])
})

test('days go on by days, and over the end of a month', () => {
  assert.deepEqual(continueSeries(['2026-01-30', '2026-01-31'], 2), ['2026-02-01', '2026-02-02'])
  assert.deepEqual(continueSeries(['2026-02-30'], 1), ['2026-02-31'])
})

test('what is no series is repeated', () => {
  assert.deepEqual(continueSeries(['a', 'b'], 3), ['a', 'b', 'a'])
  assert.deepEqual(continueSeries(['12345678901234567890'], 1), ['12345678901234567890'])
})

test('whole numbers go on exactly', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -1e6, max: 1e6 }), fc.nat(20), (begin, step, count) => {
      const wanted = Array.from({ length: count }, (_, index) => String(begin + step * (index + 2)))
      assert.deepEqual(continueSeries([String(begin), String(begin + step)], count), wanted)
    }),
  )
})
