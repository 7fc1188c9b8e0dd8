// Whether something is a destination at all: asked when plugins are loaded, and first in the contract suite.

const TYPE = /^[a-z][a-z0-9-]{0,63}$/
const SECRET = /^[A-Za-z_$][\w$-]{0,63}(\.\*)?$/

const MAX_TITLE = 100

/** The reason why `value`, a module's default export, is no `Destination`; or undefined. */
export function findFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'its default export is not a destination object'
  const { type, title, config, secrets, keys } = value
  if (typeof type !== 'string' || !TYPE.test(type))
    return '"type" must be 1 to 64 characters: lower-case letters, digits and hyphens, beginning with a letter'
  if (title !== undefined && (typeof title !== 'string' || title.trim() === '' || title.length > MAX_TITLE))
    return `"title" must be a text of 1 to ${MAX_TITLE} characters`
  const standard =
    isObject(config) || typeof config === 'function' ? (config as { '~standard'?: unknown })['~standard'] : 0
  if (!isObject(standard) || standard['version'] !== 1 || typeof standard['validate'] !== 'function')
    return '"config" must be a Standard Schema: an object whose "~standard" has version 1 and validate()'
  if (typeof value['deliver'] !== 'function') return '"deliver" must be a function'
  const wrong = ['place', 'check', 'deliverAll', 'sweep'].find(
    (name) => value[name] !== undefined && typeof value[name] !== 'function',
  )
  if (wrong !== undefined) return `"${wrong}" must be a function`
  if (secrets !== undefined && !isListOfSecrets(secrets))
    return '"secrets" must be an array of config keys, such as "password" or "headers.*"'
  if (keys !== undefined && !(Array.isArray(keys) && keys.every((key) => typeof key === 'string')))
    return '"keys" must be an array of all keys of the config'
  const unknown =
    isListOfSecrets(secrets) && Array.isArray(keys) && secrets.find((key) => !keys.includes(key.replace(/\.\*$/, '')))
  return typeof unknown === 'string' ? `"keys" does not have the secret "${unknown}"` : undefined
}

function isListOfSecrets(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' && SECRET.test(key))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
