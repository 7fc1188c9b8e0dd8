// The order of a list of pictures, and points of a picture.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pointAt, pointOf, withAdded, withMoved } from '../../../console/pictures/order.ts'

const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 20 })

describe('The order of pictures', () => {
  it('after a move has the picture at its new place, and the others in their order', () => {
    fc.assert(
      fc.property(lists, fc.nat(30), fc.integer({ min: -3, max: 30 }), (ids, from, to) => {
        const id = ids[from] ?? 'absent'
        const moved = withMoved(ids, id, to)
        assert.deepEqual(
          moved.filter((one) => one !== id),
          ids.filter((one) => one !== id),
        )
        if (ids.includes(id) && to >= 0 && to < ids.length) assert.equal(moved.indexOf(id), to)
        else assert.equal(moved, ids)
      }),
    )
  })

  it('lists a picture once, at the end', () => {
    fc.assert(
      fc.property(lists, fc.string({ minLength: 1, maxLength: 4 }), (ids, id) => {
        const added = withAdded(ids, id)
        assert.equal(added.filter((one) => one === id).length, 1)
        assert.equal(withAdded(added, id), added)
        if (!ids.includes(id)) assert.equal(added.at(-1), id)
      }),
    )
  })
})

describe('A point of a picture', () => {
  it('is inside the picture, and is read back as it is', () => {
    const shares = fc.double({ min: -2, max: 3, noNaN: true })
    fc.assert(
      fc.property(shares, shares, (x, y) => {
        const point = pointAt(x, y)
        assert.deepEqual(pointOf(JSON.parse(JSON.stringify(point))), point)
        for (const share of [point.x, point.y]) assert.ok(share >= 0 && share <= 1)
      }),
    )
  })

  it('is none for any other value', () => {
    for (const value of [null, undefined, 'middle', {}, { x: 0.5 }, { x: 2, y: 0 }, { x: '0', y: 0 }, [0, 1]])
      assert.equal(pointOf(value), undefined)
  })
})
