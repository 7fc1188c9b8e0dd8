// The full cell of the cursor, below the sheet: value, origin, reason of a refusal.
import { showNumber } from '../fields/decimals.ts'
import type { Locale } from '../fields/field.ts'
import { lengthOf, MOST_CELLS } from '../grid/cursor.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import type { Span } from '../grid/window.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { totalsOf } from './range-totals.ts'
import type { RecordsState } from './records-state.ts'
import { type RecordRow, valueOfCell } from './rows.ts'
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
  const totals = <Totals records={records} sheet={sheet} locale={locale} />
  if (column === undefined || row === undefined) return <div class="cell-line">{totals}</div>
  const bar = records.scope.value
  const world: ColumnWorld = { model, locale, bar, sort: [], widths: {}, mayWrite, names: records.names.known.value }
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
      <span class={cell.mark === 'refused' ? 'cell-value fault' : 'quiet'}>{cell.hint}</span>
      {totals}
    </div>
  )
}

/** Count, sum and average of a range of several cells. */
function Totals({ records, sheet, locale }: Pick<CellLineProps, 'records' | 'sheet' | 'locale'>) {
  void records.revision.value
  const { rows, columns } = sheet.range.value
  const size = lengthOf(rows) * lengthOf(columns)
  if (size < 2 || size > MOST_CELLS) return null
  const loaded = loadedIn(records, rows)
  const { filled, numbers } = totalsOf(valuesIn(records, loaded, columns))
  const written = (value: number): string => `${showNumber(value, locale.tag)} ${numbers!.unit}`.trimEnd()
  return (
    <span class="cell-totals" role="status">
      {loaded.length < lengthOf(rows) && (
        <span>{t('records.rowsRead', { count: loaded.length, total: lengthOf(rows) })}</span>
      )}
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

/** Returns the loaded rows of the span. A head of a group counts as loaded, because it has nothing to add. */
function loadedIn({ store }: RecordsState, { first, last }: Span): (RecordRow | undefined)[] {
  const loaded: (RecordRow | undefined)[] = []
  for (let at = first; at <= last; at += 1) {
    const row = store.row(at)
    if (row !== undefined || store.isHead(at)) loaded.push(row)
  }
  return loaded
}

function* valuesIn(records: RecordsState, rows: readonly (RecordRow | undefined)[], columns: Span): Generator<unknown> {
  const bar = records.scope.value
  const chosen = records.columns.value.slice(columns.first, columns.last + 1)
  for (const row of rows)
    for (const column of row === undefined ? [] : chosen)
      if (column.kind === 'attribute') yield valueOfCell(row!, column, bar).value
}
