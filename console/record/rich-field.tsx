// A formatted text. HTML with more than simple markup is edited as its source.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { parseRich, writeRich } from '../../src/core/values/rich-markup.ts'
import { makeDom, readDom } from '../fields/rich-dom.ts'
import type { FieldInput } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { t } from '../words/place.ts'

interface RichFieldProps {
  readonly input: FieldInput
  readonly label: string
  readonly html: string
  readonly onInput: (html: string) => void
  readonly onFocus: () => void
  readonly onBlur: () => void
}

export function RichField(props: RichFieldProps) {
  const { input, html, onInput, onFocus, onBlur } = props
  const [isSource, setSource] = useState(false)
  const isSimple = parseRich(html) !== undefined
  const events = { onFocus, onBlur }
  return (
    <div class="rich-field">
      {isSource || !isSimple ? (
        <textarea
          {...input}
          {...events}
          dir="auto"
          rows={1}
          spellcheck
          autocomplete="off"
          value={html}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <Formatted {...props} />
      )}
      {html !== '' && (
        <button
          type="button"
          class="rich-source"
          aria-pressed={isSource || !isSimple}
          title={isSimple ? t('rich.source') : t('rich.onlySource')}
          disabled={!isSimple}
          onClick={() => setSource(!isSource)}
        >
          HTML
        </button>
      )}
    </div>
  )
}

const TOOLS = [
  { command: 'bold', word: 'rich.bold', icon: 'bold' },
  { command: 'italic', word: 'rich.italic', icon: 'italic' },
  { command: 'insertUnorderedList', word: 'rich.list', icon: 'list' },
  { command: 'insertOrderedList', word: 'rich.numbers', icon: 'numbers' },
] as const

/** Browsers have no other way to change the formatting that a person selected. */
function format(command: string, value?: string): void {
  document.execCommand(command, false, value)
}

function Formatted({ input, label, html, onInput, onFocus, onBlur }: RichFieldProps) {
  const field = useRef<HTMLDivElement>(null)
  const written = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    // The typed text stays as it is: new elements would move the caret.
    if (written.current === html) return
    written.current = html
    field.current?.replaceChildren(...makeDom(parseRich(html) ?? [], document))
  }, [html])
  const changed = () => {
    const nodes = readDom(field.current!)
    const isEmpty = (field.current!.textContent ?? '').trim() === ''
    written.current = isEmpty ? '' : writeRich(nodes)
    onInput(written.current)
  }
  return (
    <>
      <div
        {...input}
        ref={field}
        class={html.includes('<') ? 'rich-text' : 'rich-text plain'}
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={label}
        contentEditable
        dir="auto"
        spellcheck
        onFocus={() => {
          format('defaultParagraphSeparator', 'p')
          onFocus()
        }}
        onBlur={onBlur}
        onInput={changed}
        onPaste={(event) => {
          event.preventDefault()
          format('insertText', event.clipboardData?.getData('text/plain') ?? '')
        }}
      />
      <div class="rich-tools" role="group" aria-label={t('rich.tools')}>
        {TOOLS.map(({ command, word, icon }) => (
          <button
            key={command}
            type="button"
            title={t(word)}
            aria-label={t(word)}
            // Keeps the selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              field.current?.focus()
              format(command)
            }}
          >
            <Icon name={icon} />
          </button>
        ))}
      </div>
    </>
  )
}
