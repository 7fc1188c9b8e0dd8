// How many reads run in the reader threads at once, and that one caller does not take them all.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { PimletError } from '../../../src/kernel/errors.ts'
import { Turns, work } from '../../helpers/turns.ts'
import { Slots } from '../../../src/store/reading/reader-slots.ts'

async function takeMany(slots: Slots, callerId: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await slots.take(callerId)
}

function isUnavailable(limit: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof PimletError &&
    error.code === 'UNAVAILABLE' &&
    error.retryAfter === 1 &&
    error.message.includes(limit)
}

describe('A caller', () => {
  it('has a quarter of the slots: a further search waits for a moment, and is then refused', async () => {
    const slots = new Slots()
    await takeMany(slots, 'greedy', 50)
    await assert.rejects(slots.take('greedy'), isUnavailable('one caller may run 50'))
    await slots.take('other')
    assert.equal(slots.taken, 51)
  })

  it('gets the slot of the search that is over first, in the order of asking', async () => {
    const slots = new Slots()
    await takeMany(slots, 'busy', 50)
    const began: string[] = []
    const waiting = ['first', 'second'].map((name) => slots.take('busy').then(() => began.push(name)))
    slots.free('busy')
    await waiting[0]
    assert.deepEqual(began, ['first'])
    slots.free('busy')
    await waiting[1]
    assert.equal(slots.taken, 50)
    for (let n = 0; n < 50; n += 1) slots.free('busy')
    assert.equal(slots.taken, 0)
    await takeMany(slots, 'busy', 50)
  })

  it('that goes away while it waits leaves the slot to the next', async () => {
    const slots = new Slots()
    await takeMany(slots, 'busy', 50)
    const gone = new AbortController()
    const left = slots.take('busy', gone.signal)
    const next = slots.take('busy')
    gone.abort(new Error('gone'))
    await assert.rejects(left, /gone/)
    slots.free('busy')
    await next
    assert.equal(slots.taken, 50)
  })

  it('whose searches give up at the same moment leaves others their turns meanwhile', async () => {
    const slots = new Slots()
    const turns = new Turns()
    await takeMany(slots, 'greedy', 50)
    let refused = 0
    const refusals = Array.from({ length: 40 }, () =>
      slots.take('greedy').catch(() => {
        turns.count()
        refused += 1
        work(2)
      }),
    )
    await turns.follow(() => refused === refusals.length)
    assert.ok(turns.most <= 6, `${turns.most} in one turn`)
  })

  it('has only so many searches wait', async () => {
    const slots = new Slots()
    await takeMany(slots, 'busy', 50)
    const waiting = Array.from({ length: 150 }, () => slots.take('busy'))
    await assert.rejects(slots.take('busy'), isUnavailable('one caller'))
    for (const each of waiting) {
      slots.free('busy')
      await each
    }
  })
})

describe('All callers together', () => {
  it('have so many slots, and a refused search takes none of its caller', async () => {
    const slots = new Slots()
    for (const caller of ['a', 'b', 'c', 'd']) await takeMany(slots, caller, 50)
    await assert.rejects(slots.take('e'), isUnavailable('the server runs 200'))
    slots.free('a')
    await takeMany(slots, 'e', 1)
    await endOfTurn()
    assert.equal(slots.taken, 200)
  })
})
