// What happens to the sheet by itself: others' changes, where one was before, the next cell without a value. A5, A9.
import { effect } from '@preact/signals'
import type { SheetState } from '../grid/sheet-state.ts'
import { NOTHING_SELECTED, type SelectedRecords } from '../grid/selection.ts'
import { t } from '../words/place.ts'
import type { CellWriter } from './cell-writer.ts'
import type { RecordsState } from './records-state.ts'
import { valueOfCell } from './rows.ts'

/** Records that are read again by themselves at once; of more it is only said that they changed. */
const MOST_AGAIN = 200

/** Rows that are there follow what others write, unless somebody edits; what would move rows is said, and read when it is wanted. */
export function followChanges(records: RecordsState, sheet: SheetState, writer: CellWriter): () => void {
  return records.console.live.subscribe((changes) => {
    const others = changes.filter(
      ({ entityType, entityId }) =>
        entityType === 'record' && !writer.isOwn(entityId) && !records.made.delete(entityId),
    )
    const kept = new Set([...records.store.entries()].map(([, { record }]) => record.id))
    const ids = [...new Set(others.map(({ entityId }) => entityId))]
    const shown = ids.filter((id) => kept.has(id))
    const isQuiet = sheet.editing.peek() === null && shown.length <= MOST_AGAIN
    const unseen = ids.length - (isQuiet ? shown.length : 0)
    if (isQuiet && shown.length > 0) void writer.readAgain(shown).catch(() => undefined)
    if (unseen > 0) records.stale.value = records.stale.peek() + unseen
  })
}

interface KeptPlace {
  readonly row: number
  readonly column: number
  readonly top: number
  /** IDs that were selected, or left out. */
  readonly selected?: { readonly kind: SelectedRecords['kind']; readonly ids: readonly string[] }
}

const MOST_KEPT = 1000

/** Back and forward restore cursor, scroll and selection. */
export function keepPlace(records: RecordsState, sheet: SheetState): () => void {
  const { router } = records.console
  let kept = router.kept('sheet') as KeptPlace | undefined
  const stopRestoring = effect(() => {
    void records.revision.value
    const { rows } = sheet.layout.value
    if (kept === undefined || rows === 0) return
    const { row, column, top, selected } = kept
    kept = undefined
    queueMicrotask(() => {
      sheet.goTo({ row, column })
      sheet.scrollTo(top)
      if (selected !== undefined) records.selected.value = selectionOf(selected)
    })
  })
  const stopKeeping = effect(() => {
    const { row, column } = sheet.cursor.value
    const { top } = sheet.place.value
    const chosen = records.selected.value
    const ids = [...(chosen.kind === 'these' ? chosen.ids : chosen.except)]
    const selected =
      chosen === NOTHING_SELECTED || ids.length > MOST_KEPT ? {} : { selected: { kind: chosen.kind, ids } }
    if (kept === undefined && sheet.layout.value.rows > 0)
      router.keep('sheet', { row, column, top, ...selected } satisfies KeptPlace)
  })
  return () => {
    stopRestoring()
    stopKeeping()
  }
}

function selectionOf({ kind, ids }: NonNullable<KeptPlace['selected']>): SelectedRecords {
  return kind === 'these' ? { kind, ids: new Set(ids) } : { kind, except: new Set(ids) }
}

/** F8: to the next row that has no value in the column of the cursor, as far as rows have been read. */
export function nextEmpty(records: RecordsState, sheet: SheetState): void {
  const { row: from, column: index } = sheet.cursor.peek()
  const column = records.columns.peek()[index]
  const total = records.store.total ?? 0
  if (column?.kind !== 'attribute') return
  for (let at = from + 1; at < total; at += 1) {
    const row = records.store.row(at)
    if (row !== undefined && valueOfCell(row, column, records.scope.peek()).origin !== 'none') continue
    // What has not been read is gone to: there one sees.
    sheet.goTo({ row: at, column: index })
    return
  }
  records.console.status.tell(t('records.missingNone'))
}
