// Actions on the selected records. G5. The bulk place changes and deletes many records.
import { type ComponentType, createElement } from 'preact'
import { useState } from 'preact/hooks'
import { Button, type ButtonProps } from '../kit/button.tsx'
import {
  ALL_SELECTED,
  countSelected,
  MAX_NAMED,
  namesTooMany,
  NOTHING_SELECTED,
  toBulkSelection,
} from '../grid/selection.ts'
import type { BulkTaskName, DeletePanelProps, SheetsPanelProps } from '../state/panel-props.ts'
import { usePanel, usePanels } from '../state/panels.ts'
import { useCommands, useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { RecordsState } from './records-state.ts'

const TASKS: readonly {
  readonly task: Exclude<BulkTaskName, 'replace'>
  readonly key: string
  readonly icon: 'edit' | 'right' | 'categories'
}[] = [
  { task: 'edit', key: 'e', icon: 'edit' },
  { task: 'move', key: 't', icon: 'right' },
  { task: 'categories', key: 'c', icon: 'categories' },
]

interface SelectionBarProps {
  readonly records: RecordsState
  readonly onTask: (task: BulkTaskName) => void
}

export function SelectionBar({ records, onTask }: SelectionBarProps) {
  const { model } = useConsole()
  void records.revision.value
  const { total = 0 } = records.store
  const selected = records.selected.value
  const count = countSelected(selected, total)
  const tooMany = namesTooMany(selected) ? t('records.tooManySelected', { count: MAX_NAMED }) : undefined
  const tasks = useTasks({ records, onTask }, count)
  if (count === 0) return null
  const of = { records, count }
  return (
    <div class="selection-bar" data-region role="region" aria-label={t('selected', { count })}>
      <strong role="status">{t('selected', { count })}</strong>
      {tasks.map(({ task, key, icon }) => (
        <Button key={task} icon={icon} keys={key} closedBecause={tooMany} onClick={() => onTask(task)}>
          {t(`records.task.${task}`)}
        </Button>
      ))}
      {model.may('assignments.write') && (
        <PanelButton
          {...of}
          panel="assign"
          icon="account"
          title={t('talk.assign')}
          closedBecause={tooManyToAssign(records, count)}
        />
      )}
      <PanelButton {...of} panel="sheets" icon="exports" title={t('sheets.title')} keys="p" closedBecause={tooMany} />
      {model.may('records.delete') && (
        <PanelButton
          {...of}
          panel="deleteRecords"
          icon="delete"
          kind="bad"
          title={t('delete')}
          closedBecause={tooMany}
        />
      )}
      <span class="grow" />
      {count < total && (
        <Button kind="quiet" onClick={() => (records.selected.value = ALL_SELECTED)}>
          {t('records.selectAllCount', { count: total })}
        </Button>
      )}
      <Button
        kind="quiet"
        icon="close"
        label={t('records.selectNone')}
        onClick={() => (records.selected.value = NOTHING_SELECTED)}
      />
    </div>
  )
}

/** The tasks that the user may begin, with their keys. */
function useTasks({ records, onTask }: SelectionBarProps, count: number) {
  const { model } = useConsole()
  const hasPanel = usePanels().bulk !== undefined
  const tasks = TASKS.filter(
    ({ task }) => hasPanel && model.may(task === 'categories' ? 'categories.write' : 'records.update'),
  )
  useCommands(
    () =>
      tasks.map(({ task, key }) => ({
        id: `selection-${task}`,
        group: 'here' as const,
        keys: key,
        title: () => t(`records.task.${task}`),
        isThere: () => countSelected(records.selected.peek(), records.store.total ?? 0) > 0,
        run: () => onTask(task),
      })),
    // Commands are fixed at registration, so a selection that begins or ends registers them again.
    [tasks.length, count > 0],
  )
  return tasks
}

/** The most records that one request assigns. */
const MAX_ASSIGNED = 500

/** The reason why one request cannot assign the selected records. */
function tooManyToAssign(records: RecordsState, count: number): string | undefined {
  const selected = records.selected.value
  const isTooMany = count > MAX_ASSIGNED || (selected.kind !== 'these' && selected.except.size > MAX_ASSIGNED)
  return isTooMany ? t('talk.assignMost', { count: MAX_ASSIGNED }) : undefined
}

interface PanelButtonProps extends Pick<ButtonProps, 'icon' | 'kind' | 'keys' | 'closedBecause'> {
  readonly panel: 'assign' | 'sheets' | 'deleteRecords'
  readonly title: string
  readonly records: RecordsState
  readonly count: number
}

/** A button that opens a panel about the selected records. */
function PanelButton({ panel: name, title, records, count, ...button }: PanelButtonProps) {
  const { keys, closedBecause } = button
  const [isOpen, setOpen] = useState(false)
  const panel = usePanel(name, isOpen) as ComponentType<DeletePanelProps & SheetsPanelProps> | undefined
  const open = () => setOpen(true)
  useCommands(
    () => (closedBecause ? [] : [{ id: `selection-${name}`, group: 'here', keys, title: () => title, run: open }]),
    [closedBecause],
  )
  const { selection } = records.question.value
  return (
    <>
      <Button {...button} onClick={open}>
        {title}
      </Button>
      {isOpen &&
        panel !== undefined &&
        createElement(panel, {
          selection: toBulkSelection(records.selected.value, selection),
          count,
          schemaId: selection.schemaId ?? '',
          onClose: () => setOpen(false),
          onBegun: () => (records.selected.value = NOTHING_SELECTED),
          onDone: () => records.renew(),
        })}
    </>
  )
}
