// The initials of others: at the head of a record, and at rows of a sheet. Contract 5 §8.
import { useEffect } from 'preact/hooks'
import { Avatar } from '../kit/avatar.tsx'
import type { Console } from '../state/console.ts'
import { useConsole } from '../state/context.ts'
import type { Presence } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import { type PersonThere, PresencePoller } from './presence-poller.ts'

/** The member of the preferences; false: the person does not let others see the place. */
export const PRESENCE = 'presence'
const SHOWN = 3

const pollers = new WeakMap<Console, PresencePoller>()

function pollerOf(console: Console): PresencePoller {
  const known = pollers.get(console)
  if (known !== undefined) return known
  const { browser, call, preferences } = console
  const made = new PresencePoller({ browser, call, isShown: () => preferences.ofPlace(PRESENCE) !== false })
  pollers.set(console, made)
  return made
}

export function PresencePanel({ here, rows }: Presence) {
  const poller = pollerOf(useConsole())
  useEffect(() => poller.watch({ here, rows }), [poller])
  const people = poller.people.value
  if (rows === undefined) return <Present people={people.get(here()?.recordId ?? '') ?? []} />
  return people.size === 0 ? null : (
    <div class="row-presence">
      {rows().map(({ recordId, left, top }) => {
        const there = people.get(recordId)
        return there === undefined ? null : (
          <div key={recordId} style={{ transform: `translate(${left}px, ${top}px)` }}>
            <Present people={there} />
          </div>
        )
      })}
    </div>
  )
}

function Present({ people }: { readonly people: readonly PersonThere[] }) {
  const { model } = useConsole()
  if (people.length === 0) return null
  const textOf = ({ name, attributeAlias: alias }: PersonThere): string => {
    const schema =
      alias === null ? undefined : model.schemas.value.find((one) => one.rules.attribute(alias) !== undefined)
    return schema === undefined
      ? t('presence.here', { name })
      : t('presence.at', { name, attribute: model.attributeName(schema.id, alias!) })
  }
  return (
    <span class="presence" role="img" aria-label={people.map(textOf).join('. ')} title={people.map(textOf).join('\n')}>
      {people.slice(0, SHOWN).map(({ id, name }) => (
        <Avatar key={id} id={id} name={name} />
      ))}
      {people.length > SHOWN && <span class="quiet">+{people.length - SHOWN}</span>}
    </span>
  )
}
