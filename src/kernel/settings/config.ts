// The settings of commands: by flags, PIMLET_ variables and a JSON file, each checked at the start. The only reader of the
// environment. Contract 2 §8.
import { Password } from '../input/validation.ts'
import path from 'node:path'
import * as v from 'valibot'
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../observing/log.ts'
import {
  describeBytes,
  type Environment,
  findSettings,
  findUnknownVariables as findUnknown,
  type Flag,
  type GivenFlags,
  type Settings,
} from './settings.ts'
import { UsageError } from '../machine/start-error.ts'

/** Characters. */
const MAX_WORKSPACE_NAME = 200

/** A setting of `serve`: its flag with the help text, and the reader of its value. */
interface Setting<Value> {
  readonly flag: Flag
  /** @throws UsageError naming the setting as it was given */
  readonly read: (settings: Settings) => Value
}

/** Every setting of `serve`, in the order of the help text. */
const SETTINGS = {
  dataDir: setting(
    { name: 'data-dir', description: 'Directory of the workspace; made where it is missing' },
    dataDirOf,
  ),
  databaseUrl: setting(
    {
      name: 'database-url',
      description: 'PostgreSQL database of the workspace, for several servers; better given as the variable',
      defaultText: 'the workspace is in --data-dir',
    },
    (settings) => settings.databaseUrl('database-url'),
  ),
  workspaceName: setting(
    { name: 'workspace-name', description: 'What clients call the workspace', defaultText: 'the name of --data-dir' },
    workspaceNameOf,
  ),
  host: setting(
    { name: 'host', description: 'Address to listen on', defaultText: '127.0.0.1' },
    (settings) => settings.text('host') ?? '127.0.0.1',
  ),
  port: number('port', 'Port to listen on; 0 picks a free one', { max: 65_535, usual: 8080 }),
  basePath: setting(
    {
      name: 'base-path',
      description: 'Path before all paths of the server, such as /pim, as a reverse proxy hands it on',
    },
    (settings) => settings.basePath('base-path'),
  ),
  maxRecords: number('max-records', 'Limit of records; 0: no limit', { max: 1_000_000_000, usual: 500 }),
  maxBody: bytes('max-body', 'Limit of a JSON body: bytes, or with kb or mb', { usual: 10 * 1024 ** 2 }),
  maxBodyValues: number('max-body-values', 'Limit of the values in a JSON body or a line of an import', {
    min: 1,
    max: 10_000_000,
    usual: 200_000,
  }),
  maxHeld: bytes('max-held', 'Limit of what all requests under way hold in memory together: bytes, or with kb or mb', {
    max: 1024 ** 4,
    usual: 64 * 1024 ** 2,
  }),
  maxImport: bytes(
    'max-import',
    'Limit of the files together that are kept to be imported: bytes, or with kb, mb or gb',
    { max: 1024 ** 4, usual: 10 * 1024 ** 3 },
  ),
  files: setting(
    {
      name: 'files',
      description: 'Where files are kept: a directory, s3://bucket/prefix or azure-blob://container/prefix',
      defaultText: '<data-dir>/files',
    },
    (settings) => settings.text('files'),
  ),
  filesConfig: setting(
    {
      name: 'files-config',
      description: 'Settings of that bucket or container as JSON, as of the destination; better given as the variable',
    },
    (settings) => settings.text('files-config'),
  ),
  maxFile: bytes('max-file', 'Limit of one file: bytes, or with kb, mb or gb', {
    max: 1024 ** 4,
    usual: 200 * 1024 ** 2,
  }),
  publicUrl: setting(
    {
      name: 'public-url',
      description: 'Address before public addresses and links in mails, such as https://pim.example.com',
      defaultText: 'none: a path without a host',
    },
    (settings) => settings.webAddress('public-url') ?? settings.basePath('base-path'),
  ),
  keepFilesDays: number('keep-files-days', 'Days that a file is kept after the last value that named it; 0: for ever', {
    max: 100_000,
    usual: 30,
  }),
  pictureWorkers: number('picture-workers', 'Processes that read and make pictures, at most', {
    min: 1,
    max: 64,
    usual: 2,
  }),
  maxRenditions: bytes('max-renditions', 'Limit of the made pictures that are kept: bytes, or with kb, mb or gb', {
    max: 1024 ** 4,
    usual: 1024 ** 3,
  }),
  queryTimeout: number('query-timeout', 'Seconds of work that one search may take', { min: 1, max: 3600, usual: 30 }),
  pluginsDir: setting(
    {
      name: 'plugins-dir',
      description: 'Directory of plugins: destinations and messengers',
      defaultText: '<data-dir>/plugins',
    },
    (settings) => settings.directory('plugins-dir') ?? path.join(dataDirOf(settings), 'plugins'),
  ),
  logLevel: setting(
    { name: 'log-level', description: `Least level that is logged: ${LOG_LEVELS.join(', ')}`, defaultText: 'info' },
    (settings): LogLevel => settings.oneOf('log-level', LOG_LEVELS) ?? 'info',
  ),
  logFormat: setting(
    {
      name: 'log-format',
      description: 'Lines for programs (json) or for people (pretty)',
      defaultText: 'pretty on a terminal, else json',
    },
    (settings): LogFormat => settings.oneOf('log-format', LOG_FORMATS) ?? (process.stderr.isTTY ? 'pretty' : 'json'),
  ),
  allowDestinations: list(
    'allow-destination',
    'Network or host that exports and messages may reach though it is local',
  ),
  keepRuns: number('keep-runs', 'Runs kept in the history of an export job; 0: all', {
    max: 1_000_000_000,
    usual: 1000,
  }),
  keepAuditDays: number('keep-audit-days', 'Days that audit entries are kept; 0: for ever', { max: 100_000, usual: 0 }),
  keepJobsDays: number('keep-jobs-days', 'Days that bulk jobs are kept after their end; 0: for ever', {
    max: 100_000,
    usual: 30,
  }),
  servesConsole: setting(
    { name: 'no-console', description: 'Serve no console, but the interface alone', isSwitch: true },
    (settings) => !settings.isOn('no-console'),
  ),
  corsOrigins: list('cors-origin', 'Origin whose pages may call the API from a browser; * for all', (settings) =>
    settings.origins('cors-origin'),
  ),
  trustedProxies: list(
    'trust-proxy',
    'Address or network of a reverse proxy whose X-Forwarded-For and X-Forwarded-Prefix are believed',
    (settings) => settings.networks('trust-proxy'),
  ),
}

