// The bytes of a workbook with one sheet, made while its rows come, in bounded memory. Contract 3 §4. Home of hucre.
import { Readable } from 'node:stream'
import { writeXlsxStream } from 'hucre/xlsx'
import { invalid, shorten } from '../../kernel/errors.ts'
import type { SheetCell, SheetColumn, SheetPart } from './format.ts'

/** What spreadsheets open, the header included. */
const MAX_ROWS = 1_048_576
const MAX_CHARACTERS = 32_767
const FORMATS = { date: 'yyyy-mm-dd', dateTime: 'yyyy-mm-dd hh:mm:ss' } as const

/** @throws VALIDATION_ERROR while iterating, for more rows, or a longer text, than a sheet can hold */
export async function* workbookBytes(parts: AsyncIterable<SheetPart>, sheet: string): AsyncGenerator<Buffer, void> {
  const source = parts[Symbol.asyncIterator]()
  try {
    const first = await source.next()
    const columns = first.done === true || !('columns' in first.value) ? [] : first.value.columns
    const stream = writeXlsxStream(rowsOf(source, columns), {
      name: sheet,
      columns: columns.map(({ header, form }) => ({
        header: asText(header),
        ...(form === undefined ? {} : { numFmt: FORMATS[form] }),
      })),
      freezePane: { rows: 1 },
      maxRowsPerSheet: Infinity,
    })
    yield* Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]) as AsyncIterable<Buffer>
  } finally {
    await source.return?.()
  }
}

async function* rowsOf(
  source: AsyncIterator<SheetPart>,
  columns: readonly SheetColumn[],
): AsyncGenerator<SheetCell[], void> {
  let count = 1
  for (;;) {
    const { done, value: part } = await source.next()
    if (done === true) return
    for (const row of 'rows' in part ? part.rows : []) {
      count += 1
      if (count > MAX_ROWS)
        throw invalid(`The xlsx would have more than ${MAX_ROWS} rows: narrow the export, or take another format`)
      yield row.map((cell, index) => (typeof cell === 'string' ? checked(cell, columns[index], row) : cell))
    }
  }
}

function checked(text: string, column: SheetColumn | undefined, row: readonly SheetCell[]): string {
  if (text.length <= MAX_CHARACTERS) return asText(text)
  const place = `The column '${shorten(column?.header ?? '', 100)}' has a text of ${text.length} characters`
  const first = typeof row[0] === 'string' ? ` in the row of '${shorten(row[0], 128)}'` : ''
  throw invalid(
    `${place}${first}; a cell of an xlsx holds ${MAX_CHARACTERS}: leave the column out, or take another format`,
  )
}

/** What looks like the escape of a character is escaped itself, and so are the two that the writer lets through though XML has not got them. */
function asText(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('\uFFFE', '_xFFFE_')
    .replaceAll('\uFFFF', '_xFFFF_')
}
