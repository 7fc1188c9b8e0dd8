// The sheet follows other users' changes, restores the last position, and finds the next empty cell. A5, A9.
import { effect } from '@preact/signals'
import type { SheetState } from '../grid/sheet-state.ts'
import { lengthOf, MOST_CELLS } from '../grid/cursor.ts'
import { NOTHING_SELECTED, type SelectedRecords } from '../grid/selection.ts'
import { t } from '../words/place.ts'
import type { LiveChange } from '../state/live.ts'
import type { CellWriter } from './cell-writer.ts'
import type { RecordsState } from './records-state.ts'
import { valueOfCell } from './rows.ts'

/** The most records that are read again automatically; beyond that, the sheet only reports that records changed. */
const MOST_AGAIN = 200

/**
 * Loaded rows follow other users' changes, unless the user is editing. Changes that would move rows are only counted,
 * and read on demand.
 */
export function followChanges(records: RecordsState, sheet: SheetState, writer: CellWriter): () => void {
  return records.console.live.subscribe((changes, isCut) => {
    const others = changes.filter(
      ({ entityType, entityId }) =>
        entityType === 'record' && !writer.isOwn(entityId) && !records.made.delete(entityId),
    )
    if (isCut) {
      writer.forgetOwn()
      records.made.clear()
    }
    const kept = new Set([...records.store.entries()].map(([, { record }]) => record.id))
    const changed = idsOf(others).filter((id) => kept.has(id))
    const shown = isCut ? idsDrawn(records, sheet) : changed
    const isQuiet = sheet.editing.peek() === null && shown.length <= MOST_AGAIN
    if (isQuiet && shown.length > 0) void writer.readAgain(shown).catch(() => undefined)
    // The rows may be newer than the event, for example after an own import.
    const news = idsOf(others.filter(({ timestamp }) => !(Date.parse(timestamp) < (records.readAt ?? 0))))
    const unseen = news.filter((id) => !(isQuiet && shown.includes(id))).length
    if (unseen === 0) return
    const { count, hasMore } = records.stale.peek()
    records.stale.value = { count: count + unseen, hasMore: hasMore || isCut }
  })
}

const idsOf = (changes: readonly LiveChange[]): string[] => [...new Set(changes.map(({ entityId }) => entityId))]

function idsDrawn({ store }: RecordsState, sheet: SheetState): readonly string[] {
  const { first, last } = sheet.drawn.peek()
  const rows = Array.from({ length: last - first + 1 }, (_, at) => store.row(first + at))
  return rows.flatMap((row) => (row === undefined ? [] : [row.record.id]))
}

/** Milliseconds after the last change of the range. */
const SETTLING = 150

/** Reads the rows of a range of several rows, so that the range can be copied, filled and added up. */
export function holdRange(records: RecordsState, sheet: SheetState): () => void {
  let isHolding = false
  return effect(() => {
    // After a list is read again, it may not contain the rows.
    void records.revision.value
    const { rows, columns } = sheet.range.value
    const isHeld = lengthOf(rows) > 1 && lengthOf(rows) * lengthOf(columns) <= MOST_CELLS
    if (!isHeld && !isHolding) return undefined
    return records.console.browser.after(SETTLING, () => {
      isHolding = isHeld
      void records.store.hold(rows.first, isHeld ? rows.last : -1)
    })
  })
}

/** Moves rows to the group of their new value. */
export function followMoves(records: RecordsState, sheet: SheetState): () => void {
  let followed: RecordsState['groups']
  let stop: (() => void) | undefined
  const stopLooking = effect(() => {
    void records.revision.value
    const { groups, groupTools, revision } = records
    if (groups === followed) return
    stop?.()
    followed = groups
    stop = groups && groupTools?.followMoves({ groups, sheet, revision, idOf: ({ record }) => record.id })
  })
  return () => {
    stopLooking()
    stop?.()
  }
}

interface KeptPlace {
  readonly row: number
  readonly column: number
  readonly top: number
  /** IDs of the selected or excluded records. */
  readonly selected?: { readonly kind: Exclude<SelectedRecords['kind'], 'groups'>; readonly ids: readonly string[] }
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
      chosen === NOTHING_SELECTED || chosen.kind === 'groups' || ids.length > MOST_KEPT
        ? {}
        : { selected: { kind: chosen.kind, ids } }
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

/** F8: goes to the next loaded row without a value in the cursor's column. */
export function nextEmpty(records: RecordsState, sheet: SheetState): void {
  const { row: from, column: index } = sheet.cursor.peek()
  const column = records.columns.peek()[index]
  const { store } = records
  if (column?.kind !== 'attribute') return
  for (let at = from + 1; at < store.length; at += 1) {
    if (store.isHead(at)) continue
    const row = store.row(at)
    if (row !== undefined && valueOfCell(row, column, records.scope.peek()).origin !== 'none') continue
    // A row that is not loaded ends the search: the cursor moves to this row, so that the user can look.
    sheet.goTo({ row: at, column: index })
    return
  }
  records.console.status.tell(t('records.missingNone'))
}
