// Settings that map names to values, like headers: one row for each. Stored secret values are not in the page.
import { useState } from 'preact/hooks'
import { SECRET_PLACEHOLDER } from '../../src/kernel/secrets/secret-fields.ts'
import { own } from '../../src/kernel/own.ts'
import { t } from '../words/place.ts'
import { Button } from './button.tsx'
import { asObject, type Config, type ConfigDraft, isKept, type TypedSecrets, withField } from './config.ts'
import { TextField } from './field.tsx'
import { SecretField } from './secret-field.tsx'

interface NamesFieldProps extends ConfigDraft {
  readonly field: {
    readonly key: string
    readonly title: string
    readonly hint: string | undefined
    readonly isSecret: boolean
  }
  readonly error?: string | undefined
}

export function NamesField({ field, config, typed, error, onConfig, onTyped }: NamesFieldProps) {
  const [name, setName] = useState('')
  const { key, title, hint, isSecret } = field
  const put = (of: string, value: string | undefined) =>
    onConfig({ ...config, [key]: withField(asObject(own(config, key)), of, value) })
  const remove = (of: string) => {
    put(of, undefined)
    onTyped(Object.fromEntries(Object.entries(typed).filter(([field]) => field !== `${key}.${of}`)))
  }
  const add = () => {
    const of = name.trim()
    if (isSecret) onTyped({ [`${key}.${of}`]: '', ...typed })
    else put(of, ' ')
    setName('')
  }
  return (
    <fieldset class="setting-names">
      <legend>{title}</legend>
      {hint !== undefined && <div class="hint">{hint}</div>}
      {error !== undefined && <div class="fault">{error}</div>}
      {namesIn(config, typed, key).map(([of, value]) =>
        isSecret ? (
          <SecretField
            key={of}
            label={of}
            isKept={isKept(config, `${key}.${of}`)}
            value={own(typed, `${key}.${of}`) ?? ''}
            onInput={(text) => onTyped({ ...typed, [`${key}.${of}`]: text })}
            onRemove={() => remove(of)}
          />
        ) : (
          <TextField key={of} label={of} value={value} onInput={(text) => put(of, text)} />
        ),
      )}
      <div
        class="row"
        role="group"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || name.trim() === '') return
          // The name is added, and the form is not saved yet.
          event.preventDefault()
          add()
        }}
      >
        <TextField label={t('form.newName')} value={name} onInput={setName} />
        <Button closedBecause={name.trim() === '' ? t('form.nameFirst') : undefined} onClick={add}>
          {t('add')}
        </Button>
      </div>
    </fieldset>
  )
}

/** Stored and typed values, by name. */
function namesIn(config: Config, typed: TypedSecrets, key: string): [string, string][] {
  const stored = asObject(own(config, key))
  const fresh = Object.keys(typed)
    .filter((field) => field.startsWith(`${key}.`))
    .map((field) => field.slice(key.length + 1))
  return [...new Set([...Object.keys(stored), ...fresh])].map((name) => {
    const value = own(stored, name)
    return [name, typeof value === 'string' && value !== SECRET_PLACEHOLDER ? value : '']
  })
}
