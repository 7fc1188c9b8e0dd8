// The settings of a destination: one field for each property of its JSON Schema. Stored secrets are not in the page.
import { TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { t } from '../words/place.ts'
import { type ConfigEditing, type ConfigField, settingText } from './config-fields.ts'
import { isKept, withField } from '../kit/config.ts'
import { NamesField } from '../kit/names-field.tsx'
import { SecretField } from '../kit/secret-field.tsx'
import { own } from '../../src/kernel/own.ts'

export function ConfigForm(props: ConfigEditing) {
  return (
    <>
      {props.fields.map((field) => (
        <OneField key={field.key} {...props} field={field} />
      ))}
    </>
  )
}

function OneField(props: ConfigEditing & { readonly field: ConfigField }) {
  const { field, config, typed, fault, onConfig, onTyped } = props
  const { key, title, kind, hint } = field
  const put = (value: unknown) => onConfig(withField(config, key, value))
  const error = fault?.key === key ? fault.message : undefined
  const value = own(config, key)
  const written = value === undefined ? '' : textOf(value)
  if (kind === 'names') return <NamesField {...props} error={error} />
  if (field.isSecret)
    return (
      <SecretField
        label={title}
        hint={hint}
        error={error}
        hasLines={kind === 'lines'}
        isRequired={field.isRequired}
        isKept={isKept(config, key)}
        value={own(typed, key) ?? ''}
        onInput={(text) => onTyped({ ...typed, [key]: text })}
        onRemove={isKept(config, key) && !field.isRequired ? () => put(undefined) : undefined}
      />
    )
  if (kind === 'choice')
    return (
      <SelectField
        label={title}
        hint={hint}
        value={written}
        choices={[
          { id: '', name: t('exports.default') },
          ...field.choices.map((choice) => ({ id: String(choice), name: settingText(choice) })),
        ]}
        onChange={(id) => put(field.choices.find((choice) => String(choice) === id))}
      />
    )
  const { isRequired, checks } = field
  const shown = { label: title, hint, error, isRequired }
  if (kind === 'number')
    return <NumberField {...shown} checks={checks} value={value as number | undefined} onInput={put} />
  const text = { ...shown, value: written, onInput: put }
  return kind === 'lines' ? <TextArea {...text} /> : <TextField {...text} />
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
