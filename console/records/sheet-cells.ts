// Turns cells of the sheet of records into texts, and texts into changes of cells. G2, G3.
import type { Locale, Reading } from '../fields/field.ts'
import { readValue, writeValue } from '../fields/fields.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import type { PlacedText } from '../grid/paste.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { CellWriter, UnreadText } from './cell-writer.ts'
import type { SheetColumn } from './columns.ts'
import type { CellEdit } from './edits.ts'
import { showField } from './field-cells.ts'
import type { RecordsState } from './records-state.ts'
import { type CellMark, markKey, type RecordRow, scopeOfCell, storedInCell, valueOfCell } from './rows.ts'

export type AttributeColumn = Extract<SheetColumn, { readonly kind: 'attribute' }>

export interface CellsHost {
  readonly locale: () => Locale
  readonly mayWrite: () => boolean
}

export interface ReadTexts {
  readonly edits: readonly CellEdit[]
  /** Texts that are not values of their attributes. */
  readonly unread: readonly UnreadText[]
  /** Cells that are read-only or not loaded yet. */
  readonly closed: number
}

export class SheetCells {
  readonly #records: RecordsState
  readonly #host: CellsHost
  readonly #writer: Pick<CellWriter, 'forget'>

  constructor(records: RecordsState, host: CellsHost, writer: Pick<CellWriter, 'forget'>) {
    this.#records = records
    this.#host = host
    this.#writer = writer
  }

  /** The locale of numbers. */
  get tag(): string {
    return this.#host.locale().tag
  }

  row(index: number): RecordRow | undefined {
    return this.#records.store.row(index)
  }

  column(index: number): SheetColumn | undefined {
    return this.#records.columns.peek()[index]
  }

  scopeOf(column: AttributeColumn): Scope {
    return scopeOfCell(column, this.#records.scope.peek())
  }

  /** The text of a cell, as written for editing. */
  textOf(row: RecordRow, column: SheetColumn): string {
    if (column.kind === 'field')
      return showField(row.record, column.field, {
        model: this.#records.console.model,
        locale: this.#host.locale(),
        names: this.#records.names.known.peek(),
      })
    return writeValue(valueOfCell(row, column, this.#records.scope.peek()).value, column.attribute, this.#host.locale())
  }

  /** Parses a text for a cell. */
  read(row: RecordRow, column: AttributeColumn, text: string): Reading {
    const before = valueOfCell(row, column, this.#records.scope.peek()).value
    return readValue(text, column.attribute, this.#host.locale(), before)
  }

  /** Returns the edit of a cell; undefined: the same value is already stored. */
  editOf(
    row: RecordRow,
    column: AttributeColumn,
    text: string,
    scope = this.scopeOf(column),
  ): CellEdit | UnreadText | undefined {
    const { attribute } = column
    const cellScope = this.scopeOf(column)
    const before = storedInCell(row, attribute.alias, scope)
    const reading = readValue(text, attribute, this.#host.locale(), valueOfCell(row, column, cellScope).value)
    const key = markKey(attribute.alias, cellScope)
    const recordId = row.record.id
    if (reading.code !== undefined) return { recordId, key, text, message: reading.problem }
    if (isSameValue(before, reading.value)) {
      if (row.marks.get(key)?.kind === 'refused') this.#writer.forget(row.record.id, key)
      return undefined
    }
    return { recordId, alias: attribute.alias, scope, before, after: reading.value, text }
  }

  editsOf(cells: readonly PlacedText[]): ReadTexts {
    const edits: CellEdit[] = []
    const unread: UnreadText[] = []
    let closed = 0
    for (const { row, column: at, text } of cells) {
      const found = this.row(row)
      const column = this.column(at)!
      const isOpen = found !== undefined && column.kind === 'attribute' && this.isOpen(column, found)
      const edit = isOpen ? this.editOf(found, column, text) : undefined
      if (!isOpen) closed += 1
      else if (edit !== undefined && 'key' in edit) unread.push(edit)
      else if (edit !== undefined) edits.push(edit)
    }
    return { edits, unread, closed }
  }

  markOf(row: RecordRow, column: AttributeColumn): CellMark | undefined {
    return row.marks.get(markKey(column.attribute.alias, this.scopeOf(column)))
  }

  isOpen({ access }: AttributeColumn, { state }: RecordRow): boolean {
    return access === 'write' && state !== 'deleted' && this.#host.mayWrite()
  }
}
