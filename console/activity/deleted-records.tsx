// Deleted records, as long as they can be restored. Contract 3 §3. Y2.
import { useActing } from '../kit/acting.ts'
import { Ago } from '../kit/ago.tsx'
import { Button } from '../kit/button.tsx'
import { PagedList } from './paged-list.tsx'
import { NoPermission } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/place.ts'

type Deleted = Endpoints['GET /api/v1/records/deleted']['reply']['items'][number]

const PAGE = 50

export function DeletedRecords() {
  const { model } = useConsole()
  return model.may('audit.read') ? <Listed /> : <NoPermission permission="audit.read" />
}

function Listed() {
  const { call, model } = useConsole()
  const nameOfPerson = usePeople()
  const paged = usePagedQuery<Deleted>('activity deleted', async (after, signal) => {
    const query = { limit: PAGE, after }
    const { body } = await call('GET /api/v1/records/deleted', { query, signal })
    return { items: body.items, total: undefined, next: body.items.length < PAGE ? undefined : body.cursor }
  })
  const mayRestore = model.may('records.create')
  return (
    <PagedList
      paged={paged}
      none={{
        icon: 'delete',
        title: t('activity.noneDeleted'),
        help: t('activity.noneDeletedHelp'),
        next: ['records', t('place.records')],
      }}
    >
      {(records) => (
        <table class="ledger" aria-label={t('activity.deleted')}>
          <tbody>
            {records.map((record) => (
              <tr key={record.entityId}>
                <th scope="row" dir="auto">
                  {record.entityId}
                </th>
                <td dir="auto" class="wide">
                  {model.schemaName(record.schemaId)}
                </td>
                <td dir="auto" class="wide">
                  {nameOfPerson(record.deletedBy)}
                </td>
                <td class="number">
                  <Ago at={record.deletedAt} />
                </td>
                {mayRestore && (
                  <td class="number">
                    <Restore record={record} onRestored={() => void paged.query.refresh()} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  )
}

function Restore({ record, onRestored }: { readonly record: Deleted; readonly onRestored: () => void }) {
  const { cache, call, router, status } = useConsole()
  const { isBusy, act } = useActing()
  const id = record.entityId
  const restore = async () => {
    await call('POST /api/v1/records/:id/restore', { params: { id }, body: { version: record.version } })
    status.tell(t('activity.restored', { id }), {
      title: t('open'),
      run: () => router.go({ place: 'records', id }),
    })
    cache.refreshAll(`record ${id}`)
    onRestored()
  }
  return (
    <Button icon="undo" isBusy={isBusy} onClick={() => void act(restore)}>
      {t('bringBack')}
    </Button>
  )
}
