// One job: its progress, its changes, its refusals, cancel and undo. B3.
import { useEffect, useState } from 'preact/hooks'
import { isAborted } from '../api/failures.ts'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Owner } from '../kit/owner.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { isOver, type Job } from '../state/jobs.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { Differences, Refused } from '../jobs/differences.tsx'
import { followJob } from '../jobs/follow-job.ts'
import { UndoButton } from '../jobs/undo-button.tsx'
import { jobName, JobSign } from '../kit/job-sign.tsx'
import { pageByOffset } from './pages.ts'

export function BulkJobPage() {
  const { call, router } = useConsole()
  // The ID is read once: during navigation the address already has the ID of the next place.
  const [id] = useState(router.id.peek() ?? '')
  const query = useRead(`bulk ${id}`, 'GET /api/v1/bulk-jobs/:id', { params: { id } })
  const job = query.data.value
  const isRunning = job !== undefined && !isOver(job)
  useEffect(() => {
    if (!isRunning) return undefined
    const stop = new AbortController()
    followJob(call, job, (next) => query.put(next), stop.signal).catch((error: Error) => {
      if (!isAborted(error)) void query.refresh()
    })
    return () => stop.abort()
  }, [isRunning, query])
  return (
    <>
      <PlaceHead
        title={job === undefined ? id : jobName(job)}
        above={{ title: t('place.activity'), place: 'activity', query: { tab: 'jobs' } }}
      >
        {job !== undefined && <JobActions job={job} onChanged={(next) => query.put(next)} />}
      </PlaceHead>
      <Shown query={query} class="page job-page" isLive>
        {(shown) => (
          <>
            <JobFacts job={shown} renew={() => void query.refresh()} />
            {isOver(shown) && <Outcomes job={shown} />}
          </>
        )}
      </Shown>
    </>
  )
}

function JobActions({ job, onChanged }: { readonly job: Job; readonly onChanged: (job: Job) => void }) {
  const { call } = useConsole()
  const { isBusy, act } = useActing()
  const cancel = async () =>
    onChanged((await call('POST /api/v1/bulk-jobs/:id/cancel', { params: { id: job.id } })).body)
  if (!isOver(job))
    return (
      <Button icon="close" isBusy={isBusy} onClick={() => void act(cancel)}>
        {t('bulk.cancel')}
      </Button>
    )
  const canUndo = !job.dryRun && (job.kind === 'import' || (job.kind === 'bulk' && job.changed > 0))
  return canUndo ? <UndoButton job={job} /> : null
}

function JobFacts({ job, renew }: { readonly job: Job; readonly renew: () => void }) {
  const nameOf = usePeople()
  const { selected, done, changed, unchanged, failed } = job
  return (
    <section class="job-facts">
      <p class="row" role="status">
        <JobSign job={job} />
        {job.dryRun && <strong>{t('dryRun')}</strong>}
        {!isOver(job) && <progress value={done} max={Math.max(1, selected)} aria-label={t('jobs.title')} />}
        {t('jobs.progress', { done, total: selected })}
      </p>
      <Standstill job={job} renew={renew} />
      <p>{t('bulk.figures', { changed, unchanged, failed })}</p>
      <p class="quiet">
        {t('bulk.by', { name: nameOf(job.createdBy), time: moment(job.createdAt) })}
        {job.completedAt !== null && ` – ${moment(job.completedAt)}`}
      </p>
      {job.undoes !== null && (
        <p>
          <a href={writeAddress({ place: 'bulk', id: job.undoes })}>{t('bulk.undoes')}</a>
        </p>
      )}
      {job.undoneBy !== null && (
        <p>
          <a href={writeAddress({ place: 'bulk', id: job.undoneBy })}>{t('bulk.undoneBy')}</a>
        </p>
      )}
    </section>
  )
}

/** The reason why the job is paused, and the button that takes the job over. */
function Standstill({ job, renew }: { readonly job: Job; readonly renew: () => void }) {
  const { call } = useConsole()
  const { id, done, selected: total, ownerId, pausedReason } = job
  if (job.status !== 'interrupted') return null
  if (pausedReason === null) return <p class="warning">{t('bulk.interrupted', { done, total })}</p>
  return (
    <>
      <p class="warning">
        <span>
          {t('bulk.paused', { done, total })} <bdi>{pausedReason.message}</bdi>
        </span>
      </p>
      <p>
        {t('owner.is')}{' '}
        <Owner
          of={{ name: jobName(job), ownerId }}
          mayWrite
          isPaused
          takeOver={() => call('POST /api/v1/bulk-jobs/:id/take-over', { params: { id } })}
          onTaken={renew}
          help={t('bulk.takeOverHelp')}
        />
      </p>
    </>
  )
}

const PAGE = 50

function Outcomes({ job: { id, kind, changed, failed } }: { readonly job: Job }) {
  const { call } = useConsole()
  const [open, setOpen] = useState(failed > 0 ? 'refused' : 'changed')
  const samples = usePagedQuery(`bulk ${id} samples`, (after, signal) =>
    pageByOffset(after, PAGE, changed, async (offset, limit) => {
      const query = { outcome: 'updated', offset, limit } as const
      const options = { params: { id }, query, signal }
      return (await call('GET /api/v1/bulk-jobs/:id/samples', options)).body
    }),
  )
  const errors = usePagedQuery(`bulk ${id} errors`, (after, signal) =>
    pageByOffset(after, PAGE, failed, async (offset, limit) => {
      const options = { params: { id }, query: { offset, limit }, signal }
      return (await call('GET /api/v1/bulk-jobs/:id/errors', options)).body
    }),
  )
  return (
    <Tabs
      label={t('bulk.outcomes')}
      tabs={[
        { id: 'changed', title: t('form.changed'), count: changed },
        { id: 'refused', title: kind === 'undo' ? t('bulk.leftAlone') : t('bulk.refused'), count: failed },
      ]}
      open={open}
      onOpen={setOpen}
    >
      {open === 'changed' ? (
        <Shown query={samples.query}>
          {(page) => (
            <>
              <Differences samples={page.items} />
              <MoreButton paged={samples} />
            </>
          )}
        </Shown>
      ) : (
        <Shown query={errors.query}>
          {(page) => (
            <>
              <Refused errors={page.items} />
              <MoreButton paged={errors} />
            </>
          )}
        </Shown>
      )}
    </Tabs>
  )
}
