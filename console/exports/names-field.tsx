// Settings that map names to values, like headers: one row for each. Stored secret values are not in the page.
import { useState } from 'preact/hooks'
import { SECRET_PLACEHOLDER } from '../../src/kernel/secrets/secret-fields.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { t } from '../words/place.ts'
import {
  type Config,
  type ConfigEditing,
  type ConfigField,
  isKept,
  type TypedSecrets,
  withField,
} from './config-fields.ts'
import { SecretField } from './secret-field.tsx'
import { own } from '../../src/kernel/own.ts'

interface NamesFieldProps extends ConfigEditing {
  readonly field: ConfigField
  readonly error: string | undefined
}

export function NamesField({ field, config, typed, error, onConfig, onTyped }: NamesFieldProps) {
  const [name, setName] = useState('')
  const { key, title, hint, isSecret } = field
  const members = namesIn(config, typed, field)
  const put = (of: string, value: string | undefined) =>
    onConfig(withField(config, key, noneIfEmpty(withField((own(config, key) ?? {}) as Config, of, value))))
  const forget = (of: string) => {
    put(of, undefined)
    onTyped(Object.fromEntries(Object.entries(typed).filter(([field]) => field !== `${key}.${of}`)))
  }
  const add = () => {
    if (isSecret) onTyped({ ...typed, [`${key}.${name}`]: own(typed, `${key}.${name}`) ?? '' })
    else put(name, ' ')
    setName('')
  }
  return (
    <fieldset class="setting-names">
      <legend>{title}</legend>
      {hint !== undefined && <div class="hint">{hint}</div>}
      {error !== undefined && <div class="fault">{error}</div>}
      {members.map(([of, value]) =>
        isSecret ? (
          <SecretField
            key={of}
            label={of}
            hint={undefined}
            error={undefined}
            hasLines={false}
            isRequired={false}
            isKept={isKept(config, `${key}.${of}`)}
            value={own(typed, `${key}.${of}`) ?? ''}
            onInput={(text) => onTyped({ ...typed, [`${key}.${of}`]: text })}
            onForget={() => forget(of)}
          />
        ) : (
          <TextField key={of} label={of} value={value} onInput={(text) => put(of, text)} />
        ),
      )}
      <div class="row">
        <TextField label={t('exports.newName')} value={name} onInput={setName} />
        <Button closedBecause={name.trim() === '' ? t('form.nameFirst') : undefined} onClick={add}>
          {t('add')}
        </Button>
      </div>
    </fieldset>
  )
}

/** Stored and typed values, by name. */
function namesIn(config: Config, typed: TypedSecrets, { key }: ConfigField): [string, string][] {
  const stored = Object.entries((own(config, key) ?? {}) as Record<string, unknown>)
  const fresh = Object.keys(typed)
    .filter((field) => field.startsWith(`${key}.`))
    .map((field) => field.slice(key.length + 1))
  const names = new Set([...stored.map(([name]) => name), ...fresh])
  return [...names].map((name) => {
    const value = stored.find(([of]) => of === name)?.[1]
    return [name, typeof value === 'string' && value !== SECRET_PLACEHOLDER ? value : '']
  })
}

function noneIfEmpty(members: Config): Config | undefined {
  return Object.keys(members).length === 0 ? undefined : members
}
