// The texts of a record as one text, and what is found in it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import {
  attributeMark,
  foldForIndex,
  hasText,
  markText,
  scopeMark,
  splitTexts,
} from '../../../src/storage/search/index-text.ts'

const number = fc.constantFrom(1, 2, 59_999, 60_000, 60_001, 120_002)
const scope = fc.constantFrom(1, 2, -1, -2, 30_000, 30_001)
const word = fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'ba', 'é')
const texts = fc.array(fc.record({ attribute: number, scope, text: word }), { maxLength: 6 })

it('a text is found in those of its attribute and scopes, and in no other', () => {
  fc.assert(
    fc.property(texts, number, fc.uniqueArray(scope, { maxLength: 3 }), word, (all, attribute, scopes, needle) => {
      const written = all.map((one) => markText(one.attribute, one.scope, foldForIndex(one.text))).join('')
      const marks = scopes.map((one) => `${scopeMark(one)} `).join('')
      const expected = all.some(
        (one) =>
          one.attribute === attribute &&
          (scopes.length === 0 || scopes.includes(one.scope)) &&
          foldForIndex(one.text).includes(foldForIndex(needle)),
      )
      assert.equal(hasText(written, attributeMark(attribute), marks, foldForIndex(needle)), expected ? 1 : 0)
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
