// The number of all records, and the limit. Contract 3 §4 (the limit of records).
import { Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/words.ts'

export function Room() {
  const max = useConsole().model.me.value?.workspace.maxRecords ?? null
  return max === null ? null : <Limited max={max} />
}

function Limited({ max }: { readonly max: number }) {
  const { call } = useConsole()
  const query = useQuery(
    'home room',
    async (signal) => (await call('GET /api/v1/records', { query: { limit: 1 }, signal })).body.total,
  )
  return (
    <Shown query={query} isLive>
      {(count) => <p class={count < max ? 'hint' : 'warning'}>{t('home.room', { count, max })}</p>}
    </Shown>
  )
}
