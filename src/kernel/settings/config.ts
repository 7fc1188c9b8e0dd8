// What commands are told: settings by flags, PIMLET_ variables and a JSON file, each checked at the start. The only reader
// of the environment. Contract 2 §8.
import { Password } from '../input/validation.ts'
import path from 'node:path'
import * as v from 'valibot'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../observing/log.ts'
import {
  type Environment,
  findSettings,
  findUnknownVariables as findUnknown,
  type Flag,
  type GivenFlags,
  type Settings,
} from './settings.ts'
import { UsageError } from '../machine/start-error.ts'

export interface Config {
  readonly dataDir: string
  /** Of a workspace in PostgreSQL, as libpq has it; undefined: the workspace is in the data directory. */
  readonly databaseUrl?: string | undefined
  /** What people know the workspace by. */
  readonly workspaceName: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Before all paths, such as `/pim`; '' for none. */
  readonly basePath: string
  /** 0: no limit. */
  readonly maxRecords: number
  /** Bytes. */
  readonly maxBody: number
  /** Values in one JSON body, or in one line of an import. */
  readonly maxBodyValues: number
  /** Bytes of all files together that wait to be imported. */
  readonly maxImport: number
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
  /** Since they ended; 0: for ever. */
  readonly keepJobsDays: number
  readonly servesConsole: boolean
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
}

export const FLAGS: readonly Flag[] = [
  { name: 'data-dir', description: 'Directory of the workspace; made where it is missing' },
  {
    name: 'database-url',
    description: 'PostgreSQL database of the workspace, for several servers; better given as the variable',
    defaultText: 'the workspace is in --data-dir',
  },
  { name: 'workspace-name', description: 'What clients call the workspace', defaultText: 'the name of --data-dir' },
  { name: 'host', description: 'Address to listen on', defaultText: '127.0.0.1' },
  { name: 'port', description: 'Port to listen on; 0 picks a free one', defaultText: '8080' },
  {
    name: 'base-path',
    description: 'Path before all paths of the server, such as /pim, as a reverse proxy hands it on',
  },
  { name: 'max-records', description: 'Limit of records; 0: no limit', defaultText: '500' },
  { name: 'max-body', description: 'Limit of a JSON body: bytes, or with kb or mb', defaultText: '10mb' },
  {
    name: 'max-body-values',
    description: 'Limit of the values in a JSON body or a line of an import',
    defaultText: '200000',
  },
  {
    name: 'max-import',
    description: 'Limit of the files together that are kept to be imported: bytes, or with kb, mb or gb',
    defaultText: '1gb',
  },
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
  {
    name: 'keep-jobs-days',
    description: 'Days that bulk jobs are kept after their end; 0: for ever',
    defaultText: '30',
  },
  { name: 'no-console', description: 'Serve no console, but the interface alone', isSwitch: true },
  { name: 'cors-origin', description: 'Origin whose pages may call the API from a browser; * for all', isList: true },
  {
    name: 'trust-proxy',
    description: 'Address or network of a reverse proxy whose X-Forwarded-For and X-Forwarded-Prefix are believed',
    isList: true,
  },
  { name: 'config', description: 'JSON file with settings under the names of the flags' },
]

const [DATA_DIR_FLAG, DATABASE_URL_FLAG] = FLAGS as [Flag, Flag]
const CONFIG_FLAG = FLAGS.at(-1)!

/** Flags of every command that works on a workspace itself. */
export const WORKSPACE_FLAGS: readonly Flag[] = [
  { ...DATA_DIR_FLAG, description: 'Directory of the workspace' },
  DATABASE_URL_FLAG,
  CONFIG_FLAG,
]

/** Flags of every command that talks to a server. */
export const CONNECTION_FLAGS: readonly Flag[] = [
  { name: 'url', description: 'Address of the server', defaultText: 'http://127.0.0.1:8080' },
  { name: 'api-key', description: 'API key; better given as the variable PIMLET_API_KEY' },
  CONFIG_FLAG,
]

/** One config file may serve all commands: each takes from it what it knows. */
const IN_FILES = [...FLAGS, ...CONNECTION_FLAGS].map(({ name }) => name).filter((name) => name !== CONFIG_FLAG.name)

/** Variables that are no settings. */
const SECRETS = ['PIMLET_ADMIN_PASSWORD', 'PIMLET_ADMIN_API_KEY']

/** Variables whose name begins as those of settings do, each with what may be meant, as warnings. */
export function findUnknownVariables(environment: Environment = process.env): string[] {
  return findUnknown(environment, [...IN_FILES, CONFIG_FLAG.name], SECRETS)
}

/** @throws UsageError naming the setting as it was given */
export function settingsOf(
  flags: GivenFlags,
  environment: Environment = process.env,
  defaults: GivenFlags = {},
): Settings {
  return findSettings(flags, environment, IN_FILES, defaults)
}

/**
 * Settings of `serve`.
 * @param defaults in place of the usual ones
 * @throws UsageError naming the setting as it was given
 */
export function readConfig(
  flags: GivenFlags,
  environment: Environment = process.env,
  defaults: GivenFlags = {},
): Config {
  const settings = settingsOf(flags, environment, defaults)
  const dataDir = dataDirOf(settings)
  return {
    dataDir,
    databaseUrl: settings.databaseUrl('database-url'),
    workspaceName: workspaceNameOf(settings, dataDir),
    host: settings.text('host') ?? '127.0.0.1',
    port: settings.wholeNumber('port', 65_535) ?? 8080,
    basePath: settings.basePath('base-path'),
    maxRecords: settings.wholeNumber('max-records', 1_000_000_000) ?? 500,
    maxBody: settings.bytes('max-body') ?? 10 * 1024 ** 2,
    maxBodyValues: settings.wholeNumber('max-body-values', 10_000_000, 1) ?? 200_000,
    maxImport: settings.bytes('max-import', 1024 ** 4) ?? 1024 ** 3,
    queryTimeout: settings.wholeNumber('query-timeout', 3600, 1) ?? 30,
    pluginsDir: settings.directory('plugins-dir') ?? path.join(dataDir, 'plugins'),
    logLevel: settings.oneOf('log-level', LOG_LEVELS) ?? 'info',
    logFormat: settings.oneOf('log-format', LOG_FORMATS) ?? (process.stderr.isTTY ? 'pretty' : 'json'),
    allowDestinations: settings.list('allow-destination'),
    keepRuns: settings.wholeNumber('keep-runs', 1_000_000_000) ?? 1000,
    keepAuditDays: settings.wholeNumber('keep-audit-days', 100_000) ?? 0,
    keepJobsDays: settings.wholeNumber('keep-jobs-days', 100_000) ?? 30,
    servesConsole: !settings.isOn('no-console'),
    corsOrigins: settings.origins('cors-origin'),
    trustedProxies: settings.networks('trust-proxy'),
  }
}

/** Characters. */
const MAX_WORKSPACE_NAME = 200

function workspaceNameOf(settings: Settings, dataDir: string): string {
  const given = settings.text('workspace-name')
  if (given === undefined) return path.basename(dataDir) || dataDir
  if (given.length <= MAX_WORKSPACE_NAME && given.trim() !== '' && !/\p{C}/u.test(given)) return given
  throw new UsageError(`--workspace-name must be 1 to ${MAX_WORKSPACE_NAME} characters without control characters`)
}

export function dataDirOf(settings: Settings): string {
  const directory = settings.text('data-dir')
  if (directory === undefined) throw new UsageError('--data-dir is required: the directory of the workspace')
  return path.resolve(directory)
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
