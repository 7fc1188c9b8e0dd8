// Conversions of measurements: exact where the units are, and none where the units measure different things.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { convertAmount, isConvertible, isKnownUnit } from '../../../src/core/values/units.ts'

const AMOUNTS: [number, string, string, number | undefined][] = [
  [0.2, 'kg', 'g', 200],
  [3, 'l', 'ml', 3000],
  [75, '°C', '°F', 167],
  [12, 'in', 'cm', 30.48],
  [1, 'm³', 'l', 1000],
  [5, 'box', 'box', 5],
  [5, 'box', 'kg', undefined],
  [5, 'kg', 'm', undefined],
  [5, 'toString', 'm', undefined],
]

it('an amount has one in another unit of the same kind, without the rest of binary fractions', () => {
  for (const [amount, from, to, expected] of AMOUNTS) {
    assert.equal(convertAmount(amount, from, to), expected, `${amount} ${from} in ${to}`)
    assert.equal(isConvertible(from, to), expected !== undefined)
  }
  assert.deepEqual(['kg', 'box', '', 'constructor'].map(isKnownUnit), [true, false, false, false])
})

it('an amount comes back from another unit', () => {
  const unit = fc.constantFrom('mg', 'g', 'kg', 't', 'lb', 'oz')
  const property = fc.property(fc.integer({ min: 1, max: 1_000_000 }), unit, unit, (amount, from, to) => {
    const back = convertAmount(convertAmount(amount, from, to)!, to, from)!
    assert.ok(Math.abs(back - amount) <= amount * 1e-9, `${amount} ${from} → ${to} → ${back}`)
  })
  fc.assert(property)
})
