// Tabs (ARIA): arrows move between tabs. Only Enter opens a tab, because opening loads its content.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { number } from '../words/words.ts'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly count?: number
}

export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly open: string
  readonly onOpen: (id: string) => void
  readonly children: ComponentChildren
}) {
  const id = useId()
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    items.at(to % items.length)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={move}>
        {props.tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === props.open}
            aria-controls={tab.id === props.open ? `${id}-panel` : undefined}
            tabIndex={tab.id === props.open ? 0 : -1}
            onClick={() => props.onOpen(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && <span class="count">{number(tab.count)}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${props.open}`} class="tabpanel">
        {props.children}
      </div>
    </>
  )
}
