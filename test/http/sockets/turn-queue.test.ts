// Which request is served first of those that arrived together: src/http/sockets/turn-queue.ts.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { type Connection, TurnQueue } from '../../../src/http/sockets/turn-queue.ts'

/** A turn of a busy machine takes long by the clock, and would be interrupted. */
function quicken(t: TestContext): void {
  t.mock.method(performance, 'now', () => 0)
}

describe('The requests that arrive in one turn of the event loop', () => {
  it('are served at its end, in the order of their arrival where no connection was served before', async (t) => {
    quicken(t)
    const { arrive, served } = makeQueue()
    arrive('a', 'b', 'c')
    assert.deepEqual(served, [])
    await endOfTurn()
    assert.deepEqual(served, ['a', 'b', 'c'])
  })

  it('are served on the connection first that was served longest ago', async (t) => {
    quicken(t)
    const { arrive, served } = makeQueue()
    arrive('a', 'b', 'c')
    await endOfTurn()
    arrive('b', 'a')
    await endOfTurn()
    arrive('b', 'a', 'c', 'new')
    await endOfTurn()
    assert.deepEqual(served.slice(5), ['new', 'c', 'a', 'b'])
  })

  it('keep their order where one connection has several', async (t) => {
    quicken(t)
    const { queue, served } = makeQueue()
    const [one, other]: Connection[] = [{}, {}]
    queue.add(one!, () => served.push('one, first'))
    queue.add(other!, () => served.push('other'))
    queue.add(one!, () => served.push('one, second'))
    await endOfTurn()
    assert.deepEqual(
      served.filter((name) => name !== 'other'),
      ['one, first', 'one, second'],
    )
  })

  it('do not wait for what the one before continues with later', async (t) => {
    quicken(t)
    const { queue, served } = makeQueue()
    queue.add({}, () => {
      void Promise.resolve().then(() => served.push('a, after what it awaited at hand'))
    })
    queue.add({}, () => served.push('b'))
    await endOfTurn()
    assert.deepEqual(served, ['a, after what it awaited at hand', 'b'])
  })

  it('are interrupted where they take long, so that others come in, and then askers take turns', async () => {
    const { queue, served } = makeQueue()
    const slowly = slow(served)
    for (const n of [1, 2, 3, 4]) queue.add({}, slowly(`greedy ${n}`), { party: 'greedy' })
    await endOfTurn()
    assert.deepEqual(served, ['greedy 1'], 'the event loop was kept from others')
    queue.add({}, slowly('other'), { party: 'other' })
    while (served.length < 5) await endOfTurn()
    assert.deepEqual(
      served.filter((name) => name !== 'other'),
      ['greedy 1', 'greedy 2', 'greedy 3', 'greedy 4'],
    )
    assert.ok(served.indexOf('other') <= 2, `the other waited for all: ${served.join(', ')}`)
  })

  it('of one asker come in turns: of connections that it has kept, of new ones, and last of those that nobody reads from', async () => {
    const { queue, served } = makeQueue()
    const slowly = slow(served)
    const asker = { party: 'greedy' }
    const kept: Connection[] = [{}, {}]
    for (const connection of kept) queue.add(connection, () => undefined, asker)
    await endOfTurn()
    for (const n of [1, 2]) queue.add({ isUnread: () => true }, slowly(`unread ${n}`), asker)
    for (const n of [1, 2, 3]) queue.add({}, slowly(`new ${n}`), asker)
    await endOfTurn()
    for (const [n, connection] of kept.entries()) queue.add(connection, slowly(`kept ${n}`), asker)
    while (served.length < 7) await endOfTurn()
    // The first one began before there were turns.
    assert.deepEqual(served.slice(1), ['kept 0', 'new 1', 'kept 1', 'new 2', 'new 3', 'unread 2'])
  })

  it('wait while connections come in, but not for ever', async () => {
    const { queue, served } = makeQueue()
    queue.letIn()
    queue.add({}, () => served.push('a'))
    await endOfTurn()
    assert.equal(served.length, 0, 'nobody was let in')
    for (let turns = 0; turns < 3; turns += 1) await endOfTurn()
    assert.deepEqual(served, ['a'])
    queue.add({}, () => served.push('b'))
    const end = performance.now() + 5000
    while (served.length < 2 && performance.now() < end) {
      queue.letIn()
      await endOfTurn()
    }
    assert.deepEqual(served, ['a', 'b'])
  })

  it('are all served once, and none after two of a connection that came with one each turn', async (t) => {
    quicken(t)
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'))
    await fc.assert(
      fc.asyncProperty(fc.array(names, { maxLength: 12 }), async (turns) => {
        const { arrive, served } = makeQueue()
        for (const arriving of turns) {
          arrive(...arriving)
          await endOfTurn()
        }
        assert.equal(served.length, turns.flat().length)
        let from = 0
        for (const arriving of turns) {
          const order = served.slice(from, from + arriving.length)
          assert.deepEqual(order.toSorted(), arriving.toSorted())
          const latest = order.map((name) => served.slice(0, from).lastIndexOf(name))
          assert.deepEqual(
            latest,
            latest.toSorted((one, next) => one - next),
          )
          from += arriving.length
        }
      }),
    )
  })
})

/** What takes longer than a slice. */
function slow(served: string[]) {
  return (name: string) => (): void => {
    served.push(name)
    const end = performance.now() + 12
    while (performance.now() < end);
  }
}

function makeQueue() {
  const queue = new TurnQueue()
  const connections = new Map<string, Connection>()
  const served: string[] = []
  const arrive = (...names: string[]): void => {
    for (const name of names) {
      const connection = connections.get(name) ?? {}
      connections.set(name, connection)
      queue.add(connection, () => served.push(name))
    }
  }
  return { queue, arrive, served }
}
