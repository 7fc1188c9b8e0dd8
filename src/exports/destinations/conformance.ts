// Whether something is a destination at all: asked when plugins are loaded, and first in the contract suite.

const TYPE = /^[a-z][a-z0-9-]{0,63}$/
const SECRET = /^[A-Za-z_$][\w$-]{0,63}(\.\*)?$/

const MAX_TITLE = 100

type Module = Readonly<Record<string, unknown>>

/** The first rule that does not hold is the fault. */
const RULES: readonly (readonly [holds: (module: Module) => boolean, fault: string])[] = [
  [
    ({ type }) => typeof type === 'string' && TYPE.test(type),
    '"type" must be 1 to 64 characters: lower-case letters, digits and hyphens, beginning with a letter',
  ],
  [({ title }) => title === undefined || isTitle(title), `"title" must be a text of 1 to ${MAX_TITLE} characters`],
  [
    ({ config }) => isStandardSchema(config),
    '"config" must be a Standard Schema: an object whose "~standard" has version 1 and validate()',
  ],
  [({ deliver }) => typeof deliver === 'function', '"deliver" must be a function'],
  ...['place', 'check', 'deliverAll', 'sweep'].map(
    (name) =>
      [
        (module: Module) => module[name] === undefined || typeof module[name] === 'function',
        `"${name}" must be a function`,
      ] as const,
  ),
  [
    ({ secrets }) => secrets === undefined || isListOfSecrets(secrets),
    '"secrets" must be an array of config keys, such as "password" or "headers.*"',
  ],
  [({ keys }) => keys === undefined || isListOfTexts(keys), '"keys" must be an array of all keys of the config'],
]

/** The reason why `value`, a module's default export, is no `Destination`; or undefined. */
export function findFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'its default export is not a destination object'
  const broken = RULES.find(([holds]) => !holds(value))
  if (broken !== undefined) return broken[1]
  const { secrets, keys } = value
  if (!isListOfSecrets(secrets) || !isListOfTexts(keys)) return undefined
  const unknown = secrets.find((key) => !keys.includes(key.replace(/\.\*$/, '')))
  return unknown === undefined ? undefined : `"keys" does not have the secret "${unknown}"`
}

function isTitle(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TITLE
}

function isStandardSchema(value: unknown): boolean {
  if (!isObject(value) && typeof value !== 'function') return false
  const standard = (value as { readonly '~standard'?: unknown })['~standard']
  return isObject(standard) && standard['version'] === 1 && typeof standard['validate'] === 'function'
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string')
}

function isListOfSecrets(value: unknown): value is string[] {
  return isListOfTexts(value) && value.every((key) => SECRET.test(key))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
