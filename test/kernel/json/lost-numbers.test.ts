import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findLostNumber, isHeld, LostNumber, withNearestNumbers } from '../../../src/kernel/json/lost-numbers.ts'

test('numbers of up to 17 significant digits are held, whatever zeros are at their ends', () => {
  for (const text of [
    '0',
    '-0',
    '0.0',
    '0e5',
    '1.0',
    '1e3',
    '1E+3',
    '0.1',
    '1.10',
    '-12.50',
    '007',
    '+1.5',
    '.5',
    '1.',
    '1e-300',
  ])
    assert.equal(isHeld(text), true, text)
  for (const text of ['0.10000000000000001', '0.30000000000000004', '1.2345678901234567', '1234567890.1234567'])
    assert.equal(isHeld(text), true, text)
  for (const text of [`1.${'0'.repeat(1000)}`, `0.${'0'.repeat(300)}1`, `1${'0'.repeat(22)}`, `${'0'.repeat(400)}5`])
    assert.equal(isHeld(text), true, text)
})

test('more digits are lost, and so are those of whole numbers beyond 2^53 and of the least numbers', () => {
  for (const text of ['0.1000000000000000055511151231257827', '1.23456789012345678', `1.${'0'.repeat(1000)}1`])
    assert.equal(isHeld(text), false, text)
  for (const text of [
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '9007199254740992.5',
    '900719925474099.3e1',
  ])
    assert.equal(isHeld(text), false, text)
  for (const text of ['12345678901234567890', '9223372036854775807', '1e-400', '4.9e-324', '1.2345e-320'])
    assert.equal(isHeld(text), false, text)
  for (const text of ['9007199254740991', '9007199254740992', '9007199254740994', '1e21', '1.5e300', '5e-324'])
    assert.equal(isHeld(text), true, text)
})

test('what a double is written as is always held, and a whole number is where it comes back as it was', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      for (const text of [String(number), JSON.stringify(number), number.toExponential()])
        assert.equal(isHeld(text), true, text)
    }),
  )
  fc.assert(
    // Below 10^21 a number is shown without exponent.
    fc.property(fc.bigInt({ min: -(2n ** 69n), max: 2n ** 69n }), (number) => {
      assert.equal(isHeld(String(number)), BigInt(String(Number(number))) === number)
    }),
  )
})

test('a lost number says what is wrong, is found, can be replaced by the nearest one, and is never stored', () => {
  const lost = new LostNumber('9007199254740993')
  assert.match(lost.problem, /^is 9007199254740993, which .*17 significant digits.*2\^53/)
  assert.ok(new LostNumber('1'.repeat(1e6)).problem.length < 250)
  const value = { a: [1, { b: lost }], ['__proto__']: 1 }
  assert.deepEqual(findLostNumber(value), { path: 'a[1].b', problem: lost.problem })
  assert.equal(findLostNumber({ a: [1, 'x', null] }), undefined)
  assert.deepEqual(withNearestNumbers(value), { a: [1, { b: 9007199254740992 }], ['__proto__']: 1 })
  assert.throws(() => JSON.stringify(value), { code: 'VALIDATION_ERROR' })
})
