// The console's words, in each language.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, before, describe, it } from 'node:test'
import { type Language, languageOf, ownName, PARTS, type Word, type Words } from '../../../console/words/languages.ts'
import { t as placeText } from '../../../console/words/place.ts'
import { languagesIn } from '../../../scripts/build/languages.ts'
import { ago, day, language, loadPlaceWords, number, speak, spoken, t } from '../../../console/words/words.ts'

const FOLDER = path.join(import.meta.dirname, '../../../console/words')

/** The words by their file. */
async function readWords(language: Language): Promise<Readonly<Record<string, Words>>> {
  const files = readdirSync(path.join(FOLDER, language)).filter((file) => !PARTS.some((part) => file === `${part}.ts`))
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

  for (const tongue of languagesIn().filter((tag) => tag !== 'en'))
    it(`${ownName(tongue)} says everything that English says, with the same holes`, async () => {
      const [english, other] = [await readWords('en'), await readWords(tongue)]
      assert.deepEqual(Object.keys(other), Object.keys(english))
      assert.ok(Object.keys(english).length > 10)
      for (const [file, words] of Object.entries(english)) {
        assert.deepEqual(Object.keys(other[file]!).sort(), Object.keys(words).sort(), file)
        for (const [name, word] of Object.entries(words)) {
          const holes = (said: Word) => new Set(textsOf(said).flatMap(holesOf))
          assert.deepEqual(holes(other[file]![name]!), holes(word), name)
          assert.equal(typeof other[file]![name], typeof word, name)
        }
      }
    })

  it('French has narrow no-break spaces and typographic apostrophes, as French typesetting asks', async () => {
    const texts = Object.values(await readWords('fr')).flatMap((words) => Object.values(words).flatMap(textsOf))
    const spaced = /[^\u202f][;!?»%]|[^\u202f]:(?!\/)|«[^\u202f]/
    assert.deepEqual(
      texts.filter((text) => spaced.test(text) || text.includes("'") || text.includes(' …')),
      [],
    )
  })

  it('no word means two things, and no text is empty', async () => {
    for (const language of languagesIn()) {
      const all = Object.values(await readWords(language)).flatMap((words) => Object.entries(words))
      assert.equal(new Set(all.map(([name]) => name)).size, all.length)
      for (const [name, word] of all) for (const text of textsOf(word)) assert.notEqual(text, '', name)
    }
  })

  it('every file of words is in one of the two that are loaded', async () => {
    for (const tongue of languagesIn()) {
      const files = await Promise.all(PARTS.map((part) => import(path.join(FOLDER, tongue, `${part}.ts`))))
      const loaded = files.flatMap(({ words }) => Object.keys(words as Words))
      // English problems are the sentences of the domain itself.
      const written = Object.entries(await readWords(tongue)).flatMap(([file, words]) =>
        tongue === 'en' && file === 'problems.ts' ? [] : Object.keys(words),
      )
      assert.deepEqual(loaded.toSorted(), written.toSorted())
    }
  })

  it('a name that is written from right to left leaves the words around it in place', async () => {
    await speak('en')
    await loadPlaceWords()
    assert.ok(t('remove', { name: 'شاي أخضر' }).includes('\u2068شاي أخضر\u2069'))
    assert.ok(!t('remove', { name: 'Grüner Tee 🫖' }).includes('\u2068'))
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

  it('writes English days as the browser does, and not as Americans where the browser knows no English', async () => {
    const written = async (languages: readonly string[]) => {
      await speak('en', languages)
      return day('2026-11-27T03:00:00Z')
    }
    assert.equal(await written(['en-US']), 'Nov 27, 2026')
    assert.equal(await written(['fr-FR', 'fr']), '27 Nov 2026')
  })

  it("begins with the first of the browser's languages that it knows", () => {
    const spoken = ['en', 'de', 'xy']
    assert.equal(languageOf(spoken, undefined, ['nl-NL', 'de-AT', 'en']), 'de')
    assert.equal(languageOf(spoken, undefined, ['nl']), 'en')
  })

  it('prefers the language that the user chose, unless it is not one of the console', () => {
    const spoken = ['en', 'de', 'xy']
    assert.equal(languageOf(spoken, 'xy', ['de']), 'xy')
    for (const chosen of ['constructor', '', 7, null, ['xy']]) assert.equal(languageOf(spoken, chosen, ['de']), 'de')
  })

  it('names each language in itself, with a capital', () => {
    assert.deepEqual(['en', 'de', 'fr', 'ar'].map(ownName), ['English', 'Deutsch', 'Français', 'العربية'])
  })
})
