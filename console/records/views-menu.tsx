// Views of the sheet: open, change, save for oneself or for everybody. G10.
import { useState } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Segmented } from '../kit/chips.tsx'
import { TextField } from '../kit/field.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { Form } from '../kit/form.tsx'
import type { CallOptions } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import { writeColumns, writeScope } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { PopoverButton } from '../filters/popover.tsx'
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
  const asked = router.query.value['view']
  // Views are loaded on first use: users who only look at records do not need them.
  const isNeeded = isOpen || asked !== undefined
  const saved = useQuery(isNeeded ? KEY : 'no views', async (signal) =>
    isNeeded ? (await call('GET /api/v1/saved-queries', { signal })).body : [],
  )
  const schemaId = records.schema.value?.id
  const views = (saved.data.value ?? []).filter((view) => view.schemaId === schemaId)
  const current = views.find(({ id }) => id === asked)
  const shown: ShownView = { query: records.query.value, columns: records.columns.value, scope: records.scope.value }
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
      <PopoverButton label={t('records.view')} icon="star" kind="quiet" face={name} open={{ isOpen, onOpen: setOpen }}>
        {(close) => (
          <ViewsPanel
            records={records}
            views={views}
            current={current}
            isChanged={isChanged}
            shown={shown}
            onChange={() => void saved.refresh()}
            close={close}
          />
        )}
      </PopoverButton>
    </>
  )
}

interface ViewsPanelProps {
  readonly records: RecordsState
  readonly views: readonly SavedQuery[]
  readonly current: SavedQuery | undefined
  readonly isChanged: boolean
  readonly shown: ShownView
  readonly onChange: () => void
  readonly close: () => void
}

function ViewsPanel({ records, views, current, isChanged, shown, onChange, close }: ViewsPanelProps) {
  const { router, session } = useConsole()
  const own = current !== undefined && current.createdBy === session.user.value?.id
  const { run, error } = useAction(() => {
    onChange()
    close()
  })
  const none = (): void => {
    router.go({ place: 'records', query: { schema: shown.query.schemaId } })
    close()
  }
  return (
    <div class="views">
      <div class="menu">
        <ViewEntry name={t('records.viewNone')} isCurrent={current === undefined} onOpen={none} />
        {views.map((view) => (
          <ViewEntry
            key={view.id}
            name={view.name}
            detail={t(view.visibility === 'private' ? 'records.viewPrivate' : 'records.viewShared')}
            isCurrent={view.id === current?.id}
            onOpen={() => {
              openView(records, view)
              close()
            }}
          />
        ))}
      </div>
      {current !== undefined && (
        <div class="row">
          {isChanged && own && (
            <Button onClick={() => run(() => saveView(records, shown, current))}>{t('records.viewSave')}</Button>
          )}
          {isChanged && <Button onClick={() => (openView(records, current), close())}>{t('records.viewReset')}</Button>}
          {own && (
            <Button kind="quiet" icon="delete" onClick={() => run(() => deleteView(records, current))}>
              {t('records.viewDelete')}
            </Button>
          )}
        </div>
      )}
      <SaveForm
        name={current?.name ?? ''}
        error={error}
        onSave={(name, visibility) => run(() => createView(records, shown, name, visibility))}
      />
    </div>
  )
}

function ViewEntry(props: {
  readonly name: string
  readonly detail?: string
  readonly isCurrent: boolean
  readonly onOpen: () => void
}) {
  return (
    <button type="button" aria-current={props.isCurrent ? 'true' : undefined} onClick={props.onOpen}>
      <span class="mark">{props.isCurrent ? '✓' : ''}</span>
      <span class="grow" dir="auto">
        {props.name}
      </span>
      <span class="quiet">{props.detail}</span>
    </button>
  )
}

function SaveForm(props: {
  readonly name: string
  readonly error: string | undefined
  readonly onSave: (name: string, visibility: SavedQuery['visibility']) => void
}) {
  const [name, setName] = useState(props.name)
  const [visibility, setVisibility] = useState<SavedQuery['visibility']>('private')
  return (
    <Form class="stack" onSubmit={() => name.trim() !== '' && props.onSave(name.trim(), visibility)}>
      <TextField
        label={t('records.viewName')}
        hint={t('hint.records.viewName')}
        value={name}
        onInput={setName}
        error={props.error}
      />
      <Segmented
        label={t('records.viewSaveAs')}
        hint={t('hint.records.viewSaveAs')}
        value={visibility}
        choices={[
          { id: 'private', name: t('records.viewPrivate') },
          { id: 'shared', name: t('records.viewShared') },
        ]}
        onChange={setVisibility}
      />
      <Button kind="main" type="submit">
        {t('records.viewSaveAs')}
      </Button>
    </Form>
  )
}

function useAction(onDone: () => void) {
  const { act, error } = useSaving()
  const run = (work: () => Promise<void>): void => void act(work).then((isDone) => isDone && onDone())
  return { run, error: error && sayFailure(error) }
}

/** Opens the sheet of the view: the address holds the whole view, and its name. */
function openView({ console }: RecordsState, saved: SavedQuery): void {
  console.router.go({ place: 'records', query: addressOf(saved) })
}

export function addressOf(saved: SavedQuery): Record<string, string> {
  const { query, columns, scope } = fromSavedView(saved as SavedView)
  const members = {
    ...writeQuery(query),
    cols: writeColumns(columns),
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
}

async function saveView(
  { console }: RecordsState,
  shown: ShownView,
  { id, name, visibility }: SavedQuery,
): Promise<void> {
  const body = { name, visibility, ...toSavedView(shown) } as unknown as SavedBody
  await console.call('PUT /api/v1/saved-queries/:id', { params: { id }, body })
  console.status.tell(t('records.viewSaved', { name }))
}

async function deleteView({ console }: RecordsState, { id }: SavedQuery): Promise<void> {
  await console.call('DELETE /api/v1/saved-queries/:id', { params: { id } })
  console.router.setQuery({ view: undefined })
}
