// A field of several lines.
import type { ComponentChildren } from 'preact'
import { Field } from './field.tsx'

export function TextArea(props: {
  readonly label: ComponentChildren
  readonly value: string
  readonly onInput: (value: string) => void
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly rows?: number
}) {
  const { value, onInput, placeholder, rows = 3 } = props
  return (
    <Field {...props}>
      {(input) => (
        <textarea
          {...input}
          rows={rows}
          dir="auto"
          spellcheck={false}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
