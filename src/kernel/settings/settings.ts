// Finds and checks the value of a setting: in a flag, a PIMLET_ variable or the JSON file of --config, in this order. Messages name
// the setting as it was given. Contract 2 §8.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { findNearest } from '../input/nearest.ts'
import { explainFileError } from '../machine/whole-files.ts'
import { isBasePath } from '../input/validation.ts'
import { parseNetworks } from './networks.ts'
import { UsageError } from '../machine/start-error.ts'
import { own } from '../own.ts'

export interface Flag {
  readonly name: string
  readonly description: string
  readonly isList?: boolean
  /** Takes no value on the command line; elsewhere it is true or false. */
  readonly isSwitch?: boolean
  /** For the help text. */
  readonly defaultText?: string
}

/** By name; undefined: not given. */
export type GivenFlags = Readonly<Record<string, unknown>>
export type Environment = Readonly<Record<string, string | undefined>>
type Source = (name: string) => unknown

/**
 * @param known the names that the config file may have
 * @param defaults values for settings that are not given
 * @throws UsageError for an unusable config file
 */
export function findSettings(
  flags: GivenFlags,
  environment: Environment,
  known: readonly string[],
  defaults: GivenFlags = {},
): Settings {
  const fromFlags: Source = (name) => own(flags, name)
  const fromEnvironment: Source = (name) => own(environment, variableName(name))
  const given = fromFlags('config') || fromEnvironment('config')
  const file = given ? toText(given, '--config') : undefined
  return new Settings([
    [(name) => `--${name}`, fromFlags],
    [variableName, fromEnvironment],
    [(name) => `'${name}' in ${file}`, file === undefined ? () => undefined : readFile(file, known)],
    [(name) => `the default of --${name}`, (name) => own(defaults, name)],
  ])
}

export class Settings {
  readonly #sources: readonly (readonly [label: (name: string) => string, source: Source])[]

  constructor(sources: readonly (readonly [label: (name: string) => string, source: Source])[]) {
    this.#sources = sources
  }

  text(name: string): string | undefined {
    const found = this.#find(name)
    return found === undefined ? undefined : toText(found.value, found.label)
  }

  /** An absolute path. @throws UsageError if there is no such directory */
  directory(name: string): string | undefined {
    const given = this.text(name)
    if (given === undefined) return undefined
    const directory = path.resolve(given)
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return directory
    throw new UsageError(`${this.#find(name)?.label}: there is no directory ${directory}`)
  }

