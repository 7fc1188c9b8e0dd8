// What others have done: the latest changes of other people, or all of them where nobody else has changed anything.
import { Shown } from '../kit/states.tsx'
import { RecordLedger } from '../kit/record-ledger.tsx'
import type { CriterionInput } from '../api/types.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/words.ts'
import type { SeenSchema } from '../state/model.ts'

const SHOWN = 8

export function LastChanged({ schema }: { readonly schema: SeenSchema }) {
  const { call, model } = useConsole()
  const me = model.me.value?.id ?? ''
  const query = useQuery(`home changed ${schema.id}`, async (signal) => {
    const search = async (...criteria: readonly CriterionInput[]) => {
      const sort = [{ field: 'updatedAt', direction: 'desc' }] as const
      const body = { criteria, criteriaOperator: 'and', schemaId: schema.id, sort, limit: SHOWN, total: false } as const
      return (await call('POST /api/v1/search', { body, signal })).body
    }
    const ofOthers = await search({ field: 'updatedBy', operator: 'notEquals', value: me })
    return ofOthers.length > 0 ? ofOthers : search()
  })
  const found = query.data.value
  if (found?.length === 0) return null
  const title = t(found?.[0]?.updatedBy === me ? 'home.lastChanged' : 'home.changedByOthers')
  return (
    <section>
      <h2>{title}</h2>
      <Shown query={query} isLive>
        {(records) => <RecordLedger label={title} records={records} />}
      </Shown>
    </section>
  )
}
