// The people who must work on a record, and their deadlines.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole, useRead } from '../state/context.ts'
import { t } from '../words/place.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { type AssignmentBody, WorkLine } from './work-lines.tsx'

export function Assigned({ recordId }: { readonly recordId: string }) {
  const { cache, model } = useConsole()
  const [isAssigning, setAssigning] = useState(false)
  const key = `record ${recordId} talk assigned`
  const query = useRead(key, 'GET /api/v1/assignments', { query: { recordId } })
  const mayAssign = model.may('assignments.write')
  const changed = () => cache.refreshAll(key)
  return (
    <section aria-label={t('talk.assigned')}>
      <div class="row talk-head">
        <h2>{t('talk.assigned')}</h2>
        <span class="grow" />
        {mayAssign && (
          <Button icon="account" onClick={() => setAssigning(true)}>
            {t('talk.assign')}
          </Button>
        )}
      </div>
      <Shown query={query} isLive>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{t('talk.nobody')}</p>
          ) : (
            <ul class="work-lines">
              {items.map((assignment: AssignmentBody) => (
                <WorkLine key={assignment.id} assignment={assignment} onChanged={changed} />
              ))}
            </ul>
          )
        }
      </Shown>
      {isAssigning && (
        <AssignDialog selection={{ ids: [recordId] }} count={1} onClose={() => setAssigning(false)} onDone={changed} />
      )}
    </section>
  )
}
