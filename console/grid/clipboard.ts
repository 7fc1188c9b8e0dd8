// Cells as spreadsheets put them on the clipboard: tabs between columns, line ends between rows, quotes around what has either
// inside. Pure.

/** So that what is read again is what was written, also where a last row is one empty cell. */
export function printCells(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => (row.length === 1 && row[0] === '' ? '""' : row.map(printCell).join('\t'))).join('\n')
}

function printCell(text: string): string {
  return /[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The end of a cell: what comes behind it. */
const CELL_END = /\t|\r\n|\n|\r|$/y
const PLAIN = /[^\t\n\r]*/y
const QUOTED = /"((?:[^"]|"")*)"(?=\t|\r\n|\n|\r|$)/y

/** One line end at the end of the text is not the beginning of a row. Rows may differ in length. */
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

/** A quote that is not closed, or has something behind it, is a character like others. */
function readCell(text: string, at: number): { readonly text: string; readonly end: number } {
  QUOTED.lastIndex = at
  const quoted = QUOTED.exec(text)
  if (quoted !== null) return { text: quoted[1]!.replaceAll('""', '"'), end: at + quoted[0].length }
  PLAIN.lastIndex = at
  const [plain] = PLAIN.exec(text)!
  return { text: plain, end: at + plain.length }
}
