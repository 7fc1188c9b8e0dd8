// Keys and links of the whole page: links of the console are followed without a reload, keys run commands.
import { BASE } from '../state/addresses.ts'
import type { Console } from '../state/console.ts'
import type { KeyPlace } from '../state/keys.ts'

/** Returns a function that stops listening. */
export function listenToPage(console: Console): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    const command = console.keys.find(event, keyPlaceOf(event.target))
    if (command === undefined) return
    event.preventDefault()
    command.run()
  }
  const onClick = (event: MouseEvent) => {
    const address = linkOf(event)
    if (address === undefined) return
    event.preventDefault()
    console.router.follow(address)
  }
  document.addEventListener('keydown', onKeyDown)
  document.addEventListener('click', onClick)
  return () => {
    document.removeEventListener('keydown', onKeyDown)
    document.removeEventListener('click', onClick)
  }
}

function keyPlaceOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof Element)) return 'page'
  // In a dialog over the page, only the keys that work in texts are available.
  if (target.closest('dialog, [role=menu], [role=listbox]') !== null) return 'text'
  if (target.matches('textarea, select, [contenteditable]')) return 'text'
  if (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)) return 'text'
  // In a tree, letters move to the row with that initial.
  if (target.closest('[role=tree]') !== null) return 'sheet'
  const sheet = target.closest<HTMLElement>('[role=grid], [role=treegrid]')
  return sheet !== null && sheet.dataset['keys'] !== 'letters' ? 'sheet' : 'page'
}

/** The address of a clicked console link, if the click is for this tab. */
function linkOf(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return undefined
  if (link.origin !== location.origin || !link.pathname.startsWith(BASE)) return undefined
  return `${link.pathname}${link.search}`
}

/** Moves the focus to the next part of the page: bar, head, content, panel, footer. */
export function focusNextRegion(): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  const at = regions.findLastIndex((region) => region.contains(document.activeElement))
  const next = regions[(at + 1) % regions.length]
  const first = next?.querySelector<HTMLElement>(
    'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])',
  )
  ;(first ?? next)?.focus()
}
