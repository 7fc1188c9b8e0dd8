// Contract 3 §7, 3 §11.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Placed, planMove, renumber } from '../../../../src/core/model/rules/sort-order.ts'

const inOrder = (items: readonly Placed[]) =>
  items.toSorted((one, other) => one.sortOrder - other.sortOrder || one.place! - other.place!)

/** Moves `id` before `before` in `items`, as a category does: what stands where afterwards. */
function move(items: readonly Placed[], id: string, before: string | null) {
  const moved = items.find((item) => item.id === id)!
  const others = inOrder(items).filter((item) => item !== moved)
  const at = before === null ? others.length : others.findIndex((item) => item.id === before)
  const expected = [...others.slice(0, at), moved, ...others.slice(at)].map((item) => item.id)
  const plan = planMove({ moved, previous: others[at - 1], following: others.slice(at) })
  const after = items.map((item) => ({ ...item, sortOrder: plan?.get(item.id) ?? item.sortOrder }))
  return { plan, expected, after: inOrder(after).map((item) => item.id) }
}

const items = (...sortOrders: number[]): Placed[] =>
  sortOrders.map((sortOrder, place) => ({ id: `i${place}`, sortOrder, place }))
const changes = (plan: ReadonlyMap<string, number> | undefined) => plan && Object.fromEntries(plan)

describe('planMove', () => {
  it('puts anything before anything, moving as few as it can', () => {
    const drawn = fc.record({
      sortOrders: fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -5, max: 5, noNaN: true })), {
        minLength: 2,
        maxLength: 12,
      }),
      from: fc.nat(11),
      to: fc.nat(12),
    })
    fc.assert(
      fc.property(drawn, ({ sortOrders, from, to }) => {
        const all = items(...sortOrders)
        const id = `i${from % all.length}`
        const before = to % (all.length + 1) === all.length ? null : `i${to % (all.length + 1)}`
        fc.pre(before !== id)
        const { plan, expected, after } = move(all, id, before)
        if (plan !== undefined) assert.deepEqual(after, expected)
        else assert.ok(Math.min(...sortOrders.filter((one) => one !== 0).map(Math.abs)) < 1e-9, 'there was room')
      }),
    )
  })

  it('changes the moved one alone where there is room, and nothing where it stands there already', () => {
    assert.deepEqual(changes(move(items(1, 2, 3), 'i2', 'i1').plan), { i2: 1.5 })
    assert.deepEqual(changes(move(items(1, 2, 3), 'i2', 'i0').plan), { i2: 0 })
    assert.deepEqual(changes(move(items(1, 2, 3), 'i0', null).plan), { i0: 4 })
    assert.deepEqual(changes(move(items(1, 2, 3), 'i1', 'i2').plan), {})
    assert.deepEqual(changes(move(items(0, 0, 0), 'i2', null).plan), {})
    assert.deepEqual(changes(move(items(0, 5, 0), 'i1', 'i2').plan), { i1: 0 })
  })

  it('pushes those aside that stand at the same number, up to the next one', () => {
    assert.deepEqual(changes(move(items(0, 0, 0, 6), 'i2', 'i1').plan), { i2: 2, i1: 4 })
    assert.deepEqual(changes(move(items(0, 0, 0), 'i2', 'i1').plan), { i2: 1, i1: 2 })
  })

  it('says so where the numbers leave no room', () => {
    const [low, high] = [1, 1 + Number.EPSILON]
    assert.equal(move(items(low, low, high, high), 'i3', 'i1').plan, undefined)
    assert.equal(move(items(0, Number.MAX_VALUE, Number.MAX_VALUE), 'i0', null).plan, undefined)
  })

  it('without places, equal numbers are none that are in order', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, sortOrder: 0 }))
    assert.deepEqual(changes(planMove({ moved: c!, previous: a, following: [b!] })), { c: 1, b: 2 })
    assert.deepEqual(changes(planMove({ moved: a!, previous: undefined, following: [] })), { a: 0 })
  })
})

it('renumber: from 1 on', () => {
  assert.deepEqual(changes(renumber(['b', 'a'])), { b: 1, a: 2 })
})
