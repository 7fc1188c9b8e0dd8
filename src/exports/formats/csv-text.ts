// Lines of csv: RFC 4180, CRLF. Contract 2 §6. Home of csv-stringify.
import { stringify } from 'csv-stringify/sync'
import { type CsvDialect, PLAIN_CSV } from '../../core/csv/csv-dialect.ts'

/** null is a cell with nothing in it (no value), '' a quoted one (an empty text or list). */
export type Cell = string | number | boolean | null

/**
 * What a spreadsheet would read as a formula, after OWASP's page on CSV injection: a text that begins with tab or CR, and
 * one whose first sign, after whatever white space, begins a formula. Spreadsheets drop white space when they import.
 */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/

/** `spreadsheetSafe`: a text that a spreadsheet would read as a formula gets an apostrophe; negative numbers stay numbers. */
export function csvLines(
  rows: (readonly Cell[])[],
  spreadsheetSafe: boolean,
  { delimiter, decimal }: Pick<CsvDialect, 'delimiter' | 'decimal'> = PLAIN_CSV,
): string {
  return stringify(spreadsheetSafe ? rows.map((row) => row.map(disarm)) : rows, {
    delimiter,
    record_delimiter: 'windows',
    // An empty text (`quoted_empty` would quote null as well), and a lone CR or LF, which readers take for the end of a
    // line (`quote_record_delimiter` does the same more slowly).
    quoted_match: /^$|[\r\n]/,
    cast: decimal === '.' ? { boolean: String } : { boolean: String, number: withComma },
  })
}

function withComma(number: number): string {
  return String(number).replace('.', ',')
}

function disarm(cell: Cell): Cell {
  return typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell
}
