// The composition root: makes everything, knows everybody, and says in which order things start and stop.
import path from 'node:path'
import { builtInDestinations } from '../plugins/index.ts'
import type { DeliveryLimits } from './exports/delivery.ts'
import { createExportEngine, type RunningEngine } from './exports/engine.ts'
import { createNetwork } from './exports/network.ts'
import { claimPluginFault } from './exports/plugin-calls.ts'
import { loadPlugins } from './exports/plugin-loader.ts'
import { createRenderer } from './exports/render-client.ts'
import { Pipeline } from './http/pipeline.ts'
import { apiRoutes, exportRoutes, withoutPrefix } from './http/api.ts'
import { HttpServer, SERVER_LIMITS, type ServerLimits } from './http/server.ts'
import type { Config } from './config.ts'
import { type DataDirectory, openDataDirectory, prepareDataDirectory } from './data-directory.ts'
import type { Log } from './log.ts'
import { lockWorkspace } from './maintenance/lock.ts'
import { parseNetworks } from './networks.ts'
import { createApiKeyService } from './services/api-keys.ts'
import { createAuthenticationService } from './services/authentication.ts'
import { createCredentials } from './services/credentials.ts'
import { type FirstStartSecrets, prepareFirstStart } from './services/first-start.ts'
import { createExportJobService } from './services/export-jobs.ts'
import { createExportRunService } from './services/export-runs.ts'
import { createHealthService } from './services/health.ts'
import { createKeyUsage, type KeyUsage } from './services/key-usage.ts'
import { createLoginThrottle } from './services/login-throttle.ts'
import { createPasswordHasher, type PasswordHasher } from './services/passwords.ts'
import { createAssignmentService } from './services/assignments.ts'
import { createAuditService } from './services/audit.ts'
import { createCatalogService } from './services/catalogs.ts'
import { createCategoryService } from './services/categories.ts'
import { createDimensionService } from './services/dimensions.ts'
import { createImportService } from './services/imports.ts'
import { createLifecycleService } from './services/lifecycle.ts'
import { createRecordValuesService } from './services/record-values.ts'
import { createRecordService } from './services/records.ts'
import { createSavedQueryService } from './services/saved-queries.ts'
import { createSearchService } from './services/search.ts'
import { createSchemaService } from './services/schemas.ts'
import { createWorkflowService } from './services/workflows.ts'
import { createRoleService } from './services/roles.ts'
import type { Services } from './services/services.ts'
import { createTokens } from './services/tokens.ts'
import { createUserService } from './services/users.ts'
import { StartError } from './start-error.ts'
import { openSqliteStore } from './storage/sqlite/store.ts'
import type { Store } from './storage/port.ts'
import { system as realSystem, type System } from './system.ts'

/** Milliseconds that requests under way get at a stop. */
const STOP_GRACE = 10_000
/** Milliseconds from the headers of a request to the last byte of its body. */
const BODY_TIMEOUT = 30_000

export interface AppOptions {
  readonly config: Config
  readonly firstStart: FirstStartSecrets
  readonly version: string
  readonly log: Log
  /** What tests set differently. */
  readonly testing?: {
    readonly system?: System
    readonly passwordCost?: number
    readonly checkResponses?: boolean
    readonly serverLimits?: Partial<ServerLimits>
    readonly bodyTimeout?: number
    readonly stopGrace?: number
    readonly exportLimits?: Partial<DeliveryLimits> & { readonly runTime?: number }
  }
}

export interface App {
  /** `http://HOST:PORT` */
  readonly url: string
  /** Of the user `admin`, where this start made one up. */
  readonly randomAdminPassword: string | undefined
  /** Whether a fault that nobody caught, in whose async context this is called, is a plugin's: the server goes on. */
  claimFault(error: unknown): boolean
  /** Accepts no more requests, finishes those under way, ends exports, and closes storage. */
  stop(): Promise<void>
}

