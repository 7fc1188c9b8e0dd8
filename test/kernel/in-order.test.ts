// Work on several items at a time, with results in order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { inOrder } from '../../src/kernel/in-order.ts'

describe('Work in order', () => {
  it('gives results in the order of the items, and works on no more at a time than asked', async () => {
    const property = fc.asyncProperty(fc.array(fc.nat(3)), fc.integer({ min: 1, max: 5 }), async (items, atOnce) => {
      let [now, most] = [0, 0]
      const work = async (item: number): Promise<number> => {
        now += 1
        most = Math.max(most, now)
        await sleep(item)
        now -= 1
        return item
      }
      assert.deepEqual(await Array.fromAsync(inOrder(items, atOnce, work)), items)
      assert.ok(most <= atOnce)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('ends with the first failure, when all work under way has ended', async () => {
    let ended = 0
    const work = async (item: number): Promise<number> => {
      await sleep(item)
      ended += 1
      if (item === 1) throw new Error('no')
      return item
    }
    await assert.rejects(Array.fromAsync(inOrder([1, 20, 30, 40], 3, work)), /no/)
    assert.equal(ended, 3)
  })
})
