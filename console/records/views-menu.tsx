// The button of views, and the actions of its panel. The place of views contains the panel. G10.
import { createElement } from 'preact'
import { useState } from 'preact/hooks'
import type { CallOptions } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import { writeColumns, writeScope } from '../state/addresses.ts'
import type { Console } from '../state/console.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/place.ts'
import { PopoverButton } from '../kit/popover.tsx'
import { writeQuery } from '../filters/query.ts'
import type { RecordsState } from './records-state.ts'
import { fromSavedView, isSameView, type SavedView, type ShownView, toSavedView } from './views.ts'

type SavedQuery = Endpoints['GET /api/v1/saved-queries/:id']['reply']
type SavedBody = NonNullable<CallOptions<'POST /api/v1/saved-queries'>['body']>

const KEY = 'saved-queries'
/** Characters of an address that every proxy on the way accepts. */
const LONGEST_ADDRESS = 4096

export function ViewsMenu({ records }: { readonly records: RecordsState }) {
  const { call, router } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const panel = usePanel('views', isOpen)
  const asked = router.query.value['view']
  // Views are loaded on first use: users who only look at records do not need them.
  const isNeeded = isOpen || asked !== undefined
  const saved = useQuery(isNeeded ? KEY : 'no views', async (signal) =>
    isNeeded ? (await call('GET /api/v1/saved-queries', { signal })).body : [],
  )
  const schemaId = records.schema.value?.id
  const views = (saved.data.value ?? []).filter((view) => view.schemaId === schemaId)
  const current = views.find(({ id }) => id === asked)
  const shown: ShownView = {
    query: records.query.value,
    columns: records.columns.value,
    scope: records.scope.value,
    group: records.groupColumn.value,
  }
  const isChanged = current !== undefined && !isSameView(current as SavedView, shown)
  const name =
    current === undefined
      ? t('records.viewNone')
      : isChanged
        ? t('records.viewChanged', { name: current.name })
        : current.name
  const isTooLong = location.href.length > LONGEST_ADDRESS
  return (
    <>
      {isTooLong && (
        <span class="tag wait" role="status">
          {t('records.tooLong')}
        </span>
      )}
      <PopoverButton
        label={t('records.view')}
        icon="star"
        kind="quiet"
        face={name}
        open={{ isOpen: isOpen && panel !== undefined, onOpen: setOpen }}
      >
        {(close) =>
          createElement(panel!, {
            views,
            current,
            isChanged,
            onOpen: (id) => {
              const view = views.find((one) => one.id === id)
              if (view === undefined) router.go({ place: 'records', query: { schema: shown.query.schemaId } })
              else router.go({ place: 'records', query: addressOf(view) })
              close()
            },
            onCreate: (name, visibility) => createView(records, shown, name, visibility),
            onSave: () => saveView(records, shown, current!),
            onDelete: () => deleteView(records, current!),
            onDone: () => {
              void saved.refresh()
              close()
            },
          })
        }
      </PopoverButton>
    </>
  )
}

export function addressOf(saved: SavedQuery): Record<string, string> {
  const { query, columns, scope, group } = fromSavedView(saved as SavedView)
  const members = {
    ...writeQuery(query),
    cols: writeColumns(columns),
    group: group === undefined ? '' : writeColumns([group]),
    scope: scope === undefined ? '' : writeScope(scope) || '-',
    view: saved.id,
  }
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string] => (member[1] ?? '') !== ''),
  )
}

async function createView(
  { console }: RecordsState,
  shown: ShownView,
  name: string,
  visibility: SavedQuery['visibility'],
): Promise<void> {
  const body = { name, visibility, ...toSavedView(shown) } as unknown as SavedBody
  const { body: made } = await console.call('POST /api/v1/saved-queries', { body })
  console.router.setQuery({ view: made.id })
  console.status.tell(t('records.viewSaved', { name }))
  console.undo.push({
    name: t('records.viewSaved', { name }),
    redo: () => makeAgain(console, made),
    undo: () => remove(console, made),
  })
}

async function saveView({ console }: RecordsState, shown: ShownView, before: SavedQuery): Promise<void> {
  const { id, name, visibility } = before
  const body = { name, visibility, ...toSavedView(shown) } as unknown as SavedBody
  const put = async (view: SavedBody) => {
    await console.call('PUT /api/v1/saved-queries/:id', { params: { id }, body: view })
    console.cache.refreshAll(KEY)
  }
  await console.undo.take({
    name: t('records.viewSaved', { name }),
    redo: () => put(body),
    undo: () => put(bodyOf(before)),
  })
  console.status.tell(t('records.viewSaved', { name }))
}

function deleteView({ console }: RecordsState, view: SavedQuery): Promise<void> {
  return console.undo.take({
    name: t('records.viewDelete'),
    redo: () => remove(console, view),
    undo: () => makeAgain(console, view),
  })
}

/** Without members that the server sets. */
function bodyOf({ createdBy: _by, ...body }: SavedQuery): SavedBody {
  return body as unknown as SavedBody
}

async function makeAgain({ call, cache, router }: Console, view: SavedQuery): Promise<void> {
  await call('POST /api/v1/saved-queries', { body: bodyOf(view) })
  cache.refreshAll(KEY)
  if (router.address.peek().place === 'records') router.setQuery({ view: view.id })
}

async function remove({ call, cache, router }: Console, { id }: SavedQuery): Promise<void> {
  await call('DELETE /api/v1/saved-queries/:id', { params: { id } })
  cache.refreshAll(KEY)
  if (router.query.peek()['view'] === id) router.setQuery({ view: undefined })
}
