// The console's words, in each language.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, before, describe, it } from 'node:test'
import { type Language, LANGUAGES, languageOf, PARTS, type Word, type Words } from '../../../console/words/languages.ts'
import { t as placeText } from '../../../console/words/place.ts'
import { ago, language, loadPlaceWords, number, speak, spoken, t } from '../../../console/words/words.ts'

const FOLDER = path.join(import.meta.dirname, '../../../console/words')

/** The words by their file. */
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
  before(() => speak('en'))
  afterEach(() => speak('en'))

  it('German says everything that English says, with the same holes', async () => {
    const [english, german] = [await readWords('en'), await readWords('de')]
    assert.deepEqual(Object.keys(german), Object.keys(english))
    assert.ok(Object.keys(english).length > 10)
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

  it('every file of words is in one of the two that are loaded', async () => {
    for (const tongue of Object.keys(LANGUAGES) as Language[]) {
      const files = await Promise.all(PARTS.map((part) => import(path.join(FOLDER, `${tongue}-${part}.ts`))))
      const loaded = files.flatMap(({ words }) => Object.keys(words as Words))
      // English problems are the sentences of the domain itself.
      const written = Object.entries(await readWords(tongue)).flatMap(([file, words]) =>
        tongue === 'en' && file === 'problems.ts' ? [] : Object.keys(words),
      )
      assert.deepEqual(loaded.toSorted(), written.toSorted())
    }
  })

  it('the language of before is spoken until the words of the new one are there, also those of places', async () => {
    await loadPlaceWords()
    const isLoaded = speak('de')
    assert.deepEqual([language.value, t('save'), placeText('people.addKey')], ['en', 'Save', 'Add an API key'])
    await isLoaded
    assert.deepEqual(
      [language.value, t('save'), placeText('people.addKey')],
      ['de', 'Speichern', 'API-Schlüssel anlegen'],
    )
  })

  it('the language that was asked for last is spoken', async () => {
    const [first, last] = [speak('de'), speak('en')]
    await spoken()
    await Promise.all([first, last])
    assert.equal(language.value, 'en')
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
