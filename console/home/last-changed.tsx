// The latest changes, and their authors.
import { Shown } from '../kit/states.tsx'
import { RecordLedger } from '../kit/record-ledger.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/words.ts'
import type { SeenSchema } from '../state/model.ts'

const SHOWN = 8

export function LastChanged({ schema }: { readonly schema: SeenSchema }) {
  const { call } = useConsole()
  const query = useQuery(`home changed ${schema.id}`, async (signal) => {
    const sort = [{ field: 'updatedAt', direction: 'desc' }] as const
    const body = {
      criteria: [],
      criteriaOperator: 'and',
      schemaId: schema.id,
      sort,
      limit: SHOWN,
      total: false,
    } as const
    return (await call('POST /api/v1/search', { body, signal })).body
  })
  if (query.data.value?.length === 0) return null
  return (
    <section>
      <h2>{t('home.lastChanged')}</h2>
      <Shown query={query} isLive>
        {(records) => <RecordLedger label={t('home.lastChanged')} records={records} />}
      </Shown>
    </section>
  )
}
