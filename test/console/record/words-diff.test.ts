// Differences between texts by words: `console/record/words-diff.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { diffWords, withoutSameText } from '../../../console/record/words-diff.ts'

const shown = (before: string, after: string): string =>
  diffWords(before, after)
    .map(({ kind, text }) => ({ same: text, gone: `[-${text}-]`, new: `[+${text}+]` })[kind])
    .join('')

describe('Y1 a difference by words', () => {
  it('names whole words that went and came', () => {
    assert.equal(shown('Green tea, rolled', 'Green tea, hand rolled'), 'Green tea, [+hand +]rolled')
    assert.equal(shown('Grüner Tee', 'Grüner Kräutertee'), 'Grüner [-Tee-][+Kräutertee+]')
    assert.equal(shown('a b c', 'a c'), 'a [-b -]c')
    assert.equal(shown('', 'new'), '[+new+]')
  })

  it('leads from the one text to the other, whatever they are', () => {
    const text = fc.stringMatching(/^[ab .é]{0,30}$/)
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after)
        const without = (left: string) => parts.filter(({ kind }) => kind !== left).map((part) => part.text)
        assert.equal(without('new').join(''), before)
        assert.equal(without('gone').join(''), after)
      }),
    )
  })

  it('takes no time for long texts that have nothing in common', () => {
    const words = (prefix: string) => Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}`).join(' ')
    assert.equal(diffWords(words('a'), words('b')).length, 2)
  })

  it('leaves out most of what is the same', () => {
    const same = 'word '.repeat(1000)
    const parts = withoutSameText(diffWords(`${same}old ${same}`, `${same}new ${same}`))
    assert.ok(parts.every(({ text }) => text.length < 140))
    assert.equal(parts.length, 4)
  })
})
