// What happened last in the workspace: records that were changed, jobs over many of them, records that were deleted. Contract 3 §2, 3 §3.
import { PlaceHead } from '../kit/place-head.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/activity.ts'
import { ChangedRecords } from './changed-records.tsx'
import { DeletedRecords } from './deleted-records.tsx'
import { BulkJobs } from './bulk-jobs.tsx'

const TABS = {
  records: { title: 'activity.records', List: ChangedRecords },
  jobs: { title: 'activity.jobs', List: BulkJobs },
  deleted: { title: 'activity.deleted', List: DeletedRecords },
} as const

export function Activity() {
  const { router } = useConsole()
  const tab = router.query.value['tab'] ?? ''
  const open = Object.hasOwn(TABS, tab) ? (tab as keyof typeof TABS) : 'records'
  const { List } = TABS[open]
  return (
    <>
      <PlaceHead title={t('place.activity')} />
      <div class="page">
        <Tabs
          label={t('place.activity')}
          tabs={Object.entries(TABS).map(([id, { title }]) => ({ id, title: t(title) }))}
          open={open}
          onOpen={(id) => router.setQuery({ tab: id === 'records' ? '' : id })}
        >
          <List />
        </Tabs>
      </div>
    </>
  )
}
