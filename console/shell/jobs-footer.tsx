// Running jobs, on every page: a closed tab stops none of them.
import { Icon } from '../kit/icon.tsx'
import { writeAddress } from '../state/addresses.ts'
import { isAllRefused } from '../kit/job-sign.tsx'
import { isOver, type Job } from '../state/jobs.ts'
import { t } from '../words/words.ts'

export function JobsFooter({ jobs }: { readonly jobs: readonly Job[] }) {
  if (jobs.length === 0) return null
  return (
    <footer class="jobs" aria-label={t('jobs.title')} data-region>
      {jobs.map((job) => (
        <a key={job.id} class="job" href={writeAddress({ place: 'bulk', id: job.id })}>
          <Icon name={iconOf(job)} />
          <span class="grow" dir="auto">
            {job.name ?? t(`job.${job.kind}`)}
            {job.dryRun && ` · ${t('dryRun')}`}
          </span>
          {!isOver(job) && <progress value={job.done} max={Math.max(1, job.selected)} aria-label={t('jobs.title')} />}
          <span>{t('jobs.progress', { done: job.done, total: job.selected })}</span>
        </a>
      ))}
    </footer>
  )
}

function iconOf(job: Job) {
  const { status } = job
  if (status === 'succeeded') return isAllRefused(job) ? 'bad' : 'good'
  return status === 'failed' || status === 'cancelled' ? 'bad' : 'wait'
}
