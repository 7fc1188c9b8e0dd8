// Settings of `serve`: from flags, PIMLET_ variables and a JSON file, in this order, each checked at the start. The only
// reader of the environment. Decisions §8.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { Password } from './domain/accounts.ts'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.ts'
import { parseNetworks } from './networks.ts'
import { UsageError } from './start-error.ts'

export interface Config {
  readonly dataDir: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** 0: no limit. */
  readonly maxRecords: number
  /** Bytes. */
  readonly maxBody: number
  /** Seconds of work that one search may take. */
  readonly queryTimeout: number
  readonly pluginsDir: string
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  readonly allowDestinations: readonly string[]
  /** Per export job; 0: all. */
  readonly keepRuns: number
  /** 0: for ever. */
  readonly keepAuditDays: number
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
}

export interface Flag {
  readonly name: string
  readonly description: string
  readonly isList?: boolean
  /** For the help text. */
  readonly defaultText?: string
}

export const FLAGS: readonly Flag[] = [
  { name: 'data-dir', description: 'Directory of the workspace; made where it is missing' },
  { name: 'host', description: 'Address to listen on', defaultText: '127.0.0.1' },
  { name: 'port', description: 'Port to listen on; 0 picks a free one', defaultText: '8080' },
  { name: 'max-records', description: 'Limit of records; 0: no limit', defaultText: '500' },
  { name: 'max-body', description: 'Limit of a JSON body: bytes, or with kb or mb', defaultText: '10mb' },
  { name: 'query-timeout', description: 'Seconds of work that one search may take', defaultText: '30' },
  { name: 'plugins-dir', description: 'Directory of export plugins', defaultText: '<data-dir>/plugins' },
  { name: 'log-level', description: `Least level that is logged: ${LOG_LEVELS.join(', ')}`, defaultText: 'info' },
  {
    name: 'log-format',
    description: 'Lines for programs (json) or for people (pretty)',
    defaultText: 'pretty on a terminal, else json',
  },
  { name: 'allow-destination', description: 'Network or host that exports may reach though it is local', isList: true },
  { name: 'keep-runs', description: 'Runs kept in the history of an export job; 0: all', defaultText: '1000' },
  { name: 'keep-audit-days', description: 'Days that audit entries are kept; 0: for ever', defaultText: '0' },
  { name: 'cors-origin', description: 'Origin whose pages may call the API from a browser; * for all', isList: true },
  {
    name: 'trust-proxy',
    description: 'Address or network of a reverse proxy whose X-Forwarded-For is believed',
    isList: true,
  },
  { name: 'config', description: 'JSON file with settings under the names of the flags' },
]

type Source = (name: string) => unknown
type Environment = Readonly<Record<string, string | undefined>>

/** `flags` by name, undefined where not given. @throws UsageError naming the setting as it was given */
export function readConfig(flags: Readonly<Record<string, unknown>>, environment: Environment = process.env): Config {
  const fromFlags: Source = (name) => flags[name]
  const fromEnvironment: Source = (name) => environment[variableName(name)]
  const file = fromFlags('config') ?? fromEnvironment('config')
  const settings = new Settings([
    [(name) => `--${name}`, fromFlags],
    [variableName, fromEnvironment],
    [
      (name) => `'${name}' in ${String(file)}`,
      file === undefined ? () => undefined : readFile(toText(file, '--config')),
    ],
  ])
  const dataDir = settings.text('data-dir')
  if (dataDir === undefined) throw new UsageError('--data-dir is required: the directory of the workspace')
  return {
    dataDir: path.resolve(dataDir),
    host: settings.text('host') ?? '127.0.0.1',
    port: settings.wholeNumber('port', 65_535) ?? 8080,
    maxRecords: settings.wholeNumber('max-records', 1_000_000_000) ?? 500,
    maxBody: settings.bytes('max-body') ?? 10 * 1024 ** 2,
    queryTimeout: Math.max(1, settings.wholeNumber('query-timeout', 3600) ?? 30),
    pluginsDir: path.resolve(settings.text('plugins-dir') ?? path.join(dataDir, 'plugins')),
    logLevel: settings.oneOf('log-level', LOG_LEVELS) ?? 'info',
    logFormat: settings.oneOf('log-format', LOG_FORMATS) ?? (process.stderr.isTTY ? 'pretty' : 'json'),
    allowDestinations: settings.list('allow-destination'),
    keepRuns: settings.wholeNumber('keep-runs', 1_000_000_000) ?? 1000,
    keepAuditDays: settings.wholeNumber('keep-audit-days', 100_000) ?? 0,
    corsOrigins: settings.list('cors-origin'),
    trustedProxies: settings.networks('trust-proxy'),
  }
}

