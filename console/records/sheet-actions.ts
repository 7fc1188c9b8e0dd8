// What keys, clipboard and editor do in the sheet of records. G2, G3, G5, G6.
import type { Reading } from '../fields/field.ts'
import { fieldOf } from '../fields/fields.ts'
import { scopesToWrite } from '../grid/cell-value.ts'
import { parseCells, printCells } from '../grid/clipboard.ts'
import type { Cell, Move } from '../grid/cursor.ts'
import { lengthOf } from '../grid/cursor.ts'
import { openEditor } from '../grid/editor.tsx'
import type { SheetCommand } from '../grid/keys.ts'
import { fillDown, type PlacedText, placeTexts } from '../grid/paste.ts'
import { ALL_SELECTED, isSelected, NOTHING_SELECTED, withRecords } from '../grid/selection.ts'
import type { Editing, SheetState } from '../grid/sheet-state.ts'
import type { SheetHost } from '../grid/sheet.tsx'
import { t } from '../words/records.ts'
import type { CellWriter } from './cell-writer.ts'
import type { SheetColumn } from './columns.ts'
import type { CellEdit } from './edits.ts'
import { markKey, type RecordRow } from './rows.ts'
import type { RecordsState } from './records-state.ts'
import { type AttributeColumn, type CellsHost, type ReadTexts, SheetCells } from './sheet-cells.ts'

/** Cells that are copied, pasted or filled at once. */
const MOST_CELLS = 20_000

export interface ActionHost extends CellsHost {
  readonly open: (recordId: string) => void
  readonly nextMissing: () => void
  readonly columnMenu: (column: number) => void
}

export class SheetActions implements SheetHost {
  readonly #records: RecordsState
  readonly #sheet: SheetState
  readonly #writer: CellWriter
  readonly #host: ActionHost
  readonly #cells: SheetCells
  /** Of the record that is being edited: rows may come to stand elsewhere meanwhile. */
  #edited: string | undefined
  #lastToggled: number | undefined

  constructor(records: RecordsState, sheet: SheetState, writer: CellWriter, host: ActionHost) {
    this.#records = records
    this.#sheet = sheet
    this.#writer = writer
    this.#host = host
    this.#cells = new SheetCells(records, host, writer)
  }

  command(command: SheetCommand): boolean {
    switch (command.kind) {
      case 'move':
        this.#sheet.move(command.move, command.extends)
        return true
      case 'edit':
        return this.#edit(this.#sheet.cursor.peek(), command.typed)
      case 'selectRow':
        this.#toggleRows()
        return true
      case 'selectAll':
        this.#records.selected.value = ALL_SELECTED
        return true
      case 'clear':
        this.#clear()
        return true
      case 'fillDown':
        this.#fill()
        return true
      case 'open':
        return this.#openRecord()
      case 'nextMissing':
        this.#host.nextMissing()
        return true
      case 'giveUp':
        return this.#giveUp()
      case 'columnMenu':
        this.#host.columnMenu(this.#sheet.cursor.peek().column)
        return true
    }
  }

  point(cell: Cell): void {
    this.#edit(cell, false)
  }

