// The parts beside the sheet: the open record, and the tasks of the selected records.
import { createElement } from 'preact'
import { useEffect } from 'preact/hooks'
import { countSelected, toBulkSelection } from '../grid/selection.ts'
import type { SheetState } from '../grid/sheet-state.ts'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import type { CellWriter } from './cell-writer.ts'
import type { RecordsState } from './records-state.ts'
import { listAround } from './rows.ts'
import type { BulkTask } from './use-parts.ts'

const focusSheet = () => document.querySelector<HTMLElement>('.sheet')?.focus()

interface BesideProps {
  readonly records: RecordsState
  readonly sheet: SheetState
  readonly writer: CellWriter
}

/** The record that the address opens, beside the sheet. */
export function RecordBeside({ records, sheet, writer }: BesideProps) {
  const { router } = useConsole()
  const recordId = router.query.value['open']
  const panel = usePanel('record', recordId !== undefined)
  if (recordId === undefined || panel === undefined) return null
  void records.revision.value
  const found = [...records.store.entries()].find(([, { record }]) => record.id === recordId)
  const total = records.store.total ?? 0
  const step = (by: 1 | -1): void => {
    let to = (found?.[0] ?? sheet.cursor.peek().row) + by
    while (records.store.isHead(to)) to += by
    const next = records.store.row(to)
    const across = sheet.layout.peek().widths.length
    const wall = { row: Math.floor(to / across), column: to % across }
    sheet.goTo(records.isWall.peek() ? wall : { row: to, column: sheet.cursor.peek().column })
    if (next !== undefined) router.setQuery({ open: next.record.id })
  }
  return createElement(panel, {
    key: recordId,
    recordId,
    place: found === undefined ? undefined : { at: records.store.numberOf(found[0]) + 1, total },
    list: found === undefined ? undefined : () => listAround(found[0], total, (index) => records.store.row(index)),
    onStep: step,
    onClose: () => {
      router.setQuery({ open: undefined })
      focusSheet()
    },
    onChanged: (id) => void writer.readAgain([id]).catch(() => undefined),
  })
}

export function Bulk({
  records,
  task,
  onClose,
}: {
  readonly records: RecordsState
  readonly task: BulkTask
  readonly onClose: () => void
}) {
  const panel = usePanel('bulk', true)
  void records.revision.value
  const selected = records.selected.value
  const count = countSelected(selected, records.store.total ?? 0)
  useEffect(() => {
    if (count === 0) onClose()
  }, [count])
  if (panel === undefined || count === 0) return null
  return createElement(panel, {
    selection: toBulkSelection(selected, records.question.value.selection),
    count,
    task: task.name,
    target: task.alias === undefined ? undefined : { alias: task.alias, scope: task.scope ?? {} },
    key: `${task.name} ${task.alias}`,
    schemaId: records.query.value.schemaId,
    onClose: () => {
      onClose()
      focusSheet()
    },
    onDone: () => records.renew(),
  })
}
