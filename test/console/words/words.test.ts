// What the console says, in each language.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { de } from '../../../console/words/de.ts'
import { en } from '../../../console/words/en.ts'
import type { Word, WordName } from '../../../console/words/word-types.ts'
import { ago, languageOf, number, speak, t } from '../../../console/words/words.ts'

const textsOf = (word: Word) => (typeof word === 'string' ? [word] : Object.values(word))
const holesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole!).sort()

describe('Words', () => {
  afterEach(() => speak('en'))

  it('German says everything that English says, with the same holes', () => {
    assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort())
    for (const name of Object.keys(en) as WordName[]) {
      const holes = (word: Word) => new Set(textsOf(word).flatMap(holesOf))
      assert.deepEqual(holes(de[name]), holes(en[name]), name)
      assert.equal(typeof de[name], typeof en[name], name)
    }
  })

  it('no text is empty', () => {
    for (const words of [en, de])
      for (const [name, word] of Object.entries(words))
        for (const text of textsOf(word)) assert.notEqual(text, '', name)
  })

  it('numbers in texts are written, and counted, as the language does', async () => {
    assert.equal(t('records', { count: 1 }), '1 record')
    assert.equal(t('records', { count: 8334 }), '8,334 records')
    await speak('de', ['de-DE'])
    assert.equal(t('records', { count: 8334 }), '8.334 Datensätze')
    assert.equal(number(0.5), '0,5')
  })

  it('says when something was, and the day where that is long ago', () => {
    const now = Date.parse('2026-03-02T09:00:00Z')
    assert.match(ago('2026-03-02T08:58:00Z', now), /2 min/)
    assert.match(ago('2025-01-02T08:58:00Z', now), /2025/)
  })

  it("begins with the first of the browser's languages that it knows", () => {
    assert.equal(languageOf(['fr-FR', 'de-AT', 'en']), 'de')
    assert.equal(languageOf(['fr']), 'en')
  })
})
