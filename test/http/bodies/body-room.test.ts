import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BodyRoom, type Place } from '../../../src/http/bodies/body-room.ts'

const PATIENCE = 5000

describe('The room for large bodies', () => {
  it('lets in at once whoever finds room, and others in their order when somebody leaves', async () => {
    const room = new BodyRoom(100)
    const first = room.enter('a', 90, PATIENCE) as Place
    assert.ok(!(first instanceof Promise))
    const order: string[] = []
    const waiting = ['b', 'c'].map(async (caller) => {
      const place = await room.enter(caller, 60, PATIENCE)
      order.push(caller)
      return place
    })
    const late = Promise.resolve(room.enter('d', 5, PATIENCE)).then((place) => {
      order.push('d')
      return place
    })
    await turn()
    assert.deepEqual(order, [])
    first.leave()
    ;(await waiting[0]!).leave()
    ;(await waiting[1]!).leave()
    ;(await late).leave()
    assert.deepEqual(order, ['b', 'c', 'd'])
  })

  it('gives one caller a quarter, so that others find room, and anybody one body however large', async () => {
    const room = new BodyRoom(100)
    const first = room.enter('a', 20, PATIENCE) as Place
    let isIn = false
    const second = Promise.resolve(room.enter('a', 20, PATIENCE)).then((place) => {
      isIn = true
      return place
    })
    const other = room.enter('b', 60, PATIENCE)
    assert.ok(!(other instanceof Promise))
    await turn()
    assert.equal(isIn, false)
    first.leave()
    ;(await second).leave()
    other.leave()
    const huge = room.enter('a', 1000, PATIENCE)
    assert.ok(!(huge instanceof Promise))
    huge.leave()
  })

  it('sends away whoever has waited too long, saying when to come again', async () => {
    const room = new BodyRoom(100)
    const first = room.enter('a', 100, PATIENCE) as Place
    await assert.rejects(Promise.resolve(room.enter('b', 1, 20)), { code: 'UNAVAILABLE', retryAfter: 5 })
    first.leave()
    assert.ok(!(room.enter('b', 100, PATIENCE) instanceof Promise))
  })
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
