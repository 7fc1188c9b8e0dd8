// The page of a record that does not exist: its deletion with the author, and its restoration. Contract 3 §3. Y2.
import { useSaving } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty, ErrorBox } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { lastVersion } from './past.ts'
import { recordKey } from './record-data.ts'

export function DeletedRecord({
  recordId,
  onRestored,
}: {
  readonly recordId: string
  readonly onRestored: () => void
}) {
  const { call, model } = useConsole()
  const { error, act } = useSaving()
  const may = model.may('audit.read')
  const params = { id: recordId }
  const query = useQuery(recordKey(recordId, 'end'), async (signal) => {
    if (!may) return []
    return (await call('GET /api/v1/records/:id/audit', { params, query: { limit: 2 }, signal })).body
  })
  const end = query.data.value?.find(({ action }) => action === 'delete')
  const version = lastVersion(query.data.value ?? [])
  const restore = (): void => {
    if (version === undefined) return
    void act(async () => {
      await call('POST /api/v1/records/:id/restore', { params, body: { version } })
      onRestored()
    })
  }
  const action =
    version !== undefined && model.may('records.create') ? (
      <Button kind="main" icon="undo" onClick={restore}>
        {t('bringBack')}
      </Button>
    ) : (
      <LinkButton href={writeAddress({ place: 'records' })}>{t('place.records')}</LinkButton>
    )
  return (
    <>
      {error !== undefined && <ErrorBox error={error} onRetry={restore} />}
      <Empty icon="delete" title={t('record.notThere')} action={action}>
        {end !== undefined && <p>{t('record.deletedAt', { when: moment(end.timestamp) })}</p>}
      </Empty>
    </>
  )
}
