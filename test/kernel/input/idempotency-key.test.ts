// Contract 3 §2 (Idempotency), 3 §10.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  isKept,
  isStillKept,
  KEPT_FOR,
  MAX_KEPT_BODY,
  readIdempotencyKey,
} from '../../../src/kernel/input/idempotency-key.ts'

describe('readIdempotencyKey', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))

  it('takes 1 to 255 visible characters as they are', () => {
    const keys = fc.array(visible, { minLength: 1, maxLength: 255 }).map((parts) => parts.join(''))
    fc.assert(fc.property(keys, (key) => readIdempotencyKey(key) === key))
    assert.equal(readIdempotencyKey(undefined), undefined)
  })

  it('refuses all else, naming the header', () => {
    for (const key of ['', ' ', 'a b', 'a, b', 'ä', '\u007f', 'a\t', 'x'.repeat(256)])
      assert.throws(() => readIdempotencyKey(key), { code: 'VALIDATION_ERROR', message: /Idempotency-Key/ })
  })
})

describe('isKept', () => {
  it('keeps successes and refusals of up to 64 KiB', () => {
    for (const status of [200, 201, 202, 204, 400, 403, 404, 409, 412, 413]) {
      assert.equal(isKept(status, MAX_KEPT_BODY), true, String(status))
      assert.equal(isKept(status, MAX_KEPT_BODY + 1), false, String(status))
    }
  })

  it('keeps no fault of the server, and nothing of whom it did not hear', () => {
    for (const status of [401, 429, 500, 503]) assert.equal(isKept(status, 10), false, String(status))
  })
})

it('isStillKept: for 24 hours, to the millisecond', () => {
  const keptAt = '2026-01-02T03:04:05.678Z'
  const at = (later: number): Date => new Date(Date.parse(keptAt) + later)
  assert.equal(KEPT_FOR, 86_400_000)
  assert.equal(isStillKept(keptAt, at(0)), true)
  assert.equal(isStillKept(keptAt, at(KEPT_FOR)), true)
  assert.equal(isStillKept(keptAt, at(KEPT_FOR + 1)), false)
})
