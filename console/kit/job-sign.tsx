// The state of a job, as a word and a shape.
import { Icon } from './icon.tsx'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/words.ts'

export function jobName({ name, kind }: Job): string {
  return name ?? t(`job.${kind}`)
}

export function JobSign({ job: { status, pausedReason } }: { readonly job: Job }) {
  const sign = status === 'succeeded' ? 'good' : status === 'failed' || status === 'cancelled' ? 'bad' : 'wait'
  return (
    <span class={`sign ${sign}`}>
      <Icon name={sign} />
      {t(pausedReason ? 'job.paused' : `job.${status}`)}
    </span>
  )
}
