// Runs of all jobs, the latest first. Contract 3 §5 (`/export-runs`).
import { Segmented } from '../kit/chips.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { useFollowedRuns } from './followed-runs.ts'
import { RunLine } from './run-line.tsx'

const READ = 100
const STATUSES = ['running', 'success', 'failed'] as const

export function AllRuns() {
  const { call, router } = useConsole()
  const status = STATUSES.find((one) => one === router.query.value['runs'])
  const query = useQuery(`exports runs ${status ?? ''}`, async (signal) => {
    const [jobs, runs] = await Promise.all([
      call('GET /api/v1/export-jobs', { signal }),
      call('GET /api/v1/export-runs', { query: { limit: READ, status }, signal }),
    ])
    return { runs: runs.body, names: new Map(jobs.body.map(({ id, name }) => [id, name])) }
  })
  useFollowedRuns(query.data.value?.runs ?? [], query)
  return (
    <>
      <PlaceHead title={t('exports.allRuns')} above={{ title: t('place.exports'), place: 'exports' }}>
        <Segmented
          label={t('exports.status')}
          value={status ?? 'all'}
          choices={[{ id: 'all', name: t('all') }, ...STATUSES.map((id) => ({ id, name: t(`run.${id}`) }))]}
          onChange={(runs) => router.setQuery({ runs })}
        />
      </PlaceHead>
      <Shown query={query} class="page">
        {({ runs, names }) => (
          <>
            {runs.length === 0 && <p class="quiet">{t('exports.neverRun')}</p>}
            <ul class="lines">
              {runs.map((run) => (
                <li key={run.id}>
                  <a
                    class="run-name"
                    href={writeAddress({ place: 'exports', id: run.jobId, query: { run: run.id } })}
                    dir="auto"
                  >
                    {names.get(run.jobId) ?? run.jobId}
                  </a>
                  <RunLine run={run} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </>
  )
}
