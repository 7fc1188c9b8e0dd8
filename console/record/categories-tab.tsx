// The categories of a record, and of the parent of a variant. The tree of each catalog assigns them. Contract 2 §3.
import { writeAddress } from '../state/addresses.ts'
import { useState } from 'preact/hooks'
import { Button, LinkButton } from '../kit/button.tsx'
import { Chip } from '../kit/chips.tsx'
import { useActing } from '../kit/acting.ts'
import { Icon } from '../kit/icon.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { Tree } from '../kit/tree.tsx'
import type { Endpoints } from '../api/types.ts'
import type { Query } from '../state/cache.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { categoryNodes, type CategoryNode, categoryPaths, pathsTo } from './category-nodes.ts'
import { useRecord, useRecordQuery } from './use-record.ts'

type Assignment = Pick<Endpoints['GET /api/v1/records/:id/categories']['reply'][number], 'categoryId' | 'sortOrder'>

interface Assignments {
  readonly own: readonly Assignment[]
  readonly inherited: readonly string[]
}

export function CategoriesTab() {
  const { model, call } = useConsole()
  const { form } = useRecord()
  const { id, parentId } = form.stored.value!.record
  const catalogs = model.workspace.value?.catalogs ?? []
  const query = useRecordQuery('categories', async (signal): Promise<Assignments> => {
    const read = async (of: string) =>
      (await call('GET /api/v1/records/:id/categories', { params: { id: of }, signal })).body
    const [own, inherited] = await Promise.all([read(id), parentId === null ? [] : read(parentId)])
    return { own, inherited: inherited.map(({ categoryId }) => categoryId) }
  })
  const assign = useAssign(query)
  if (catalogs.length === 0)
    return (
      <Empty
        icon="categories"
        title={t('record.noCatalogs')}
        action={<LinkButton href={writeAddress({ place: 'categories' })}>{t('place.categories')}</LinkButton>}
      >
        <p>{t('record.noCatalogsHelp')}</p>
      </Empty>
    )
  return (
    <Shown query={query} class="categories-tab">
      {(assigned) =>
        catalogs.map((catalog) => <Catalog key={catalog.id} catalog={catalog} assigned={assigned} onAssign={assign} />)
      }
    </Shown>
  )
}

type Assign = (categoryId: string, isAssigned: boolean) => void

function useAssign(query: Query<Assignments>): Assign {
  const { call, undo } = useConsole()
  const { act } = useActing()
  const { form, renew } = useRecord()
  const params = { id: form.recordId }
  const put = async (own: readonly Assignment[]): Promise<void> => {
    const body = own.map(({ categoryId, sortOrder }) => ({ categoryId, sortOrder }))
    await call('PUT /api/v1/records/:id/categories', { params, body })
    renew()
    await query.refresh()
  }
  return (categoryId, isAssigned) => {
    const before = query.data.peek()?.own ?? []
    const others = before.filter((one) => one.categoryId !== categoryId)
    const after = isAssigned ? [...others, { categoryId, sortOrder: 0 }] : others
    const name = t('record.categoriesStep')
    void act(() => undo.take({ name, undo: () => put(before), redo: () => put(after) }))
  }
}

interface CatalogProps {
  readonly catalog: { readonly id: string; readonly name: string }
  readonly assigned: Assignments
  readonly onAssign: Assign
}

function Catalog({ catalog, assigned, onAssign }: CatalogProps) {
  const { call, model } = useConsole()
  const query = useRecordQuery(`catalog ${catalog.id}`, async (signal) => {
    const { body } = await call('GET /api/v1/catalogs/:id/categories', { params: { id: catalog.id }, signal })
    return categoryNodes(body, (named) => model.nameOf(named))
  })
  return (
    <section aria-label={catalog.name}>
      <h2 dir="auto">{catalog.name}</h2>
      <Shown query={query}>
        {(nodes) =>
          nodes.length === 0 ? (
            <p class="hint">{t('record.noCategories')}</p>
          ) : (
            <CategoryTree name={catalog.name} nodes={nodes} assigned={assigned} onAssign={onAssign} />
          )
        }
      </Shown>
    </section>
  )
}

interface CategoryTreeProps {
  readonly name: string
  readonly nodes: readonly CategoryNode[]
  readonly assigned: Assignments
  readonly onAssign: Assign
}

function CategoryTree({ name, nodes, assigned, onAssign }: CategoryTreeProps) {
  const { model } = useConsole()
  const own = new Set(assigned.own.map(({ categoryId }) => categoryId))
  const inherited = new Set(assigned.inherited)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => pathsTo(nodes, new Set([...own, ...inherited])))
  const [selected, setSelected] = useState<string | null>(null)
  const mayAssign = model.may('categories.write')
  const paths = categoryPaths(nodes)
  const markOf = ({ id }: CategoryNode) => {
    if (own.has(id)) return <Icon name="check" />
    return inherited.has(id) ? <Icon name="hook" /> : null
  }
  const toggle = (id: string): void => onAssign(id, !own.has(id))
  return (
    <>
      <div class="chips">
        {[...own]
          .filter((id) => paths.has(id))
          .map((id) => (
            <Chip key={id} name={paths.get(id)!} {...(mayAssign ? { onRemove: () => onAssign(id, false) } : {})} />
          ))}
        {[...inherited]
          .filter((id) => paths.has(id) && !own.has(id))
          .map((id) => (
            <span key={id} class="chip borrowed" title={t('record.fromParent')}>
              <Icon name="hook" />
              <bdi>{paths.get(id)}</bdi>
            </span>
          ))}
        {![...own, ...inherited].some((id) => paths.has(id)) && <span class="quiet">{t('record.unassigned')}</span>}
      </div>
      <Tree
        label={name}
        nodes={nodes}
        open={open}
        selected={selected}
        onToggle={(id, isOpen) => {
          const next = new Set(open)
          if (isOpen) next.add(id)
          else next.delete(id)
          setOpen(next)
        }}
        onSelect={({ id }) => setSelected(id)}
        onKey={(event, { node }) => {
          if (!mayAssign || (event.key !== 'Enter' && event.key !== ' ')) return false
          event.preventDefault()
          toggle(node.id)
          return true
        }}
        aside={markOf}
      />
      {mayAssign && selected !== null && (
        <div class="row">
          <Button icon={own.has(selected) ? 'close' : 'add'} onClick={() => toggle(selected)}>
            <bdi>
              {own.has(selected)
                ? t('record.unassign', { name: paths.get(selected) ?? '' })
                : t('record.assign', { name: paths.get(selected) ?? '' })}
            </bdi>
          </Button>
        </div>
      )}
    </>
  )
}
