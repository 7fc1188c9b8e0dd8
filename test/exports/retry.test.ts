// When a failed delivery is tried again.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PermanentError, RetryLaterError } from '../../src/kernel/destination.ts'
import { asksToPause, type Attempt, decideRetry } from '../../src/exports/engine/retry.ts'

const attempt: Attempt = { error: new Error('reset'), number: 1, maxAttempts: 10, millisecondsLeft: 3_600_000 }
const most = (): number => 1
const delayOf = (fields: Partial<Attempt>, random = most): number | string => {
  const decision = decideRetry({ ...attempt, ...fields }, random)
  return decision.kind === 'retry' ? decision.delay : (decision.why ?? 'at once')
}

describe('A failed delivery', () => {
  it('is tried again after a random part of twice the time before, up to a minute', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => delayOf({ number }))
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    assert.equal(
      delayOf({ number: 4 }, () => 0),
      0,
    )
    assert.equal(
      delayOf({ number: 4 }, () => 0.25),
      2000,
    )
  })

  it('is given up after the last attempt, and says after how many', () => {
    assert.equal(delayOf({ number: 3, maxAttempts: 3 }), 'after 3 attempts')
    assert.equal(delayOf({ number: 1, maxAttempts: 1 }), 'after 1 attempt')
  })

  it('is given up at once where no retry can mend the fault, also by a class of the plugin’s own', () => {
    assert.equal(delayOf({ error: new PermanentError('no such bucket') }), 'at once')
    assert.equal(delayOf({ error: Object.assign(new Error('no'), { permanent: true }) }), 'at once')
    assert.equal(delayOf({ error: { permanent: true } }), 'at once')
    assert.equal(delayOf({ error: { permanent: 'yes' } }), 1000)
    assert.equal(delayOf({ error: undefined }), 1000)
  })

  it('waits as long as the destination asks, but not longer than five minutes', () => {
    assert.equal(delayOf({ error: new RetryLaterError('busy', 20_000) }), 20_000)
    assert.equal(delayOf({ error: new RetryLaterError('busy', 10) }), 1000)
    assert.equal(delayOf({ error: new RetryLaterError('busy', 86_400_000) }), 300_000)
    assert.equal(delayOf({ error: { retryAfterMs: Number.NaN } }), 1000)
    assert.equal(
      delayOf({ error: { retryAfterMs: -5 } }, () => 0),
      0,
    )
  })

  it('is given up where the next attempt would begin too late', () => {
    assert.match(String(delayOf({ millisecondsLeft: 999 })), /no time was left/)
    assert.match(String(delayOf({ millisecondsLeft: -5 }, () => 0)), /no time was left/)
    assert.equal(delayOf({ millisecondsLeft: 1000 }), 1000)
  })

  it('pauses the job only where it is permanent and asks for it', () => {
    assert.equal(asksToPause(new PermanentError('gone', { pauseJob: true })), true)
    assert.equal(asksToPause(new PermanentError('gone')), false)
    assert.equal(asksToPause(Object.assign(new Error('x'), { pauseJob: true })), false)
  })
})
