// Records in no category of the catalog, and the choice of a category for each. C3.
import { Empty, Shown } from '../kit/states.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { recordsAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { pageOf, usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'
import type { FoundRecord } from './category-records.ts'
import { RecordRows } from './record-rows.tsx'
import { unassignedSearch } from './unassigned-search.ts'

const PAGE = 100

export function Unassigned({ catalogId }: { readonly catalogId: string }) {
  const { call, model } = useConsole()
  const records = usePagedQuery<FoundRecord>(`catalog ${catalogId} unassigned`, async (after, signal) => {
    const body = { ...unassignedSearch(catalogId), limit: PAGE, ...(after === undefined ? {} : { after }) }
    const answer = await call('POST /api/v1/search', { body, signal })
    return pageOf(answer.body, PAGE, answer)
  })
  const schemaIds = [...new Set(records.query.data.value?.items.map(({ schemaId }) => schemaId))]
  const nameOfSchema = (id: string) => {
    const schema = model.schema(id)
    return schema === undefined ? id : model.nameOf(schema)
  }
  return (
    <>
      <header class="category-head">
        <h2 class="grow">{t('categories.unassigned')}</h2>
        {schemaIds.map((schemaId) => (
          <a
            key={schemaId}
            class="button quiet"
            href={recordsAddress({ schemaId, where: unassignedSearch(catalogId).criteria })}
          >
            {t('categories.schemaInSheet', { schema: nameOfSchema(schemaId) })}
          </a>
        ))}
      </header>
      <Shown query={records.query} isLive>
        {(page) =>
          page.items.length === 0 ? (
            <Empty icon="good" title={t('categories.allAssigned')} />
          ) : (
            <>
              <RecordRows records={page.items} />
              <MoreButton paged={records} />
            </>
          )
        }
      </Shown>
    </>
  )
}
