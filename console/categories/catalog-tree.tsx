// The tree with its counts; below it, the number of records in no category of the catalog. C1, C3.
import { useEffect, useState } from 'preact/hooks'
import { useLively } from '../kit/states.tsx'
import { Tree } from '../kit/tree.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { number } from '../words/words.ts'
import type { Plan } from './catalog-moves.ts'
import { ancestorsOf, type CategoryNode, type CountedCategory, moveByDrop, moveByKey, treeOf } from './category-tree.ts'
import { UNASSIGNED, unassignedSearch } from './unassigned-search.ts'

interface CatalogTreeProps {
  readonly catalogId: string
  readonly categories: readonly CountedCategory[]
  readonly at: string | null
  readonly onChoose: (id: string | null) => void
  readonly onMove: (id: string, plan: Plan) => void
}

export function CatalogTree({ catalogId, categories, at, onChoose, onMove }: CatalogTreeProps) {
  const { model } = useConsole()
  const [open, setOpen] = useOpen(categories, at)
  const mayWrite = model.may('categories.write')
  const onKey = (event: KeyboardEvent, id: string) => {
    if (!event.altKey || !event.key.startsWith('Arrow') || !mayWrite) return false
    event.preventDefault()
    event.stopPropagation()
    onChoose(id)
    onMove(id, (now) => moveByKey(now, id, event.key))
    return true
  }
  return (
    <>
      {categories.length === 0 ? (
        <p class="hint">{t('categories.none')}</p>
      ) : (
        <Tree
          label={t('place.categories')}
          nodes={treeOf(categories, (category) => model.nameOf(category))}
          open={open}
          selected={at}
          onToggle={setOpen}
          onSelect={({ id }) => onChoose(id)}
          onKey={(event, { node }) => onKey(event, node.id)}
          drop={
            mayWrite
              ? {
                  mayDrop: (id, target, zone) => moveByDrop(categories, id, target, zone) !== undefined,
                  onDrop: (id, target, zone) => {
                    onChoose(id)
                    onMove(id, (now) => moveByDrop(now, id, target, zone))
                  },
                }
              : undefined
          }
          aside={counts}
        />
      )}
      <UnassignedRow catalogId={catalogId} isChosen={at === UNASSIGNED} onChoose={() => onChoose(UNASSIGNED)} />
      {mayWrite && categories.length > 1 && <p class="hint">{t('categories.moveHelp')}</p>}
    </>
  )
}

/** The ancestors of the chosen category are open, also after a move. */
function useOpen(categories: readonly CountedCategory[], at: string | null) {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(categories.filter(({ parentId }) => parentId === null).map(({ id }) => id)),
  )
  const above = at === null ? '' : ancestorsOf(categories, at).join()
  useEffect(() => {
    if (above !== '') setOpen((before) => new Set([...before, ...above.split(',')]))
  }, [above])
  const toggle = (id: string, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpen(next)
  }
  return [open, toggle] as const
}

function counts({ category }: CategoryNode) {
  const { direct = 0, total = 0 } = category.counts ?? {}
  return (
    <span class="counts" title={t('categories.counts', { direct, total })}>
      {number(direct)}
      {total !== direct && <span class="quiet"> / {number(total)}</span>}
    </span>
  )
}

function UnassignedRow(props: {
  readonly catalogId: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const { call } = useConsole()
  const count = useQuery(`catalog ${props.catalogId} unassigned count`, async (signal) => {
    const body = { ...unassignedSearch(props.catalogId), limit: 1 }
    return (await call('POST /api/v1/search', { body, signal })).total ?? 0
  })
  useLively(count)
  return (
    <button type="button" class="tree-row unassigned" aria-current={props.isChosen} onClick={props.onChoose}>
      <span class="grow">{t('categories.unassigned')}</span>
      {count.data.value !== undefined && <span class="counts">{number(count.data.value)}</span>}
    </button>
  )
}
