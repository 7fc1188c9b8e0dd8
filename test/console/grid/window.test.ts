// The visible rows and columns, and their positions: `console/grid/window.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  AT_THE_TOP,
  columnsSeen,
  edgesOf,
  type Extent,
  heightOf,
  type Place,
  placeAt,
  reveal,
  revealColumn,
  ROW_HEIGHTS,
  rowsDrawn,
  rowsSeen,
  scrolledTo,
  TALLEST,
} from '../../../console/grid/window.ts'

const extents = fc.record({
  rows: fc.integer({ min: 1, max: 2_000_000 }),
  rowHeight: fc.constantFrom(...Object.values(ROW_HEIGHTS)),
  view: fc.integer({ min: 40, max: 2000 }),
})

const seenAt = (place: Place, extent: Extent) => rowsSeen(place, extent)

describe('window', () => {
  it('G1: no element is taller than browsers take, and both ends are reached', () => {
    fc.assert(
      fc.property(extents, (extent) => {
        assert.ok(heightOf(extent) <= TALLEST)
        assert.equal(seenAt(scrolledTo(AT_THE_TOP, 0, extent), extent).first, 0)
        const bottom = scrolledTo(AT_THE_TOP, Math.max(0, heightOf(extent) - extent.view), extent)
        assert.equal(seenAt(bottom, extent).last, extent.rows - 1)
      }),
    )
  })

  it('G1: what is seen covers the view without a gap, and rows are within the list', () => {
    fc.assert(
      fc.property(extents, fc.double({ min: 0, max: 1, noNaN: true }), (extent, part) => {
        const place = placeAt(part * extent.rows * extent.rowHeight, extent)
        const { first, last } = rowsSeen(place, extent)
        assert.ok(first >= 0 && last < extent.rows && first <= last)
        assert.ok(first * extent.rowHeight <= place.top)
        const isToTheEnd = last === extent.rows - 1
        assert.ok(isToTheEnd || (last + 1) * extent.rowHeight >= place.top + extent.view)
      }),
    )
  })

  it('G1: a wheel moves by as many pixels as it says, also where the scrollbar is scaled', () => {
    const extent = { rows: 1_000_000, rowHeight: 32, view: 800 }
    const middle = placeAt(16_000_000, extent)
    assert.equal(scrolledTo(middle, middle.scrollTop + 100, extent).top, middle.top + 100)
    assert.equal(scrolledTo(middle, middle.scrollTop - 100, extent).top, middle.top - 100)
  })

  it('G1: a jump of the scaled scrollbar goes as far in the list as in the bar', () => {
    const extent = { rows: 1_000_000, rowHeight: 32, view: 800 }
    const { top } = scrolledTo(AT_THE_TOP, TALLEST / 2, extent)
    assert.ok(Math.abs(top - 16_000_000) < 2000, `${top}`)
  })

  it('shows a row that the cursor goes to whole, and moves no further than that takes', () => {
    fc.assert(
      fc.property(extents, fc.nat(), fc.nat(), (extent, from, to) => {
        const place = placeAt((from % extent.rows) * extent.rowHeight, extent)
        const row = to % extent.rows
        const shown = reveal(place, row, extent)
        assert.ok(shown.top <= row * extent.rowHeight)
        assert.ok(shown.top + extent.view >= (row + 1) * extent.rowHeight - 1e-6)
        assert.deepEqual(reveal(shown, row, extent), shown)
      }),
    )
  })

  it('sees no row of an empty list', () => {
    const extent = { rows: 0, rowHeight: 32, view: 600 }
    const { first, last } = rowsSeen(AT_THE_TOP, extent)
    assert.ok(last < first)
    assert.ok(rowsDrawn({ first, last }, 5, extent).last < 0)
  })

  it('draws what is seen and some more, and as many rows wherever the list stands: an element is never moved to a third row', () => {
    fc.assert(
      fc.property(extents, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 9 }), (extent, part, margin) => {
        const seen = rowsSeen(placeAt(part * extent.rows * extent.rowHeight, extent), extent)
        const drawn = rowsDrawn(seen, margin, extent)
        assert.ok(drawn.first >= 0 && drawn.first <= Math.max(0, seen.first - margin))
        assert.ok(drawn.last < extent.rows && drawn.last >= Math.min(seen.last + margin, extent.rows - 1))
        const atTheTop = rowsDrawn(rowsSeen(AT_THE_TOP, extent), margin, extent)
        assert.equal(drawn.last - drawn.first, atTheTop.last - atTheTop.first)
      }),
    )
  })

  it('finds the columns that are seen, as a plain search does', () => {
    const widths = fc.array(fc.integer({ min: 40, max: 400 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(widths, fc.nat({ max: 5000 }), fc.integer({ min: 1, max: 2000 }), (widths, left, view) => {
        const edges = edgesOf(widths)
        const seen = widths.flatMap((_, at) => (edges[at]! < left + view && edges[at + 1]! > left ? [at] : []))
        if (seen.length === 0) return
        assert.deepEqual(columnsSeen(edges, left, view), { first: seen[0], last: seen.at(-1) })
      }),
    )
  })

  it('brings a column out from under those that are pinned', () => {
    const edges = edgesOf([100, 100, 100, 100, 100])
    assert.equal(revealColumn(250, 2, edges, { pinned: 100, view: 300 }), 100)
    assert.equal(revealColumn(0, 4, edges, { pinned: 100, view: 300 }), 200)
    assert.equal(revealColumn(50, 2, edges, { pinned: 100, view: 300 }), 50)
  })
})
