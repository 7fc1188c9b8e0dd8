// A catalog: its tree on the left; beside it, the records of the chosen category or of none.
import { useMemo, useState } from 'preact/hooks'
import { Icon } from '../kit/icon.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { useActing } from '../kit/acting.ts'
import { t } from '../words/place.ts'
import { CatalogActions } from './catalog-actions.tsx'
import { CatalogMoves } from './catalog-moves.ts'
import { CatalogTree } from './catalog-tree.tsx'
import { CategoryView } from './category-view.tsx'
import { UNASSIGNED } from './unassigned-search.ts'
import { Unassigned } from './unassigned.tsx'

export function Catalog() {
  const { call, model, router, undo } = useConsole()
  const { act } = useActing()
  const [id] = useState(router.id.peek() ?? '')
  const at = router.query.value['at'] ?? null
  const catalog = useRead(`catalog ${id}`, 'GET /api/v1/catalogs/:id', { params: { id } })
  const tree = useRead(`catalog ${id} tree`, 'GET /api/v1/catalogs/:id/categories', {
    params: { id },
    query: { counts: 'direct,total' },
  })
  const moves = useMemo(
    () =>
      new CatalogMoves({
        call,
        undo,
        catalogId: id,
        shown: () => tree.data.peek(),
        show: (categories) => tree.put(categories),
        nameOf: (category) => model.nameOf(category),
        words: {
          stepMove: (name) => t('categories.stepMove', { name }),
          changedSince: () => t('categories.changedSince'),
        },
      }),
    [tree],
  )
  const chosen = tree.data.value?.find((category) => category.id === at)
  const choose = (category: string | null) => router.setQuery({ at: category ?? undefined })
  return (
    <>
      <PlaceHead title={catalog.data.value?.name ?? id} above={{ title: t('place.categories'), place: 'categories' }}>
        {catalog.data.value !== undefined && (
          <CatalogActions
            catalog={catalog.data.value}
            categories={tree.data.value ?? []}
            chosen={chosen}
            onChosen={choose}
          />
        )}
      </PlaceHead>
      <div class={at === null ? 'catalog' : 'catalog has-chosen'}>
        <Shown query={tree} class="catalog-tree" isLive>
          {(categories) => (
            <CatalogTree
              catalogId={id}
              categories={categories}
              at={at}
              onChoose={choose}
              onMove={(category, plan) => void act(() => moves.move(category, plan))}
            />
          )}
        </Shown>
        <section class="catalog-content">
          <a class="to-tree" href={writeAddress({ place: 'categories', id })}>
            <Icon name="left" />
            {t('place.categories')}
          </a>
          {at === UNASSIGNED && <Unassigned catalogId={id} />}
          {chosen !== undefined && (
            <CategoryView key={chosen.id} category={chosen} categories={tree.data.value ?? []} />
          )}
          {tree.data.value !== undefined && at !== UNASSIGNED && chosen === undefined && (
            <Empty icon="categories" title={at === null ? t('categories.choose') : t('categories.gone')}>
              <p>{t('categories.chooseHelp')}</p>
            </Empty>
          )}
        </section>
      </div>
    </>
  )
}
