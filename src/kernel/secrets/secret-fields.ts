// The secret fields of a destination's settings, which the destination names: `password`, or `headers.*` for each value of
// the object `headers`. They are taken out before anything is stored or shown. Contract 2 §6.
import { invalid } from '../errors.ts'
import { canonicalJson } from '../text.ts'

/** Clients get it instead of a secret, and send it back to keep the secret. */
export const SECRET_PLACEHOLDER = '********'

type Config = Readonly<Record<string, unknown>>
/** Field (`password`, `headers.Authorization`) → value. */
export type FieldSecrets<Value> = Readonly<Record<string, Value>>

/** `config` without its secret fields, and the secret fields. */
export function splitSecrets(
  config: Config,
  secretKeys: readonly string[],
): { open: Config; secrets: FieldSecrets<unknown> } {
  const secrets: [string, unknown][] = []
  const open = Object.entries(config).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return []
    if (secretKeys.includes(key)) {
      secrets.push([key, value])
      return []
    }
    if (!secretKeys.includes(`${key}.*`) || !isObject(value)) return [[key, value]]
    for (const [name, member] of Object.entries(value)) secrets.push([`${key}.${name}`, member])
    return [[key, {}]]
  })
  return { open: Object.fromEntries(open), secrets: Object.fromEntries(secrets) }
}

/** `config` with the fields put back where they were taken out. */
export function withSecrets(config: Config, secrets: FieldSecrets<unknown>): Config {
  const whole = new Map(Object.entries(config))
  for (const [field, value] of Object.entries(secrets)) {
    const dot = field.indexOf('.')
    if (dot === -1) whole.set(field, value)
    else {
      const key = field.slice(0, dot)
      const members = whole.get(key)
      const others = isObject(members) ? Object.entries(members) : []
      whole.set(key, Object.fromEntries([...others, [field.slice(dot + 1), value]]))
    }
  }
  return Object.fromEntries(whole)
}

/**
 * `config` with stored secrets where the client sent the placeholder back.
 * @throws VALIDATION_ERROR naming a field for which nothing is stored
 */
export function fillPlaceholders(
  config: Config,
  secretKeys: readonly string[],
  stored: (field: string) => unknown,
): Config {
  const { open, secrets } = splitSecrets(config, secretKeys)
  const filled = Object.entries(secrets).map(([field, value]): [string, unknown] => {
    if (value !== SECRET_PLACEHOLDER) return [field, value]
    const known = stored(field)
    if (known !== undefined) return [field, known]
    throw invalid(
      `destinationConfig.${field} is the placeholder of a stored secret, but none is stored: send the secret`,
    )
  })
  return withSecrets(open, Object.fromEntries(filled))
}

/** Fields with the placeholder: their stored secrets are kept. */
export function keptFields(config: Config, secretKeys: readonly string[]): string[] {
  const { secrets } = splitSecrets(config, secretKeys)
  return Object.keys(secrets).filter((field) => secrets[field] === SECRET_PLACEHOLDER)
}

/** The first key whose value differs before and after, or that only one of the two has. Undefined for equal places. */
export function findMovedKey(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string | undefined {
  const say = (place: Readonly<Record<string, unknown>>, key: string): string =>
    Object.hasOwn(place, key) && place[key] !== undefined ? canonicalJson(place[key]) : ''
  return [...Object.keys(after), ...Object.keys(before)].find((key) => say(before, key) !== say(after, key))
}

/** Every text in `value`, at any depth; numbers as texts. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
