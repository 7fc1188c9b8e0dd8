// The form of a destination's settings, made from its JSON Schema, with the typed values. A stored secret is only a
// placeholder here; a typed secret is held separately. Contract 2 §6, 3 §5, 3 §9.5.
import type { Endpoints } from '../api/types.ts'
import type { TextFieldProps } from '../kit/field.tsx'
import { own } from '../../src/kernel/own.ts'
import { asObject, type Config, type ConfigDraft, configToSend, type TypedSecrets } from '../kit/config.ts'
import { say, t } from '../words/words.ts'

export type Destination = Endpoints['GET /api/v1/export-destinations']['reply'][number]

/** `lines`: a text with line breaks; `names`: an object of names to texts. */
type FieldKind = 'text' | 'lines' | 'number' | 'choice' | 'names'

export interface ConfigField {
  readonly key: string
  readonly title: string
  readonly kind: FieldKind
  /** For `names`: every value is secret. */
  readonly isSecret: boolean
  readonly isRequired: boolean
  readonly hint: string | undefined
  readonly choices: readonly unknown[]
  readonly checks: TextFieldProps['checks']
}

/** The edited settings of a destination, and the handler of changes. */
export interface ConfigEditing extends ConfigDraft {
  readonly fields: readonly ConfigField[]
  readonly fault: { readonly key: string; readonly message: string } | undefined
}

/** The most characters of a one-line field: longer texts may contain line breaks, like keys. */
const LONGEST_LINE = 8000

/** Returns the fields, required ones first; a plugin may describe no settings. */
export function fieldsOf({
  type,
  configSchema,
  secrets,
}: Pick<Destination, 'type' | 'configSchema' | 'secrets'>): ConfigField[] {
  const { properties, required } = configSchema
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = Object.entries(asObject(properties)).map(([key, schema]) => ({
    key,
    title: titleOf(key),
    kind: kindOf(asObject(schema)),
    isSecret: secrets.includes(key) || secrets.includes(`${key}.*`),
    isRequired: needed.has(key),
    hint: settingWord(`${type}.${key}`) ?? hintOf(asObject(schema)),
    choices: choicesOf(asObject(schema)),
    checks: checksOf(asObject(schema)),
  }))
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)]
}

/** Returns the console's word, or else the key of a plugin: `folderId` → `Folder id`. */
export function titleOf(key: string): string {
  const known = settingWord(key)
  if (known !== undefined) return known
  const words = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The value of a setting as a text of the page. */
export function settingText(value: unknown): string {
  return typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value)
}

/** Titles of required fields that are empty. */
export function missingFields(fields: readonly ConfigField[], config: Config, typed: TypedSecrets): string[] {
  const sent = configToSend(config, typed)
  return fields.filter(({ key, isRequired }) => isRequired && own(sent, key) === undefined).map(({ title }) => title)
}

/** Returns the field of a server message, which names fields like `destinationConfig.host`. */
export function fieldOfMessage(message: string, fields: readonly ConfigField[]): string | undefined {
  const [, key] = /destinationConfig[.:\s]+(\w+)/.exec(message) ?? []
  return fields.some((field) => field.key === key) ? key : undefined
}

function kindOf(schema: Config): FieldKind {
  if (choicesOf(schema).length > 0) return 'choice'
  if (schema['type'] === 'number' || schema['type'] === 'integer') return 'number'
  if (schema['type'] === 'object') return 'names'
  return Number(schema['maxLength'] ?? 0) > LONGEST_LINE ? 'lines' : 'text'
}

function choicesOf({ enum: choices, type }: Config): readonly unknown[] {
  return Array.isArray(choices) ? choices : type === 'boolean' ? [true, false] : []
}

function checksOf({ minimum, maximum, type }: Config): TextFieldProps['checks'] {
  return { min: minimum as number, max: maximum as number, step: type === 'integer' ? 1 : 'any' }
}

/** Removes the signs of Markdown. */
function hintOf({ description }: Config): string | undefined {
  return typeof description === 'string' ? description.replaceAll('`', '') : undefined
}

/** Returns the console's word for a setting; a plugin may have settings without a word. */
export function settingWord(name: string): string | undefined {
  const word = `setting.${name}`
  const said = say(word)
  return said === word ? undefined : said
}
