// Which presets there can be, and what makes two renditions the same. Contract 4 §3.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parse } from '../../../src/kernel/input/parse.ts'
import {
  definePreset,
  definitionOf,
  FITS,
  FORMATS,
  MAX_SIDE,
  PresetInput,
  readFocus,
} from '../../../src/files/rules/presets.ts'

const read = (input: object) => {
  const { id = 'one', ...rest } = parse(PresetInput, input)
  return definePreset(id, rest)
}
const cover = { width: 10, height: 20, fit: 'cover', format: 'webp' }

describe('A preset', () => {
  it('keeps what was given, and nothing else', () => {
    const whole = { id: 'one', ...cover, quality: 70, background: '#00ff00', focus: 'focus' }
    assert.deepEqual(read(whole), whole)
    assert.deepEqual(read({ id: 'two', height: 5, fit: 'inside', format: 'png' }), {
      id: 'two',
      height: 5,
      fit: 'inside',
      format: 'png',
    })
    assert.equal(read({ ...cover, background: '#ABCDEF' }).background, '#abcdef')
  })

  for (const [change, message] of [
    [{ width: 0 }, /^width must be 1 or more$/],
    [{ width: MAX_SIDE + 1 }, /^width must be at most 4000$/],
    [{ height: 1.5 }, /^height must be a whole number$/],
    [{ height: undefined }, /^height is required for the fit cover$/],
    [{ width: undefined, fit: 'contain' }, /^width is required for the fit contain$/],
    [{ width: undefined, height: undefined, fit: 'inside' }, /^width or height is required$/],
    [{ fit: 'fill' }, /^fit must be one of inside, cover, contain$/],
    [{ format: 'gif' }, /^format must be one of webp, avif, jpeg, png$/],
    [{ format: 'original' }, /^format must be one of/],
    [{ quality: 101 }, /^quality must be at most 100$/],
    [{ format: 'png', quality: 80 }, /^quality must be absent for the format png$/],
    [{ background: 'white' }, /^background must be a colour such as #ffffff$/],
    [{ fit: 'contain', focus: 'focus' }, /^focus must be absent for the fit contain$/],
    [{ focus: '1' }, /^focus must/],
    [{ sharpen: true }, /sharpen/],
  ] as const)
    it(`cannot have ${JSON.stringify(change)}`, () => {
      assert.throws(() => read({ ...cover, ...change }), { code: 'VALIDATION_ERROR', message })
    })

  it('makes the same renditions under any ID, and others after each change of its definition', () => {
    const definition = fc.record({
      width: fc.integer({ min: 1, max: 3 }),
      height: fc.integer({ min: 1, max: 3 }),
      fit: fc.constantFrom(...FITS),
      format: fc.constantFrom(...FORMATS),
      background: fc.constantFrom('#000000', '#ffffff', undefined),
    })
    fc.assert(
      fc.property(definition, definition, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        assert.equal(definitionOf(definePreset('a', one)) === definitionOf(definePreset('b', other)), isSame)
      }),
    )
  })

  it('that names no attribute for the focus ignores it', () => {
    const [without, withFocus] = [read(cover), read({ ...cover, focus: 'focus' })]
    const focus = { x: 0.2, y: 0.8 }
    assert.equal(definitionOf(without, focus), definitionOf(without))
    assert.notEqual(definitionOf(withFocus, focus), definitionOf(withFocus))
    assert.equal(definitionOf(withFocus, { x: 0.5, y: 0.5 }), definitionOf(without), 'the middle is the default')
  })
})

describe('A focus', () => {
  it('is a point within the picture; other values are none', () => {
    assert.deepEqual(readFocus({ x: 0, y: 1, more: 2 }), { x: 0, y: 1 })
    for (const wrong of [
      null,
      undefined,
      'x',
      [],
      { x: 0.5 },
      { x: '0.5', y: 0.5 },
      { x: -0.1, y: 0 },
      { x: 0, y: 1.1 },
      { x: NaN, y: 0 },
    ])
      assert.equal(readFocus(wrong), undefined)
  })
})
