// Actions on the selected records. G5. The panel of the bulk place changes many records. Deleting is also a job, so
// that undo restores variants as well.
import { createElement } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import {
  ALL_SELECTED,
  countSelected,
  MAX_NAMED,
  namesTooMany,
  NOTHING_SELECTED,
  toBulkSelection,
} from '../grid/selection.ts'
import { type BulkTaskName, usePanel, usePanels } from '../state/panels.ts'
import { useCommands, useConsole } from '../state/context.ts'
import type { Job } from '../state/jobs.ts'
import type { Console } from '../state/console.ts'
import type { CallOptions } from '../api/call.ts'
import { t } from '../words/place.ts'
import type { RecordsState } from './records-state.ts'

const TASKS: readonly {
  readonly task: BulkTaskName
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
      {model.may('assignments.write') && <AssignSelected records={records} />}
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

function AssignSelected({ records }: { readonly records: RecordsState }) {
  const [isAsking, setAsking] = useState(false)
  const panel = usePanel('assign', isAsking)
  const selected = records.selected.value
  const ids = selected.kind === 'these' ? [...selected.ids] : []
  const isTooMany = selected.kind === 'all' || ids.length > MAX_ASSIGNED
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
        createElement(panel, { recordIds: ids, onClose: () => setAsking(false), onDone: () => undefined })}
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
  return (
    <>
      <Button icon="delete" kind="bad" closedBecause={closedBecause} onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('records.deleteTitle', { count })}
          action={t('delete')}
          icon="delete"
          onClose={() => setAsking(false)}
          onYes={() => {
            setAsking(false)
            void deleteSelected(records, count)
          }}
        >
          <p>{t('records.deleteHelp')}</p>
        </Confirm>
      )}
    </>
  )
}

type JobBody = NonNullable<CallOptions<'POST /api/v1/bulk-jobs'>['body']>

async function deleteSelected(records: RecordsState, count: number): Promise<void> {
  const { console } = records
  const selection = toBulkSelection(records.selected.peek(), records.question.peek().selection)
  const body = { selection, actions: [{ delete: true }] } as unknown as JobBody
  try {
    const { body: job } = await console.call('POST /api/v1/bulk-jobs', { body })
    records.selected.value = NOTHING_SELECTED
    const ended = await watched(console, job)
    records.renew()
    console.status.tell(t('records.deleted', { count: ended.changed }))
    if (ended.failed > 0)
      console.status.complain(t('records.notDeleted', { count: ended.failed }), {
        title: t('open'),
        run: () => console.router.go({ place: 'bulk', id: ended.id }),
      })
    if (ended.changed > 0) console.undo.push(undoOf(records, ended, count))
  } catch (error) {
    console.status.complain(sayFailure(error as Error))
  }
}

function watched({ jobs }: Console, job: Job): Promise<Job> {
  return new Promise((resolve) => jobs.watch(job, resolve))
}

/** Another job undoes a job, and a further job redoes it. */
function undoOf(records: RecordsState, job: Job, count: number) {
  const { console } = records
  let last = job
  const takeBack = async (): Promise<void> => {
    const { body } = await console.call('POST /api/v1/bulk-jobs/:id/undo', { params: { id: last.id } })
    last = await watched(console, body)
    records.renew()
  }
  return { name: t('records.stepDelete', { count }), undo: takeBack, redo: takeBack }
}
