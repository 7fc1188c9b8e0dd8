// Menus (ARIA Menu): arrows move, a letter goes to the next entry with that initial, Escape returns.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { Popover } from './popover.tsx'

export interface MenuEntry {
  readonly title: string
  readonly icon?: IconName
  /** For an entry that is one of several choices: whether it is the chosen one. */
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
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button ${kind}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
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
      {isOpen && (
        <Popover anchor={() => button.current} onClose={close}>
          <Menu entries={entries} label={label} onDone={close} />
        </Popover>
      )}
    </>
  )
}

interface MenuProps {
  readonly entries: readonly MenuEntry[]
  readonly label: string | undefined
  /** Called before an entry acts. */
  readonly onDone: () => void
}

/** The entries in a popover. */
export function Menu({ entries, label, onDone }: MenuProps) {
  const first = entries.find(({ isChosen }) => isChosen) ?? entries[0]
  return (
    <div class="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={(event) => moveInMenu(event, onDone)}>
      {entries.map((entry) => (
        <MenuItem key={entry.title} entry={entry} hasFocus={entry === first} onDone={onDone} />
      ))}
    </div>
  )
}

function MenuItem(props: Pick<MenuProps, 'onDone'> & { readonly entry: MenuEntry; readonly hasFocus: boolean }) {
  const { title, icon, isChosen, closedBecause, run } = props.entry
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      aria-disabled={closedBecause === undefined ? undefined : 'true'}
      tabIndex={-1}
      autofocus={props.hasFocus}
      onClick={() => {
        if (closedBecause !== undefined) return
        props.onDone()
        run()
      }}
    >
      {isChosen !== undefined && <span class="mark">{isChosen && <Icon name="check" />}</span>}
      {icon !== undefined && <Icon name={icon} />}
      <span class="grow" dir="auto">
        {title}
        {closedBecause !== undefined && <small>{closedBecause}</small>}
      </span>
    </button>
  )
}

/** Moves in the menu. Arrows and Tab also reach a field below the entries; otherwise Tab closes the menu. */
function moveInMenu(event: KeyboardEvent, close: () => void): void {
  const panel = (event.currentTarget as HTMLElement).parentElement!
  const items = [...panel.querySelectorAll<HTMLElement>('[role^=menuitem], input')]
  if (event.key === 'Tab' && items.every(({ tabIndex }) => tabIndex < 0)) close()
  const to = targetOf(event.key, items.indexOf(document.activeElement as HTMLElement), items)
  if (to === undefined) return
  items[to]!.focus()
  event.preventDefault()
}

/** The index that a key moves to from the item at `at`; undefined: no move. */
function targetOf(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  const count = items.length
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key.length !== 1 || key === ' ') return undefined
  const order = items.map((_, index) => (at + 1 + index) % count)
  return order.find((index) => items[index]!.textContent.toLowerCase().startsWith(key.toLowerCase()))
}
