// Reads the rows of an xlsx file. The first row that is neither blank nor a title is the header. Contract 3 §4.
import { invalid } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import { allCells } from '../rules/placed-cells.ts'
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

  #read({ line, size, cells, fault }: SheetRow): ImportLine {
    const last = cells.findLast((cell) => isFilled(cell))?.[0] ?? -1
    const row = { width: Math.max(this.width ?? 0, last + 1), cells }
    if (this.width === undefined) {
      if (fault !== undefined) throw invalid(`The header of the sheet cannot be read: ${fault.message}`)
      this.width = row.width
      const names = allCells(row).map((cell) => (cell === null ? '' : String(cell).trim()))
      return { line, size, kind: 'header', names, style: { numbers: 'dot', isSheet: true } }
    }
    if (fault !== undefined) return { line, size, kind: 'fault', error: fault, cells: row }
    if (row.width > this.width || row.width > this.#maxCells) {
      const error = invalid(`The row has ${row.width} cells, and the header has ${this.width}`)
      return { line, size, kind: 'fault', error, cells: row }
    }
    // An empty cell takes memory, too.
    return { line, size: size + row.width, kind: 'row', cells: allCells(row) }
  }
}
