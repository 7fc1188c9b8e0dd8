// The rehearsal: the effects of a run with exactly this file and these columns. A run requires a rehearsal. I2.
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { FormFoot } from '../kit/draft-form.tsx'
import { useConsole } from '../state/context.ts'
import { isOver, type Job } from '../state/jobs.ts'
import { newKey } from '../state/new-key.ts'
import { t } from '../words/place.ts'
import { namesFiles } from './mapping.ts'
import type { StepProps } from './steps.ts'
import { FailedRows, JobBar } from './job-bar.tsx'
import { Outcomes } from './outcomes.tsx'

export function RehearsalStep(props: StepProps) {
  const { found, jobs, draft, rehearsal, query, goTo } = props
  const page = useConsole()
  const { isBusy, act } = useActing()
  const last = jobs.findLast(({ dryRun }) => dryRun)
  if (last === undefined)
    return (
      <div class="sections">
        <p>{t('imports.notRehearsed')}</p>
        <div class="row">
          <Button kind="main" onClick={() => goTo('columns')}>
            {t('imports.toColumns')}
          </Button>
        </div>
      </div>
    )
  const run = () =>
    act(async () => {
      const params = { id: found.id }
      const idempotencyKey = newKey()
      const { call, jobs: watched, offline } = page
      const { body: job } = await offline.write(() => call('POST /api/v1/imports/:id/run', { params, idempotencyKey }))
      watched.watch(job)
      await query.refresh()
      goTo('run')
    })
  const changes = rehearsal?.changed ?? 0
  const closedBecause = whyClosed(props, changes)
  return (
    <div class="sections">
      {draft.isChanged && <p class="warning">{t('imports.outdated')}</p>}
      <JobBar job={last} />
      <MakingList job={last} />
      {last.fetches !== undefined && <p>{t('imports.fetches', { count: last.fetches })}</p>}
      {last.limit !== undefined && <p class="warning">{t('imports.passesLimit', last.limit)}</p>}
      {isOver(last) && <Outcomes key={last.id} job={last} found={found} draft={draft.value} />}
      <FormFoot
        action={t(found.format === 'zip' ? 'imports.runFiles' : 'imports.run', { count: changes })}
        isBusy={isBusy}
        closedBecause={closedBecause}
        onClick={run}
      >
        {isOver(last) && jobs.every(({ dryRun }) => dryRun) && <FailedRows job={last} found={found} />}
        <Button onClick={() => goTo('columns')}>{t('imports.back')}</Button>
      </FormFoot>
    </div>
  )
}

function whyClosed({ found, jobs, draft, rehearsal }: StepProps, changes: number): string | undefined {
  if (found.status === 'running') return t('imports.runsStill')
  if (rehearsal === undefined)
    return draft.isChanged || jobs.at(-1)?.dryRun === false ? t('bulk.notRehearsed') : t('imports.unfinished')
  if (rehearsal.limit !== undefined) return t('imports.noRoom')
  return changes === 0 && !namesFiles(draft.value) ? t('bulk.nothingChanges') : undefined
}

/** The options and categories that an import makes, or would make. Contract 3 §4. */
function MakingList({ job }: { readonly job: Job }) {
  const { model } = useConsole()
  const { making, dryRun } = job
  if (making === undefined || making.options.length + making.categories.length === 0) return null
  const { options, otherOptions, categories, otherCategories } = making
  const byAttribute = [...Map.groupBy(options, (option) => model.attributeName(option.schemaId, option.attributeAlias))]
  return (
    <details open>
      <summary>{dryRun ? t('imports.wouldMake') : t('imports.hasMade')}</summary>
      <dl>
        {byAttribute.map(([attribute, made]) => (
          <Made key={attribute} title={attribute} names={made.map(({ name }) => name)} />
        ))}
        {categories.length > 0 && (
          <Made title={t('imports.field.categories')} names={categories.map(({ path }) => path)} />
        )}
      </dl>
      {otherOptions + otherCategories > 0 && (
        <p class="hint">{t('job.moreRefused', { count: otherOptions + otherCategories })}</p>
      )}
    </details>
  )
}

function Made({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <>
      <dt>{title}</dt>
      <dd dir="auto">{names.join(' · ')}</dd>
    </>
  )
}
