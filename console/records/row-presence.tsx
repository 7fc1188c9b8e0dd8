// Other users at the rows of the sheet: their initials are at the end of the first column.
import type { SheetState } from '../grid/sheet-state.ts'
import { HANDLE_WIDTH, HEAD_HEIGHT } from '../grid/sheet-state.ts'
import { Presence } from '../kit/presence.tsx'
import type { Presence as PresenceProps } from '../state/panel-props.ts'
import type { RecordsState } from './records-state.ts'

interface RowPresenceProps {
  readonly records: RecordsState
  readonly sheet: SheetState
}

export function RowPresence({ records, sheet }: RowPresenceProps) {
  return <Presence here={() => hereOf(records, sheet)} rows={() => rowsOf(records, sheet)} />
}

function hereOf(records: RecordsState, sheet: SheetState): ReturnType<PresenceProps['here']> {
  const { row, column } = sheet.cursor.peek()
  const record = records.store.row(row)?.record
  if (record === undefined) return undefined
  const at = records.columns.peek()[column]
  return { recordId: record.id, ...(at?.kind === 'attribute' ? { attributeAlias: at.attribute.alias } : {}) }
}

/** Rows in view; read in a component, they are read again when the sheet scrolls. */
function rowsOf(records: RecordsState, sheet: SheetState): ReturnType<NonNullable<PresenceProps['rows']>> {
  void records.revision.value
  const { first, last } = sheet.seen.value
  const { rowHeight } = sheet.layout.value
  const end = HANDLE_WIDTH + (sheet.edges.value[1] ?? 0) - (sheet.pinned.value > 0 ? 0 : sheet.left.value)
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return rows.flatMap((row) => {
    const record = records.store.row(row)?.record
    const top = HEAD_HEIGHT + row * rowHeight - sheet.place.value.top
    return record === undefined || top < HEAD_HEIGHT ? [] : [{ recordId: record.id, left: end, top }]
  })
}
