// Amounts beside their unit in one cell.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitAmount } from '../../../src/core/csv/written-amount.ts'
import { threadTime } from '../../helpers/thread-time.ts'

describe('An amount beside its unit', () => {
  it('is split into number and unit, with the unit before or behind the number', () => {
    for (const [cell, amount, unit] of [
      ['2,5 kg', '2,5', 'kg'],
      [' € 9 ', '9', 'EUR'],
      ['$-1.50', '-1.50', 'USD'],
      ['Fr. 5', '5', 'Fr.'],
      ['.5 kg', '.5', 'kg'],
      ['1 000 g', '1 000', 'g'],
      ["1'234.50 CHF", "1'234.50", 'CHF'],
      ['1\u202f234,50\u00a0€', '1\u202f234,50', 'EUR'],
      ['+3 °C', '+3', '°C'],
    ] as const)
      assert.deepEqual(splitAmount(cell), [amount, unit], cell)
  })

  it('has a unit that ends in a digit if the attribute has that unit, the longest one that fits', () => {
    assert.deepEqual(splitAmount('12 m2', ['m2', 'dm2']), ['12', 'm2'])
    assert.deepEqual(splitAmount('12,5dm2', ['m2', 'dm2']), ['12,5', 'dm2'])
    assert.equal(splitAmount('12 m2', ['kg']), undefined)
    assert.equal(splitAmount('12', ['2']), undefined)
  })

  it('is no number alone, no range and no text', () => {
    for (const cell of ['', '5', '1.000,5', '5-10 kg', '5 x 10 cm', 'kg', 'x,y'])
      assert.equal(splitAmount(cell), undefined, cell)
  })

  it('takes time in proportion to the length of the cell', () => {
    for (const cell of [`x${' '.repeat(1e6)}y`, `x${'1 '.repeat(1e6)}-`, '-'.repeat(1e6), `1${'.,'.repeat(1e6)}x1`]) {
      const started = threadTime()
      splitAmount(cell, ['kg'])
      assert.ok(threadTime() - started < 500, `${threadTime() - started} ms for ${cell.slice(0, 5)}`)
    }
  })
})
