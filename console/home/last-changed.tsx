// The latest changes of other people. Where a person alone has made the latest changes, those of this person.
import { Shown } from '../kit/states.tsx'
import { RecordLedger } from '../kit/record-ledger.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/words.ts'
import type { SeenSchema } from '../state/model.ts'

const SHOWN = 8
/** Records among which changes of others are looked for: a search for all of them would read every record. */
const READ = 24

export function LastChanged({ schema }: { readonly schema: SeenSchema }) {
  const { call, model } = useConsole()
  const me = model.me.value?.id
  const query = useQuery(`home changed ${schema.id}`, async (signal) => {
    const sort = [{ field: 'updatedAt', direction: 'desc' }] as const
    const body = {
      criteria: [],
      criteriaOperator: 'and',
      schemaId: schema.id,
      sort,
      limit: READ,
      total: false,
    } as const
    const latest = (await call('POST /api/v1/search', { body, signal })).body
    const ofOthers = latest.filter(({ updatedBy }) => updatedBy !== me)
    return (ofOthers.length > 0 ? ofOthers : latest).slice(0, SHOWN)
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
