// The full cell of the cursor, below the sheet: value, origin, reason of a refusal.
import type { Locale } from '../fields/field.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { RecordsState } from './records-state.ts'
import { type ColumnWorld, viewOfColumn } from './sheet-columns.ts'

interface CellLineProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly locale: Locale
  readonly mayWrite: boolean
}

export function CellLine({ records, sheet, locale, mayWrite }: CellLineProps) {
  const { model } = useConsole()
  void records.revision.value
  const { row: at, column: index } = sheet.cursor.value
  const column = records.columns.value[index]
  const row = records.store.row(at)
  if (column === undefined || row === undefined) return <div class="cell-line" />
  const bar = records.scope.value
  const world: ColumnWorld = { model, locale, bar, sort: [], widths: {}, mayWrite }
  const { title, detail, view } = viewOfColumn(column, world)
  const cell = view(row)
  return (
    <div class="cell-line" data-mark={cell.mark}>
      <span class="quiet">
        {title}
        {detail !== '' && ` [${detail}]`}
      </span>
      <span class="cell-value" dir="auto">
        {cell.text}
      </span>
      {row.state !== undefined && (
        <span class="tag">{t(row.state === 'gone' ? 'records.gone' : 'records.isDeleted')}</span>
      )}
      <span class={cell.mark === 'refused' ? 'fault' : 'quiet'}>{cell.hint}</span>
    </div>
  )
}
