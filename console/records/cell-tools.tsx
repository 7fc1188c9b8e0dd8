// Opens panels about the cell of the cursor, and shows the marks of open threads. Other places contain the panels.
import { type Signal, useSignalEffect } from '@preact/signals'
import { createElement } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cellId } from '../grid/row.tsx'
import type { SheetState } from '../grid/sheet-state.ts'
import { Popover } from '../kit/popover.tsx'
import { useConsole } from '../state/context.ts'
import type { ThreadsFollower } from '../state/sheet-panel-props.ts'
import { usePanel, usePanels } from '../state/panels.ts'
import { t } from '../words/place.ts'
import type { CellWriter } from './cell-writer.ts'
import type { RecordsState } from './records-state.ts'
import { markKey, scopeOfCell, storedInCell, valueOfCell } from './rows.ts'
import type { CellTool } from './sheet-actions.ts'

interface CellToolsProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly writer: CellWriter
  readonly tool: Signal<CellTool | undefined>
}

export function CellTools({ records, sheet, writer, tool }: CellToolsProps) {
  const { model } = useConsole()
  const threads = useThreads(records, sheet)
  const asked = tool.value
  const history = usePanel('cellHistory', asked?.kind === 'history')
  const comments = usePanel('cellComments', asked?.kind === 'comments')
  const text = usePanel('cellText', asked?.kind === 'text')
  const panel = asked && { history, comments, text }[asked.kind]
  void records.revision.value
  const column = records.columns.value[asked?.column ?? -1]
  const row = asked && records.store.row(asked.row)
  if (asked === undefined || panel === undefined || row === undefined || column?.kind !== 'attribute') return null
  const { alias } = column.attribute
  const scope = scopeOfCell(column, records.scope.value)
  const recordId = row.record.id
  const close = () => (tool.value = undefined)
  const name = model.nameOf(column.attribute)
  const title =
    asked.kind === 'text' ? name : t(asked.kind === 'comments' ? 'records.cellComments' : 'records.cellHistory')
  const stored = storedInCell(row, alias, scope)
  return (
    <Popover
      key={asked.kind}
      title={title}
      anchor={() => document.getElementById(cellId('sheet', asked.row, asked.column))}
      onClose={close}
    >
      {createElement(panel, {
        recordId,
        schemaId: row.record.schemaId,
        alias,
        scope,
        value: asked.kind === 'text' ? valueOfCell(row, column, records.scope.value).value : stored,
        mayWrite: column.access === 'write' && model.may('records.update'),
        onChanged: () => {
          void writer.readAgain([recordId]).catch(() => undefined)
          threads.current?.again(recordId)
        },
        onWrite: (after) => void writer.write([{ recordId, alias, scope, before: stored, after }], name),
        onClose: close,
      })}
    </Popover>
  )
}

/** Milliseconds until open threads are looked for. */
const LATER = 1500

/** Marks cells with open threads while the sheet is shown. */
function useThreads(records: RecordsState, sheet: SheetState) {
  const { threads } = usePanels()
  const follower = useRef<ThreadsFollower | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    const load = () =>
      threads?.().then(
        (follow) => {
          if (!isOver)
            follower.current = follow({ console: records.console, shown: () => shownIn(records, sheet), mark })
        },
        () => undefined,
      )
    // The rows load first.
    const stopTimer = records.console.browser.after(LATER, () => void load())
    return () => {
      isOver = true
      stopTimer()
      follower.current?.stop()
    }
  }, [records])
  useSignalEffect(() => {
    void sheet.seen.value
    void records.revision.value
    follower.current?.look()
  })
  const mark: Parameters<NonNullable<Awaited<ReturnType<NonNullable<typeof threads>>>>>[0]['mark'] = (ids, open) => {
    if (ids.length === 0) return
    const asked = new Set(ids)
    const byRecord = Map.groupBy(open, ({ recordId }) => recordId)
    records.store.update((row) => {
      if (!asked.has(row.record.id)) return undefined
      const found = byRecord.get(row.record.id)
      if (found === undefined) return row.threads === undefined ? undefined : { ...row, threads: undefined }
      const keys = new Set(found.map(({ attributeAlias, scope }) => markKey(attributeAlias ?? '', scope)))
      return row.threads?.symmetricDifference(keys).size === 0 ? undefined : { ...row, threads: keys }
    })
  }
  return follower
}

function shownIn(records: RecordsState, sheet: SheetState): string[] {
  const { first, last } = sheet.drawn.peek()
  const ids: string[] = []
  for (let at = first; at <= last; at += 1) {
    const row = records.store.row(at)
    if (row !== undefined) ids.push(row.record.id)
  }
  return ids
}
