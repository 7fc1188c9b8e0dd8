// One line of csv: RFC 4180, CRLF. Written by hand: csv-stringify takes five times as long, a sixth of a whole
// export, and no other library tells an empty text from no value. It is the oracle of `csv-line.test.ts`.

/** null is a cell with nothing in it (no value), '' a quoted one (an empty text or list). */
export type Cell = string | number | boolean | null

/** `spreadsheetSafe`: a text that a spreadsheet would read as a formula gets an apostrophe; negative numbers stay numbers. */
export function csvLine(cells: readonly Cell[], spreadsheetSafe: boolean): string {
  let line = cellText(cells[0]!, spreadsheetSafe)
  for (let index = 1; index < cells.length; index += 1) line += `,${cellText(cells[index]!, spreadsheetSafe)}`
  return `${line}\r\n`
}

/** Also a lone CR or LF, which readers take for the end of a line. */
const TO_BE_QUOTED = /[",\r\n]/

function cellText(cell: Cell, spreadsheetSafe: boolean): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  if (cell === '') return '""'
  const text = spreadsheetSafe && FORMULA_SIGNS.includes(cell[0]!) ? `'${cell}` : cell
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The last four are full-width forms of the first. */
const FORMULA_SIGNS = '=+-@\t\r\uFF1D\uFF0B\uFF0D\uFF20'