/** What the first start of a workspace takes from the environment. @throws UsageError */
export function readFirstStartSecrets(environment: Environment = process.env): {
  adminPassword: string | undefined
  adminApiKey: string | undefined
} {
  const adminPassword = environment['PIMLET_ADMIN_PASSWORD'] || undefined
  const adminApiKey = environment['PIMLET_ADMIN_API_KEY'] || undefined
  if (adminPassword !== undefined) {
    const result = v.safeParse(Password, adminPassword)
    if (!result.success) throw new UsageError(`PIMLET_ADMIN_PASSWORD ${result.issues[0].message}`)
  }
  if (adminApiKey !== undefined && !/^[\x21-\x7e]{32,500}$/.test(adminApiKey))
    throw new UsageError('PIMLET_ADMIN_API_KEY must be 32 to 500 visible ASCII characters without spaces')
  return { adminPassword, adminApiKey }
}

/** The server that a command talks to. */
export interface Connection {
  readonly url: URL
  readonly apiKey: string
}

/** From `--url` and `--api-key`, or PIMLET_URL and PIMLET_API_KEY. @throws UsageError */
export function readConnection(
  flags: Readonly<Record<string, unknown>>,
  environment: Environment = process.env,
): Connection {
  const settings = new Settings([
    [(name) => `--${name}`, (name) => flags[name]],
    [variableName, (name) => environment[variableName(name)]],
  ])
  const text = settings.text('url') ?? 'http://127.0.0.1:8080'
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search + url.hash + url.username !== '')
    throw new UsageError(`--url must be the address of a server, such as http://127.0.0.1:8080`)
  const apiKey = settings.text('api-key')
  if (apiKey === undefined) throw new UsageError('An API key is required: --api-key, or the variable PIMLET_API_KEY')
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError('The API key must be visible ASCII characters')
  return { url, apiKey }
}

/** The name of `names` that the user may have meant, for messages. */
export function suggest(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.max(2, name.length / 3) ? best.candidate : undefined
}

class Settings {
  readonly #sources: readonly (readonly [label: (name: string) => string, source: Source])[]

  constructor(sources: readonly (readonly [label: (name: string) => string, source: Source])[]) {
    this.#sources = sources
  }

  text(name: string): string | undefined {
    const found = this.#find(name)
    return found === undefined ? undefined : toText(found.value, found.label)
  }

  wholeNumber(name: string, max: number): number | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const text = String(found.value)
    if (!/^\d{1,15}$/.test(text) || Number(text) > max)
      throw new UsageError(`${found.label} must be a whole number from 0 to ${max}`)
    return Number(text)
  }

  bytes(name: string): number | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const [, digits = '', unit = ''] = /^(\d{1,12})(b|kb|mb)?$/i.exec(String(found.value).trim()) ?? []
    const bytes = Number(digits) * ({ kb: 1024, mb: 1024 ** 2 }[unit.toLowerCase()] ?? 1)
    if (digits === '' || bytes < 1024 || bytes > 256 * 1024 ** 2)
      throw new UsageError(`${found.label} must be a size from 1kb to 256mb, such as 10mb`)
    return bytes
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const found = this.#find(name)
    if (found === undefined) return undefined
    const value = values.find((candidate) => candidate === found.value)
    if (value === undefined) throw new UsageError(`${found.label} must be one of ${values.join(', ')}`)
    return value
  }

  /** Commas separate entries of a variable. */
  list(name: string): string[] {
    const found = this.#find(name)
    if (found === undefined) return []
    const items: unknown[] = Array.isArray(found.value) ? found.value : String(found.value).split(',')
    return items.map((item) => toText(item, found.label).trim()).filter((item) => item !== '')
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

  #find(name: string): { value: unknown; label: string } | undefined {
    for (const [label, source] of this.#sources) {
      const value = source(name)
      if (value !== undefined && value !== '') return { value, label: label(name) }
    }
    return undefined
  }
}

function variableName(flag: string): string {
  return `PIMLET_${flag.replaceAll('-', '_').toUpperCase()}`
}

function toText(value: unknown, label: string): string {
  if (Array.isArray(value)) throw new UsageError(`${label} is given more than once`)
  if (typeof value !== 'string' || value.includes('\0')) throw new UsageError(`${label} must be text`)
  return value
}

function readFile(file: string): Source {
  let settings: unknown
  try {
    settings = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not valid JSON' : (error as NodeJS.ErrnoException).code
    throw new UsageError(`The config file ${file} cannot be read: ${why}`, { cause: error })
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new UsageError(`The config file ${file} must hold a JSON object`)
  const known = FLAGS.map((flag) => flag.name).filter((name) => name !== 'config')
  const entries = new Map<string, unknown>(Object.entries(settings))
  for (const name of entries.keys()) if (!known.includes(name)) throw unknownSetting(name, known, file)
  return (name) => entries.get(name)
}

function unknownSetting(name: string, known: readonly string[], file: string): UsageError {
  const meant = suggest(name, known)
  return new UsageError(
    `The config file ${file} has the unknown setting '${name}'${meant === undefined ? '' : `; did you mean '${meant}'?`}`,
  )
}

/** Levenshtein's. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}
