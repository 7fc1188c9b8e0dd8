// The search within the sheet: hits are cells, in the order of the rows. Another place has the panel.
import type { Signal } from '@preact/signals'
import { createElement } from 'preact'
import type { SheetState } from '../grid/sheet-state.ts'
import { usePanel } from '../state/panels.ts'
import type { RecordsState } from './records-state.ts'
import { scopeOfCell } from './rows.ts'

interface FindProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly isOpen: Signal<boolean>
}

export function FindInSheet({ records, sheet, isOpen }: FindProps) {
  const panel = usePanel('find', isOpen.value)
  if (!isOpen.value || panel === undefined) return null
  const bar = records.scope.value
  return createElement(panel, {
    columns: records.columns.value.map((one) =>
      one.kind === 'field' ? one : { ...one, scope: scopeOfCell(one, bar) },
    ),
    list: () => {
      const { selection, sort } = records.question.peek()
      return { selection, sort, parts: records.groups?.groups.map(({ criterion }) => criterion) ?? [] }
    },
    from: () => {
      const { row } = sheet.cursor.peek()
      return records.groups?.placeOf(row) ?? { part: 0, row }
    },
    onGo: ({ part, row, column }) => {
      const at = records.groups?.rowOf(part, row) ?? row
      // A group may have been unfolded for the hit.
      sheet.layout.value = { ...sheet.layout.peek(), rows: records.store.length }
      sheet.goTo({ row: at, column })
    },
    onClose: () => {
      isOpen.value = false
      document.querySelector<HTMLElement>('.sheet')?.focus()
    },
  })
}
