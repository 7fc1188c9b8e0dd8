// The records of all schemas, the last changed first.
import { PagedList } from './paged-list.tsx'
import { type LedgerRecord, RecordLedger } from '../kit/record-ledger.tsx'
import { useConsole } from '../state/context.ts'
import { pageOf, usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'

const PAGE = 50

export function ChangedRecords() {
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
        title: t('activity.nothing'),
        help: t('activity.nothingHelp'),
        next: ['records', t('place.records')],
      }}
    >
      {(records) => <RecordLedger label={t('form.changed')} records={records} hasSchema={hasSchema} />}
    </PagedList>
  )
}
