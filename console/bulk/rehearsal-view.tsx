// The result of a rehearsal: figures, samples as differences, and expected refusals.
import { useState } from 'preact/hooks'
import { Tabs } from '../kit/tabs.tsx'
import { isOver } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import { Differences, Refused } from '../jobs/differences.tsx'
import type { Rehearsal } from './rehearsals.ts'

export function RehearsalView(props: {
  readonly rehearsal: Rehearsal
  readonly schemaId: string
  readonly isOutdated: boolean
}) {
  const { job, outcome } = props.rehearsal
  const [open, setOpen] = useState('changed')
  if (!isOver(job) || outcome === undefined)
    return (
      <p class="row rehearsal" role="status">
        <progress value={job.done} max={Math.max(1, job.selected)} aria-label={t('bulk.rehearsing')} />
        {t('jobs.progress', { done: job.done, total: job.selected })}
      </p>
    )
  const { changed, unchanged, failed } = job
  return (
    <section class={props.isOutdated ? 'rehearsal quiet' : 'rehearsal'}>
      {props.isOutdated && <p class="warning">{t('bulk.outdated')}</p>}
      <p role="status">{t('bulk.rehearsed', { changed, unchanged, failed })}</p>
      <Tabs
        label={t('bulk.outcomes')}
        tabs={[
          { id: 'changed', title: t('home.changes'), count: changed },
          { id: 'refused', title: t('bulk.refused'), count: failed },
        ]}
        open={open}
        onOpen={setOpen}
      >
        {open === 'changed' ? (
          <Differences samples={outcome.samples} schemaId={props.schemaId} />
        ) : (
          <Refused errors={outcome.errors} />
        )}
        {open === 'changed' && changed > outcome.samples.length && (
          <p class="hint">{t('bulk.firstOf', { shown: outcome.samples.length, total: changed })}</p>
        )}
        {open === 'refused' && failed > outcome.errors.length && (
          <p class="hint">{t('bulk.firstOf', { shown: outcome.errors.length, total: failed })}</p>
        )}
      </Tabs>
    </section>
  )
}
