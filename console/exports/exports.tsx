// Exports: every job with its last runs, its next run, and its actions. Contract 2 §6, 3 §5.
import { LinkButton } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { AllRuns } from './all-runs.tsx'
import { JobForm } from './job-form.tsx'
import { JobLine } from './job-line.tsx'
import { useFollowedRuns } from './followed-runs.ts'
import { barsByJob } from './run-bars.ts'
import { writeAddress } from '../state/addresses.ts'

/** Enough runs to show the last twelve of each job in most cases. */
const READ_RUNS = 300

export function Exports() {
  const { router } = useConsole()
  if (router.query.value['runs'] !== undefined) return <AllRuns />
  return router.query.value['new'] === undefined ? <JobList /> : <JobForm job={undefined} />
}

function JobList() {
  const { call, model } = useConsole()
  const mayWrite = model.may('exportJobs.write')
  const query = useQuery('exports jobs', async (signal) => {
    const [jobs, runs] = await Promise.all([
      call('GET /api/v1/export-jobs', { signal }),
      call('GET /api/v1/export-runs', { query: { limit: READ_RUNS }, signal }),
    ])
    return { jobs: jobs.body, runs: runs.body, bars: barsByJob(runs.body) }
  })
  useFollowedRuns(query.data.value?.runs ?? [], query)
  const add = (
    <LinkButton href={writeAddress({ place: 'exports', query: { new: '1' } })} kind="main" icon="add">
      {t('exports.add')}
    </LinkButton>
  )
  return (
    <>
      <PlaceHead
        title={t('place.exports')}
        actions={
          <>
            <LinkButton href={writeAddress({ place: 'sheets' })} kind="quiet" icon="records">
              {t('place.sheets')}
            </LinkButton>
            {model.may('subscriptions.write') && (
              <LinkButton href={writeAddress({ place: 'subscriptions' })} kind="quiet" icon="link">
                {t('place.subscriptions')}
              </LinkButton>
            )}
            <LinkButton href={writeAddress({ place: 'exports', query: { runs: 'all' } })} kind="quiet" icon="history">
              {t('exports.allRuns')}
            </LinkButton>
            {mayWrite && add}
          </>
        }
      />
      <Shown query={query}>
        {({ jobs, runs, bars }) =>
          jobs.length === 0 ? (
            <Empty icon="exports" title={t('exports.none')} action={mayWrite && add}>
              <p>{t('exports.noneHelp')}</p>
            </Empty>
          ) : (
            <ul class="job-ledger">
              {jobs.map((job) => (
                <JobLine
                  key={job.id}
                  job={job}
                  bars={bars.get(job.id) ?? []}
                  // The followed runs may be newer than the job's copy of its last run.
                  latest={runs.find(({ jobId }) => jobId === job.id) ?? job.lastRun}
                />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  )
}