type Values = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> }

/** The settings of a server. */
export interface Config extends Omit<Values, 'databaseUrl'> {
  /** Undefined: the workspace is in the data directory. */
  readonly databaseUrl?: string | undefined
}

function setting<Value>(flag: Flag, read: (settings: Settings) => Value): Setting<Value> {
  return { flag, read }
}

interface Range {
  readonly min?: number
  readonly max?: number
  readonly usual: number
}

function number(name: string, description: string, { min, max, usual }: Required<Pick<Range, 'max'>> & Range) {
  const flag = { name, description, defaultText: String(usual) }
  return setting(flag, (settings) => settings.wholeNumber(name, max, min) ?? usual)
}

function bytes(name: string, description: string, { max, usual }: Range) {
  const flag = { name, description, defaultText: describeBytes(usual) }
  return setting(flag, (settings) => settings.bytes(name, max) ?? usual)
}

function list(
  name: string,
  description: string,
  read = (settings: Settings): readonly string[] => settings.list(name),
) {
  return setting({ name, description, isList: true }, read)
}

export const FLAGS: readonly Flag[] = [
  ...Object.values(SETTINGS).map(({ flag }) => flag),
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

/** Flags that name the store of files. */
export const CONTENT_FLAGS: readonly Flag[] = [SETTINGS.files.flag, SETTINGS.filesConfig.flag]

/** Flags of every command that talks to a server. */
export const CONNECTION_FLAGS: readonly Flag[] = [
  { name: 'url', description: 'Address of the server', defaultText: 'http://127.0.0.1:8080' },
  { name: 'api-key', description: 'API key; better given as the variable PIMLET_API_KEY' },
  CONFIG_FLAG,
]

/** One config file may serve all commands; each command ignores settings of others. */
const IN_FILES = [...FLAGS, ...CONNECTION_FLAGS].map(({ name }) => name).filter((name) => name !== CONFIG_FLAG.name)

/** Variables that are not settings. */
const SECRETS = ['PIMLET_ADMIN_PASSWORD', 'PIMLET_ADMIN_API_KEY']

/** Unknown variables with the prefix of settings, as warnings with a suggestion. */
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
  const values = Object.entries(SETTINGS).map(([name, { read }]) => [name, read(settings)])
  return Object.fromEntries(values) as Config
}

function workspaceNameOf(settings: Settings): string {
  const given = settings.text('workspace-name')
  const dataDir = dataDirOf(settings)
  if (given === undefined) return path.basename(dataDir) || dataDir
  if (given.length <= MAX_WORKSPACE_NAME && given.trim() !== '' && !/\p{C}/u.test(given)) return given
  throw new UsageError(`--workspace-name must be 1 to ${MAX_WORKSPACE_NAME} characters without control characters`)
}

export function dataDirOf(settings: Settings): string {
  const directory = settings.text('data-dir')
  if (directory === undefined) throw new UsageError('--data-dir is required: the directory of the workspace')
  return path.resolve(directory)
}

/** Secrets for the first start of a workspace, from the environment. @throws UsageError */
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
