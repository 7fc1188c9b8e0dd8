// Values in the format of a locale: `console/fields/`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FieldAttribute, Locale } from '../../../console/fields/field.ts'
import { readValue, showValue, writeValue } from '../../../console/fields/fields.ts'
import { readDate } from '../../../src/imports/rules/date-pattern.ts'
import type { DataTypeName } from '../../../src/core/datatypes/data-types.ts'

const locale = (tag: string, yes = 'yes', no = 'no'): Locale => ({
  tag,
  timeZone: 'Europe/Berlin',
  yes,
  no,
  nameOf: ({ name, names }) => names?.[tag] ?? name,
})
const en = locale('en-US')
const de = locale('de', 'ja', 'nein')
const LOCALES = [en, de, locale('fr'), locale('de-CH'), locale('en-IN'), locale('ar')]

function attribute(dataType: DataTypeName, rest: Partial<FieldAttribute> = {}): FieldAttribute {
  return { alias: 'it', dataType, options: [], units: [], currencies: [], validation: {}, ...rest }
}

function read(text: string, of: FieldAttribute, by = de, before?: unknown): unknown {
  const reading = readValue(text, of, by, before)
  return reading.code === undefined ? reading.value : `${reading.code}: ${reading.problem}`
}

const options = [
  { id: 'green', name: 'Green', names: { de: 'Grün' } },
  { id: 'black', name: 'Black', names: { de: 'Schwarz' } },
  { id: 'a', name: 'Twin' },
  { id: 'b', name: 'Twin' },
  { id: 'semi', name: 'one; two' },
]

