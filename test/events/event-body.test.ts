// A body of events may be large, and nobody waits for it: it is made of small pieces, and signed in turns with others.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { sign } from '../../src/events/sender.ts'
import { toBody } from '../../src/events/event-body.ts'

const PIECE = 128 * 1024

function eventOf(cursor: string, data: unknown) {
  return { type: 'ping', timestamp: '', cursor, data: Buffer.from(JSON.stringify(data)) }
}

describe('The body of a delivery', () => {
  it('is the same JSON in pieces, small events together and large ones cut', () => {
    for (const lengths of [[2], [10, 20, 30], [PIECE], [3 * PIECE + 7, 5, PIECE - 90, 1], [1, 2 * PIECE]]) {
      const events = lengths.map((length, index) => ({ cursor: String(index), data: 'x'.repeat(length) }))
      const body = toBody(
        events.map(({ cursor, data }) => eventOf(cursor, data)),
        true,
      )
      const told = events.map((event) => ({ type: 'ping', timestamp: '', ...event }))
      assert.equal(Buffer.concat(body).toString(), JSON.stringify(told))
      assert.ok(body.every(({ length }) => length > 0 && length <= PIECE))
      const size = body.reduce((sum, { length }) => sum + length, 0)
      assert.ok(body.length <= (2 * size) / PIECE + 2, `${body.length} pieces of ${size} bytes`)
    }
    const [single] = toBody([eventOf('c', {})], false)
    assert.deepEqual(JSON.parse(single!.toString()), { type: 'ping', timestamp: '', cursor: 'c', data: {} })
  })

  it('is signed a megabyte at a time, with turns for others between', async () => {
    let [unbroken, most, isOver] = [0, 0, false]
    const tick = (): void => {
      unbroken = 0
      if (!isOver) setImmediate(tick)
    }
    tick()
    const piece = Buffer.alloc(PIECE, 'y')
    const pieces = Array.from({ length: 64 }, () => piece)
    const watched = function* (): Generator<Buffer> {
      for (const given of pieces) {
        unbroken += given.length
        most = Math.max(most, unbroken)
        yield given
      }
    }
    const signature = await sign('key', 'head', watched())
    isOver = true
    assert.equal(signature, createHmac('sha256', 'key').update('head').update(Buffer.concat(pieces)).digest('base64'))
    assert.ok(most <= 1024 ** 2, `${most} bytes in one go`)
  })
})