  wholeNumber(name: string, max: number, min = 0): number | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const text = String(once(found))
    if (!/^\d{1,15}$/.test(text) || Number(text) > max || Number(text) < min)
      throw new UsageError(`${found.label} must be a whole number from ${min} to ${max}`)
    return Number(text)
  }

  /** `max`: a power of 1024. */
  bytes(name: string, max = 256 * 1024 ** 2): number | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const [, digits = '', unit = ''] = /^(\d{1,12})(b|kb|mb|gb)?$/i.exec(String(once(found)).trim()) ?? []
    const bytes = Number(digits) * ({ kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }[unit.toLowerCase()] ?? 1)
    if (digits === '' || bytes < 1024 || bytes > max)
      throw new UsageError(`${found.label} must be a size from 1kb to ${describeBytes(max)}, such as 10mb`)
    return bytes
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const given = once(found)
    const value = values.find((candidate) => candidate === given)
    if (value === undefined) throw new UsageError(`${found.label} must be one of ${values.join(', ')}`)
    return value
  }

  isOn(name: string): boolean {
    const found = this.#find(name)
    if (found === undefined) return false
    // A flag may be repeated.
    const text = String([found.value].flat().at(-1))
    if (!/^(true|false|1|0)$/.test(text)) throw new UsageError(`${found.label} must be true or false`)
    return text === 'true' || text === '1'
  }

  /** Commas separate entries of a variable. */
  list(name: string): string[] {
    const found = this.#find(name)
    if (found === undefined) return []
    const items: unknown[] = Array.isArray(found.value) ? found.value : String(found.value).split(',')
    return items.map((item) => toText(item, found.label).trim()).filter((item) => item !== '')
  }

  /** Without a slash at its end; '' if it is not given or is the root. */
  basePath(name: string): string {
    const found = this.#find(name)
    const given = this.text(name)?.replace(/\/$/, '') ?? ''
    if (given === '' || isBasePath(given)) return given
    throw new UsageError(
      `${found?.label} must be a path such as /pim: letters, digits, '.', '_', '~' and '-' between slashes`,
    )
  }

  /** An address of the web, without a slash at its end; undefined: not given. */
  webAddress(name: string): string | undefined {
    const found = this.#find(name)
    const given = this.text(name)
    if (given === undefined) return undefined
    const url = URL.parse(given)
    const isPlain = url !== null && url.username + url.password + url.search + url.hash === ''
    if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '')
    throw new UsageError(`${found?.label} must be an address such as https://pim.example.com`)
  }

  networks(name: string): string[] {
    const entries = this.list(name)
    try {
      parseNetworks(entries)
    } catch (error) {
      throw new UsageError(`${this.#find(name)?.label}: ${(error as Error).message}`, { cause: error })
    }
    return entries
  }

  /** Origins as browsers send them, or `*`. */
  origins(name: string): string[] {
    const entries = this.list(name)
    const wrong = entries.find((entry) => entry !== '*' && !ORIGIN.test(entry))
    if (wrong === undefined) return entries
    throw new UsageError(
      `${this.#find(name)?.label}: '${wrong}' is not an origin: write scheme, host and port as browsers send them (https://shop.example, http://localhost:5173), or *`,
    )
  }

  /** No message repeats the value, because it may contain a password. */
  databaseUrl(name: string): string | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const text = toText(found.value, found.label)
    const url = URL.parse(text)
    if (url !== null && /^postgres(ql)?:$/.test(url.protocol)) return text
    throw new UsageError(`${found.label} must be an address such as postgres://pimlet@db.example:5432/pimlet`)
  }

  #find(name: string): { value: unknown; label: string } | undefined {
    for (const [label, source] of this.#sources) {
      const value = source(name)
      if (value !== undefined && value !== '') return { value, label: label(name) }
    }
    return undefined
  }
}

export function describeBytes(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3}gb` : `${bytes / 1024 ** 2}mb`
}

/**
 * Variables that look like a setting but are none, as warnings.
 * @param known names of settings @param others variables that are not settings
 */
export function findUnknownVariables(
  environment: Environment,
  known: readonly string[],
  others: readonly string[],
): string[] {
  const names = [...known.map(variableName), ...others]
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && environment[name] !== '')
  return given
    .filter((name) => !names.includes(name))
    .sort()
    .map((name) => `the variable ${name} names no setting${explainName(name, names)}`)
}

/** Suggests one of `names`; their common prefix is ignored. */
function explainName(name: string, names: readonly string[]): string {
  const short = (text: string): string => text.slice(PREFIX.length)
  const meant = findNearest(short(name), names.map(short))
  return meant === undefined ? '; see pimlet --help' : `; did you mean ${PREFIX}${meant}?`
}

const PREFIX = 'PIMLET_'

/** Origins of web pages, apps and extensions; `null` is the origin of a local file. */
const ORIGIN = /^(?:null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@A-Z]+)$/

function variableName(flag: string): string {
  return `${PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`
}

function once({ value, label }: { readonly value: unknown; readonly label: string }): unknown {
  if (Array.isArray(value)) throw new UsageError(`${label} is given more than once`)
  return value
}

function toText(given: unknown, label: string): string {
  const value = once({ value: given, label })
  if (typeof value !== 'string' || value.includes('\0')) throw new UsageError(`${label} must be text`)
  return value
}

function readFile(file: string, known: readonly string[]): Source {
  let settings: unknown
  try {
    settings = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not valid JSON' : explainFileError(error)
    throw new UsageError(`The config file ${file} cannot be read: ${why}`, { cause: error })
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new UsageError(`The config file ${file} must hold a JSON object`)
  const entries = new Map<string, unknown>(Object.entries(settings))
  for (const name of entries.keys()) if (!known.includes(name)) throw unknownSetting(name, known, file)
  return (name) => entries.get(name)
}

function unknownSetting(name: string, known: readonly string[], file: string): UsageError {
  const meant = findNearest(name, known)
  return new UsageError(
    `The config file ${file} has the unknown setting '${name}'${meant === undefined ? '' : `; did you mean '${meant}'?`}`,
  )
}