describe('fields', () => {
  it('reads every number that it has written, in every locale', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0))
    fc.assert(
      fc.property(numbers, fc.constantFrom(...LOCALES), (value, by) => {
        assert.equal(read(writeValue(value, attribute('number'), by), attribute('number'), by), value)
      }),
    )
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...LOCALES), (value, by) => {
        assert.equal(read(showValue(value, attribute('number'), by), attribute('number'), by), value)
      }),
    )
  })

  it('reads numbers as the locale writes them, else as everybody does', () => {
    const number = attribute('number')
    assert.equal(read('1.234,5', number), 1234.5)
    assert.equal(read('1.234', number), 1234)
    assert.equal(read('1.5', number), 1.5)
    assert.equal(read('1,234.5', number, en), 1234.5)
    assert.equal(read('8,90', number), 8.9)
    assert.equal(read('−5', number), -5)
    assert.equal(read('1 234,5', number, locale('fr')), 1234.5)
    assert.equal(read('  ', number), null)
    assert.match(String(read('1.2.3', number)), /^type: /)
    assert.match(String(read('abc', number)), /^type: /)
  })

  it('shows numbers as their attribute says, without separators below 10,000 unless it says so', () => {
    const shown = (value: number, display?: FieldAttribute['display'], by = en) =>
      showValue(value, attribute('number', { display }), by)
    assert.deepEqual([shown(1961), shown(12_345), shown(1961.5)], ['1961', '12,345', '1961.5'])
    assert.deepEqual([shown(12_345, { style: 'plain' }), shown(1961, { style: 'grouped' })], ['12345', '1,961'])
    assert.equal(shown(7, { decimals: 2 }), '7.00')
    assert.equal(shown(12_345.678, { style: 'plain', decimals: 1, unit: 'km' }, de), '12345,7 km')
    const price = attribute('price', { display: { style: 'grouped', decimals: 0 } })
    assert.equal(showValue({ amount: 1234.5, currency: 'EUR' }, price, en), '1,235 EUR')
    const distance = attribute('number', { display: { unit: 'km' } })
    assert.deepEqual([read('1.234 km', distance), read('5km', distance), read('km', distance)], [1234, 5, null])
  })

  it('refuses a number whose digits would not be kept, and one beyond the rules', () => {
    assert.match(String(read('0,123456789012345678901', attribute('number'))), /^type: /)
    assert.match(String(read('11', attribute('number', { validation: { max: 10 } }))), /^range: must be at most 10/)
  })

  it('reads every price and measurement that it has written', () => {
    const amounts = fc.double({ noNaN: true, min: -1e12, max: 1e12 }).filter((one) => !Object.is(one, -0))
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        fc.constantFrom(...LOCALES),
        (amount, currency, by) => {
          const value = { amount, currency }
          assert.deepEqual(read(writeValue(value, attribute('price'), by), attribute('price'), by), value)
        },
      ),
    )
    const kilo = { amount: 1.5, unit: 'kg' }
    assert.deepEqual(read(showValue(kilo, attribute('measurement'), de), attribute('measurement')), kilo)
  })

  it('takes the unit that is typed, else the one that was there, else the first of the list', () => {
    const price = attribute('price', { currencies: ['EUR', 'USD'] })
    assert.deepEqual(read('8,90', price), { amount: 8.9, currency: 'EUR' })
    assert.deepEqual(read('8,90', price, de, { amount: 1, currency: 'USD' }), { amount: 8.9, currency: 'USD' })
    assert.deepEqual(read('$8.90', price, en), { amount: 8.9, currency: 'USD' })
    assert.deepEqual(read('1.234,50 eur', price), { amount: 1234.5, currency: 'EUR' })
    assert.match(String(read('8 GBP', price)), /^option: /)
    assert.match(String(read('8', attribute('price'))), /^option: /)
    const weight = attribute('measurement', { units: ['g', 'kg'] })
    assert.deepEqual(read('50 KG', weight), { amount: 50, unit: 'kg' })
    assert.deepEqual(read('1 234,5 g', weight, locale('fr')), { amount: 1234.5, unit: 'g' })
    assert.equal(showValue({ amount: 8.9, currency: 'EUR' }, price, de), '8,90 EUR')
    assert.equal(showValue({ amount: 8, currency: 'JPY' }, price, en), '8 JPY')
  })

  it('reads every day that it has written, in every locale', () => {
    const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(days, fc.constantFrom(...LOCALES), (date, by) => {
        const day = date.toISOString().slice(0, 10)
        assert.equal(read(writeValue(day, attribute('date'), by), attribute('date'), by), day)
      }),
    )
    assert.equal(read('3.9.26', attribute('date')), '2026-09-03')
    assert.equal(read('9/3/2026', attribute('date'), en), '2026-09-03')
    assert.equal(read('2026-09-03', attribute('date')), '2026-09-03')
    assert.match(String(read('31.2.2026', attribute('date'))), /^type: /)
  })

  it('reads days as spreadsheets copy them: with a month as a word, or with midnight; other times are refused', () => {
    const day = attribute('date')
    for (const text of ['15-Jan-26', '15. Januar 2026', '15. Jan. 2026', '2026-01-15 00:00:00', '15.01.2026 0:00'])
      assert.equal(read(text, day), '2026-01-15', text)
    assert.equal(read('January 15, 2026', day, en), '2026-01-15')
    assert.deepEqual([read('1. Mrz 26', day), read('1 März 2026', day)], ['2026-03-01', '2026-03-01'])
    assert.equal(read('1er févr. 2026', day, locale('fr')), '2026-02-01')
    assert.equal(read('15. Januar 2026 14:30', attribute('dateTime')), '2026-01-15T13:30:00Z')
    for (const text of ['31-Feb-26', '3-Ma-26', '3-Jun1-26', '2026-01-15 08:00:00'])
      assert.match(String(read(text, day)), /^type: /, text)
  })

  it('reads two digits of a year as imports do', () => {
    for (const [text, pattern] of [
      ['31/12/99', 'dd/MM/yy'],
      ['31/12/69', 'dd/MM/yy'],
    ] as const)
      assert.equal(read(text, attribute('date')), readDate(text, pattern))
    assert.equal(read('31/12/99', attribute('date')), '1999-12-31')
  })

  it('reads the truth values of spreadsheets in every language, and signs', () => {
    const truth = attribute('boolean')
    for (const text of ['WAHR', 'VRAI', 'TRUE', 'x', 'X', '✓', 'ja', '1']) assert.equal(read(text, truth), true, text)
    for (const text of ['FALSCH', 'FAUX', 'FALSE', 'nein', '0']) assert.equal(read(text, truth), false, text)
    assert.match(String(read('maybe', truth)), /^type: /)
  })

  it('reads a percentage as it is written, and a number in brackets as negative', () => {
    const number = attribute('number')
    assert.deepEqual([read('12 %', number), read('12,5%', number), read('(12)', number)], [12, 12.5, -12])
    assert.match(String(read('12 %', attribute('number', { display: { unit: 'km' } }))), /^type: /)
    assert.match(String(read('(-12)', number)), /^type: /)
  })

  it('shows moments in the user’s time zone, and reads them there', () => {
    const moment = attribute('dateTime')
    assert.equal(showValue('2026-07-01T12:00:00Z', moment, de), '01.07.2026, 14:00')
    assert.equal(read('01.07.2026, 14:00', moment), '2026-07-01T12:00:00Z')
    assert.equal(read('1.1.2026 14:00', moment), '2026-01-01T13:00:00Z')
    assert.equal(read('29.3.2026 3:30', moment), '2026-03-29T01:30:00Z')
    const fine = '2026-07-01T12:00:00.123+02:00'
    assert.equal(read(writeValue(fine, moment, de), moment), fine)
    assert.match(String(read('1.7.2026 25:00', moment)), /^type: /)
  })

  it('reads every list of records that it has written, also where other signs stand between the IDs', () => {
    const pictures = attribute('references')
    assert.equal(writeValue(['p-2', 'p-1'], pictures, de), 'p-2|p-1')
    assert.equal(showValue(['p-2', 'p-1'], pictures, de), 'p-2, p-1')
    for (const text of ['p-2|p-1', ' p-2; p-1 ', 'p-2, p-1', 'p-2 p-1 p-2'])
      assert.deepEqual(read(text, pictures), ['p-2', 'p-1'])
    assert.equal(read(' ', pictures), null)
    assert.match(String(read('p-2|p-1', attribute('references', { validation: { maxCount: 1 } }))), /^length: /)
  })

  it('shows a file by its name, and takes its hash', () => {
    const picture = attribute('file')
    const value = { sha256: 'ab'.repeat(32), fileName: 'hemd.jpg', mediaType: 'image/jpeg', size: 5 }
    assert.equal(showValue(value, picture, de), 'hemd.jpg')
    assert.deepEqual(readValue(writeValue(value, picture, de), picture, de, value), { value })
    assert.deepEqual(read('CD'.repeat(32), picture), { sha256: 'cd'.repeat(32), fileName: 'file' })
    assert.equal(read('', picture), null)
    assert.match(String(read('hemd.jpg', picture)), /^type: /)
  })

  it('names options in the user’s language, and takes names, IDs and other capitals', () => {
    const color = attribute('select', { options })
    assert.equal(showValue('green', color, de), 'Grün')
    assert.equal(read('Grün', color), 'green')
    assert.equal(read('green', color), 'green')
    assert.equal(read('schwarz', color), 'black')
    assert.match(String(read('Blau', color)), /^option: /)
    assert.equal(showValue('a', color, de), 'a')
    assert.match(String(read('Twin', color)), /^option: /)
  })

  it('reads every choice of options that it has written', () => {
    const colors = attribute('multiSelect', { options })
    fc.assert(
      fc.property(
        fc.subarray(
          options.map(({ id }) => id),
          { minLength: 1 },
        ),
        (ids) => {
          assert.deepEqual(read(writeValue(ids, colors, de), colors), ids)
        },
      ),
    )
    assert.deepEqual(read('Grün; schwarz', colors), ['green', 'black'])
  })

  it('reads true and false in the user’s words and in those of spreadsheets', () => {
    const flag = attribute('boolean')
    assert.deepEqual(
      ['ja', 'Nein', 'TRUE', 'false', '1', ''].map((text) => read(text, flag)),
      [true, false, true, false, true, null],
    )
    assert.match(String(read('vielleicht', flag)), /^type: must be ja or nein/)
  })

  it('keeps texts as they are, shows them in one line, and cuts long ones', () => {
    const text = attribute('text')
    assert.equal(read(' a\nb ', text), ' a\nb ')
    assert.equal(showValue('a\nb\u0000c', text, de), 'a b\u{FFFD}c')
    assert.ok(showValue('x'.repeat(10_000), text, de).length <= 301)
    assert.match(String(read('abcd', attribute('text', { validation: { maxLength: 3 } }))), /^length: /)
  })

  it('reads JSON, and says where it is none', () => {
    assert.deepEqual(read('{"a":[1]}', attribute('json')), { a: [1] })
    assert.match(String(read('{', attribute('json'))), /^type: /)
  })

  it('shows a value that is of another type than its attribute by now as JSON', () => {
    assert.equal(showValue({ amount: 1 }, attribute('multiSelect'), de), '{"amount":1}')
  })
})
