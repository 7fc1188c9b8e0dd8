// A whole server in the test's process, on a directory and a port of its own, with every response checked against its
// route. A response 5xx or a logged fault that the test did not announce fails the test that stops the server.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { type App, startApp, type AppOptions } from '../../src/app/app.ts'
import { KEY_FILES } from '../../src/kernel/machine/data-directory.ts'
import type { Config } from '../../src/kernel/settings/config.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { keyClient, serveInTurn, type Client } from './client.ts'
import { testedDatabase } from './tested-database.ts'
import { makeTempDirectory } from './temp-directory.ts'
import { asTested } from './twice-store.ts'

export const ADMIN_PASSWORD = 'the password of admin'
export const ADMIN_KEY = 'the-key-of-admin-in-tests-is-long-enough'

export interface ServerOptions extends Partial<Config> {
  /** Whether logged errors are expected: the test inspects `logged` itself. */
  readonly allowFaults?: boolean
  readonly testing?: AppOptions['testing']
}

/** Number of servers on one database. Several servers are one server to a test, and its clients ask them in turn. */
const SERVERS = Number(process.env['TEST_SERVERS'] ?? 1)
/** The reason why a test of one server's files is skipped, or false. */
export const amongServers = SERVERS > 1 && 'It is a test of one server'
/** Data directories of further servers, by the directory of the first. */
const otherDirectories = new Map<string, readonly string[]>()

export interface LogLine {
  readonly level: number
  readonly msg?: string
  readonly [field: string]: unknown
}

export interface TestServer {
  readonly url: string
  readonly dataDir: string
  /** The data directories of all servers of the workspace. */
  readonly dataDirs: readonly string[]
  /** A client with an API key of the role admin. */
  readonly admin: Client
  readonly anonymous: Client
  /** All log lines, oldest first. */
  readonly logged: readonly LogLine[]
  stop(): Promise<void>
  /** Stops the server, and starts another on the same directory. */
  restart(): Promise<TestServer>
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? makeTempDirectory()
  const databaseUrl = await testedDatabase(dataDir)
  const isAlone = databaseUrl === undefined || 'databaseUrl' in options
  const logged: LogLine[] = []
  const settings = { databaseUrl, ...options, dataDir }
  const apps = [await startOne(settings, logged)]
  // Servers start one after another: the first makes the workspace, and the keys that the others need.
  for (const directory of isAlone ? [] : directoriesBeside(dataDir)) {
    const beside = {
      pluginsDir: configFor(dataDir).pluginsDir,
      files: path.join(dataDir, 'files'),
      ...settings,
      dataDir: directory,
      port: 0,
    }
    apps.push(await startOne(beside, logged))
  }
  const stop = async (): Promise<void> => {
    await Promise.all(apps.map((app) => app.stop()))
    const faults = logged.filter((line) => line.level >= 50)
    if (options.allowFaults !== true) assert.deepEqual(faults, [], 'the server logged faults')
  }
  const url = `${apps[0]!.url}${options.basePath ?? ''}`
  serveInTurn(apps.map((app) => app.url))
  return {
    url,
    dataDir,
    dataDirs: [dataDir, ...(isAlone ? [] : directoriesBeside(dataDir))],
    admin: keyClient(url, ADMIN_KEY),
    anonymous: keyClient(url),
    logged,
    stop,
    async restart() {
      await stop()
      return startServer({ ...options, dataDir })
    },
  }
}

function startOne(options: ServerOptions & { readonly dataDir: string }, logged: LogLine[]): Promise<App> {
  const { allowFaults: _faults, testing, ...settings } = options
  return startApp({
    config: { ...configFor(settings.dataDir), ...settings },
    firstStart: { adminPassword: ADMIN_PASSWORD, adminApiKey: ADMIN_KEY },
    announcePassword: () => assert.fail('the password of admin is given'),
    version: '0.0.0-test',
    log: createLog({
      level: 'info',
      format: 'json',
      system,
      write: (line) => logged.push(JSON.parse(line) as LogLine),
    }),
    testing: { passwordCost: 4, checkResponses: true, stopGrace: 2000, wrapStore: asTested, ...testing },
  })
}

/** Returns directories with the keys of the server in `dataDir`. */
function directoriesBeside(dataDir: string): readonly string[] {
  const known = otherDirectories.get(dataDir)
  if (known !== undefined) return known
  const directories = Array.from({ length: SERVERS - 1 }, () => makeTempDirectory())
  for (const directory of directories)
    for (const name of KEY_FILES) cpSync(path.join(dataDir, name), path.join(directory, name))
  otherDirectories.set(dataDir, directories)
  return directories
}

export function configFor(dataDir: string): Config {
  return {
    dataDir,
    workspaceName: 'Workspace of tests',
    host: '127.0.0.1',
    port: 0,
    basePath: '',
    maxRecords: 500,
    maxBody: 10 * 1024 ** 2,
    maxBodyValues: 200_000,
    maxHeld: 64 * 1024 ** 2,
    maxImport: 64 * 1024 ** 2,
    files: undefined,
    filesConfig: undefined,
    publicUrl: '',
    maxFile: 8 * 1024 ** 2,
    keepFilesDays: 30,
    pictureWorkers: 2,
    maxRenditions: 64 * 1024 ** 2,
    queryTimeout: 30,
    pluginsDir: `${dataDir}/plugins`,
    logLevel: 'info',
    logFormat: 'json',
    allowDestinations: [],
    keepRuns: 1000,
    keepAuditDays: 0,
    keepJobsDays: 30,
    servesConsole: true,
    corsOrigins: [],
    trustedProxies: [],
  }
}
