// German texts for problems of values: the sentences of the domain and the server are recognised.
import assert from 'node:assert/strict'
import { afterEach, before, describe, it } from 'node:test'
import { readValue } from '../../../console/fields/fields.ts'
import { placedProblem, rowProblems } from '../../../console/fields/problem-text.ts'
import { loadPlaceWords, speak } from '../../../console/words/words.ts'
import { describeTaken } from '../../../src/core/values/values.ts'

const LOCALE = { tag: 'de', yes: 'ja', no: 'nein', nameOf: ({ name }: { readonly name: string }) => name }

function problemOf(dataType: string, text: string, validation: object = {}, rest: object = {}): string | undefined {
  const attribute = { alias: 'a', dataType, options: [], units: ['g', 'kg'], currencies: ['EUR'], validation, ...rest }
  const reading = readValue(text, attribute as never, LOCALE)
  return reading.code === undefined ? undefined : reading.problem
}

describe('What is wrong with a value', () => {
  before(async () => {
    await speak('en')
    await loadPlaceWords()
  })
  afterEach(() => speak('en'))

  it('is said in German, with its numbers as Germans write them', async () => {
    await speak('de', ['de-DE'])
    const said = [
      problemOf('text', 'ab', { minLength: 1500 }),
      problemOf('text', 'abc', { maxLength: 2 }),
      problemOf('number', '1', { min: 2.5 }),
      problemOf('number', '1,5', { integer: true }),
      problemOf('number', 'viel'),
      problemOf('price', '9 EUR', { max: 8 }),
      problemOf('measurement', '9 t'),
      problemOf('date', 'morgen'),
      problemOf('url', 'hier'),
      problemOf('select', 'rot'),
      placedProblem(`operations[3]: ${describeTaken({ alias: 'sku', scope: 'language=de' })}`),
      placedProblem(describeTaken({ alias: 'sku', scope: '' })),
    ]
    assert.deepEqual(said, [
      'mindestens 1.500 Zeichen',
      'höchstens 2 Zeichen',
      'mindestens 2,5',
      'nur ganze Zahlen',
      'das ist keine Zahl wie 1.234,5',
      'höchstens 8',
      'nur mit diesen Einheiten: g, kg',
      'das ist kein Datum wie 31.12.2026',
      'das ist keine vollständige Adresse (URL)',
      'diese Auswahl gibt es nicht: rot',
      'ein anderer Datensatz hat diesen Wert schon: {language=de}',
      'ein anderer Datensatz hat diesen Wert schon',
    ])
  })

  it('is said in German for a row of an import, with its column and its cell', async () => {
    await speak('de', ['de-DE'])
    const said = [
      "The column 'VK: 2026' must be a number, written as 1234,5: the cell has 'auf Anfrage'",
      "The column '2026' must be at most 1000: the cell has '4006381333931'",
      "The column 'Sorte' must be the ID of an option of 'kind': the cell has 'blau'",
      "values.origin[0].value refers to the record 'JP', which does not exist",
      "The sku '0815' is in line 1217 of the file already; duplicates=last takes the last line",
      'The row has 13 cells, and the header has 11',
      "The column 'VK' is of another world: the cell has '1'",
      "The column 'VK' must be true or false: the cell has 'x; y'; The column 'EK' must be a whole number: the cell has '1,5'",
    ].map(rowProblems)
    assert.deepEqual(said, [
      'Spalte „VK: 2026“: das ist keine Zahl wie 1234,5; in der Zelle steht „auf Anfrage“',
      'Spalte „2026“: höchstens 1.000; in der Zelle steht „4006381333931“',
      'Spalte „Sorte“: diese Auswahl gibt es bei kind nicht; in der Zelle steht „blau“',
      'origin: den Datensatz „JP“ gibt es nicht',
      'sku „0815“ steht schon in Zeile 1.217',
      '13 Zellen statt 11 wie in der Überschrift',
      'Spalte „VK“: is of another world; in der Zelle steht „1“',
      'Spalte „VK“: nur ja oder nein; in der Zelle steht „x; y“ · Spalte „EK“: nur ganze Zahlen; in der Zelle steht „1,5“',
    ])
  })

  it('is said as it is where it is not known, and in English', async () => {
    assert.equal(problemOf('text', 'abc', { maxLength: 2 }), 'must be at most 2 characters long')
    await speak('de')
    assert.equal(placedProblem('values.name[0].value is of another world'), 'is of another world')
  })
})
