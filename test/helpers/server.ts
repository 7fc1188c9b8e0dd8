// A whole server in the test's process, on a directory and a port of its own, with every response checked against its
// route. A response 5xx or a logged fault that the test did not announce fails the test that stops the server.
import assert from 'node:assert/strict'
import { startApp, type AppOptions } from '../../src/app/app.ts'
import type { Config } from '../../src/settings/config.ts'
import { createLog } from '../../src/observing/log.ts'
import { system } from '../../src/machine/system.ts'
import { keyClient, type Client } from './client.ts'
import { makeDatabase, type TestDatabase } from './postgres.ts'
import { makeTempDirectory } from './temp-directory.ts'
import { asTested } from './twice-store.ts'

export const ADMIN_PASSWORD = 'the password of admin'
export const ADMIN_KEY = 'the-key-of-admin-in-tests-is-long-enough'

export interface ServerOptions extends Partial<Config> {
  /** Logged errors are expected: the test looks at `logged` itself. */
  readonly allowFaults?: boolean
  readonly testing?: AppOptions['testing']
}

/** `TEST_DATABASE=postgres`: servers have their workspaces in PostgreSQL, where the test does not say something else. */
const ON_POSTGRES = process.env['TEST_DATABASE'] === 'postgres'
/** Of data directories whose workspace is in PostgreSQL because of that. */
const databases = new Map<string, TestDatabase>()

async function databaseUrlOf(dataDir: string): Promise<string | undefined> {
  if (!ON_POSTGRES) return undefined
  const known = databases.get(dataDir) ?? (await makeDatabase())
  databases.set(dataDir, known)
  return known.url
}

export interface LogLine {
  readonly level: number
  readonly msg?: string
  readonly [field: string]: unknown
}

export interface TestServer {
  readonly url: string
  readonly dataDir: string
  /** With an API key of the role admin. */
  readonly admin: Client
  readonly anonymous: Client
  /** Everything that was logged, oldest first. */
  readonly logged: readonly LogLine[]
  stop(): Promise<void>
  /** Stops it and starts it anew on the same directory. */
  restart(): Promise<TestServer>
}

export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { allowFaults = false, testing, ...settings } = options
  const dataDir = settings.dataDir ?? makeTempDirectory()
  const logged: LogLine[] = []
  const databaseUrl = await databaseUrlOf(dataDir)
  const app = await startApp({
    config: { ...configFor(dataDir), databaseUrl, ...settings },
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
  const stop = async (): Promise<void> => {
    await app.stop()
    const faults = logged.filter((line) => line.level >= 50)
    if (!allowFaults) assert.deepEqual(faults, [], 'the server logged faults')
  }
  return {
    url: app.url,
    dataDir,
    admin: keyClient(app.url, ADMIN_KEY),
    anonymous: keyClient(app.url),
    logged,
    stop,
    async restart() {
      await stop()
      return startServer({ ...options, dataDir })
    },
  }
}

export function configFor(dataDir: string): Config {
  return {
    dataDir,
    workspaceName: 'Workspace of tests',
    host: '127.0.0.1',
    port: 0,
    maxRecords: 500,
    maxBody: 10 * 1024 ** 2,
    maxBodyValues: 200_000,
    maxImport: 64 * 1024 ** 2,
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
