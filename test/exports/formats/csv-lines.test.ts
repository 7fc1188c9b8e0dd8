// Lines of csv are RFC 4180 to the byte, and a foreign parser reads back what was written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { type Cell, csvLines } from '../../../src/exports/formats/csv.ts'

const FORMULA_SIGNS = ['=', '+', '-', '@', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20']

function looksLikeFormula(text: string): boolean {
  return ['\t', '\r'].includes(text[0]!) || FORMULA_SIGNS.includes(text.trimStart()[0]!)
}

/** What RFC 4180 and docs/exports.md say of one cell. */
function expectedCell(cell: Cell, spreadsheetSafe: boolean): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  if (cell === '') return '""'
  const text = spreadsheetSafe && looksLikeFormula(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function expectedLines(rows: readonly (readonly Cell[])[], spreadsheetSafe: boolean): string {
  const lines = rows.map((cells) => cells.map((cell) => expectedCell(cell, spreadsheetSafe)).join(','))
  return lines.map((line) => `${line}\r\n`).join('')
}

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...FORMULA_SIGNS,
      '"',
      ',',
      ';',
      "'",
      '\r',
      '\n',
      '\t',
      ' ',
      '\u00A0',
      '\\',
      '\uFEFF',
      '\uD83D',
      '\0',
      '😀',
    ),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
  maxLength: 8,
})
const cell = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer(), fc.double({ noNaN: true }), fc.constant(-0))
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { maxLength: 3 })

for (const spreadsheetSafe of [false, true]) {
  describe(`Lines of csv${spreadsheetSafe ? ' for spreadsheets' : ''}`, () => {
    it('are what they are said to be, whatever is in their cells', () => {
      const property = fc.property(rows, (drawn) =>
        assert.equal(csvLines(drawn, spreadsheetSafe), expectedLines(drawn, spreadsheetSafe)),
      )
      fc.assert(property, { numRuns: 2000 })
    })

    it('are what they are said to be for every single character', () => {
      const characters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
      const cells = characters.flatMap((character) => [character, `${character}1`, `1${character}`])
      assert.equal(csvLines([cells], spreadsheetSafe), expectedLines([cells], spreadsheetSafe))
    })
  })
}

describe('Lines of csv', () => {
  it('look like this', () => {
    const written = csvLines(
      [
        ['id', 'say "a", b', null, '', true, false],
        ['lone\rCR', 'lone\nLF', ' a ', -0.5, 1e21, 5e-7],
        [null, null, null, null, null, null],
      ],
      false,
    )
    assert.equal(written, 'id,"say ""a"", b",,"",true,false\r\n"lone\rCR","lone\nLF", a ,-0.5,1e+21,5e-7\r\n,,,,,\r\n')
    assert.equal(csvLines([], false), '')
  })

  it('for spreadsheets look like this: negative numbers stay numbers', () => {
    const written = csvLines([['=1+1', '-1', -1, '\ta', '\ra', '\uFF1D"', '1-1', '']], true)
    assert.equal(written, `'=1+1,'-1,-1,'\ta,"'\ra","'\uFF1D""",1-1,""\r\n`)
  })

  it('for spreadsheets have an apostrophe also where white space comes before the formula', () => {
    const spaces = ['\t', '\r', '\n', ' ', '\u00A0', ' \u00A0\n\t ', '\u3000', '\uFEFF']
    for (const space of spaces)
      for (const sign of FORMULA_SIGNS) {
        const text = `${space}${sign}SUM(A1)`
        const [cell] = parse(csvLines([[text]], true), { record_delimiter: '\r\n', bom: false }) as [string[]]
        assert.deepEqual(cell, [`'${text}`], JSON.stringify(text))
      }
    assert.equal(csvLines([[' a=1', '\u00A0x', '\n1', ' 5 - 3']], true), ' a=1,\u00A0x,"\n1", 5 - 3\r\n')
  })

  it('are read back by a parser, which tells an empty text from no value', () => {
    // The parser reads bytes.
    const part = fc.oneof(
      text.map((drawn) => drawn.toWellFormed()),
      fc.constant(null),
    )
    const texts = fc.array(fc.array(part, { minLength: 2, maxLength: 2 }), { minLength: 1 })
    const property = fc.property(texts, (drawn) => {
      const parsed: unknown = parse(csvLines(drawn, false), {
        record_delimiter: '\r\n',
        cast: (read, { quoting }) => (read === '' && !quoting ? null : read),
      })
      assert.deepEqual(parsed, drawn)
    })
    fc.assert(property, { numRuns: 500 })
  })
})
