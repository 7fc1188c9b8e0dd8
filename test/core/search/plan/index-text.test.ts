// The texts of a record as one text, and what is found in it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import {
  foldForIndex,
  hasText,
  isTextIndexed,
  markText,
  splitTexts,
  writePlaces,
} from '../../../../src/core/search/plan/index-text.ts'
import type { TextPlace } from '../../../../src/core/search/plan/sets.ts'

const number = fc.constantFrom(1, 2, 59_999, 60_000, 60_001, 120_002)
const scope = fc.constantFrom(1, 2, -1, -2, 30_000, 30_001)
/** The last two look like marks. */
const word = fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'ba', 'é', '\u{f0001}\u{100002}', '\u{f0001}')
const places: fc.Arbitrary<TextPlace[]> = fc.uniqueArray(
  fc.record({
    attribute: number,
    scopes: fc.oneof(fc.uniqueArray(scope, { minLength: 1 }), fc.constant('any' as const)),
  }),
  { minLength: 1, maxLength: 3, selector: (place) => place.attribute },
)
const texts = fc.array(fc.record({ attribute: number, scope, text: word }), { maxLength: 6 })

it('a text is found in those of its attributes and scopes, and in no other', () => {
  fc.assert(
    fc.property(texts, places, word, (all, among, needle) => {
      const written = all.map((one) => markText(one.attribute, one.scope, foldForIndex(one.text))).join('')
      const expected = all.some(
        (one) =>
          among.some(
            ({ attribute, scopes }) => one.attribute === attribute && (scopes === 'any' || scopes.includes(one.scope)),
          ) && foldForIndex(one.text).includes(foldForIndex(needle)),
      )
      assert.equal(hasText(written, writePlaces(among), foldForIndex(needle)), expected ? 1 : 0)
    }),
    { numRuns: 3000 },
  )
})

it('texts are taken apart where they were put together', () => {
  fc.assert(
    fc.property(texts, (all) => {
      const written = all.map((one) => markText(one.attribute, one.scope, foldForIndex(one.text)))
      if (written.length > 0) assert.deepEqual(splitTexts(written.join('')), written)
    }),
  )
})

it('texts of more than a mebibyte are left out of the full-text index, in whatever pieces and letters', () => {
  const mebibyte = 1024 * 1024
  for (const [texts, isIndexed] of [
    [[], true],
    [['a'.repeat(mebibyte)], true],
    [['a'.repeat(mebibyte), 'b'], false],
    [['漢'.repeat(mebibyte / 3), 'ab'], false],
    [['漢'.repeat(mebibyte / 3), 'a'], true],
  ] as const)
    assert.equal(isTextIndexed(texts), isIndexed)
})
