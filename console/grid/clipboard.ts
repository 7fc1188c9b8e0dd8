// Cells in the clipboard format of spreadsheets. Tabs separate columns, line ends separate rows; cells that contain
// either are quoted. Pure.

/** Prints cells as text. A last row of one empty cell is quoted, so that `parseCells` finds this row again. */
export function printCells(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => (row.length === 1 && row[0] === '' ? '""' : row.map(printCell).join('\t'))).join('\n')
}

function printCell(text: string): string {
  return /[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The delimiter that ends a cell. */
const CELL_END = /\t|\r\n|\n|\r|$/y
const PLAIN = /[^\t\n\r]*/y
const QUOTED = /"((?:[^"]|"")*)"(?=\t|\r\n|\n|\r|$)/y

/** Parses text as cells. A single line end at the end of the text starts no row. Rows may differ in length. */
export function parseCells(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; ;) {
    const cell = readCell(text, at)
    row.push(cell.text)
    CELL_END.lastIndex = cell.end
    const [end] = CELL_END.exec(text)!
    at = cell.end + end.length
    if (end === '\t') continue
    rows.push(row)
    row = []
    if (at >= text.length) return rows
  }
}

/** A quote that is not closed, or that text follows, is an ordinary character. */
function readCell(text: string, at: number): { readonly text: string; readonly end: number } {
  QUOTED.lastIndex = at
  const quoted = QUOTED.exec(text)
  if (quoted !== null) return { text: quoted[1]!.replaceAll('""', '"'), end: at + quoted[0].length }
  PLAIN.lastIndex = at
  const [plain] = PLAIN.exec(text)!
  return { text: plain, end: at + plain.length }
}
