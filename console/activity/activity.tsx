// The latest changes of records, bulk jobs and deleted records. Holders of `users.manage` also see changes of accounts.
// Contract 3 §2, 3 §3, 3 §3.1.
import { PlaceHead } from '../kit/place-head.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { AccountChanges } from './account-changes.tsx'
import { ChangedRecords } from './changed-records.tsx'
import { DeletedRecords } from './deleted-records.tsx'
import { BulkJobs } from './bulk-jobs.tsx'

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
