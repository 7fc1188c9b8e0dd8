// The input of a data type, for one value of a record. The locale parses typed text; a text that is not a value stays.
import { useRef } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import { fieldOf, readValue, showValue, writeValue } from '../fields/fields.ts'
import type { Locale } from '../fields/field.ts'
import { optionName } from '../fields/options.ts'
import type { Option } from '../kit/choices.ts'
import { Combobox, MultiCombobox } from '../kit/combobox.tsx'
import type { FieldInput as InputOfField } from '../kit/field.tsx'
import { RecordField } from '../kit/record-field.tsx'
import { useConsole } from '../state/context.ts'
import { pictureSchemaOf } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import type { FieldChange } from './changes.ts'
import { FileField } from './file-field.tsx'
import type { FieldPlace } from './missing.ts'
import { Pictures } from './pictures-field.tsx'
import { RichField } from './rich-field.tsx'

type Typed = Pick<FieldChange, 'value' | 'text' | 'problem'>

interface FieldInputProps {
  readonly attribute: Attribute
  readonly place: FieldPlace
  /** The value in force. */
  readonly value: unknown
  /** The typed text of the field. */
  readonly text: string | undefined
  /** The value is from a wider scope or from the parent. */
  readonly isBorrowed: boolean
  readonly locale: Locale
  readonly input: InputOfField
  readonly onTyped: (typed: Typed) => void
  readonly onLeave: () => void
}

export function FieldInput(props: FieldInputProps) {
  const { model } = useConsole()
  const { attribute, place, input, value } = props
  const { editor } = fieldOf(attribute)
  const pictures = pictureSchemaOf(model, attribute)
  if (editor === 'choice') return <ChoiceInput {...props} />
  if (editor === 'choices') return <ChoicesInput {...props} />
  if (editor === 'record') return <RecordInput {...props} />
  if (editor === 'file') return <FileField {...props} />
  if (pictures === undefined) return <TextInput {...props} isLong={editor === 'lines'} />
  return (
    <Pictures attribute={attribute} pictures={pictures} value={value} edit={{ place, input }}>
      <TextInput {...props} input={{ ...input, id: `${input.id}-text` }} label={t('gallery.asText')} isLong={false} />
    </Pictures>
  )
}

function TextInput(props: FieldInputProps & { readonly isLong: boolean; readonly label?: string }) {
  const { attribute, value, text, locale, input, onTyped, onLeave } = props
  // The value in force when the field got the focus: its unit applies if no unit is typed.
  const before = useRef<unknown>(value)
  const shared = {
    ...input,
    'aria-label': props.label,
    dir: 'auto' as const,
    autocomplete: 'off' as const,
    value: text ?? written(value, attribute, locale),
    onFocus: () => (before.current = value),
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => {
      const typed = event.currentTarget.value
      const reading = readValue(typed, attribute, locale, before.current)
      if (reading.code === undefined) onTyped({ value: reading.value, text: typed })
      else onTyped({ value: null, text: typed, problem: reading.problem })
    },
    onBlur: onLeave,
  }
  if (attribute.dataType === 'richText') return <RichInput {...props} before={before} />
  if (props.isLong) return <textarea {...shared} rows={1} spellcheck />
  return <input {...shared} type="text" spellcheck={false} />
}

function RichInput(props: FieldInputProps & { readonly before: { current: unknown } }) {
  const { model } = useConsole()
  const { attribute, value, text, locale, input, onTyped, onLeave, before } = props
  return (
    <RichField
      input={input}
      label={model.nameOf(attribute)}
      html={text ?? written(value, attribute, locale)}
      onFocus={() => (before.current = value)}
      onBlur={onLeave}
      onInput={(html) => {
        const reading = readValue(html, attribute, locale)
        if (reading.code === undefined) onTyped({ value: reading.value, text: html })
        else onTyped({ value: null, text: html, problem: reading.problem })
      }}
    />
  )
}

/** Returns the shown form (`8.90`), if it parses to the same value. */
function written(value: unknown, attribute: Attribute, locale: Locale): string {
  const exact = writeValue(value, attribute, locale)
  if (fieldOf(attribute).align === 'start' || value === undefined || value === null) return exact
  const shown = showValue(value, attribute, locale)
  const reading = readValue(shown, attribute, locale, value)
  return reading.code === undefined && isSameValue(reading.value, value) ? shown : exact
}

function ChoiceInput({ attribute, value, locale, input, onTyped }: FieldInputProps) {
  const isBoolean = attribute.dataType === 'boolean'
  const options: Option[] = isBoolean
    ? [
        { id: 'true', name: locale.yes },
        { id: 'false', name: locale.no },
      ]
    : attribute.options.map(({ id }) => ({ id, name: optionName(id, attribute, locale) }))
  const id = typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
  const chosen = options.find((option) => option.id === id)
  return (
    <Combobox
      input={input}
      options={options}
      placeholder=""
      value={id === undefined ? null : (chosen ?? { id, name: id })}
      onChange={(option) => {
        if (option === null) onTyped({ value: null })
        else onTyped({ value: isBoolean ? option.id === 'true' : option.id })
      }}
    />
  )
}

function ChoicesInput({ attribute, value, locale, input, onTyped }: FieldInputProps) {
  const toOption = (id: string): Option => ({ id, name: optionName(id, attribute, locale) })
  const ids = Array.isArray(value) ? (value as string[]) : []
  return (
    <MultiCombobox
      input={input}
      options={attribute.options.map(({ id }) => toOption(id))}
      placeholder=""
      values={ids.map(toOption)}
      onChange={(options) => onTyped({ value: options.length === 0 ? null : options.map(({ id }) => id) })}
    />
  )
}

function RecordInput({ value, input, onTyped }: FieldInputProps) {
  return (
    <RecordField
      input={input}
      placeholder={t('record.noReference')}
      recordId={typeof value === 'string' ? value : undefined}
      onChoose={(recordId) => onTyped({ value: recordId ?? null })}
    />
  )
}
