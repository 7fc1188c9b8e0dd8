// How fast writers are let in while the search index is behind.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WriterThrottle } from '../../../src/store/sqlite/writer-throttle.ts'

/** A throttle on a clock that only `pass` moves; every transaction changes one record. */
function makeThrottle({ speed = 1000, isFree = false } = {}) {
  let now = 0
  let behind = 0
  let granted = 0
  const throttle = new WriterThrottle({ behind: () => behind, isFree: () => isFree, now: () => now })
  const ask = (count: number): void => {
    for (let n = 0; n < count; n += 1) {
      const turn = throttle.turn()
      if (turn === undefined) granted += 1
      else void turn.then(() => (granted += 1))
    }
  }
  return {
    throttle,
    ask,
    granted: () => granted,
    setBehind: (count: number) => (behind = count),
    /** Lets a second go by in which the index goes on at its speed. */
    pass: async (milliseconds: number, isIndexing = true) => {
      for (let passed = 0; passed < milliseconds; passed += 10) {
        now += 10
        if (isIndexing) throttle.noteIndexed(speed / 100)
        else throttle.release()
        await Promise.resolve()
      }
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('Writers', () => {
  it('go on at once while the index is near', () => {
    const { ask, granted, setBehind, throttle } = makeThrottle()
    setBehind(2000)
    ask(5000)
    assert.equal(granted(), 5000)
    throttle.close()
  })

  it('go on at once where nobody indexes, or everything is rebuilt', () => {
    const { ask, granted, setBehind, throttle } = makeThrottle({ isFree: true })
    setBehind(1_000_000)
    ask(5000)
    assert.equal(granted(), 5000)
    throttle.close()
  })

  it('go somewhat faster than the index where it is a little behind, at half its speed where it is far behind', async () => {
    for (const [behind, least, most] of [
      [2001, 1400, 1700],
      [6000, 900, 1100],
      [10_000, 450, 600],
      [50_000, 450, 600],
    ] as const) {
      const { ask, granted, setBehind, pass, throttle } = makeThrottle({ speed: 1000 })
      await pass(3000)
      setBehind(behind)
      ask(10_000)
      const before = granted()
      await pass(1000)
      const rate = granted() - before
      assert.ok(rate >= least && rate <= most, `${rate} a second at ${behind} behind`)
      throttle.close()
    }
  })

  it('are let in evenly, one after another, in the order in which they came', async () => {
    const { ask, granted, setBehind, pass, throttle } = makeThrottle({ speed: 1000 })
    await pass(3000)
    setBehind(6000)
    ask(1000)
    const order: number[] = []
    for (let n = 0; n < 3; n += 1) void throttle.turn()!.then(() => order.push(n))
    let longest = 0
    for (let slice = 0; slice < 20; slice += 1) {
      const before = granted()
      await pass(10)
      longest = Math.max(longest, granted() - before)
    }
    assert.ok(longest <= 30, `${longest} at once`)
    throttle.close()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(order, [0, 1, 2])
  })

  it('wait longer after one that has changed many records', async () => {
    const { ask, granted, setBehind, pass, throttle } = makeThrottle({ speed: 1000 })
    await pass(3000)
    setBehind(6000)
    ask(1000)
    throttle.noteChanges(500)
    const before = granted()
    await pass(400)
    assert.ok(granted() - before < 20, 'some hundred milliseconds have to pass for 500 changes')
    await pass(500)
    assert.ok(granted() - before > 100)
    throttle.close()
  })

  it('go on slowly where the index stands still, and all at once when it is near again', async () => {
    const { ask, granted, setBehind, pass, throttle } = makeThrottle()
    setBehind(9000)
    ask(1000)
    const before = granted()
    await pass(500, false)
    const slowly = granted() - before
    assert.ok(slowly > 50 && slowly < 300, String(slowly))
    setBehind(0)
    await pass(10)
    assert.equal(granted(), 1000)
    throttle.close()
  })

  it('that still wait when the server stops go on', async () => {
    const { ask, granted, setBehind, throttle } = makeThrottle()
    setBehind(9000)
    ask(100)
    throttle.close()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(granted(), 100)
  })
})
