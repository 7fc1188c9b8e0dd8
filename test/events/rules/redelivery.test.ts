// What follows an attempt to deliver events.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { afterDelivery, afterFault, type Attempted, REDELIVERY } from '../../../src/events/rules/redelivery.ts'
import { newState, type SubscriptionState } from '../../../src/events/rules/subscription.ts'

const HOUR = 3_600_000
const now = new Date('2026-01-01T00:00:00.000Z')
const sending: SubscriptionState = { ...newState(3), pending: { id: 'dlv-1', through: 9, attempts: 0 } }
const answered = (status: number, retryAfter: number | null = null): Attempted => ({ status, error: null, retryAfter })
const fail = (state: SubscriptionState, attempted = answered(500), random = 1, at = now) =>
  afterFault(state, attempted, { now: at, random, limits: REDELIVERY })
const delayOf = ({ nextAttemptAt }: SubscriptionState): number => Date.parse(nextAttemptAt!) - now.getTime()

describe('A delivery', () => {
  it('that has failed is tried again after a second, then after twice as long each time, up to five minutes', () => {
    let state = sending
    const delays: number[] = []
    for (let attempt = 1; attempt <= 40; attempt += 1) {
      state = fail(state)
      assert.deepEqual(state.pending, { id: 'dlv-1', through: 9, attempts: attempt })
      delays.push(delayOf(state))
    }
    assert.deepEqual(delays.slice(0, 4), [1000, 2000, 4000, 8000])
    assert.equal(delays.at(-1), 300_000)
    assert.equal(delayOf(fail(sending, answered(500), 0)), 500)
    assert.equal(state.failingSince, now.toISOString())
  })

  it('waits as long as the receiver asks for, five minutes at most', () => {
    assert.equal(delayOf(fail(sending, answered(429, 20_000))), 20_000)
    assert.equal(delayOf(fail(sending, answered(503, HOUR))), 300_000)
  })

  it('is given up after 24 hours, and at once where the receiver is gone for good', () => {
    const failing = fail(sending)
    const late = fail(failing, answered(500), 1, new Date(now.getTime() + 24 * HOUR))
    assert.equal(late.nextAttemptAt, null)
    assert.match(late.pausedReason!.message, /24 hours.*500/)
    const early = fail(failing, answered(500), 1, new Date(now.getTime() + 23 * HOUR))
    assert.equal(early.pausedReason, null)
    const gone = fail(sending, answered(410))
    assert.deepEqual([gone.nextAttemptAt, gone.cursor, gone.pending?.id], [null, 3, 'dlv-1'])
    assert.match(gone.pausedReason!.message, /410/)
  })

  it('that has arrived moves the cursor, and what failed before is over', () => {
    assert.deepEqual(afterDelivery(fail(sending), 9), newState(9))
  })
})
