// Reads the rows of an xlsx file. The first row that is neither blank nor a title is the header. Contract 3 §4.
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import { invalid } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import { Archive, WORKBOOK } from './archive.ts'
import { isFilled, type SheetRow, SheetReader } from './sheet-rows.ts'
import { LOOKED_AT, titlesAbove } from './title-rows.ts'
import { findSheet, readDateStyles, readSharedStrings, readWorkbook } from './xlsx-reader.ts'

interface XlsxSource {
  readonly file: string
  /** Undefined: the first sheet. */
  readonly sheet: string | undefined
  /** Characters that one row may have. */
  readonly maxPart: number
  /** Cells that one row may have. */
  readonly maxValues: number
}

/** @throws VALIDATION_ERROR */
export async function readSheetNames(file: string): Promise<string[]> {
  const archive = await Archive.open(file, WORKBOOK)
  try {
    return (await readWorkbook(archive)).sheets.map(({ name }) => name)
  } finally {
    archive.close()
  }
}

/** @throws VALIDATION_ERROR where the file is no xlsx or is damaged, or the sheet or header is missing */
export async function* readXlsxLines(source: XlsxSource): AsyncGenerator<Iterable<ImportLine>, void> {
  const archive = await Archive.open(source.file, WORKBOOK)
  try {
    const workbook = await readWorkbook(archive)
    const { part } = findSheet(workbook, source.sheet)
    const { isFrom1904, stylesPart, stringsPart } = workbook
    const dateStyles = stylesPart === undefined ? [] : await readDateStyles(archive, stylesPart)
    const strings = await readSharedStrings(archive, stringsPart, `${source.file}.texts`)
    try {
      const reader = new SheetReader(part, { strings, dateStyles, isFrom1904, maxRow: source.maxPart })
      const lines = new Lines(source.maxValues)
      for await (const chunk of archive.read(part)) yield lines.take(reader.take(chunk))
      yield lines.take(reader.take(undefined))
      yield lines.end()
      if (lines.width === undefined) throw invalid('The sheet is empty: a header is expected')
    } finally {
      strings.close()
    }
  } finally {
    archive.close()
  }
}

class Lines {
  readonly #maxCells: number
  /** The first rows, until the header is found among them; undefined: it is found. */
  #first: SheetRow[] | undefined = []
  width: number | undefined

  constructor(maxCells: number) {
    this.#maxCells = maxCells
  }

  /** Makes one line after the other: wide rows take more memory than the file. */
  *take(rows: readonly SheetRow[]): Generator<ImportLine, void> {
    if (this.#first === undefined) {
      for (const row of rows) yield this.#read(row)
      return
    }
    this.#first.push(...rows)
    if (this.#first.length >= LOOKED_AT) yield* this.end()
  }

  *end(): Generator<ImportLine, void> {
    const first = this.#first ?? []
    this.#first = undefined
    const filled = first.slice(0, LOOKED_AT).map(({ cells }) => cells.filter(isFilled).length)
    for (const row of first.slice(titlesAbove(filled))) yield this.#read(row)
  }

  #read(row: SheetRow): ImportLine {
    const cells = cellsOf(row, this.width ?? 0)
    const { line, fault } = row
    // An empty cell takes memory, too.
    const at = { line, size: row.size + cells.length }
    if (this.width === undefined) {
      if (fault !== undefined) throw invalid(`The header of the sheet cannot be read: ${fault.message}`)
      this.width = cells.length
      const names = cells.map((cell) => (cell === null ? '' : String(cell).trim()))
      return { ...at, kind: 'header', names, style: { numbers: 'dot', isSheet: true } }
    }
    if (fault !== undefined) return { ...at, kind: 'fault', error: fault, cells }
    if (cells.length > this.width || cells.length > this.#maxCells) {
      const error = invalid(`The row has ${cells.length} cells, and the header has ${this.width}`)
      return { ...at, kind: 'fault', error, cells }
    }
    return { ...at, kind: 'row', cells }
  }
}

/** All cells of a row, `width` at least; null where the sheet has none. Empty texts behind the column `width` are left out. */
function cellsOf({ cells: found }: SheetRow, width: number): CsvCell[] {
  const last = found.findLast((cell) => isFilled(cell))?.[0] ?? -1
  const cells = Array<CsvCell>(Math.max(width, last + 1)).fill(null)
  for (const [column, cell] of found) if (column < cells.length) cells[column] = cell
  return cells
}
