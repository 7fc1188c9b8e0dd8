// A field of a number. The browser refuses letters and numbers out of bounds, in the user's language.
import { useState } from 'preact/hooks'
import { TextField, type TextFieldProps } from './field.tsx'

interface NumberFieldProps extends Omit<TextFieldProps, 'value' | 'onInput' | 'type'> {
  readonly value: number | undefined
  readonly onInput: (value: number | undefined) => void
}

export function NumberField({ value, onInput, ...field }: NumberFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <TextField
      {...field}
      type="number"
      // `0.0` on the way to `0.05` is the number 0 already, and stays as it was typed.
      value={read(typed) === value ? typed : String(value ?? '')}
      onInput={(text) => {
        setTyped(text)
        onInput(read(text))
      }}
    />
  )
}

function read(text: string): number | undefined {
  return text === '' ? undefined : Number(text)
}
