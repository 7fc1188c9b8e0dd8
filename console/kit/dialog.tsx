// A modal dialog (the browser's own), and a panel beside the page.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Guide } from '../state/guides.ts'
import { t } from '../words/words.ts'
import { Button, type ButtonProps } from './button.tsx'
import { HelpLink } from './help-link.tsx'

interface DialogProps {
  readonly title: string
  readonly class?: string
  /** The section of the guide that explains the dialog. */
  readonly guide?: Guide | undefined
  /** Undefined: the dialog cannot be closed. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** Open while mounted; the focus then returns to the element that had it. */
export function Dialog({ title, class: name = '', guide, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The dialog opens at once, so that keys right after the opening key reach the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = dialog.current!
    element.showModal()
    const hasFocus = element.querySelector('[autofocus]') !== null
    if (!hasFocus) element.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      element.close()
      if (before instanceof HTMLElement && before !== document.body) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      // The browser closes a dialog on the second Escape, even if the first was prevented: an uncloseable dialog opens
      // again. The event also arrives after the dialog is unmounted, when another dialog may be open.
      onClose={() => {
        if (onClose === undefined) dialog.current?.showModal()
        else if (dialog.current !== null) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose?.()
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          {guide !== undefined && <HelpLink guide={guide} />}
          {onClose !== undefined && <Button kind="quiet" icon="close" label={t('close')} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** The buttons of a dialog: one closes it, and one runs its action, if it has one. */
export function DialogFoot({
  action,
  onClose,
  ...button
}: ButtonProps & { readonly action: string | undefined; readonly onClose: () => void }) {
  return (
    <div class="row end">
      <Button onClick={onClose}>{t('cancel')}</Button>
      {action !== undefined && (
        <Button kind="main" {...button}>
          {action}
        </Button>
      )}
    </div>
  )
}

/**
 * The panel receives the focus. On a narrow page, it covers the content. Escape closes the panel, unless an element
 * inside uses the key.
 */
export function SidePanel({
  title,
  guide,
  first,
  onClose,
  children,
}: DialogProps & {
  readonly onClose: () => void
  /** The name of the field that receives the focus in place of the heading. */
  readonly first?: string | undefined
}) {
  const id = useId()
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const field = document.querySelector<HTMLElement>(`aside [name='${first}']`)
    const element = field ?? head.current!
    element.focus()
  }, [])
  return (
    <aside
      class="panel"
      aria-labelledby={id}
      data-region
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <header class="panel-head">
        <h2 ref={head} id={id} tabIndex={-1}>
          {title}
        </h2>
        {guide !== undefined && <HelpLink guide={guide} />}
        <Button kind="quiet" icon="close" label={t('close')} onClick={onClose} />
      </header>
      <div class="panel-body">{children}</div>
    </aside>
  )
}
