// All catalogs; each links to its tree.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useCommands, useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { NameDialog } from './name-dialog.tsx'

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
    <Button icon="add" onClick={() => setAdding(true)}>
      {t('categories.addCatalog')}
    </Button>
  )
  return (
    <>
      <PlaceHead title={t('place.categories')}>{query.data.value?.length !== 0 && addButton}</PlaceHead>
      <Shown query={query} isLive>
        {(catalogs) =>
          catalogs.length === 0 ? (
            <Empty icon="categories" title={t('categories.noCatalog')} action={addButton}>
              <p>{t('categories.noCatalogHelp')}</p>
            </Empty>
          ) : (
            <ul class="page catalogs">
              {catalogs.map(({ id, name }) => (
                <li key={id}>
                  <a href={writeAddress({ place: 'categories', id })} dir="auto">
                    {name}
                  </a>
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
