// Keys and pointers on the heads of groups: fold, unfold, select the records of the group.
import type { SheetCommand } from '../grid/keys.ts'
import { withGroup } from '../grid/selection.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import type { RecordsState } from './records-state.ts'

export class HeadActions {
  readonly #records: RecordsState
  readonly #sheet: SheetState

  constructor(records: RecordsState, sheet: SheetState) {
    this.#records = records
    this.#sheet = sheet
  }

  /** Whether the cursor is on a head that uses the command. */
  command(command: SheetCommand): boolean {
    const { row } = this.#sheet.cursor.peek()
    if (!this.#records.store.isHead(row)) return false
    if (command.kind === 'selectRow') this.select(row)
    else if (command.kind === 'edit') this.fold(row)
    else if (command.kind === 'move' && !command.extends && command.move === 'left') this.fold(row, true)
    else if (command.kind === 'move' && !command.extends && command.move === 'right') this.fold(row, false)
    else return command.kind === 'open'
    return true
  }

  fold(row: number, isFolded?: boolean): void {
    const groups = this.#records.groups
    const key = groups?.groupAt(row)?.key
    if (groups === undefined || key === undefined) return
    groups.fold(key, isFolded ?? !groups.isFolded(key))
    this.#sheet.goTo({ row, column: this.#sheet.cursor.peek().column })
  }

  /** Selects all records of the group, or none of them. */
  select(row: number): void {
    const { groups, selected, store } = this.#records
    const group = groups?.groupAt(row)
    if (group === undefined) return
    const ids = [...store.entries()].flatMap(([index, { record }]) =>
      groups!.groupAt(index)?.key === group.key ? [record.id] : [],
    )
    const isIn = isGroupSelected(this.#records, group.key)
    const { count, criterion } = group
    selected.value = withGroup(selected.peek(), group.key, isIn ? undefined : { count, criterion }, ids)
  }
}

export function isGroupSelected({ selected }: Pick<RecordsState, 'selected'>, key: string): boolean {
  const { value } = selected
  return value.kind === 'groups' && value.groups.has(key)
}
