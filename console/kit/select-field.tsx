// One of few, chosen by the browser's own list, with a label above it.
import type { ComponentChildren } from 'preact'
import { type Choice, Field } from './field.tsx'

export function SelectField(props: {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (id: string) => void
  readonly hint?: ComponentChildren
}) {
  return (
    <Field label={props.label} hint={props.hint}>
      {(input) => (
        <select
          {...input}
          class="select"
          value={props.value}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        >
          {props.choices.map(({ id, name }) => (
            <option key={id} value={id} selected={id === props.value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
