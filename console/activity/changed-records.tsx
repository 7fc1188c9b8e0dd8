// The records of all schemas, the last changed first.
import { Empty } from '../kit/states.tsx'
import { LinkButton } from '../kit/button.tsx'
import { PagedList } from './paged-list.tsx'
import { type LedgerRecord, RecordLedger } from '../kit/record-ledger.tsx'
import { writeAddress } from '../state/addresses.ts'
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
    const answer = await call('POST /api/v1/search', { body, ...(signal === undefined ? {} : { signal }) })
    return pageOf(answer.body, PAGE, answer)
  })
  const hasSchema = model.schemas.value.length > 1
  return (
    <PagedList
      paged={paged}
      empty={
        <Empty
          icon="activity"
          title={t('activity.nothing')}
          action={<LinkButton href={writeAddress({ place: 'records' })}>{t('place.records')}</LinkButton>}
        >
          <p>{t('activity.nothingHelp')}</p>
        </Empty>
      }
    >
      {(records) => <RecordLedger label={t('form.changed')} records={records} hasSchema={hasSchema} />}
    </PagedList>
  )
}
