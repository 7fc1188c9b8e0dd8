// Totals of chosen cells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totalsOf } from '../../../console/records/range-totals.ts'

test('numbers are summed, and cells with a value counted', () => {
  assert.deepEqual(totalsOf([0.1, 0.2, null, undefined, 'text']), {
    filled: 3,
    numbers: { count: 2, sum: 0.3, unit: '' },
  })
})

test('amounts are summed only in one unit', () => {
  const euro = (amount: number) => ({ amount, currency: 'EUR' })
  assert.deepEqual(totalsOf([euro(1), euro(2.5)]).numbers, { count: 2, sum: 3.5, unit: 'EUR' })
  assert.equal(totalsOf([euro(1), { amount: 1, currency: 'USD' }]).numbers, undefined)
  assert.equal(totalsOf([euro(1), 1]).numbers, undefined)
  assert.equal(totalsOf(['a', { amount: 'x' }]).numbers, undefined)
})
