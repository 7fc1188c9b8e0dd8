// A line of csv is, to the byte, what csv-stringify makes of it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'
import { type Cell, csvLine } from '../../../src/exports/formats/csv-line.ts'

function oracle(cells: readonly Cell[], spreadsheetSafe: boolean): string {
  return stringify([cells], {
    record_delimiter: 'windows',
    // An empty text is written as "", no value as nothing. A lone CR or LF is quoted as CRLF is by itself.
    quoted_match: /^$|[\r\n]/,
    escape_formulas: spreadsheetSafe,
    cast: { boolean: String },
  })
}

const signs = ['"', ',', ';', "'", '\r', '\n', '\t', ' ', '=', '+', '-', '@', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20']
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...signs, '\\', '\uFEFF', '\uD83D', '\0', '😀'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
  maxLength: 8,
})
const cell = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer(), fc.double({ noNaN: true }), fc.constant(-0))

for (const spreadsheetSafe of [false, true]) {
  describe(`A line of csv${spreadsheetSafe ? ' for spreadsheets' : ''}`, () => {
    it('is what a library makes of it, whatever is in its cells', () => {
      const cells = fc.array(cell, { minLength: 1, maxLength: 6 })
      const property = fc.property(cells, (drawn) =>
        assert.equal(csvLine(drawn, spreadsheetSafe), oracle(drawn, spreadsheetSafe)),
      )
      fc.assert(property, { numRuns: 2000 })
    })

    it('is what a library makes of it for every single character', () => {
      const characters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
      const cells = characters.flatMap((character) => [character, `${character}1`, `1${character}`])
      assert.equal(csvLine(cells, spreadsheetSafe), oracle(cells, spreadsheetSafe))
    })
  })
}
