// What `pimlet import --failed` writes of an xlsx: a csv with the rows that failed, and why.
import type { CsvCell } from '../domain/csv/csv-cell.ts'
import type { ImportResult } from '../domain/records/import.ts'
import { readXlsxLines } from '../imports/xlsx-lines.ts'

/** Bytes, and cells, that a row may have. */
const MAX_ROW = 256 * 1024 ** 2
const MAX_CELLS = 16_384

/** Nothing where none failed. The server tells of the first 1,000. */
export async function* tellWorkbook(
  { file, sheet }: { readonly file: string; readonly sheet: string | undefined },
  { errors }: ImportResult,
): AsyncGenerator<Buffer, void> {
  if (errors.length === 0) return
  const byLine = new Map(errors.map((error) => [error.line, error]))
  for await (const lines of readXlsxLines({ file, sheet, maxPart: MAX_ROW, maxValues: MAX_CELLS }))
    for (const line of lines) {
      if (line.kind === 'header') yield rowOf([...line.names, 'error', 'message'])
      const found = byLine.get(line.line)
      if (found !== undefined) yield rowOf([...(line.kind === 'row' ? line.cells : []), found.error, found.message])
    }
}

function rowOf(cells: readonly CsvCell[]): Buffer {
  const texts = cells.map((cell) => (cell === null ? '' : String(cell)))
  const quoted = texts.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
  return Buffer.from(`${quoted.join(',')}\r\n`)
}
