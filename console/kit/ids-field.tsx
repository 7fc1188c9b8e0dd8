// Chooses several objects from many, found by name and stored by ID, with a label above. An unknown ID is shown as it
// is.
import type { Option } from './choices.ts'
import { MultiCombobox } from './combobox.tsx'
import { Field } from './field.tsx'

export function IdsField(props: {
  readonly label: string
  readonly hint?: string
  readonly options: readonly Option[]
  readonly ids: readonly string[]
  readonly onChange: (ids: string[]) => void
}) {
  const { label, hint, options, ids, onChange } = props
  return (
    <Field label={label} hint={hint}>
      {(input) => (
        <MultiCombobox
          input={input}
          options={options}
          values={ids.map((id) => options.find((option) => option.id === id) ?? { id, name: id })}
          onChange={(values) => onChange(values.map(({ id }) => id))}
        />
      )}
    </Field>
  )
}
