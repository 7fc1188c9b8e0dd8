// A text that a click copies. This also works in an insecure context, which has no `navigator.clipboard`.
import type { ComponentChildren } from 'preact'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'
import { Icon } from './icon.tsx'

export function CopyText({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  const { status } = useConsole()
  return (
    <button
      type="button"
      class="copy"
      title={t('copy')}
      onClick={() => {
        if (copyText(text)) status.tell(t('copied'))
      }}
    >
      {children ?? text}
      <Icon name="copy" />
    </button>
  )
}

/** Whether the browser accepted the text. */
function copyText(text: string): boolean {
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', copy, { capture: true })
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', copy, { capture: true })
  }
}
