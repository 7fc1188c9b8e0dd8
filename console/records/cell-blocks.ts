// Blocks of cells in the sheet of records: copy, paste, fill down and clear, each as one batch. G6.
import { parseCells, printCells } from '../grid/clipboard.ts'
import { type Cell, lengthOf } from '../grid/cursor.ts'
import { signsOfLocale } from '../fields/decimals.ts'
import { continueSeries } from '../grid/series.ts'
import { fillDown, type PlacedText, placeTexts } from '../grid/paste.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import { t } from '../words/place.ts'
import type { CellWriter } from './cell-writer.ts'
import type { SheetColumn } from './columns.ts'
import type { CellEdit } from './edits.ts'
import type { RecordsState } from './records-state.ts'
import type { ReadTexts, SheetCells } from './sheet-cells.ts'

/** Most cells that are copied, pasted or filled at once. */
const MOST_CELLS = 20_000

export class CellBlocks {
  readonly #records: RecordsState
  readonly #sheet: SheetState
  readonly #writer: CellWriter
  readonly #cells: SheetCells

  constructor(records: RecordsState, sheet: SheetState, writer: CellWriter, cells: SheetCells) {
    this.#records = records
    this.#sheet = sheet
    this.#writer = writer
    this.#cells = cells
  }

  /** Undefined if some of the cells are not loaded. */
  copy(isCut: boolean): string | undefined {
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) return this.#say('records.tooManyCells', MOST_CELLS)
    const texts: string[][] = []
    for (let row = rows.first; row <= rows.last; row += 1) {
      const found = this.#cells.row(row)
      if (found === undefined) return this.#say('records.notRead', 0)
      texts.push(this.#columnsOf(columns).map((column) => this.#cells.textOf(found, column)))
    }
    if (isCut) this.clear()
    return printCells(texts)
  }

  paste(text: string): void {
    if (text === '') return
    const block = parseCells(text)
    const layout = this.#sheet.layout.peek()
    const sheet = { rows: layout.rows, columns: layout.widths.length }
    const { rows, columns } = this.#sheet.range.peek()
    const width = Math.max(...block.map((row) => row.length))
    const cells = Math.max(block.length * width, lengthOf(rows) * lengthOf(columns))
    if (cells > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const placed = placeTexts(block, { rows, columns }, sheet)
    this.#sheet.selectRange(
      { row: placed.range.rows.first, column: placed.range.columns.first },
      { row: placed.range.rows.last, column: placed.range.columns.last },
    )
    const { edits, closed } = this.#changesOf(placed.cells)
    if (placed.lost + closed > 0)
      this.#records.console.status.complain(t('records.cellsLeftOut', { count: placed.lost + closed }))
    this.#write(edits, t('records.stepPaste', { count: edits.length }))
  }

  clear(): void {
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const cells = cellsOf(rows, columns).map((cell) => ({ ...cell, text: '' }))
    const { edits } = this.#changesOf(cells)
    this.#write(edits, t('records.stepClear', { count: edits.length }))
  }

  fill(): void {
    const { from, cells } = fillDown(this.#sheet.range.peek())
    if (cells.length > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const source = this.#cells.row(from)
    if (source === undefined) {
      this.#say('records.notRead', 0)
      return
    }
    const columns = this.#records.columns.peek()
    const texts = cells.map((cell) => ({ ...cell, text: this.#cells.textOf(source, columns[cell.column]!) }))
    const { edits } = this.#changesOf(texts)
    this.#write(edits, t('records.stepFill', { count: edits.length }))
  }

  /** Each column goes on from its filled cells at the top of the range. */
  fillSeries(): void {
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const { decimal } = signsOfLocale(this.#cells.tag)
    const cells: PlacedText[] = []
    for (let column = columns.first; column <= columns.last; column += 1) {
      const first = this.#filledFrom(rows, column)
      const count = lengthOf(rows) - first.length
      if (first.length === 0 || count === 0) continue
      const texts = continueSeries(first, count, decimal)
      cells.push(...texts.map((text, at) => ({ row: rows.first + first.length + at, column, text })))
    }
    const { edits } = this.#changesOf(cells)
    this.#write(edits, t('records.stepFill', { count: edits.length }))
  }

  /** The texts of the loaded cells from the top of the range until the first empty one. */
  #filledFrom({ first, last }: { readonly first: number; readonly last: number }, column: number): string[] {
    const found: string[] = []
    for (let row = first; row <= last; row += 1) {
      const at = this.#cells.row(row)
      const text = at === undefined ? '' : this.#cells.textOf(at, this.#records.columns.peek()[column]!)
      if (text === '') break
      found.push(text)
    }
    return found
  }

  /** A text that does not parse stays in its cell, marked. */
  #changesOf(cells: readonly PlacedText[]): ReadTexts {
    const read = this.#cells.editsOf(cells)
    this.#writer.refuse(read.unread)
    if (read.unread.length > 0)
      this.#records.console.status.complain(t('records.cellsRefused', { count: read.unread.length }))
    return read
  }

  #write(edits: readonly CellEdit[], name: string): void {
    if (edits.length > 0) void this.#writer.write(edits, name)
  }

  #columnsOf({ first, last }: { readonly first: number; readonly last: number }): readonly SheetColumn[] {
    return this.#records.columns.peek().slice(first, last + 1)
  }

  #say(word: 'records.tooManyCells' | 'records.notRead', count: number): undefined {
    this.#records.console.status.complain(t(word, { count }))
  }
}

function cellsOf(rows: { first: number; last: number }, columns: { first: number; last: number }): Cell[] {
  return Array.from({ length: lengthOf(rows) }, (_, down) =>
    Array.from({ length: lengthOf(columns) }, (_, right) => ({
      row: rows.first + down,
      column: columns.first + right,
    })),
  ).flat()
}
