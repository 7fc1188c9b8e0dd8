// Bulk edit, beside the selected records: actions, a rehearsal of exactly these actions, then the run. B1.
import { useEffect, useMemo } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { SidePanel } from '../kit/dialog.tsx'
import { Form } from '../kit/form.tsx'
import { useConsole } from '../state/context.ts'
import type { Console } from '../state/console.ts'
import { useFormDraft } from '../state/form-draft.ts'
import type { Job } from '../state/jobs.ts'
import type { SeenSchema } from '../state/model.ts'
import type { BulkPanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import {
  type ActionDraft,
  isSameJob,
  type JobBody,
  jobBody,
  newDraft,
  type ReadAction,
  readAction,
} from './action-drafts.ts'
import { ActionForm } from './action-form.tsx'
import { jobStep, watched } from './job-step.ts'
import { Rehearsals } from './rehearsals.ts'
import { RehearsalView } from './rehearsal-view.tsx'
import { useLocale } from '../fields/use-locale.ts'

/** The most actions of one job in the panel; the server accepts more. */
const MAX_SHOWN = 10

export function BulkPanel(props: BulkPanelProps) {
  const { count, schemaId, task, onClose } = props
  const { model, scope } = useConsole()
  const schema = model.schema(schemaId)
  const job = useBulkJob(props, schema)
  const { kept, drafts, read, body, isBusy, isRehearsed, rehearsal } = job
  const setDrafts = (next: readonly ActionDraft[]) => kept.put({ drafts: next })
  const change = (key: number, changes: Partial<ActionDraft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)))
  if (schema === undefined) return null
  return (
    <SidePanel guide="console#bulk-edit" title={t('bulk.run', { count })} first={task} onClose={onClose}>
      <Form class="bulk-form" onSubmit={job.rehearse}>
        {drafts.map((draft, index) => (
          <ActionForm
            key={draft.key}
            draft={draft}
            schema={schema}
            problem={read[index]!.problem}
            onChange={(changes) => change(draft.key, changes)}
            onRemove={drafts.length === 1 ? undefined : () => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
          />
        ))}
        {drafts.length < MAX_SHOWN && drafts.at(-1)!.kind !== 'delete' && (
          <p>
            <Button
              icon="add"
              kind="quiet"
              onClick={() => setDrafts([...drafts, newDraft(drafts.at(-1)!.key + 1, 'set', scope.current.peek())])}
            >
              {t('bulk.addAction')}
            </Button>
          </p>
        )}
        <div class="row">
          <Button
            type="submit"
            kind={isRehearsed ? 'plain' : 'main'}
            isBusy={isBusy}
            closedBecause={body === undefined ? unfinishedText(read) : undefined}
          >
            {t('bulk.rehearse')}
          </Button>
          <Button
            kind={isRehearsed ? 'main' : 'plain'}
            closedBecause={closedText(isRehearsed, rehearsal?.job.changed)}
            isBusy={isBusy}
            onClick={job.run}
          >
            {t('bulk.run', { count: isRehearsed ? rehearsal!.job.changed : count })}
          </Button>
          {kept.isChanged && (
            <Button kind="quiet" onClick={kept.drop}>
              {t('discard')}
            </Button>
          )}
        </div>
      </Form>
      {rehearsal !== undefined && (
        <RehearsalView rehearsal={rehearsal} schemaId={schemaId} isOutdated={!isSameJob(rehearsal.body, body)} />
      )}
    </SidePanel>
  )
}

/** The drafts of the actions, the rehearsal of exactly these, and the run. */
function useBulkJob(
  { selection, count, task, target, schemaId, onClose, onDone }: BulkPanelProps,
  schema?: SeenSchema,
) {
  const page = useConsole()
  const { call, router, scope, status } = page
  const { isBusy, act } = useActing()
  const locale = useLocale()
  const begun = useMemo(() => {
    const draft = { ...newDraft(0, task, scope.current.peek()), ...target }
    return { drafts: [draft] as readonly ActionDraft[] }
  }, [task])
  // The panel closes when the selection ends or another task begins; the draft must survive that.
  const kept = useFormDraft(`bulk ${schemaId} ${task} ${target?.alias ?? ''}`, begun)
  const { drafts } = kept.value
  const rehearsals = useMemo(() => new Rehearsals(call), [call])
  useEffect(() => () => rehearsals.stop(), [rehearsals])
  const host = { attribute: (alias: string) => schema?.rules.attribute(alias), locale }
  const read = drafts.map((draft) => readAction(draft, host))
  const actions = read.flatMap(({ action }) => action ?? [])
  const body = actions.length === drafts.length ? jobBody(selection, actions) : undefined
  const run = async () => {
    const job = await rehearsals.run(body!)
    status.tell(t('bulk.begun', { count }), {
      title: t('bulk.openJob'),
      run: () => router.go({ place: 'bulk', id: job.id }),
    })
    watchRun(page, job, body!, onDone)
    kept.drop()
    onClose()
  }
  return {
    kept,
    drafts,
    read,
    body,
    isBusy,
    isRehearsed: rehearsals.holdsFor(body),
    rehearsal: rehearsals.now.value,
    rehearse: () => body !== undefined && act(() => rehearsals.rehearse(body)),
    run: () => act(run),
  }
}

function unfinishedText(read: readonly ReadAction[]): string {
  const problem = read.find((one) => one.problem !== undefined && one.problem !== '')?.problem
  return problem ?? t('bulk.unfinished')
}

function closedText(isRehearsed: boolean, changed: number | undefined): string | undefined {
  if (!isRehearsed) return t('bulk.notRehearsed')
  return changed === 0 ? t('bulk.nothingChanges') : undefined
}

/** Follows a job that runs, even when the screen shows something else. */
function watchRun(page: Console, job: Job, body: JobBody, onDone: () => void): void {
  const { undo, status } = page
  void watched(page, job).then((ended) => {
    onDone()
    const failed = ended.failed
    if (failed > 0) status.complain(t('bulk.endedWith', { count: ended.changed, failed }))
    else status.tell(t('bulk.ended', { count: ended.changed }))
    if (ended.changed > 0) undo.push(jobStep(page, ended, body, t('bulk.step', { count: ended.changed }), onDone))
  })
}
