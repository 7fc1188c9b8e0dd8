// Selects rows of the sheet of records by keys and by their handles. G5.
import { isSelected, withRecords } from '../grid/selection.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import { t } from '../words/place.ts'
import type { RecordsState } from './records-state.ts'
import type { SheetCells } from './sheet-cells.ts'

export class RowSelection {
  readonly #records: RecordsState
  readonly #sheet: SheetState
  readonly #cells: SheetCells
  #lastToggled: number | undefined

  constructor(records: RecordsState, sheet: SheetState, cells: SheetCells) {
    this.#records = records
    this.#sheet = sheet
    this.#cells = cells
  }

  toggle(row: number, isRange: boolean): void {
    const found = this.#cells.row(row)
    if (found === undefined) return
    const from = isRange ? (this.#lastToggled ?? row) : row
    const isIn = !this.#isSelected(row, found.record.id)
    this.#selectRows(Math.min(from, row), Math.max(from, row), isRange || isIn)
    this.#lastToggled = row
  }

  /** Toggles the row of the cursor, and gives all rows of the range the same state. */
  toggleRange(): void {
    const { rows } = this.#sheet.range.peek()
    const cursor = this.#cells.row(this.#sheet.cursor.peek().row)
    if (cursor === undefined) return
    this.#selectRows(rows.first, rows.last, !this.#isSelected(this.#sheet.cursor.peek().row, cursor.record.id))
    this.#lastToggled = this.#sheet.cursor.peek().row
  }

  #isSelected(row: number, id: string): boolean {
    return isSelected(this.#records.selected.peek(), id, this.#records.groups?.groupAt(row)?.key)
  }

  #selectRows(first: number, last: number, isIn: boolean): void {
    const { groups, store, selected } = this.#records
    const groupOf = new Map<string, string | undefined>()
    let unread = 0
    for (let row = first; row <= last; row += 1) {
      const found = this.#cells.row(row)
      if (found !== undefined) groupOf.set(found.record.id, groups?.groupAt(row)?.key)
      else if (!store.isHead(row)) unread += 1
    }
    if (unread > 0) {
      void store.hold(first, last)
      this.#records.console.status.complain(t('records.notRead'))
    }
    selected.value = withRecords(selected.peek(), [...groupOf.keys()], isIn, (id) => groupOf.get(id))
  }
}
