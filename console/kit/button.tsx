// Buttons, and links that look like them.
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import { Kbd } from './kbd.tsx'
import type { IconName } from './icons.ts'

export interface ButtonProps {
  /** `main`: the main action of a screen; `quiet`: without an edge. */
  readonly kind?: 'plain' | 'main' | 'bad' | 'quiet'
  readonly type?: 'button' | 'submit'
  readonly icon?: IconName
  /** The name of a button that shows an icon only. */
  readonly label?: string
  readonly keys?: string
  readonly isBusy?: boolean
  /** The reason why the button is disabled, shown on hover or focus; a disabled button keeps the focus. */
  readonly closedBecause?: string | undefined
  readonly isPressed?: boolean
  readonly onClick?: (() => unknown) | undefined
  readonly children?: ComponentChildren
}

export function Button(props: ButtonProps) {
  const { kind = 'plain', type = 'button', icon, label, keys, isBusy = false, closedBecause, isPressed } = props
  const isClosed = closedBecause !== undefined || isBusy
  return (
    <button
      type={type}
      class={`button ${kind}`}
      aria-label={label}
      title={closedBecause ?? label}
      aria-disabled={isClosed ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      aria-pressed={isPressed}
      onClick={(event) => {
        if (isClosed) event.preventDefault()
        else props.onClick?.()
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {props.children}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  )
}

/** A link. The frame follows links of the console without loading the page. */
export function LinkButton(props: {
  readonly href: string
  readonly kind?: 'plain' | 'main' | 'quiet'
  readonly icon?: IconName
  readonly children: ComponentChildren
}) {
  return (
    <a class={`button ${props.kind ?? 'plain'}`} href={props.href}>
      {props.icon !== undefined && <Icon name={props.icon} />}
      {props.children}
    </a>
  )
}
