// Actions on the selected records. G5. The bulk place changes and deletes many records.
import { createElement } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import {
  ALL_SELECTED,
  countSelected,
  MAX_NAMED,
  namesTooMany,
  NOTHING_SELECTED,
  toBulkSelection,
} from '../grid/selection.ts'
import type { BulkTaskName } from '../state/panel-props.ts'
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
  return (
    <div class="selection-bar" data-region role="region" aria-label={t('selected', { count })}>
      <strong role="status">{t('selected', { count })}</strong>
      {tasks.map(({ task, key, icon }) => (
        <Button key={task} icon={icon} keys={key} closedBecause={tooMany} onClick={() => onTask(task)}>
          {t(`records.task.${task}`)}
        </Button>
      ))}
      {model.may('assignments.write') && <AssignSelected records={records} count={count} />}
      <ShareSelected records={records} count={count} closedBecause={tooMany} />
      {model.may('records.delete') && <DeleteSelected records={records} count={count} closedBecause={tooMany} />}
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

/** Records that one request assigns. */
const MAX_ASSIGNED = 500

function AssignSelected({ records, count }: { readonly records: RecordsState; readonly count: number }) {
  const [isAsking, setAsking] = useState(false)
  const panel = usePanel('assign', isAsking)
  const selected = records.selected.value
  const isTooMany = count > MAX_ASSIGNED || (selected.kind !== 'these' && selected.except.size > MAX_ASSIGNED)
  return (
    <>
      <Button
        icon="account"
        closedBecause={isTooMany ? t('talk.assignMost', { count: MAX_ASSIGNED }) : undefined}
        onClick={() => setAsking(true)}
      >
        {t('talk.assign')}
      </Button>
      {isAsking &&
        panel !== undefined &&
        createElement(panel, {
          selection: toBulkSelection(selected, records.question.value.selection),
          count,
          onClose: () => setAsking(false),
        })}
    </>
  )
}

function ShareSelected(props: {
  readonly records: RecordsState
  readonly count: number
  readonly closedBecause: string | undefined
}) {
  const { records, count, closedBecause } = props
  const [isOpen, setOpen] = useState(false)
  const panel = usePanel('sheets', isOpen)
  useCommands(
    () => [
      {
        id: 'selection-share',
        group: 'here',
        keys: 'p',
        title: () => t('sheets.title'),
        isThere: () => closedBecause === undefined,
        run: () => setOpen(true),
      },
    ],
    [closedBecause],
  )
  const { selection } = records.question.value
  return (
    <>
      <Button icon="exports" keys="p" closedBecause={closedBecause} onClick={() => setOpen(true)}>
        {t('sheets.title')}
      </Button>
      {isOpen &&
        panel !== undefined &&
        createElement(panel, {
          selection: toBulkSelection(records.selected.value, selection),
          count,
          schemaId: selection.schemaId ?? '',
          onClose: () => setOpen(false),
        })}
    </>
  )
}

function DeleteSelected(props: {
  readonly records: RecordsState
  readonly count: number
  readonly closedBecause: string | undefined
}) {
  const { records, count, closedBecause } = props
  const [isAsking, setAsking] = useState(false)
  const panel = usePanel('deleteRecords', isAsking)
  return (
    <>
      <Button icon="delete" kind="bad" closedBecause={closedBecause} onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {isAsking &&
        panel !== undefined &&
        createElement(panel, {
          selection: toBulkSelection(records.selected.value, records.question.value.selection),
          count,
          onClose: () => setAsking(false),
          onBegun: () => (records.selected.value = NOTHING_SELECTED),
          onDone: () => records.renew(),
        })}
    </>
  )
}
