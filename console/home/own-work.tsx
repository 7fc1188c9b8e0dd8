// The user's open assignments, the earliest day first, so that overdue assignments lead.
import type { Endpoints } from '../api/types.ts'
import { Icon } from '../kit/icon.tsx'
import { useRecordLabels } from '../kit/record-labels.ts'
import { writeAddress } from '../state/addresses.ts'
import { useRead } from '../state/context.ts'
import { day, t } from '../words/words.ts'

const SHOWN = 6

type Assignment = Endpoints['GET /api/v1/assignments']['reply']['items'][number]

export function OwnWork() {
  const query = useRead('assignments home', 'GET /api/v1/assignments', {
    query: { assigneeId: 'me', state: 'open', limit: SHOWN + 1 },
  })
  const items = query.data.value?.items ?? []
  const shown = items.slice(0, SHOWN)
  const labelOf = useRecordLabels(shown.map(({ recordId }) => recordId))
  if (shown.length === 0) return null
  return (
    <section>
      <h2>{t('home.assigned')}</h2>
      <table class="ledger" aria-label={t('home.assigned')}>
        <tbody>
          {shown.map((assignment) => (
            <Line
              key={assignment.id}
              assignment={assignment}
              label={labelOf(assignment.recordId) ?? assignment.recordId}
            />
          ))}
        </tbody>
      </table>
      {items.length > SHOWN && (
        <a href={writeAddress({ place: 'for-me', query: { tab: 'mine' } })}>{t('home.allAssigned')}</a>
      )}
    </section>
  )
}

function Line({ assignment, label }: { readonly assignment: Assignment; readonly label: string }) {
  const { recordId, note, dueOn, overdue } = assignment
  const due = dueOn === null ? '' : day(`${dueOn}T12:00:00Z`)
  return (
    <tr>
      <th scope="row">
        <a href={writeAddress({ place: 'records', id: recordId, query: { tab: 'comments' } })} dir="auto">
          {label}
        </a>
        {note !== '' && (
          <small class="cause" dir="auto">
            {note}
          </small>
        )}
      </th>
      <td class="number due">
        {overdue ? (
          <span class="sign bad">
            <Icon name="bad" />
            {t('home.overdue', { day: due })}
          </span>
        ) : (
          due !== '' && t('home.due', { day: due })
        )}
      </td>
    </tr>
  )
}
