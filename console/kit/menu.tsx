// A button with a menu (ARIA Menu Button): arrows move, a letter goes to the next entry with that initial, Escape
// returns.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { usePopup } from './popup.ts'

export interface MenuEntry {
  readonly id: string
  readonly title: string
  readonly icon?: IconName
  readonly detail?: string
  /** The entry is one of several choices: whether it is the chosen one. */
  readonly isChosen?: boolean
  readonly closedBecause?: string | undefined
  readonly run: () => void
}

interface MenuButtonProps {
  readonly entries: readonly MenuEntry[]
  readonly icon?: IconName
  /** The name of a button that shows an icon only. */
  readonly label?: string
  readonly kind?: 'plain' | 'quiet' | 'main'
  readonly children?: ComponentChildren
}

export function MenuButton({ entries, icon, label, kind = 'plain', children }: MenuButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (hasFocus: boolean) => {
    setOpen(false)
    if (hasFocus) button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button ${kind}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {icon !== undefined && <Icon name={icon} />}
        {children}
        {children !== undefined && <Icon name="down" />}
      </button>
      {isOpen && <Menu id={id} entries={entries} button={() => button.current} close={close} />}
    </>
  )
}

interface MenuProps {
  readonly id: string
  readonly entries: readonly MenuEntry[]
  readonly button: () => HTMLElement | null
  /** @param hasFocus whether the button takes the focus */
  readonly close: (hasFocus: boolean) => void
}

function Menu({ id, entries, button, close }: MenuProps) {
  const popup = usePopup(button)
  const items = () => [...(popup.ref.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  useLayoutEffect(() => {
    const chosen = entries.findIndex(({ isChosen }) => isChosen === true)
    items()[Math.max(0, chosen)]?.focus()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const at = items().indexOf(document.activeElement as HTMLElement)
    const to = targetOf(event.key, at, entries)
    if (event.key === 'Escape' || event.key === 'Tab') close(event.key === 'Escape')
    else if (to === undefined) return
    else items()[to]?.focus()
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      {...popup}
      id={id}
      class="popup menu"
      popover="manual"
      role="menu"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const to = event.relatedTarget
        if (!(to instanceof Node) || !(event.currentTarget.contains(to) || button() === to)) close(false)
      }}
    >
      {entries.map((entry) => (
        <MenuItem key={entry.id} entry={entry} close={() => close(true)} />
      ))}
    </div>
  )
}

function MenuItem({ entry, close }: { readonly entry: MenuEntry; readonly close: () => void }) {
  const { title, icon, detail, isChosen, closedBecause } = entry
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      aria-disabled={closedBecause === undefined ? undefined : 'true'}
      tabIndex={-1}
      onClick={() => {
        if (closedBecause !== undefined) return
        close()
        entry.run()
      }}
    >
      {isChosen !== undefined && <span class="mark">{isChosen && <Icon name="check" />}</span>}
      {icon !== undefined && <Icon name={icon} />}
      <span class="grow" dir="auto">
        {title}
        {closedBecause !== undefined && <small>{closedBecause}</small>}
      </span>
      {detail !== undefined && <span class="quiet">{detail}</span>}
    </button>
  )
}

/** The index that a key moves to from the entry at `at`; undefined: no move. */
function targetOf(key: string, at: number, entries: readonly { readonly title: string }[]): number | undefined {
  const count = entries.length
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key.length !== 1 || key === ' ') return undefined
  const order = entries.map((_, index) => (at + 1 + index) % count)
  return order.find((index) => entries[index]!.title.toLowerCase().startsWith(key.toLowerCase()))
}
