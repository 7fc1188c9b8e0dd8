// The format csv: RFC 4180 with a header, UTF-8, CRLF. Contract 2 §6.
import { PLAIN_CSV, type CsvDialect } from '../../core/csv/csv-dialect.ts'
import type { Format, FormatOptions } from './format.ts'
import { type Cells, cellsOfValues, createTable } from './table.ts'

function cellsOf(options: FormatOptions): Cells<Cell> {
  return {
    ofField: (text) => text,
    ofValue: cellsOfValues(options),
    ofUnit: (unit) => unit,
    deleted: true,
  }
}

export const writeCsv: Format = (options) => {
  const { spreadsheetSafe, dialect = PLAIN_CSV } = options
  const table = createTable(options, cellsOf(options))
  const lines = (rows: (readonly Cell[])[]): string => csvLines(rows, spreadsheetSafe, dialect)
  return {
    survey: table.survey,
    begin: () => (dialect.bom ? '\uFEFF' : '') + lines([table.begin().header]),
    write: (records) => lines(table.rows(records)),
    writeDeleted: (ids) => lines(table.deletedRows(ids)),
    end: () => '',
    mustBeginAgain: () => table.mustBeginAgain(),
  }
}

/** null is a cell with nothing in it (no value), '' a quoted one (an empty text or list). */
export type Cell = string | number | boolean | null

/**
 * Matches texts that a spreadsheet reads as a formula, by OWASP's page on CSV injection: tab or CR first, or any white space
 * and then the first character of a formula. Spreadsheets drop white space on import.
 */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/

/** Signs that numbers and truth values are written with. */
const IN_NUMBERS = /[\dA-Za-z.+-]/

/** `spreadsheetSafe`: a text that a spreadsheet would read as a formula gets an apostrophe; negative numbers stay numbers. */
export function csvLines(
  rows: readonly (readonly Cell[])[],
  spreadsheetSafe: boolean,
  { delimiter, decimal }: Pick<CsvDialect, 'delimiter' | 'decimal'> = PLAIN_CSV,
): string {
  // Readers take a lone CR or LF for the end of a line.
  const special = new RegExp(`["\\r\\n${RegExp.escape(delimiter)}]`, 'u')
  const isPlain = decimal === '.' && !IN_NUMBERS.test(delimiter)
  const quoted = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const cellText = (cell: Cell): string => {
    if (typeof cell === 'string') return cell === '' ? '""' : quoted(spreadsheetSafe ? disarm(cell) : cell)
    if (cell === null) return ''
    if (isPlain) return String(cell)
    return quoted(typeof cell === 'number' ? String(cell).replace('.', decimal) : String(cell))
  }
  let lines = ''
  for (const row of rows) {
    let separator = ''
    for (const cell of row) {
      lines += separator + cellText(cell)
      separator = delimiter
    }
    lines += '\r\n'
  }
  return lines
}

function disarm(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