/** Starts the server on its data directory. @throws StartError */
export async function startApp(options: AppOptions): Promise<App> {
  const { dataDir } = options.config
  prepareDataDirectory(dataDir)
  const unlock = lockWorkspace(dataDir)
  try {
    const directory = openDataDirectory(dataDir, options.testing?.system ?? realSystem)
    const store = await openStore(directory, options)
    try {
      return await startOn(store, directory, unlock, options)
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startOn(store: Store, directory: DataDirectory, unlock: () => void, options: AppOptions): Promise<App> {
  const { testing = {} } = options
  const system = testing.system ?? realSystem
  const passwords = createPasswordHasher(system, testing.passwordCost)
  const randomAdminPassword = await prepareFirstStart({ store, system, passwords }, options.firstStart)
  let isStopping = false
  const keyUsage = createKeyUsage({ store, system, log: options.log })
  const exports = await prepareExports(store, directory, options)
  try {
    const deps = { store, system, passwords, keyUsage, directory, engine: exports.engine }
    const services = createServices(deps, options, () => isStopping)
    const server = createServer(services, options, system, () => isStopping)
    const url = await listen(server, options.config)
    await exports.engine.start()
    return {
      url,
      randomAdminPassword,
      claimFault: claimPluginFault,
      async stop() {
        if (isStopping) return
        isStopping = true
        await Promise.all([exports.engine.stop(), server.stop(testing.stopGrace ?? STOP_GRACE)])
        await keyUsage.flush()
        await exports.close()
        await store.close()
        unlock()
      },
    }
  } catch (error) {
    await exports.close()
    throw error
  }
}

/** Destinations, the way to them, and what a server that died has left of exports put right. @throws StartError */
async function prepareExports(
  store: Store,
  { path: dataDir, databaseFile, encryptionKey }: DataDirectory,
  { config, log, testing = {} }: AppOptions,
): Promise<{ engine: RunningEngine; close: () => Promise<void> }> {
  const system = testing.system ?? realSystem
  const destinations = await orStartError(() => loadPlugins(config.pluginsDir, builtInDestinations))
  const network = await orStartError(() => createNetwork({ allow: config.allowDestinations }))
  const onFault = (message: string, error: unknown): void => log.error({ err: error }, message)
  const renderer = createRenderer({ databaseFile, onFault })
  const parts = { store, system, log, destinations, network, renderer, encryptionKey }
  const engine = createExportEngine({
    ...parts,
    spoolDirectory: path.join(dataDir, 'spool'),
    keepRuns: config.keepRuns,
    ...(testing.exportLimits === undefined ? {} : { limits: testing.exportLimits }),
  })
  await engine.recover()
  return { engine, close: () => renderer.close() }
}

/** Faults in what the user has set up are the one line that the user sees. */
async function orStartError<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function createServer(services: Services, options: AppOptions, system: System, isStopping: () => boolean): HttpServer {
  const { config, log, testing = {} } = options
  const pipeline = new Pipeline({
    services,
    log,
    limits: { maxBody: config.maxBody, bodyTimeout: testing.bodyTimeout ?? BODY_TIMEOUT },
    corsOrigins: config.corsOrigins,
    checkResponses: testing.checkResponses ?? false,
    isStopping,
  })
  pipeline.mount(apiRoutes)
  pipeline.mount(exportRoutes, withoutPrefix)
  return new HttpServer(pipeline, log, {
    limits: { ...SERVER_LIMITS, ...testing.serverLimits },
    trustedProxies: config.trustedProxies.length === 0 ? undefined : parseNetworks(config.trustedProxies),
    system,
  })
}

function createServices(
  parts: {
    store: Store
    system: System
    passwords: PasswordHasher
    keyUsage: KeyUsage
    directory: DataDirectory
    engine: RunningEngine
  },
  { config, version }: AppOptions,
  isStopping: () => boolean,
): Services {
  const deps = { ...parts, maxRecords: config.maxRecords, keepRuns: config.keepRuns }
  const { store, system, directory } = deps
  const credentials = createCredentials(store)
  const tokens = createTokens(system, directory.signingKey)
  const throttle = createLoginThrottle(system)
  const search = createSearchService(deps)
  const authentication = createAuthenticationService({ ...deps, credentials, tokens, throttle })
  return {
    apiKeys: createApiKeyService({ ...deps, credentials }),
    assignments: createAssignmentService(deps),
    audit: createAuditService(deps),
    authentication,
    catalogs: createCatalogService(deps),
    categories: createCategoryService(deps),
    dimensions: createDimensionService(deps),
    exportJobs: createExportJobService(deps),
    exportRuns: createExportRunService(deps),
    health: createHealthService({ store, system, version, isStopping }),
    imports: createImportService(deps),
    lifecycle: createLifecycleService(deps),
    recordValues: createRecordValuesService(deps),
    records: createRecordService(deps),
    roles: createRoleService(deps),
    savedQueries: createSavedQueryService({ ...deps, search }),
    schemas: createSchemaService(deps),
    search,
    users: createUserService({ ...deps, credentials, authentication }),
    workflows: createWorkflowService(deps),
  }
}

async function openStore(directory: DataDirectory, { config, log }: AppOptions): Promise<Store> {
  try {
    return await openSqliteStore({
      file: directory.databaseFile,
      queryTimeout: config.queryTimeout * 1000,
      onFault: (message, error) => log.error({ err: error }, message),
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(`The database ${directory.databaseFile} cannot be opened: ${why}`, { cause: error })
  }
}

/** Resolves to the server's URL. */
async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    const listening = await server.listen(host, port)
    return `http://${host.includes(':') ? `[${host}]` : host}:${listening}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = {
      EADDRINUSE: 'the port is taken',
      EACCES: 'the port needs more rights',
      EADDRNOTAVAIL: 'this machine does not have the address',
      ENOTFOUND: 'the host name is unknown',
    }
    throw new StartError(`Cannot listen on ${host}:${port}: ${reasons[code ?? ''] ?? message}`, { cause: error })
  }
}
