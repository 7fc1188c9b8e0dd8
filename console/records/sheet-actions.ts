// Actions of keys, clipboard and editor in the sheet of records. G2, G3, G5, G6.
import type { Reading } from '../fields/field.ts'
import { fieldOf } from '../fields/fields.ts'
import { scopesToWrite } from '../grid/cell-value.ts'
import { type Cell, lengthOf, type Move } from '../grid/cursor.ts'
import { openEditor } from '../grid/use-editor.ts'
import type { SheetCommand } from '../grid/keys.ts'
import { ALL_SELECTED, NOTHING_SELECTED } from '../grid/selection.ts'
import type { SheetHost } from '../grid/sheet-events.ts'
import type { Editing, SheetState } from '../grid/sheet-state.ts'
import { t } from '../words/place.ts'
import { CellBlocks } from './cell-blocks.ts'
import type { CellWriter } from './cell-writer.ts'
import { HeadActions } from './head-actions.ts'
import type { RecordsState } from './records-state.ts'
import { RowSelection } from './row-selection.ts'
import { markKey, type RecordRow } from './rows.ts'
import { type AttributeColumn, type CellsHost, SheetCells } from './sheet-cells.ts'

interface ActionHost extends CellsHost {
  readonly open: (recordId: string) => void
  readonly nextMissing: () => void
  readonly columnMenu: (column: number) => void
  readonly cellTool: (tool: CellTool) => void
  /** Returns whether a tool is open, or its code is loading. */
  readonly hasTool: () => boolean
  readonly find: (task: 'find' | 'replace') => void
}

/** A panel about one cell. */
export interface CellTool extends Cell {
  readonly kind: 'history' | 'comments' | 'text'
}

export class SheetActions implements SheetHost {
  readonly #records: RecordsState
  readonly #sheet: SheetState
  readonly #writer: CellWriter
  readonly #host: ActionHost
  readonly #cells: SheetCells
  readonly #blocks: CellBlocks
  readonly #rows: RowSelection
  readonly #heads: HeadActions
  /** The ID of the edited record: its row may move during editing. */
  #edited: string | undefined

  constructor(records: RecordsState, sheet: SheetState, writer: CellWriter, host: ActionHost) {
    this.#records = records
    this.#sheet = sheet
    this.#writer = writer
    this.#host = host
    this.#cells = new SheetCells(records, host, writer)
    this.#blocks = new CellBlocks(records, sheet, writer, this.#cells)
    this.#rows = new RowSelection(records, sheet, this.#cells)
    this.#heads = new HeadActions(records, sheet)
  }

  command(command: SheetCommand): boolean {
    if (this.#heads.command(command)) return true
    switch (command.kind) {
      case 'move':
        this.#sheet.move(command.move, command.extends)
        return true
      case 'edit':
        return this.#edit(this.#sheet.cursor.peek(), command.typed)
      case 'selectRow':
        this.#rows.toggleRange()
        return true
      case 'selectAll':
        this.#records.selected.value = ALL_SELECTED
        return true
      case 'clear':
        void this.#blocks.clear()
        return true
      case 'fillSeries':
        this.#blocks.fillSeries()
        return true
      case 'fillDown':
        this.#blocks.fill()
        return true
      case 'open':
        return this.#openRecord()
      case 'nextMissing':
        this.#host.nextMissing()
        return true
      case 'giveUp':
        return this.#giveUp()
      case 'history':
      case 'comments':
        return this.#openTool(command.kind)
      case 'find':
      case 'replace':
        this.#host.find(command.kind)
        return true
      case 'columnMenu':
        this.#host.columnMenu(this.#sheet.cursor.peek().column)
        return true
    }
  }

  point(cell: Cell): void {
    if (this.#records.store.isHead(cell.row)) this.#heads.fold(cell.row)
    else this.#edit(cell, false)
  }

  toggle(row: number, isRange: boolean): void {
    if (this.#records.store.isHead(row)) this.#heads.select(row)
    else this.#rows.toggle(row, isRange)
  }

  copy(isCut: boolean): string | undefined {
    return this.#blocks.copy(isCut)
  }

  dragCorner(element: HTMLElement): void {
    this.#blocks.dragCorner(element)
  }

  paste(text: string): void {
    this.#blocks.paste(text)
  }

  /** Saves the text of the editor. */
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

  /** Parses a text for the edited cell. */
  read(editing: Editing, text: string): Reading | undefined {
    const row = this.#cells.row(editing.cell.row)
    const column = this.#cells.column(editing.cell.column)
    if (row === undefined || column?.kind !== 'attribute') return undefined
    return this.#cells.read(row, column, text)
  }

  #edit(cell: Cell, isTyped: boolean): boolean {
    // The keys are for the tool.
    if (isTyped && this.#host.hasTool()) return true
    const row = this.#cells.row(cell.row)
    const column = this.#cells.column(cell.column)
    if (row === undefined || column === undefined) return false
    if (column.kind !== 'attribute' || !this.#cells.isOpen(column, row)) {
      this.#records.console.status.complain(t(column.kind === 'field' ? 'records.fieldClosed' : 'records.readOnly'))
      return false
    }
    const scope = this.#cells.scopeOf(column)
    const mark = this.#cells.markOf(row, column)
    if (column.attribute.dataType === 'richText' && !isTyped && mark?.kind !== 'refused')
      return this.#openTool('text', cell)
    const text = mark?.kind === 'refused' ? mark.text : this.#cells.textOf(row, column)
    this.#edited = row.record.id
    this.#sheet.reveal(cell)
    const scopes = scopesToWrite(scope, column.attribute)
    const { editor } = fieldOf(column.attribute)
    openEditor(this.#sheet, { cell, editor: editor === 'file' ? 'line' : editor, text, scopes, chosen: 0 }, isTyped)
    return true
  }

  #keep(row: RecordRow, column: AttributeColumn, editing: Editing, text: string): void {
    const cellScope = editing.scopes[0]!
    const scope = editing.scopes[editing.chosen]!
    const edit = this.#cells.editOf(row, column, text, scope)
    if (edit === undefined) return
    const name = this.#records.console.model.nameOf(column.attribute)
    if ('key' in edit) this.#writer.refuse([edit])
    else void this.#writer.write([{ ...edit, at: cellScope }], t('records.stepEdit', { name }))
  }

  comments(cell: Cell): void {
    this.#host.cellTool({ kind: 'comments', ...cell })
  }

  #openTool(kind: CellTool['kind'], cell = this.#sheet.cursor.peek()): boolean {
    const isCell = this.#cells.row(cell.row) !== undefined && this.#cells.column(cell.column)?.kind === 'attribute'
    if (isCell) this.#host.cellTool({ kind, ...cell })
    return isCell
  }

  #openRecord(): boolean {
    const row = this.#cells.row(this.#sheet.cursor.peek().row)
    if (row !== undefined) this.#host.open(row.record.id)
    return row !== undefined
  }

  /** Escape discards the refused text of the cell, then the range, then the selection. */
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
}
