// Actions on a catalog and its chosen category: add, name, delete.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { MenuButton, type MenuEntry } from '../kit/menu.tsx'
import { useCommands, useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { CountedCategory } from './category-tree.ts'
import { NameDialog } from './name-dialog.tsx'

interface CatalogActionsProps {
  readonly catalog: { readonly id: string; readonly name: string }
  readonly categories: readonly CountedCategory[]
  readonly chosen: CountedCategory | undefined
  readonly onChosen: (id: string | null) => void
}

type Doing = 'add' | 'addBelow' | 'rename' | 'delete' | 'renameCatalog' | 'deleteCatalog' | undefined

export function CatalogActions(props: CatalogActionsProps) {
  const { model } = useConsole()
  const [doing, setDoing] = useState<Doing>(undefined)
  const { catalog, categories, chosen } = props
  const mayWrite = model.may('categories.write')
  const add: Entry = { id: 'add', title: t('categories.add'), run: () => setDoing('add') }
  const entries = entriesOf(props, setDoing)
  useCommands(
    () =>
      [add, ...entries].map((entry) => ({
        id: `category-${entry.id}`,
        group: 'here' as const,
        title: () => entry.title,
        isThere: () => mayWrite,
        closedBecause: () => entry.closedBecause,
        run: entry.run,
      })),
    [chosen?.id, categories.length, catalog.name, mayWrite],
  )
  if (!mayWrite) return null
  return (
    <>
      <Button icon="add" onClick={() => setDoing('add')}>
        {t('categories.add')}
      </Button>
      <MenuButton icon="more" label={t('more')} kind="quiet" entries={entries} />
      {doing !== undefined && <Doing {...props} doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Also a command. */
interface Entry extends MenuEntry {
  readonly id: string
}

function entriesOf({ categories, chosen }: CatalogActionsProps, begin: (doing: Doing) => void): Entry[] {
  const hasBelow = chosen !== undefined && categories.some(({ parentId }) => parentId === chosen.id)
  const ofCategory: Entry[] =
    chosen === undefined
      ? []
      : [
          { id: 'addBelow', title: t('categories.addBelow'), icon: 'add', run: () => begin('addBelow') },
          { id: 'rename', title: t('categories.rename'), icon: 'edit', run: () => begin('rename') },
          {
            id: 'delete',
            title: t('categories.delete'),
            icon: 'delete',
            closedBecause: hasBelow ? t('categories.hasBelow') : undefined,
            run: () => begin('delete'),
          },
        ]
  return [
    ...ofCategory,
    { id: 'renameCatalog', title: t('categories.renameCatalog'), icon: 'edit', run: () => begin('renameCatalog') },
    {
      id: 'deleteCatalog',
      title: t('categories.deleteCatalog'),
      icon: 'delete',
      closedBecause: categories.length > 0 ? t('categories.catalogNotEmpty') : undefined,
      run: () => begin('deleteCatalog'),
    },
  ]
}

function Doing(props: CatalogActionsProps & { readonly doing: NonNullable<Doing>; readonly onClose: () => void }) {
  const { call, cache, model, router } = useConsole()
  const { isBusy, act } = useActing()
  const { doing, onClose, catalog, chosen, categories, onChosen } = props
  const place = `catalog ${catalog.id}`
  const renew = () => {
    cache.refreshAll(place)
    cache.refreshAll('catalogs')
  }
  if (doing === 'add' || doing === 'addBelow') {
    const parentId = doing === 'addBelow' && chosen !== undefined ? chosen.id : null
    // A new category comes after its siblings.
    const last = categories.filter((one) => one.parentId === parentId).at(-1)?.sortOrder ?? 0
    const add = async (name: string, names: Readonly<Record<string, string>>) => {
      const body = { name, names, parentId, sortOrder: Math.floor(last) + 1 }
      const { body: made } = await call('POST /api/v1/catalogs/:id/categories', { params: { id: catalog.id }, body })
      renew()
      onChosen(made.id)
    }
    const title = parentId === null ? t('categories.add') : t('categories.addBelowOf', { name: model.nameOf(chosen!) })
    return <NameDialog title={title} names={{}} onSave={add} onClose={onClose} />
  }
  if (doing === 'renameCatalog') {
    const rename = async (name: string) => {
      await call('PUT /api/v1/catalogs/:id', { params: { id: catalog.id }, body: { name } })
      renew()
    }
    return <NameDialog title={t('categories.renameCatalog')} name={catalog.name} onSave={rename} onClose={onClose} />
  }
  if (doing === 'rename' && chosen !== undefined) {
    const rename = async (name: string, names: Readonly<Record<string, string>>) => {
      // Somebody may have moved the category meanwhile, so its place is read from the server.
      const { body: now } = await call('GET /api/v1/categories/:id', { params: { id: chosen.id } })
      const body = { name, names, parentId: now.parentId, sortOrder: now.sortOrder }
      await call('PUT /api/v1/categories/:id', { params: { id: chosen.id }, body })
      renew()
    }
    const { name, names = {} } = chosen
    return <NameDialog title={t('categories.rename')} name={name} names={names} onSave={rename} onClose={onClose} />
  }
  const remove = async () => {
    if (doing === 'deleteCatalog') {
      await cache.deleting(place, () => call('DELETE /api/v1/catalogs/:id', { params: { id: catalog.id } }))
      cache.refreshAll('catalogs')
      return router.go({ place: 'categories' })
    }
    await cache.deleting(`${place} records ${chosen!.id}`, () =>
      call('DELETE /api/v1/categories/:id', { params: { id: chosen!.id } }),
    )
    onChosen(chosen!.parentId)
    cache.refreshAll(`${place} tree`)
    cache.refreshAll(`${place} unassigned count`)
  }
  const name = doing === 'deleteCatalog' ? catalog.name : model.nameOf(chosen ?? catalog)
  return (
    <Confirm
      title={t('form.deleteTitle', { name })}
      action={t('delete')}
      isBusy={isBusy}
      onYes={() => void act(remove).then((isDone) => isDone && onClose())}
      onClose={onClose}
    >
      <p>{t('categories.deleteHelp', { count: chosen?.counts?.direct ?? 0 })}</p>
    </Confirm>
  )
}
