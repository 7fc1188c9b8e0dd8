// The open threads about one value, and a new comment on it. Contract 5 §3.
import { scopeKey, type Scope } from '../../src/core/scopes/scope.ts'
import { Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import type { CellPanelProps } from '../state/sheet-panel-props.ts'
import { t } from '../words/place.ts'
import { Composer } from './composer.tsx'
import { threadsOf } from './threads.ts'
import { ThreadView } from './thread-view.tsx'

/** The most threads and replies of the record that are read; the tab of the record shows all. */
const MOST = 100

export function CellComments({ recordId, schemaId, alias, scope, onChanged }: CellPanelProps) {
  const { call, model } = useConsole()
  const key = scopeKey(scope)
  const query = useQuery(`record ${recordId} talk cell`, async (signal) => {
    const asked = { state: 'open', limit: MOST } as const
    return (await call('GET /api/v1/records/:id/comments', { params: { id: recordId }, query: asked, signal })).body
  })
  const changed = () => {
    void query.refresh()
    onChanged()
  }
  const send = async (text: string) => {
    const body = { text, attributeAlias: alias, scope }
    await call('POST /api/v1/records/:id/comments', { params: { id: recordId }, body })
    changed()
  }
  return (
    <div class="cell-panel talk">
      <h2 dir="auto">
        {model.attributeName(schemaId, alias)} <span class="quiet">{model.scopeName(scope)}</span>
      </h2>
      <Shown query={query} isLive>
        {({ items }) => (
          <ol class="threads">
            {threadsOf(items)
              .filter(({ head }) => head.attributeAlias === alias && scopeKey(head.scope as Scope) === key)
              .map((thread) => (
                <ThreadView key={thread.head.id} thread={thread} about={undefined} onChanged={changed} />
              ))}
          </ol>
        )}
      </Shown>
      {model.may('comments.write') && (
        <Composer
          recordId={recordId}
          attributeAlias={alias}
          label={t('talk.new')}
          action={t('talk.send')}
          onSend={send}
        />
      )}
    </div>
  )
}
