// Blocks of cells in the sheet of records: copy, paste, fill down and clear, each as one batch. G6.
import { parseCells, printCells } from '../grid/clipboard.ts'
import { type Cell, lengthOf } from '../grid/cursor.ts'
import { signsOfLocale } from '../fields/decimals.ts'
import { fillDown, type PlacedText, placeTexts } from '../grid/paste.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import type { Span } from '../grid/window.ts'
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
    for (const row of this.#rowsOf(rows)) {
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
    // Heads of groups take no texts: rows count without them.
    const chosen = this.#rowsOf(rows)
    const taking = this.#rowsFrom(rows.first, Math.max(block.length, chosen.length))
    if (chosen.length === 0 || taking.length === 0) return
    const into = { rows: { first: 0, last: chosen.length - 1 }, columns }
    const placed = placeTexts(block, into, { ...sheet, rows: taking.length })
    this.#sheet.selectRange(
      { row: taking[0]!, column: placed.range.columns.first },
      { row: taking[placed.range.rows.last]!, column: placed.range.columns.last },
    )
    const { edits, closed } = this.#changesOf(placed.cells.map((cell) => ({ ...cell, row: taking[cell.row]! })))
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
    const cells = cellsOf(this.#rowsOf(rows), columns).map((cell) => ({ ...cell, text: '' }))
    const { edits } = this.#changesOf(cells)
    this.#write(edits, t('records.stepClear', { count: edits.length }))
  }

  fill(): void {
    const range = this.#sheet.range.peek()
    if (lengthOf(range.rows) * lengthOf(range.columns) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const rows = this.#rowsToFill(range.rows)
    const { from, cells } = fillDown({ rows: { first: 0, last: rows.length - 1 }, columns: range.columns })
    const source = this.#cells.row(rows[from] ?? -1)
    if (source === undefined) {
      this.#say('records.notRead', 0)
      return
    }
    const columns = this.#records.columns.peek()
    const texts = cells.map((cell) => ({
      row: rows[cell.row]!,
      column: cell.column,
      text: this.#cells.textOf(source, columns[cell.column]!),
    }))
    const { edits } = this.#changesOf(texts)
    this.#write(edits, t('records.stepFill', { count: edits.length }))
  }

  /** Each column goes on from its filled cells at the top of the range. */
  async fillSeries(): Promise<void> {
    const { rows, columns } = this.#sheet.range.peek()
    const tools = await this.#records.loadTools()
    if (tools === undefined) return
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const { decimal } = signsOfLocale(this.#cells.tag)
    const chosen = this.#rowsOf(rows)
    const cells: PlacedText[] = []
    for (let column = columns.first; column <= columns.last; column += 1) {
      const first = this.#filledFrom(chosen, column)
      const count = chosen.length - first.length
      if (first.length === 0 || count === 0) continue
      const texts = tools.continueSeries(first, count, decimal)
      cells.push(...texts.map((text, at) => ({ row: chosen[first.length + at]!, column, text })))
    }
    const { edits } = this.#changesOf(cells)
    this.#write(edits, t('records.stepFill', { count: edits.length }))
  }

  /** The texts of the loaded cells from the top of the range until the first empty one. */
  #filledFrom(rows: readonly number[], column: number): string[] {
    const found: string[] = []
    for (const row of rows) {
      const at = this.#cells.row(row)
      const text = at === undefined ? '' : this.#cells.textOf(at, this.#records.columns.peek()[column]!)
      if (text === '') break
      found.push(text)
    }
    return found
  }

  /** The rows of the span that have a record. */
  #rowsOf({ first, last }: Span): number[] {
    return this.#rowsFrom(first, Infinity, last)
  }

  /** At most `count` rows with a record, from `first` on. */
  #rowsFrom(first: number, count: number, last = this.#sheet.layout.peek().rows - 1): number[] {
    const found: number[] = []
    for (let row = first; row <= last && found.length < count; row += 1)
      if (!this.#records.store.isHead(row)) found.push(row)
    return found
  }

  /** A single row takes the texts of the row above. */
  #rowsToFill(rows: Span): number[] {
    const chosen = this.#rowsOf(rows)
    if (chosen.length !== 1) return chosen
    let above = chosen[0]! - 1
    while (this.#records.store.isHead(above)) above -= 1
    return above < 0 ? chosen : [above, ...chosen]
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

function cellsOf(rows: readonly number[], columns: Span): Cell[] {
  return rows.flatMap((row) =>
    Array.from({ length: lengthOf(columns) }, (_, right) => ({ row, column: columns.first + right })),
  )
}
