// Edited settings whose secrets the page never contains: a stored secret is only a placeholder here, and a typed one is
// held separately. Contract 2 §6, 3 §5, 3 §9.5.
import { SECRET_PLACEHOLDER, withSecrets } from '../../src/kernel/secrets/secret-fields.ts'
import { own } from '../../src/kernel/own.ts'

export type Config = Readonly<Record<string, unknown>>
/** Field (`password`, `headers.Authorization`) → typed text. */
export type TypedSecrets = Readonly<Record<string, string>>

/** Edited settings, and the handlers of changes. */
export interface ConfigDraft {
  readonly config: Config
  readonly typed: TypedSecrets
  readonly onConfig: (config: Config) => void
  readonly onTyped: (typed: TypedSecrets) => void
}

/** Whether a stored secret exists that the user is not replacing. */
export function isKept(config: Config, field: string): boolean {
  const [key, name] = splitField(field)
  const value = name === undefined ? own(config, key) : own(asObject(own(config, key)), name)
  return value === SECRET_PLACEHOLDER
}

/** Sets a value of `config`; undefined and '' remove the value. */
export function withField(config: Config, key: string, value: unknown): Config {
  const { [key]: _before, ...others } = config
  return value === undefined || value === '' ? others : { ...others, [key]: value }
}

/** Returns the settings to send: placeholders for unchanged secrets, and typed values. */
export function configToSend(config: Config, typed: TypedSecrets): Config {
  return withSecrets(config, Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== '')))
}

export function asObject(value: unknown): Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : {}
}

function splitField(field: string): [key: string, name: string | undefined] {
  const dot = field.indexOf('.')
  return dot === -1 ? [field, undefined] : [field.slice(0, dot), field.slice(dot + 1)]
}
