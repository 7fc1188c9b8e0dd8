// All bulk jobs, the newest first.
import { JobLedger } from '../kit/job-ledger.tsx'
import { PagedList } from './paged-list.tsx'
import { useConsole } from '../state/context.ts'
import type { Job } from '../state/jobs.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'

const PAGE = 50

export function BulkJobs() {
  const { call } = useConsole()
  const paged = usePagedQuery<Job>('activity jobs', async (after, signal) => {
    const offset = Number(after ?? 0)
    const query = { limit: PAGE, offset }
    const { body, total } = await call('GET /api/v1/bulk-jobs', { query, signal })
    return { items: body, total, next: body.length < PAGE ? undefined : String(offset + PAGE) }
  })
  return (
    <PagedList
      paged={paged}
      none={{
        icon: 'activity',
        title: t('activity.noJobs'),
        help: t('activity.noJobsHelp'),
        next: ['records', t('place.records')],
      }}
    >
      {(jobs) => <JobLedger label={t('place.bulk')} jobs={jobs} />}
    </PagedList>
  )
}
