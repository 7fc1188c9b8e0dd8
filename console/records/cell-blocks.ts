// Blocks of cells in the sheet of records: copy, paste, fill down and clear, each as one batch. G6.
import { parseCells, printCells } from '../grid/clipboard.ts'
import { type Cell, type CellRange, lengthOf, MOST_CELLS } from '../grid/cursor.ts'
import type { Fill } from '../grid/groups.ts'
import { signsOfLocale } from '../fields/decimals.ts'
import { type PlacedText, placeTexts } from '../grid/paste.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import type { Span } from '../grid/window.ts'
import { t } from '../words/place.ts'
import type { CellWriter } from './cell-writer.ts'
import type { SheetColumn } from './columns.ts'
import type { CellEdit } from './edits.ts'
import type { RecordsState } from './records-state.ts'
import type { ReadTexts, SheetCells } from './sheet-cells.ts'

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
    if (isCut) void this.clear()
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
    // Heads of groups receive no texts, so only other rows count.
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

  async clear(): Promise<void> {
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    await this.#records.store.hold(rows.first, rows.last)
    const cells = cellsOf(this.#rowsOf(rows), columns).map((cell) => ({ ...cell, text: '' }))
    const { edits } = this.#changesOf(cells)
    this.#write(edits, t('records.stepClear', { count: edits.length }))
  }

  /** Repeats the first row of the range, or the row above. */
  fill(): void {
    const { rows, columns } = this.#sheet.range.peek()
    void this.#fill({ axis: 'down', rows: this.#rowsToFill(rows), columns, source: 1, isSeries: false })
  }

  /** Continues each column from its filled cells at the top of the range. */
  fillSeries(): void {
    const { rows, columns } = this.#sheet.range.peek()
    void this.#fill({ axis: 'down', rows: this.#rowsOf(rows), columns, source: undefined, isSeries: true })
  }

  dragCorner(element: HTMLElement): void {
    const fill = (source: CellRange, isOther: boolean): void => this.#fillFrom(source, isOther)
    void this.#records.loadTools().then((tools) => tools?.followFill({ element, sheet: this.#sheet, fill }))
  }

  /** Fills a line: one filled cell is repeated, several are continued. */
  #fillFrom(source: CellRange, isOther: boolean): void {
    const { rows, columns } = this.#sheet.range.peek()
    const axis = rows.last > source.rows.last ? 'down' : 'right'
    const size = axis === 'down' ? this.#rowsOf(source.rows).length : lengthOf(source.columns)
    const isSeries = size > 1 !== isOther
    void this.#fill({ axis, rows: this.#rowsOf(rows), columns, source: size, isSeries })
  }

  async #fill({
    columns: { first, last },
    ...fill
  }: Pick<Fill, 'axis' | 'rows' | 'source' | 'isSeries'> & { readonly columns: Span }): Promise<void> {
    if (fill.rows.length * lengthOf({ first, last }) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const { rows } = this.#sheet.range.peek()
    const [tools] = await Promise.all([this.#records.loadTools(), this.#records.store.hold(rows.first, rows.last)])
    const shown = this.#records.columns.peek()
    const texts = tools?.fillTexts({
      ...fill,
      columns: Array.from({ length: last - first + 1 }, (_, at) => first + at),
      textOf: (at, column) => {
        const row = this.#cells.row(at)
        return row && this.#cells.textOf(row, shown[column]!)
      },
      decimal: signsOfLocale(this.#cells.tag).decimal,
    })
    if (texts === undefined) {
      if (tools !== undefined) this.#say('records.notRead', 0)
      return
    }
    const { edits } = this.#changesOf(texts)
    this.#write(edits, t('records.stepFill', { count: edits.length }))
  }

  /** Returns the rows of the span that have a record. */
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

  /** Returns the rows to fill. A single row receives the texts of the row above. */
  #rowsToFill(rows: Span): number[] {
    const chosen = this.#rowsOf(rows)
    if (chosen.length !== 1) return chosen
    let above = chosen[0]! - 1
    while (this.#records.store.isHead(above)) above -= 1
    return above < 0 ? chosen : [above, ...chosen]
  }

  /** Reads texts as changes. A text that does not parse stays in its cell, marked. */
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
