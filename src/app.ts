// The composition root: makes everything, knows everybody, and says in which order things start and stop.
import { type ExportLimits, prepareExports } from './app-exports.ts'
import { createServices } from './app-services.ts'
import type { Network } from './exports/destination.ts'
import { createNetwork } from './exports/network.ts'
import { claimPluginFault } from './exports/plugin-calls.ts'
import { Pipeline } from './http/pipeline.ts'
import { apiRoutes, exportRoutes, withoutPrefix } from './http/api.ts'
import { HttpServer, SERVER_LIMITS, type ServerLimits } from './http/server.ts'
import type { Config } from './config.ts'
import { type DataDirectory, openDataDirectory, prepareDataDirectory } from './data-directory.ts'
import { PimletError } from './domain/errors.ts'
import { isOfSystem } from './files.ts'
import type { Log } from './log.ts'
import { asStartError } from './maintenance/faults.ts'
import { lockWorkspace } from './maintenance/lock.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { removeOldNativeBindings } from './native-binding.ts'
import { parseNetworks } from './networks.ts'
import { type FirstStartSecrets, prepareFirstStart } from './services/first-start.ts'
import { createKeyUsage } from './services/key-usage.ts'
import { createPasswordHasher } from './services/passwords.ts'
import { startAuditRetention } from './services/audit-retention.ts'
import type { Services } from './services/services.ts'
import { StartError, UsageError } from './start-error.ts'
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
    readonly exportLimits?: ExportLimits
  }
}

export interface App {
  /** `http://HOST:PORT` */
  readonly url: string
  /** Of the user `admin`, where this start made one up. */
  readonly randomAdminPassword: string | undefined
  /** Accepts no more requests, finishes those under way, ends exports, and closes storage. */
  stop(): Promise<void>
}

/** Starts the server on its data directory. @throws StartError */
export async function startApp(options: AppOptions): Promise<App> {
  const { dataDir } = options.config
  const network = openNetwork(options.config)
  prepareDataDirectory(dataDir)
  const unlock = lockWorkspace(dataDir)
  try {
    removeOldNativeBindings(dataDir)
    const directory = openDataDirectory(dataDir, options.testing?.system ?? realSystem)
    const metrics = createMetrics(options.version)
    const store = await openStore(directory, metrics, options)
    try {
      return await startOn({ store, directory, metrics, network, unlock }, options)
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw explainStart(error, dataDir)
  }
}

/** Whether a fault that nobody caught, in whose async context this is called, is a plugin's: the server goes on. */
export function claimFault(error: unknown): boolean {
  return claimPluginFault(error)
}

/** Storage that fails between two steps of the start is the user's to mend, too. */
function explainStart(error: unknown, dataDir: string): unknown {
  const cause = error instanceof PimletError ? error.cause : error
  if (cause === error && !isOfSystem(error)) return error
  const place = isOfSystem(cause) ? (cause.path ?? dataDir) : dataDir
  return asStartError(cause, { failure: `The data directory cannot be used: ${place}`, database: 'the database' })
}

interface Foundation {
  readonly store: Store
  readonly directory: DataDirectory
  readonly metrics: Metrics
  readonly network: Network
  /** Of the data directory. */
  readonly unlock: () => void
}

async function startOn(foundation: Foundation, options: AppOptions): Promise<App> {
  const { store, directory, metrics, unlock } = foundation
  const { testing = {} } = options
  const system = testing.system ?? realSystem
  const passwords = createPasswordHasher(system, testing.passwordCost)
  const randomAdminPassword = await prepareFirstStart({ store, system, passwords }, options.firstStart)
  let isStopping = false
  const keyUsage = createKeyUsage({ store, system, log: options.log })
  const exports = await prepareExports(foundation, options.config, {
    log: options.log,
    system,
    limits: testing.exportLimits,
  })
  const { log, config } = options
  const auditRetention = startAuditRetention({ store, system, log, keepDays: config.keepAuditDays })
  try {
    metrics.watch(() => ({ store: store.status(), runningExports: exports.engine.running() }))
    const parts = { store, system, passwords, keyUsage, metrics, directory, engine: exports.engine }
    const services = createServices(parts, options, () => isStopping)
    const server = createServer({ services, metrics, system }, options, () => isStopping)
    const url = await listen(server, options.config)
    await exports.engine.start()
    return {
      url,
      randomAdminPassword,
      async stop() {
        if (isStopping) return
        isStopping = true
        await Promise.all([exports.engine.stop(), server.stop(testing.stopGrace ?? STOP_GRACE)])
        await keyUsage.flush()
        await auditRetention.stop()
        await exports.close()
        await store.close()
        unlock()
      },
    }
  } catch (error) {
    await auditRetention.stop()
    await exports.close()
    throw error
  }
}

/** @throws UsageError for an entry of --allow-destination that is none */
function openNetwork({ allowDestinations }: Config): Network {
  try {
    return createNetwork({ allow: allowDestinations })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

function createServer(
  { services, metrics, system }: { services: Services; metrics: Metrics; system: System },
  options: AppOptions,
  isStopping: () => boolean,
): HttpServer {
  const { config, log, testing = {} } = options
  const pipeline = new Pipeline({
    services,
    log,
    metrics,
    limits: {
      maxBody: config.maxBody,
      maxValues: config.maxBodyValues,
      bodyTimeout: testing.bodyTimeout ?? BODY_TIMEOUT,
    },
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

async function openStore(directory: DataDirectory, metrics: Metrics, { config, log }: AppOptions): Promise<Store> {
  try {
    return await openSqliteStore({
      file: directory.databaseFile,
      queryTimeout: config.queryTimeout * 1000,
      onCommit: (transactions) => metrics.committed(transactions),
      onFault: (message, error) => log.error({ err: error }, message),
    })
  } catch (error) {
    throw asStartError(error, { failure: `The database ${directory.databaseFile} cannot be opened`, database: 'it' })
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
