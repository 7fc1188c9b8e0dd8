// Assignments on several records: the user's own, or those that the user gave.
import { useState } from 'preact/hooks'
import { Segmented } from '../kit/chips.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'
import { useRecordLabels } from '../kit/record-labels.ts'
import { type AssignmentBody, WorkLine } from './work-lines.tsx'

const PAGE = 50
const SHOWN = ['open', 'overdue', 'done', 'withdrawn'] as const

export function WorkList({ kind }: { readonly kind: 'mine' | 'given' }) {
  const { call, cache } = useConsole()
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('open')
  const key = `assignments ${kind}`
  const paged = usePagedQuery<AssignmentBody>(`${key} ${shown}`, async (after, signal) => {
    const whose = kind === 'mine' ? { assigneeId: 'me' } : { assignedBy: 'me' }
    const state = shown === 'overdue' ? ({ state: 'open', overdue: true } as const) : { state: shown }
    const query = { ...whose, ...state, limit: PAGE, after }
    const answer = await call('GET /api/v1/assignments', { query, signal })
    return { items: answer.body.items, total: undefined, next: answer.next }
  })
  const labelOf = useRecordLabels((paged.query.data.value?.items ?? []).map(({ recordId }) => recordId))
  return (
    <>
      <Segmented
        label={t('talk.show')}
        value={shown}
        choices={SHOWN.map((id) => ({ id, name: t(`forMe.state.${id}`) }))}
        onChange={setShown}
      />
      <Shown query={paged.query} isLive>
        {({ items }) => (
          <>
            {items.length === 0 ? (
              <Empty icon="good" title={t('forMe.noWork')} />
            ) : (
              <ul class="work-lines">
                {items.map((assignment) => (
                  <WorkLine
                    key={assignment.id}
                    assignment={assignment}
                    title={
                      <a
                        href={writeAddress({
                          place: 'records',
                          id: assignment.recordId,
                          query: { tab: 'comments' },
                        })}
                      >
                        {labelOf(assignment.recordId) ?? assignment.recordId}
                      </a>
                    }
                    onChanged={() => cache.refreshAll(key)}
                  />
                ))}
              </ul>
            )}
            <MoreButton paged={paged} />
          </>
        )}
      </Shown>
    </>
  )
}
