// Detects from the first rows of a csv how its cells are separated, and how its numbers are written. Contract 3 §4.
import type { TextCell } from '../../core/csv/csv-cell.ts'
import { DecimalVotes } from '../../core/csv/decimal-evidence.ts'
import type { Decimal, Delimiter } from '../../core/csv/source-dialect.ts'
import { PimletError } from '../../kernel/errors.ts'
import { DELIMITERS } from '../../core/csv/csv-dialect.ts'
import { CsvRowEnds, readCells } from './csv-rows.ts'
import { LOOKED_AT, titlesAbove } from './title-rows.ts'

/** Rows that are inspected. */
const ROWS = 200
const CARRIAGE_RETURN = 0x0d
/** A first line by which some programs declare the separator. */
const TOLD = /^sep=([,;\t|])\r?$/

interface Detected {
  readonly delimiter: Delimiter
  /** The decimal sign on which all columns agree. */
  readonly decimal: Decimal
  /** The number of rows above the header that are not blank. */
  readonly titles: number
  /** The rows behind the header. */
  readonly rows: readonly (readonly TextCell[])[]
}

/** Returns the separator that the first line declares; such a line is no header. */
export function toldDelimiter(line: string): Delimiter | undefined {
  return TOLD.exec(line)?.[1] as Delimiter | undefined
}

/** @param sample the beginning of the file; `isWhole`: all of it */
export function detectDialect(sample: Buffer, isWhole: boolean, asked?: Delimiter): Detected {
  const told = toldDelimiter(
    sample
      .subarray(0, sample.indexOf(0x0a) + 1 || sample.length)
      .toString('utf8')
      .trimEnd(),
  )
  const delimiter = asked ?? told ?? detectDelimiter(sample, isWhole)
  const all = readRows(sample, delimiter, isWhole)
  const filled = all.map((row) => row.filter((cell) => cell !== null).length)
  const titles = titlesAbove(filled.filter((count) => count > 0).slice(0, LOOKED_AT))
  const rows = all.slice(titles + 1)
  const votes = new DecimalVotes(delimiter)
  for (const row of rows) votes.add(row)
  return { delimiter, decimal: votes.decided ?? '.', titles, rows }
}

function detectDelimiter(sample: Buffer, isWhole: boolean): Delimiter {
  let best: { delimiter: Delimiter; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const rows = readRows(sample, delimiter, isWhole)
    const header = rows[titlesAbove(rows.slice(0, LOOKED_AT).map(({ length }) => length))]
    const width = countCells(header ?? [])
    if (width < 2) continue
    const alike = rows.filter((row) => row.length === header!.length).length / rows.length
    // Rows of equal width count more than the number of cells.
    const score = alike + Math.min(width, 100) / 1000
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** Counts cells, except separators within a scope in brackets, as in `name[language=de;market=eu]`. */
function countCells(header: readonly TextCell[]): number {
  let depth = 0
  return header.filter((cell) => {
    const isInside = depth > 0
    depth += (cell?.split('[').length ?? 1) - (cell?.split(']').length ?? 1)
    return !isInside
  }).length
}

/** Reads rows, and leaves out unreadable ones. The last row may be cut off. */
function readRows(sample: Buffer, delimiter: Delimiter, isWhole: boolean): TextCell[][] {
  const ends = new CsvRowEnds(delimiter)
  const rows: TextCell[][] = []
  const add = (from: number, to: number): void => {
    if (to === from || (to === from + 1 && sample[from] === CARRIAGE_RETURN)) return
    const text = sample
      .subarray(from, to)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .replace(/\r$/, '')
    if (text === '' || (rows.length === 0 && toldDelimiter(text) !== undefined)) return
    try {
      rows.push(readCells(text, undefined, delimiter))
    } catch (error) {
      if (!(error instanceof PimletError)) throw error
      rows.push([])
    }
  }
  let from = 0
  for (let end = ends.find(sample, 0); end !== -1 && rows.length < ROWS; end = ends.find(sample, from)) {
    add(from, end)
    from = end + 1
  }
  if (from < sample.length && rows.length < ROWS && (isWhole || rows.length === 0)) add(from, sample.length)
  return rows
}
