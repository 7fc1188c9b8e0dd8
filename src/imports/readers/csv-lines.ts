// Reads the rows of a csv. Its encoding and dialect are detected where the client does not give them.
// Contract 2 §7, 3 §4.
import { isUtf8 } from 'node:buffer'
import type { TextCell } from '../../core/csv/csv-cell.ts'
import type { AskedDialect, Decimal, Delimiter } from '../../core/csv/source-dialect.ts'
import { invalid } from '../../kernel/errors.ts'
import type { ImportLine, ImportSource } from '../rules/import-outcome.ts'
import { detectDialect, toldDelimiter } from './csv-detection.ts'
import { decodeBytes } from './csv-decoding.ts'
import { CsvRowEnds, readCells } from './csv-rows.ts'
import { splitLines } from '../../kernel/json/line-splitter.ts'
import { type LineReader, readLines, type SourceBytes } from './read-lines.ts'
import { peek } from './peeking.ts'

interface Dialect {
  readonly delimiter: Delimiter
  readonly decimal: Decimal
  /** The number of rows above the header that are not blank. */
  readonly titles: number
  /** The rows behind the header, where the client has not given the decimal sign. */
  readonly sample: readonly (readonly TextCell[])[] | undefined
}

/** @throws VALIDATION_ERROR, while the lines are read, for a file without a header that can be read */
export function readCsvLines(source: SourceBytes, asked: AskedDialect): ImportSource {
  const decoded = decodeBytes(source.chunks, asked.encoding)
  let dialect: Dialect | undefined
  async function* lines(): AsyncGenerator<Iterable<ImportLine>, void> {
    const { sample, isWhole, chunks } = await peek(decoded.chunks)
    assertNoArchive(sample)
    dialect = dialectOf(sample, isWhole, asked)
    yield* readRows({ ...source, chunks }, dialect)
  }
  return {
    lines: lines(),
    dialect: () => ({
      delimiter: dialect?.delimiter ?? asked.delimiter ?? ',',
      decimal: dialect?.decimal ?? asked.decimal ?? '.',
      encoding: decoded.encoding(),
    }),
  }
}

function dialectOf(sample: Buffer, isWhole: boolean, asked: AskedDialect): Dialect {
  const { delimiter, decimal, titles, rows } = detectDialect(sample, isWhole, asked.delimiter)
  return asked.decimal === undefined
    ? { delimiter, decimal, titles, sample: rows }
    : { delimiter, decimal: asked.decimal, titles, sample: undefined }
}

async function* readRows(source: SourceBytes, dialect: Dialect): AsyncGenerator<Iterable<ImportLine>, void> {
  const { chunks, maxPart, maxValues, enter } = source
  const { delimiter, decimal } = dialect
  const style = { numbers: decimal === ',' ? 'comma' : 'dot', isSheet: false } as const
  let width: number | undefined
  let titles = dialect.titles
  const readRow: LineReader = (bytes, at) => {
    if (!isUtf8(bytes)) throw invalid('The line is not valid UTF-8')
    const text = bytes.toString('utf8')
    if (at.line === 1 && toldDelimiter(text) !== undefined) return undefined
    const cells = readCells(text, maxValues, delimiter)
    if (cells.every((cell) => cell === null)) return undefined
    if (width === undefined) {
      titles -= 1
      if (titles >= 0) return undefined
      if (text.slice(0, -1).includes('\r') && !text.includes('"'))
        throw invalid('The rows of the file end in carriage returns alone: save it with line feeds')
      width = cells.length
      const rows = dialect.sample?.filter((row) => row.length === width)
      const sample = rows && { rows, delimiter }
      return { ...at, kind: 'header', names: cells.map((cell) => cell?.trim() ?? ''), style, sample }
    }
    if (cells.length !== width) throw invalid(`The row has ${cells.length} cells, and the header has ${width}`)
    return { ...at, kind: 'row', cells }
  }
  const afterHeader = function* (lines: Iterable<ImportLine>): Generator<ImportLine, void> {
    for (const line of lines) {
      if (width === undefined && line.kind === 'fault')
        throw invalid(`The header of the csv cannot be read: ${line.error.message}`)
      yield line
    }
  }
  for await (const lines of splitLines(chunks, maxPart, new CsvRowEnds(delimiter), enter))
    yield afterHeader(readLines(lines, maxPart, readRow))
  if (width === undefined) throw invalid('The csv is empty: a header is expected')
}

/** Refuses files that spreadsheets save by default, sent under the name or type of a csv. @throws VALIDATION_ERROR */
function assertNoArchive(sample: Buffer): void {
  if (sample.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004')))
    throw invalid('The file is no csv but an archive, as a spreadsheet is: send it as xlsx')
}
