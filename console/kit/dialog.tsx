// A dialog over the page (the browser's own), and a panel beside it.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly class?: string
  /** Undefined: it cannot be closed. */
  readonly onClose?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** Shown as long as it is there; the focus returns to where it was. */
export function Dialog({ title, class: name = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // At once: what is typed right after the key that opens it belongs to it.
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = dialog.current!
    element.showModal()
    const hasFocus = element.querySelector('[autofocus]') !== null
    if (!hasFocus) element.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      element.close()
      if (before instanceof HTMLElement) before.focus()
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
      // Escape pressed twice closes it, whatever is prevented. That it is no longer shown is told it, too, when another one is there.
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
          {onClose !== undefined && <Button kind="quiet" icon="close" label={t('close')} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Beside the content, as wide as the page where that is narrow. Escape closes it where nothing in it takes the key. */
export function SidePanel({ title, onClose, children }: DialogProps & { readonly onClose: () => void }) {
  const id = useId()
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
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <Button kind="quiet" icon="close" label={t('close')} onClick={onClose} />
      </header>
      <div class="panel-body">{children}</div>
    </aside>
  )
}
