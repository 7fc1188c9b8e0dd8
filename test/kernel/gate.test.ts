// Lets in so much at a time, and keeps the order of those who wait.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { Gate, type Leave, tooMany } from '../../src/kernel/gate.ts'

const refused = { code: 'UNAVAILABLE', retryAfter: 1, message: 'Too many guests at once: try again later' }
const refuse = () => tooMany('guests')

/** Who has come in, in the order of doing so. */
class Guests {
  readonly inside: string[] = []
  readonly #leaves = new Map<string, Leave>()

  async enter(gate: Gate, name: string, entering: Parameters<Gate['enter']>[0] = {}): Promise<void> {
    this.#leaves.set(name, await gate.enter(entering))
    this.inside.push(name)
  }

  leave(name: string): Promise<void> {
    this.#leaves.get(name)!()
    return endOfTurn()
  }
}

describe('A gate', () => {
  it('lets so many work at a time, the others in the order in which they came', async () => {
    const gate = new Gate({ size: 2 })
    const begun: number[] = []
    let [working, most] = [0, 0]
    const work = (index: number) =>
      gate.run(async () => {
        begun.push(index)
        working += 1
        most = Math.max(most, working)
        await endOfTurn()
        working -= 1
        return index
      })
    assert.deepEqual(await Promise.all([0, 1, 2, 3, 4].map(work)), [0, 1, 2, 3, 4])
    assert.deepEqual(begun, [0, 1, 2, 3, 4])
    assert.deepEqual([most, gate.taken], [2, 0])
  })

  it('goes on after work that fails, and is not held by who left while waiting', async () => {
    const gate = new Gate({ size: 1 })
    const abort = new AbortController()
    const failing = gate.run(() => Promise.reject(new Error('no')))
    const leaving = gate.run(() => assert.fail('it left'), { signal: abort.signal })
    const staying = gate.run(async () => 'done')
    abort.abort(new Error('left'))
    await assert.rejects(failing, /no/)
    await assert.rejects(leaving, /left/)
    assert.equal(await staying, 'done')
    await assert.rejects(
      gate.run(() => assert.fail('it is gone'), { signal: abort.signal }),
      /left/,
    )
    assert.equal(await gate.run(async () => 'again'), 'again')
  })

  it('refuses who would wait behind too many, and who has waited too long', async () => {
    const gate = new Gate({ size: 1, maxWaiting: 1, refuse })
    const guests = new Guests()
    await guests.enter(gate, 'first')
    const impatient = guests.enter(gate, 'impatient', { patience: 20 })
    await assert.rejects(gate.enter(), refused)
    await assert.rejects(impatient, refused)
    const last = guests.enter(gate, 'last')
    await guests.leave('first')
    await last
    assert.deepEqual(guests.inside, ['first', 'last'])
  })

  it('lets refusals of the same moment be spread, and nobody be refused who got in meanwhile', async () => {
    const refusals: (() => void)[] = []
    const gate = new Gate({ size: 1, refuse, spread: (refusal) => refusals.push(refusal) })
    const guests = new Guests()
    await guests.enter(gate, 'first')
    const waiting = ['lucky', 'unlucky'].map((name) => guests.enter(gate, name, { patience: 1 }))
    while (refusals.length < 2) await endOfTurn()
    await guests.leave('first')
    for (const refusal of refusals) refusal()
    await assert.rejects(waiting[1]!, refused)
    assert.deepEqual(guests.inside, ['first', 'lucky'])
  })
})

describe('A gate for what has a weight', () => {
  it('lets nobody overtake one that waits for room, and in alone what is larger than the room', async () => {
    const gate = new Gate({ size: 10 })
    const guests = new Guests()
    await guests.enter(gate, 'a', { weight: 6 })
    const waiting = [guests.enter(gate, 'large', { weight: 20 }), guests.enter(gate, 'small')]
    assert.equal(gate.tryEnter(), undefined)
    await guests.leave('a')
    assert.deepEqual(guests.inside, ['a', 'large'])
    await guests.leave('large')
    await Promise.all(waiting)
    assert.equal(gate.taken, 1)
  })

  it('admits those behind one that gives up', async () => {
    const gate = new Gate({ size: 10, refuse })
    const guests = new Guests()
    await guests.enter(gate, 'first', { weight: 5 })
    const giving = new AbortController()
    const given = guests.enter(gate, 'given', { weight: 10, signal: giving.signal })
    const impatient = guests.enter(gate, 'impatient', { weight: 10, patience: 20 })
    const behind = guests.enter(gate, 'behind', { weight: 5 })
    giving.abort(new Error('gave up'))
    await assert.rejects(given, /gave up/)
    await assert.rejects(impatient, refused)
    await behind
    assert.equal(gate.taken, 10)
  })

  it('gives more at once to who holds some already', async () => {
    const gate = new Gate({ size: 10 })
    const leaves = [gate.tryEnter({ weight: 8 }), gate.tryEnter({ weight: 8, isInside: true })]
    assert.equal(gate.taken, 16)
    assert.equal(gate.tryEnter({ weight: 1 }), undefined)
    for (const leave of leaves) leave!()
    assert.ok(gate.tryEnter({ weight: 10 }))
  })
})

describe('A gate that knows callers', () => {
  it('gives each a share, so that others find room, and anybody one thing however large', async () => {
    const gate = new Gate({ size: 100, perCaller: 25 })
    const guests = new Guests()
    await guests.enter(gate, 'first', { caller: 'a', weight: 20 })
    const second = guests.enter(gate, 'second', { caller: 'a', weight: 20 })
    await guests.enter(gate, 'other', { caller: 'b', weight: 60 })
    assert.deepEqual(guests.inside, ['first', 'other'])
    await guests.leave('first')
    await second
    await guests.leave('second')
    await guests.leave('other')
    await guests.enter(gate, 'huge', { caller: 'a', weight: 1000 })
    await guests.leave('huge')
    assert.equal(gate.taken, 0)
  })

  it('lets so many of one caller wait, in their order, and others too', async () => {
    const gate = new Gate({ size: Infinity, perCaller: 1, maxWaiting: 2, refuse })
    const guests = new Guests()
    await guests.enter(gate, 'a1', { caller: 'a' })
    await guests.enter(gate, 'b1', { caller: 'b' })
    const waiting = ['a2', 'a3', 'b2'].map((name) => guests.enter(gate, name, { caller: name[0]! }))
    await assert.rejects(gate.enter({ caller: 'a' }), refused)
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await guests.leave(name)
    await Promise.all(waiting)
    assert.deepEqual(guests.inside, ['a1', 'b1', 'a2', 'a3', 'b2'])
    assert.equal(gate.taken, 0)
  })
})
