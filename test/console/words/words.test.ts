// What the console says, in each language.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { packTexts, unpackTexts } from '../../../console/words/packed.ts'
import {
  ago,
  type Language,
  LANGUAGES,
  languageOf,
  number,
  speak,
  t,
  type Word,
  type Words,
  wordsOf,
} from '../../../console/words/words.ts'

const FOLDER = path.join(import.meta.dirname, '../../../console/words')

/** By the file that they stand in. */
async function readWords(language: Language): Promise<Readonly<Record<string, Words>>> {
  const files = readdirSync(path.join(FOLDER, language))
  const read = files.map(async (file): Promise<[string, Words]> => {
    const exported: Readonly<Record<string, Words>> = await import(path.join(FOLDER, language, file))
    return [file, Object.assign({}, ...Object.values(exported))]
  })
  return Object.fromEntries(await Promise.all(read))
}

const textsOf = (word: Word) => (typeof word === 'string' ? [word] : Object.values(word))
const holesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole!).sort()

describe('Words', () => {
  afterEach(() => speak('en'))

  it('German says everything that English says, with the same holes', async () => {
    const [english, german] = [await readWords('en'), await readWords('de')]
    assert.deepEqual(Object.keys(german), Object.keys(english))
    for (const [file, words] of Object.entries(english)) {
      assert.deepEqual(Object.keys(german[file]!).sort(), Object.keys(words).sort(), file)
      for (const [name, word] of Object.entries(words)) {
        const holes = (said: Word) => new Set(textsOf(said).flatMap(holesOf))
        assert.deepEqual(holes(german[file]![name]!), holes(word), name)
        assert.equal(typeof german[file]![name], typeof word, name)
      }
    }
  })

  it('no word means two things, and no text is empty', async () => {
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const all = Object.values(await readWords(language)).flatMap((words) => Object.entries(words))
      assert.equal(new Set(all.map(([name]) => name)).size, all.length)
      for (const [name, word] of all) for (const text of textsOf(word)) assert.notEqual(text, '', name)
    }
  })

  it('are the same after they were packed, some by their names and others by numbers', async () => {
    for (const words of Object.values(await readWords('de'))) {
      const names = Object.keys(words)
      const named = names.slice(0, Math.floor(names.length / 2))
      const unpacked = unpackTexts(named.join('\n'), 100 - named.length, packTexts(names, words))
      assert.deepEqual(
        Object.fromEntries(names.map((name, at) => [name, unpacked[named[at] ?? 100 - named.length + at]])),
        words,
      )
    }
    assert.throws(() => packTexts(['lines'], { lines: 'two\nlines' }), /word lines cannot be packed/)
  })

  it('a place has its own, beside those that all have', () => {
    const words = {
      en: { 'test.cups': { one: '{count} cup', other: '{count} cups' } },
      de: { 'test.cups': { one: '{count} Tasse', other: '{count} Tassen' } },
    } as const
    const say = wordsOf(words)
    assert.deepEqual([say('test.cups', { count: 2 }), say('save')], ['2 cups', 'Save'])
    speak('de')
    assert.deepEqual([say('test.cups', { count: 1 }), say('save')], ['1 Tasse', 'Speichern'])
  })

  it('numbers in texts are written, and counted, as the language does', () => {
    assert.equal(t('records', { count: 1 }), '1 record')
    assert.equal(t('records', { count: 8334 }), '8,334 records')
    speak('de', ['de-DE'])
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
