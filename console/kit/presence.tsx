// Who else is here: loaded after the page.
import { createElement } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import { type Presence as PresenceProps, usePanel } from '../state/panels.ts'

/** Milliseconds in which the page has the connection alone. */
const AFTER = 1000

export function Presence(props: PresenceProps) {
  const { browser } = useConsole()
  const [isAsked, setAsked] = useState(false)
  useEffect(() => browser.after(AFTER, () => setAsked(true)), [browser])
  const panel = usePanel('presence', isAsked)
  return panel === undefined ? null : createElement(panel, props)
}

/** The record, and its attribute that has the focus. */
export function placeIn(recordId: string): NonNullable<ReturnType<PresenceProps['here']>> {
  const alias = document.activeElement?.closest<HTMLElement>('.record [data-alias]')?.dataset['alias']
  return { recordId, ...(alias === undefined ? {} : { attributeAlias: alias }) }
}
