// A button with a popover. Escape, or a focus or click elsewhere, closes the popover.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useCommands } from '../state/context.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { usePopup } from './popup.ts'

interface PopoverButtonProps {
  readonly label: string
  readonly icon?: IconName
  readonly kind?: 'plain' | 'quiet' | 'main'
  /** The title of the panel; the label of the button is the default. */
  readonly title?: string
  /** The content of the button; the label is the default. */
  readonly face?: ComponentChildren
  readonly hasOnlyIcon?: boolean
  /** Used if the address contains the open state. */
  readonly open?: { readonly isOpen: boolean; readonly onOpen: (isOpen: boolean) => void }
  readonly children: (close: () => void) => ComponentChildren
}

export function PopoverButton({
  label,
  icon,
  kind = 'plain',
  title = label,
  face,
  hasOnlyIcon = false,
  open,
  children,
}: PopoverButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [own, setOwn] = useState(false)
  const { isOpen, onOpen: setOpen } = open ?? { isOpen: own, onOpen: setOwn }
  const close = (): void => setOpen(false)
  useCommands(() => [{ id: `popover ${title}`, group: 'here', title: () => title, run: () => setOpen(true) }], [title])
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button ${kind}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={hasOnlyIcon ? label : undefined}
        title={hasOnlyIcon || face !== undefined ? label : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon !== undefined && <Icon name={icon} />}
        {!hasOnlyIcon && <span class="clipped">{face ?? label}</span>}
      </button>
      {isOpen && (
        <Popover title={title} anchor={() => button.current} onClose={close}>
          {children(close)}
        </Popover>
      )}
    </>
  )
}

interface PopoverProps {
  /** Undefined: the content has its own role and name. */
  readonly title?: string
  readonly anchor: () => HTMLElement | null
  /** Called after Escape, or when the user leaves the popover. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Popover({ title, anchor, onClose, children }: PopoverProps) {
  // Opening moves the focus to an `autofocus` element.
  const [before] = useState(() => document.activeElement)
  const popup = usePopup(anchor, children)
  // The focus moves at once: an earlier key would reach the elements below.
  useLayoutEffect(() => {
    const panel = popup.ref.current!
    const firstOf = (which: string) => panel.querySelector<HTMLElement>(which)
    ;(firstOf('[autofocus]') ?? firstOf('input, select, textarea, button, [tabindex]') ?? panel).focus()
    const isInside = (target: EventTarget | null): boolean =>
      target instanceof Node && (panel.contains(target) || anchor()?.contains(target) === true)
    const leave = (event: Event): void => {
      if (!isInside(event.target)) onClose()
    }
    document.addEventListener('pointerdown', leave, true)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave, true)
      document.removeEventListener('focusin', leave)
      // The focus returns to the button, unless the focus has moved elsewhere.
      const hasFocus = document.activeElement === document.body || panel.contains(document.activeElement)
      if (hasFocus && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the role depends on the title
    <div
      {...popup}
      class="popup panel-popup"
      popover="manual"
      role={title === undefined ? 'group' : 'dialog'}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </div>
  )
}
