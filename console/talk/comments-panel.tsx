// The conversation about a record: its assignments, a new comment, the threads. Contract 5 §3.
import { useEffect, useState } from 'preact/hooks'
import { restrictScope } from '../../src/core/scopes/scope.ts'
import { Combobox } from '../kit/combobox.tsx'
import { Segmented } from '../kit/chips.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { useActing } from '../kit/acting.ts'
import { Checkbox } from '../kit/field.tsx'
import { useConsole, useRead } from '../state/context.ts'
import type { SeenSchema } from '../state/model.ts'
import type { CommentsPanelProps } from '../state/panel-props.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { hinted, t } from '../words/place.ts'
import { Assigned } from './assigned.tsx'
import { Composer } from './composer.tsx'
import { type CommentBody, threadsOf } from './threads.ts'
import { ThreadView } from './thread-view.tsx'

const PAGE = 50
/** Milliseconds between two looks: comments are not in the feed of changes. */
const LOOK_AGAIN = 10_000

type State = 'open' | 'all'

export function CommentsPanel({ recordId, schemaId }: CommentsPanelProps) {
  const { cache, model } = useConsole()
  const [state, setState] = useState<State>('open')
  const schema = model.schema(schemaId)
  const key = `record ${recordId} talk`
  const changed = () => cache.refreshAll(key)
  return (
    <div class="talk">
      <Assigned recordId={recordId} />
      <section aria-label={t('record.tab.comments')}>
        <div class="row talk-head">
          <h2>{t('record.tab.comments')}</h2>
          <span class="grow" />
          <Follow recordId={recordId} />
        </div>
        {model.may('comments.write') && <NewComment recordId={recordId} schema={schema} onSent={changed} />}
        <Segmented
          label={t('talk.show')}
          value={state}
          choices={[
            { id: 'open', name: t('talk.open') },
            { id: 'all', name: t('talk.all') },
          ]}
          onChange={setState}
        />
        <Threads
          key={state}
          queryKey={`${key} threads ${state}`}
          recordId={recordId}
          schema={schema}
          state={state}
          onChanged={changed}
        />
      </section>
    </div>
  )
}

interface ThreadsProps {
  readonly queryKey: string
  readonly recordId: string
  readonly schema: SeenSchema | undefined
  readonly state: State
  readonly onChanged: () => void
}

function Threads({ queryKey, recordId, schema, state, onChanged }: ThreadsProps) {
  const { call, model, browser, live } = useConsole()
  const paged = usePagedQuery<CommentBody>(queryKey, async (after, signal) => {
    const query = { state, limit: PAGE, after }
    const params = { id: recordId }
    const answer = await call('GET /api/v1/records/:id/comments', { params, query, signal })
    return { items: answer.body.items, total: undefined, next: answer.next }
  })
  const unread = live.unread.value
  useEffect(() => {
    // A notice may concern a new comment. Other comments are looked for at intervals.
    const timer = window.setInterval(() => !browser.isHidden() && void paged.query.refresh(), LOOK_AGAIN)
    return () => window.clearInterval(timer)
  }, [paged.query])
  useEffect(() => {
    if (paged.query.data.peek() !== undefined) void paged.query.refresh()
  }, [unread])
  const aboutOf = ({ attributeAlias, scope }: CommentBody): string | undefined => {
    if (attributeAlias === null) return undefined
    const attribute = schema?.attributes.find(({ alias }) => alias === attributeAlias)
    const name = attribute === undefined ? attributeAlias : model.nameOf(attribute)
    return Object.keys(scope).length === 0 ? name : `${name} · ${model.scopeName(scope)}`
  }
  return (
    <Shown query={paged.query} isLive>
      {({ items }) => (
        <>
          {items.length === 0 ? (
            <Empty title={t(state === 'open' ? 'talk.noneOpen' : 'talk.none')} />
          ) : (
            <ol class="threads">
              {threadsOf(items).map((thread) => (
                <ThreadView key={thread.head.id} thread={thread} about={aboutOf(thread.head)} onChanged={onChanged} />
              ))}
            </ol>
          )}
          <MoreButton paged={paged} />
        </>
      )}
    </Shown>
  )
}

interface NewCommentProps {
  readonly recordId: string
  readonly schema: SeenSchema | undefined
  readonly onSent: () => void
}

function NewComment({ recordId, schema, onSent }: NewCommentProps) {
  const { call, model, scope, router } = useConsole()
  const [alias, setAlias] = useState<string | null>(router.query.peek()['about'] ?? null)
  const attributes = schema?.attributes ?? []
  const attribute = attributes.find((one) => one.alias === alias)
  const value = attribute === undefined ? null : { id: attribute.alias, name: model.nameOf(attribute) }
  const place = attribute === undefined ? {} : restrictScope(scope.current.value, attribute.dimensionIds)
  const send = async (text: string) => {
    const about = attribute === undefined ? {} : { attributeAlias: attribute.alias, scope: place }
    await call('POST /api/v1/records/:id/comments', { params: { id: recordId }, body: { text, ...about } })
    onSent()
  }
  return (
    <Composer
      recordId={recordId}
      attributeAlias={attribute?.alias ?? null}
      label={t('talk.new')}
      action={t('talk.send')}
      onSend={send}
    >
      <span class="composer-about">
        <Combobox
          label={t('talk.about')}
          placeholder={t('talk.wholeRecord')}
          options={attributes.map((one) => ({ id: one.alias, name: model.nameOf(one) }))}
          value={value}
          onChange={(option) => setAlias(option?.id ?? null)}
        />
      </span>
      {Object.keys(place).length > 0 && (
        <span class="quiet" dir="auto">
          {model.scopeName(place)}
        </span>
      )}
    </Composer>
  )
}

function Follow({ recordId }: { readonly recordId: string }) {
  const { call } = useConsole()
  const { act } = useActing()
  const params = { id: recordId }
  const query = useRead(`record ${recordId} talk follow`, 'GET /api/v1/records/:id/follow', { params })
  const follow = async (follows: boolean) => {
    query.put((await call('PUT /api/v1/records/:id/follow', { params, body: { follows } })).body)
  }
  if (query.data.value === undefined) return null
  return (
    <Checkbox
      {...hinted('talk.follow')}
      isChecked={query.data.value.follows}
      onChange={(follows) => void act(() => follow(follows))}
    />
  )
}
