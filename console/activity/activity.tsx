// The latest changes of records, bulk jobs and deleted records. Holders of `users.manage` also see changes of accounts.
// Contract 3 §2, 3 §3, 3 §3.1.
import { PlaceHead } from '../kit/place-head.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { AccountChanges } from './account-changes.tsx'
import { DeletedRecords } from './deleted-records.tsx'
import { JobLedger } from '../kit/job-ledger.tsx'
import { PagedList } from './paged-list.tsx'
import type { Job } from '../state/jobs.ts'
import { pageOf, usePagedQuery } from '../state/paged-query.ts'
import { type LedgerRecord, RecordLedger } from '../kit/record-ledger.tsx'

const TABS = {
  records: { title: 'form.changed', List: ChangedRecords },
  jobs: { title: 'place.bulk', List: BulkJobs },
  deleted: { title: 'activity.deleted', List: DeletedRecords },
  accounts: { title: 'activity.accounts', List: AccountChanges },
} as const

export function Activity() {
  const { router, model } = useConsole()
  const tabs = Object.entries(TABS).filter(([id]) => id !== 'accounts' || model.may('users.manage'))
  const tab = router.query.value['tab'] ?? ''
  const open = tabs.some(([id]) => id === tab) ? (tab as keyof typeof TABS) : 'records'
  const { List } = TABS[open]
  return (
    <>
      <PlaceHead title={t('place.activity')} />
      <div class="page">
        <Tabs
          label={t('place.activity')}
          tabs={tabs.map(([id, { title }]) => ({ id, title: t(title) }))}
          open={open}
          onOpen={(id) => router.setQuery({ tab: id === 'records' ? '' : id })}
        >
          <List />
        </Tabs>
      </div>
    </>
  )
}

const PAGE = 50

/** The newest first. */
function BulkJobs() {
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

/** The last changed first. */
function ChangedRecords() {
  const { call, model } = useConsole()
  const paged = usePagedQuery<LedgerRecord>('activity records', async (after, signal) => {
    const body = {
      criteria: [],
      criteriaOperator: 'and',
      sort: [{ field: 'updatedAt', direction: 'desc' }],
      limit: PAGE,
      total: false,
      ...(after === undefined ? {} : { after }),
    } as const
    const answer = await call('POST /api/v1/search', { body, signal })
    return pageOf(answer.body, PAGE, answer)
  })
  const hasSchema = model.schemas.value.length > 1
  return (
    <PagedList
      paged={paged}
      none={{
        icon: 'activity',
        title: t('home.noRecords'),
        help: t('activity.nothingHelp'),
        next: ['records', t('place.records')],
      }}
    >
      {(records) => <RecordLedger label={t('form.changed')} records={records} hasSchema={hasSchema} />}
    </PagedList>
  )
}
