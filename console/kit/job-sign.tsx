// The state of a job, as a word and a shape.
import { Icon } from './icon.tsx'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/words.ts'

export function jobName({ name, kind }: Job): string {
  return name ?? t(`job.${kind}`)
}

/** The part of a job that its sign shows. */
type Standing = Pick<Job, 'status' | 'done' | 'failed'> & Partial<Pick<Job, 'pausedReason'>>

/** Returns whether the job ended without any change: each record or row was refused. */
export function isAllRefused({ status, done, failed }: Standing): boolean {
  return status === 'succeeded' && failed > 0 && failed === done
}

export function JobSign({ job }: { readonly job: Standing }) {
  const { status, pausedReason, failed } = job
  const isRefused = isAllRefused(job)
  const ended = status === 'succeeded' && failed > 0 ? (isRefused ? 'bad' : 'wait') : undefined
  const sign =
    ended ?? (status === 'succeeded' ? 'good' : status === 'failed' || status === 'cancelled' ? 'bad' : 'wait')
  return (
    <span class={`sign ${sign}`}>
      <Icon name={ended ? 'bad' : sign} />
      {isRefused
        ? t('job.allRefused')
        : ended
          ? t('job.someRefused', { count: failed })
          : t(pausedReason ? 'job.paused' : `job.${status}`)}
    </span>
  )
}
