// Shows the other people here; loaded after the page.
import { createElement } from 'preact'
import type { Presence as PresenceProps } from '../state/panel-props.ts'
import { useLatePanel } from '../state/panels.ts'

export function Presence(props: PresenceProps) {
  const panel = useLatePanel('presence')
  return panel === undefined ? null : createElement(panel, props)
}

/** Returns the record, and its attribute that has the focus. */
export function placeIn(recordId: string): NonNullable<ReturnType<PresenceProps['here']>> {
  const alias = document.activeElement?.closest<HTMLElement>('.record [data-alias]')?.dataset['alias']
  return { recordId, ...(alias === undefined ? {} : { attributeAlias: alias }) }
}
