// All catalogs, each with its first categories.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useCommands, useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { number } from '../words/words.ts'
import { NameDialog } from './name-dialog.tsx'

/** The most catalogs whose categories are read, and the most named categories of each. */
const OUTLINED = 10
const NAMED = 12

export function Catalogs() {
  const { call, cache, model, router } = useConsole()
  const [isAdding, setAdding] = useState(false)
  const query = useRead('catalogs', 'GET /api/v1/catalogs')
  const mayWrite = model.may('categories.write')
  useCommands(() => [
    {
      id: 'catalog-add',
      group: 'here',
      title: () => t('categories.addCatalog'),
      isThere: () => mayWrite,
      run: () => setAdding(true),
    },
  ])
  const add = async (name: string) => {
    const { body } = await call('POST /api/v1/catalogs', { body: { name } })
    cache.refreshAll('catalogs')
    router.go({ place: 'categories', id: body.id })
  }
  const addButton = mayWrite && (
    <Button kind="main" icon="add" onClick={() => setAdding(true)}>
      {t('categories.addCatalog')}
    </Button>
  )
  return (
    <>
      <PlaceHead title={t('place.categories')} actions={query.data.value?.length !== 0 && addButton} />
      <Shown query={query} isLive>
        {(catalogs) =>
          catalogs.length === 0 ? (
            <Empty icon="categories" title={t('categories.noCatalog')} action={addButton}>
              <p>{t('categories.noCatalogHelp')}</p>
            </Empty>
          ) : (
            <ul class="job-ledger">
              {catalogs.map((catalog, index) => (
                <li key={catalog.id} class="catalog-line">
                  <a class="strong" href={writeAddress({ place: 'categories', id: catalog.id })} dir="auto">
                    {catalog.name}
                  </a>
                  {index < OUTLINED && <Outline catalogId={catalog.id} />}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {isAdding && <NameDialog title={t('categories.addCatalog')} onSave={add} onClose={() => setAdding(false)} />}
    </>
  )
}

/** The categories at the top of a catalog, which the page of the catalog then need not read again. */
function Outline({ catalogId }: { readonly catalogId: string }) {
  const { model } = useConsole()
  const { data } = useRead(`catalog ${catalogId} tree`, 'GET /api/v1/catalogs/:id/categories', {
    params: { id: catalogId },
    query: { counts: 'direct,total' },
  })
  const categories = data.value
  if (categories === undefined) return null
  const top = categories.filter(({ parentId }) => parentId === null)
  return (
    <>
      <span class="quiet">{t('categories.count', { count: categories.length })}</span>
      <span class="catalog-top">
        {top.slice(0, NAMED).map((category) => (
          <a
            key={category.id}
            href={writeAddress({ place: 'categories', id: catalogId, query: { at: category.id } })}
            dir="auto"
          >
            {model.nameOf(category)} <span class="quiet">{number(category.counts?.total ?? 0)}</span>
          </a>
        ))}
        {top.length > NAMED && <span class="quiet">{t('categories.more', { count: top.length - NAMED })}</span>}
      </span>
    </>
  )
}
