// The state of a subscription, as a word and a shape, with the reason.
import { Icon } from '../kit/icon.tsx'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { standingOf, type Subscription } from './subscription.ts'

const SIGNS = { active: 'good', failing: 'bad', paused: 'wait' } as const

export function Standing({ found }: { readonly found: Subscription }) {
  const standing = standingOf(found)
  const { failingSince, nextAttemptAt, pausedReason } = found
  return (
    <span>
      <span class={`sign ${SIGNS[standing]}`}>
        <Icon name={SIGNS[standing]} />
        {t(`events.is.${standing}`)}
      </span>{' '}
      <span class="quiet" dir="auto">
        {standing === 'paused' && pausedReason?.message}
        {standing === 'failing' && failingSince !== null && t('events.since', { at: moment(failingSince) })}
        {standing === 'failing' &&
          nextAttemptAt !== null &&
          `, ${t('form.nextAttempt', { at: moment(nextAttemptAt) })}`}
      </span>
    </span>
  )
}
