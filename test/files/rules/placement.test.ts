// Where the pixels of a picture go in a rendition. Contract 4 §3.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { placeIn } from '../../../src/files/rules/placement.ts'
import type { Fit, Preset } from '../../../src/files/rules/presets.ts'

const size = fc.record({ width: fc.integer({ min: 1, max: 20_000 }), height: fc.integer({ min: 1, max: 20_000 }) })
const box = fc.record({ width: fc.integer({ min: 1, max: 4000 }), height: fc.integer({ min: 1, max: 4000 }) })
const part = fc.double({ min: 0, max: 1, noNaN: true })
const focus = fc.record({ x: part, y: part })

const presetOf = (fit: Fit, box: object): Preset => ({ id: 'one', format: 'webp', fit, focus: 'focus', ...box })

describe('A picture in a rendition', () => {
  it('is never enlarged, and never empty', () => {
    fc.assert(
      fc.property(size, box, fc.constantFrom<Fit>('inside', 'cover', 'contain'), focus, (picture, box, fit, focus) => {
        const { scaled } = placeIn(picture, presetOf(fit, box), focus)
        assert.ok(scaled.width >= 1 && scaled.width <= picture.width)
        assert.ok(scaled.height >= 1 && scaled.height <= picture.height)
      }),
    )
  })

  it('of the fit inside is as large as the box allows, with its own proportions', () => {
    fc.assert(
      fc.property(size, box, (picture, box) => {
        const { scaled, crop, canvas } = placeIn(picture, presetOf('inside', box))
        assert.deepEqual([crop, canvas], [undefined, undefined])
        assert.ok(scaled.width <= box.width && scaled.height <= box.height)
        assert.ok(
          [box.width, picture.width].includes(scaled.width) || [box.height, picture.height].includes(scaled.height),
        )
        assert.ok(
          Math.abs(scaled.width * picture.height - scaled.height * picture.width) <= picture.width + picture.height,
        )
      }),
    )
    assert.deepEqual(placeIn({ width: 300, height: 200 }, presetOf('inside', { width: 90 })).scaled, {
      width: 90,
      height: 60,
    })
  })

  it('of the fit contain is whole on a canvas of the box, in its middle', () => {
    fc.assert(
      fc.property(size, box, (picture, box) => {
        const { scaled, canvas } = placeIn(picture, presetOf('contain', box))
        assert.deepEqual([canvas!.width, canvas!.height], [box.width, box.height])
        const [right, bottom] = [box.width - scaled.width - canvas!.left, box.height - scaled.height - canvas!.top]
        assert.ok(canvas!.left >= 0 && canvas!.top >= 0)
        assert.ok(right - canvas!.left === 0 || right - canvas!.left === 1)
        assert.ok(bottom - canvas!.top === 0 || bottom - canvas!.top === 1)
      }),
    )
  })

  it('of the fit cover is a part of the picture with the proportions of the box, centred at the focus', () => {
    fc.assert(
      fc.property(size, box, focus, (picture, box, focus) => {
        const { scaled, crop } = placeIn(picture, presetOf('cover', box), focus)
        const { left, top, width, height } = crop!
        assert.ok(left >= 0 && top >= 0 && left + width <= scaled.width && top + height <= scaled.height, 'within')
        assert.ok(width >= 1 && height >= 1 && width <= box.width && height <= box.height)
        assert.ok(width === scaled.width || height === scaled.height || width === box.width, 'as large as possible')
        assert.ok(Math.abs(width * box.height - height * box.width) <= box.width + box.height, 'proportions')
        for (const [begin, size, of, at] of [
          [left, width, scaled.width, focus.x],
          [top, height, scaled.height, focus.y],
        ] as const) {
          const centred = at * of - size / 2
          assert.ok(
            Math.abs(begin - Math.min(of - size, Math.max(0, centred))) <= 0.5 + 1e-9,
            'as near as the border allows',
          )
        }
      }),
    )
  })

  it('of the fit cover is the middle without a focus', () => {
    const { scaled, crop } = placeIn({ width: 600, height: 400 }, presetOf('cover', { width: 100, height: 100 }))
    assert.deepEqual(
      [scaled, crop],
      [
        { width: 150, height: 100 },
        { left: 25, top: 0, width: 100, height: 100 },
      ],
    )
  })
})
