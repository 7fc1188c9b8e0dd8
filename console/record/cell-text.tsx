// A formatted text of a cell of the sheet. Leaving the field saves the text, Escape discards it.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import type { CellPanelProps } from '../state/sheet-panel-props.ts'
import { RichField } from './rich-field.tsx'

const nothing = () => undefined

export function CellText({ schemaId, alias, scope, value, onWrite, onClose }: CellPanelProps) {
  const { model } = useConsole()
  const before = useRef(typeof value === 'string' ? value : '').current
  const [html, setHtml] = useState(before)
  const typed = useRef<string | undefined>(undefined)
  const input = { id: useId(), 'aria-describedby': undefined, 'aria-invalid': undefined }
  useEffect(
    () => () => {
      if (typed.current !== undefined && typed.current !== before)
        onWrite?.(typed.current === '' ? null : typed.current)
    },
    [],
  )
  const label = model.attributeName(schemaId, alias)
  return (
    <form
      class="cell-panel"
      onKeyDown={(event) => {
        if (event.key === 'Escape') typed.current = undefined
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onClose()
      }}
    >
      <h2 dir="auto">
        {label} <span class="quiet">{model.scopeName(scope)}</span>
      </h2>
      <RichField
        input={input}
        label={label}
        html={html}
        onInput={(text) => {
          typed.current = text
          setHtml(text)
        }}
        onFocus={nothing}
        onBlur={nothing}
      />
    </form>
  )
}
