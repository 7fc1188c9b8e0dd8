// The head of a place: location, title, the scope bar for writing, actions.
import type { ComponentChildren } from 'preact'
import { writeAddress } from '../state/addresses.ts'
import { useTitle } from '../state/context.ts'
import { LinkButton } from './button.tsx'
import { HelpLink } from './help-link.tsx'
import { Icon } from './icon.tsx'
import { ScopeBar } from './scope-bar.tsx'
import { Empty } from './states.tsx'

export interface PlaceHeadProps {
  readonly title: string
  /** The list that contains this page. */
  readonly above?: Parameters<typeof writeAddress>[0] & { readonly title: string }
  readonly hasScope?: boolean
  /** Replaces the text of the title, for example by a menu. */
  readonly heading?: ComponentChildren
  readonly children?: ComponentChildren
  /** Actions at the other end; if they do not fit beside the title, all of them are below it. */
  readonly actions?: ComponentChildren
}

export function PlaceHead(props: PlaceHeadProps) {
  useTitle(props.title)
  return (
    <header class="head" data-region>
      {props.above !== undefined && (
        <span class="crumb">
          <a href={writeAddress(props.above)} title={props.above.title}>
            {props.above.title}
          </a>
          <Icon name="right" />
        </span>
      )}
      <h1 dir="auto" title={props.title} tabIndex={-1}>
        {props.heading ?? props.title}
      </h1>
      {props.hasScope === true && <ScopeBar />}
      {props.children}
      <div class="head-actions">
        {props.actions}
        <HelpLink />
      </div>
    </header>
  )
}

/** The message when the target of a link does not exist. */
export function NothingThere(props: {
  readonly title: string
  readonly says: string
  /** The place where people continue, and the words of its link. */
  readonly next: readonly [place: string, words: string]
}) {
  const [place, words] = props.next
  const go = (
    <LinkButton href={writeAddress({ place })} kind="main">
      {words}
    </LinkButton>
  )
  return (
    <>
      <PlaceHead title={props.title} />
      <Empty icon="search" title={props.says} action={go} />
    </>
  )
}
