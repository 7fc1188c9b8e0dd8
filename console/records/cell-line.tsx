// The full cell of the cursor, below the sheet: value, origin, reason of a refusal.
import { showNumber } from '../fields/decimals.ts'
import type { Locale } from '../fields/field.ts'
import { lengthOf } from '../grid/cursor.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import type { Span } from '../grid/window.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { totalsOf } from './range-totals.ts'
import type { RecordsState } from './records-state.ts'
import { valueOfCell } from './rows.ts'
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
      {row.state !== undefined && <span class="tag">{t(`records.row.${row.state}`)}</span>}
      <span class={cell.mark === 'refused' ? 'fault' : 'quiet'}>{cell.hint}</span>
      <Totals records={records} sheet={sheet} locale={locale} />
    </div>
  )
}

/** Cells that are added up while the range grows. */
const MOST_CELLS = 20_000

/** Count, sum and average of a range of several cells. */
function Totals({ records, sheet, locale }: Pick<CellLineProps, 'records' | 'sheet' | 'locale'>) {
  const { rows, columns } = sheet.range.value
  const size = lengthOf(rows) * lengthOf(columns)
  if (size < 2 || size > MOST_CELLS) return null
  const { filled, numbers } = totalsOf(valuesIn(records, rows, columns))
  const written = (value: number): string => `${showNumber(value, locale.tag)} ${numbers!.unit}`.trimEnd()
  return (
    <span class="cell-totals" role="status">
      <span>{t('records.filled', { count: filled })}</span>
      {numbers !== undefined && (
        <>
          <span>{t('records.sum', { value: written(numbers.sum) })}</span>
          <span>{t('records.average', { value: written(Number((numbers.sum / numbers.count).toPrecision(6))) })}</span>
        </>
      )}
    </span>
  )
}

/** Values of the chosen cells in loaded rows. */
function* valuesIn(records: RecordsState, rows: Span, columns: Span): Generator<unknown> {
  const bar = records.scope.value
  const chosen = records.columns.value.slice(columns.first, columns.last + 1)
  for (let at = rows.first; at <= rows.last; at += 1) {
    const row = records.store.row(at)
    if (row === undefined) continue
    for (const column of chosen) if (column.kind === 'attribute') yield valueOfCell(row, column, bar).value
  }
}
