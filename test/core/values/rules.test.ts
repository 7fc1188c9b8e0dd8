import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNumberFault, findTextFault } from '../../../src/core/values/rules.ts'

test('lengths count code points, not UTF-16 units', () => {
  assert.equal(findTextFault('😀😀', { maxLength: 2 }), undefined)
  assert.equal(findTextFault('😀😀', { minLength: 3 })?.problem, 'must be at least 3 characters long')
  assert.equal(findTextFault('😀😀😀', { maxLength: 2 })?.problem, 'must be at most 2 characters long')
  assert.equal(findTextFault('', { minLength: 1 })?.problem, 'must be at least 1 characters long')
})

test('a pattern matches where it occurs, and as a whole when it is anchored', () => {
  assert.equal(findTextFault('ab12', { pattern: '[0-9]{2}' }), undefined)
  assert.equal(findTextFault('ab12', { pattern: '^[0-9]{2}$' })?.problem, 'must match the pattern ^[0-9]{2}$')
})

test('no rules allow every text', () => {
  assert.equal(findTextFault('', {}), undefined)
  assert.equal(findTextFault('x'.repeat(100_000), {}), undefined)
})

test('numbers keep their bounds, which are inside', () => {
  assert.equal(findNumberFault(1, { min: 1, max: 1 }), undefined)
  assert.equal(findNumberFault(0.999, { min: 1 })?.problem, 'must be at least 1')
  assert.equal(findNumberFault(1.001, { max: 1 })?.problem, 'must be at most 1')
  assert.equal(findNumberFault(-0, { min: 0 }), undefined)
})

test('a whole number has no fraction, however it is written', () => {
  for (const number of [1, -0, 1e21, 2 ** 60]) assert.equal(findNumberFault(number, { integer: true }), undefined)
  assert.equal(findNumberFault(1.5, { integer: true })?.problem, 'must be a whole number')
})

test('decimal places are those of the shortest decimal notation', () => {
  for (const [number, places] of [
    [1, 0],
    [1.5, 1],
    [0.1 + 0.2, 17],
    [1e-7, 7],
    [1.5e-7, 8],
    [1e21, 0],
    [1.25e22, 0],
    [-0, 0],
    [100.01, 2],
  ] as const) {
    assert.equal(findNumberFault(number, { maxDecimals: places }), undefined, String(number))
    if (places > 0)
      assert.equal(
        findNumberFault(number, { maxDecimals: places - 1 })?.problem,
        `must have at most ${places - 1} decimal places`,
        String(number),
      )
  }
})
