// Chooses one of a few options, with the browser's own list and a label above it.
import type { ComponentChildren } from 'preact'
import { type Choice, Field, Select } from './field.tsx'

export function SelectField({
  label,
  hint,
  ...select
}: {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (id: string) => void
  readonly hint?: ComponentChildren
}) {
  return (
    <Field label={label} hint={hint}>
      {(input) => <Select input={input} {...select} />}
    </Field>
  )
}