  toggle(row: number, isRange: boolean): void {
    const found = this.#cells.row(row)
    if (found === undefined) return
    const from = isRange ? (this.#lastToggled ?? row) : row
    const isIn = !isSelected(this.#records.selected.peek(), found.record.id)
    this.#selectRows(Math.min(from, row), Math.max(from, row), isRange || isIn)
    this.#lastToggled = row
  }

  /** Undefined where not all of the cells have been read. */
  copy(isCut: boolean): string | undefined {
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) return this.#say('records.tooManyCells', MOST_CELLS)
    const texts: string[][] = []
    for (let row = rows.first; row <= rows.last; row += 1) {
      const found = this.#cells.row(row)
      if (found === undefined) return this.#say('records.notRead', 0)
      texts.push(this.#columnsOf(columns).map((column) => this.#cells.textOf(found, column)))
    }
    if (isCut) this.#clear()
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

  /** The editor is done. */
  commit(editing: Editing, text: string, move: Move | undefined): void {
    const recordId = this.#edited
    const row = this.#cells.row(editing.cell.row)
    const column = this.#cells.column(editing.cell.column)
    const isUntouched = text === editing.text && editing.chosen === 0
    if (row !== undefined && row.record.id === recordId && column?.kind === 'attribute' && !isUntouched)
      this.#keep(row, column, editing, text)
    else if (!isUntouched) this.#records.console.status.complain(t('records.rowMoved', { text }))
    if (move !== undefined) this.#sheet.move(move)
  }

  /** How a text reads in the cell that is edited. */
  read(editing: Editing, text: string): Reading | undefined {
    const row = this.#cells.row(editing.cell.row)
    const column = this.#cells.column(editing.cell.column)
    if (row === undefined || column?.kind !== 'attribute') return undefined
    return this.#cells.read(row, column, text)
  }

  #edit(cell: Cell, isTyped: boolean): boolean {
    const row = this.#cells.row(cell.row)
    const column = this.#cells.column(cell.column)
    if (row === undefined || column === undefined) return false
    if (column.kind !== 'attribute' || !this.#cells.isOpen(column, row)) {
      this.#records.console.status.tell(t(column.kind === 'field' ? 'records.fieldClosed' : 'records.readOnly'))
      return false
    }
    const scope = this.#cells.scopeOf(column)
    const mark = this.#cells.markOf(row, column)
    const text = mark?.kind === 'refused' ? mark.text : this.#cells.textOf(row, column)
    this.#edited = row.record.id
    this.#sheet.reveal(cell)
    const scopes = scopesToWrite(scope, column.attribute)
    openEditor(this.#sheet, { cell, editor: fieldOf(column.attribute).editor, text, scopes, chosen: 0 }, isTyped)
    return true
  }

  #keep(row: RecordRow, column: AttributeColumn, editing: Editing, text: string): void {
    const cellScope = editing.scopes[0]!
    const scope = editing.scopes[editing.chosen]!
    const edit = this.#cells.editOf(row, column, text, scope)
    if (edit === undefined) return
    if ('key' in edit) this.#writer.refuse([edit])
    else
      this.#write(
        [{ ...edit, at: cellScope }],
        t('records.stepEdit', { name: this.#records.console.model.nameOf(column.attribute) }),
      )
  }

  /** What does not read stays in its cell, marked. */
  #changesOf(cells: readonly PlacedText[]): ReadTexts {
    const read = this.#cells.editsOf(cells)
    this.#writer.refuse(read.unread)
    if (read.unread.length > 0)
      this.#records.console.status.complain(t('records.cellsRefused', { count: read.unread.length }))
    return read
  }

  #clear(): void {
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > MOST_CELLS) {
      this.#say('records.tooManyCells', MOST_CELLS)
      return
    }
    const cells = cellsOf(rows, columns).map((cell) => ({ ...cell, text: '' }))
    const { edits } = this.#changesOf(cells)
    this.#write(edits, t('records.stepClear', { count: edits.length }))
  }

  #fill(): void {
    const { from, cells } = fillDown(this.#sheet.range.peek())
    const source = this.#cells.row(from)
    if (source === undefined || cells.length > MOST_CELLS) return
    const columns = this.#records.columns.peek()
    const texts = cells.map((cell) => ({ ...cell, text: this.#cells.textOf(source, columns[cell.column]!) }))
    const { edits } = this.#changesOf(texts)
    this.#write(edits, t('records.stepFill', { count: edits.length }))
  }

  #write(edits: readonly CellEdit[], name: string): void {
    if (edits.length > 0) void this.#writer.write(edits, name)
  }

  #toggleRows(): void {
    const { rows } = this.#sheet.range.peek()
    const cursor = this.#cells.row(this.#sheet.cursor.peek().row)
    if (cursor === undefined) return
    this.#selectRows(rows.first, rows.last, !isSelected(this.#records.selected.peek(), cursor.record.id))
    this.#lastToggled = this.#sheet.cursor.peek().row
  }

  #selectRows(first: number, last: number, isIn: boolean): void {
    const ids: string[] = []
    let unread = 0
    for (let row = first; row <= last; row += 1) {
      const found = this.#cells.row(row)
      if (found === undefined) unread += 1
      else ids.push(found.record.id)
    }
    if (unread > 0) this.#say('records.notRead', 0)
    this.#records.selected.value = withRecords(this.#records.selected.peek(), ids, isIn)
  }

  #openRecord(): boolean {
    const row = this.#cells.row(this.#sheet.cursor.peek().row)
    if (row !== undefined) this.#host.open(row.record.id)
    return row !== undefined
  }

  /** Escape: what was refused in the cell, then the range, then the selection. */
  #giveUp(): boolean {
    const cell = this.#sheet.cursor.peek()
    const row = this.#cells.row(cell.row)
    const column = this.#cells.column(cell.column)
    if (row !== undefined && column?.kind === 'attribute' && this.#cells.markOf(row, column)?.kind === 'refused') {
      this.#writer.forget(row.record.id, markKey(column.attribute.alias, this.#cells.scopeOf(column)))
      return true
    }
    const { rows, columns } = this.#sheet.range.peek()
    if (lengthOf(rows) * lengthOf(columns) > 1) this.#sheet.goTo(cell)
    else this.#records.selected.value = NOTHING_SELECTED
    return true
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
