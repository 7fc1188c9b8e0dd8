// The run: progress, result, failed rows, undo. B3, I4.
import { UndoButton } from '../jobs/undo-button.tsx'
import { Button, LinkButton } from '../kit/button.tsx'
import { writeAddress } from '../state/addresses.ts'
import { isAllRefused } from '../kit/job-sign.tsx'
import { isOver } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import type { StepProps } from './steps.ts'
import { FailedRows, JobBar } from './job-bar.tsx'
import { Outcomes } from './outcomes.tsx'

export function RunStep({ found, jobs, draft, goTo }: StepProps) {
  const job = jobs.findLast(({ dryRun }) => !dryRun)
  if (job === undefined)
    return (
      <div class="sections">
        <p>{found.status === 'done' ? t('imports.runForgotten') : t('imports.notRun')}</p>
        <div class="row">
          <Button kind="main" onClick={() => goTo('rehearsal')}>
            {t('imports.toRehearsal')}
          </Button>
        </div>
      </div>
    )
  const { undoneBy, schemaId } = { undoneBy: job.undoneBy, schemaId: draft.value.schemaId }
  return (
    <div class="sections">
      {!isOver(job) && <p class="hint">{t('imports.goesOn')}</p>}
      <JobBar job={job} />
      {undoneBy !== null && (
        <p class="warning">
          <a href={writeAddress({ place: 'bulk', id: undoneBy })}>{t('imports.undone')}</a>
        </p>
      )}
      {isOver(job) && <Outcomes key={job.id} job={job} found={found} draft={draft.value} />}
      {isOver(job) && (
        <div class="form-foot">
          {!isAllRefused(job) && (
            <LinkButton
              kind="main"
              href={writeAddress({ place: 'records', query: { schema: schemaId, sort: '-.updatedAt' } })}
            >
              {t('imports.toRecords')}
            </LinkButton>
          )}
          <FailedRows job={job} found={found} />
          <UndoButton job={job} />
          <Button onClick={() => goTo('columns')}>{t('imports.onceMore')}</Button>
        </div>
      )}
    </div>
  )
}
