// Which workspace or server a command works on, as its settings say. Contract 2 §8, 3 §8.
import { UsageError } from '../machine/start-error.ts'
import { dataDirOf, settingsOf } from './config.ts'
import type { Environment, GivenFlags, Settings } from './settings.ts'
import { own } from '../own.ts'

/** A workspace in a database, or else in the directory. */
interface Workspace {
  /** For a workspace in a database: the directory of a server's keys and files. */
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

/**
 * The directory of a workspace that is not in a database. @param otherwise advice for a workspace in a database @throws
 * UsageError
 */
export function readDataDir(flags: GivenFlags, otherwise: string, environment?: Environment): string {
  const settings = settingsOf(flags, environment)
  if (settings.databaseUrl('database-url') !== undefined) throw new UsageError(otherwise)
  return dataDirOf(settings)
}

/** The workspace that a command works on, with its files. @throws UsageError */
export function readWorkspace(flags: GivenFlags, environment?: Environment): Workspace {
  const settings = settingsOf(flags, environment)
  return { dataDir: dataDirOf(settings), databaseUrl: settings.databaseUrl('database-url') }
}

/** The workspace without its files; a workspace in a database then needs no directory. */
export type Accounts = Workspace | (Omit<Workspace, 'dataDir'> & { readonly databaseUrl: string })

/** The place of a workspace's users and keys. @throws UsageError */
export function readAccounts(flags: GivenFlags, environment?: Environment): Accounts {
  return accountsOf(settingsOf(flags, environment))
}

function accountsOf(settings: Settings): Accounts {
  const databaseUrl = settings.databaseUrl('database-url')
  return databaseUrl === undefined ? { dataDir: dataDirOf(settings), databaseUrl } : { databaseUrl }
}

/** The server that a command talks to, and as whom. */
export interface Connection {
  readonly url: URL
  /** One of the two; none for a login. */
  readonly apiKey?: string | undefined
  readonly accessToken?: string
}

/** @throws UsageError */
export function readConnection(flags: GivenFlags, environment?: Environment): Connection {
  const connection = readServer(settingsOf(flags, environment))
  if (connection.apiKey === undefined)
    throw new UsageError(
      'An API key is required: --api-key, or the variable PIMLET_API_KEY. pimlet key create makes one',
    )
  return connection
}

/**
 * Whether a command works on a workspace or talks to a server. The flags decide; without such flags, all settings decide.
 * @throws UsageError if the settings name neither
 */
export function readPlace(flags: GivenFlags, environment?: Environment): Accounts | Connection {
  const settings = settingsOf(flags, environment)
  const places = ['data-dir', 'database-url', 'url']
  const named = places.filter((name) => own(flags, name) !== undefined)
  const given = named.length > 0 ? named : places.filter((name) => settings.text(name) !== undefined)
  const isServer = given.includes('url')
  if (given.length === 0 || (isServer && given.length > 1))
    throw new UsageError(
      'Name the workspace by --data-dir while no server runs on it, or by --database-url, or the server by --url',
    )
  return isServer ? readServer(settings) : accountsOf(settings)
}

function readServer(settings: Settings): Connection {
  const text = settings.text('url') ?? 'http://127.0.0.1:8080'
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search + url.hash + url.username !== '')
    throw new UsageError(`--url must be the address of a server, such as http://127.0.0.1:8080`)
  const apiKey = settings.text('api-key')
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError('The API key must be visible ASCII characters')
  return { url, apiKey }
}
