// The composition root: builds all parts, and decides the order of their start and stop.
import { openNetwork, type PreparedExports } from './app-exports.ts'
import { createServer, listen } from './app-server.ts'
import { createServices } from './app-services.ts'
import { type Foundation, type Parts, type PartsOptions, prepareParts } from './app-parts.ts'
import { createDocumentation } from '../docs-host/documentation.ts'
import { HeldMemory } from '../kernel/held-memory.ts'
import { explainStart, openWorkspace } from './app-storage.ts'
import { claimPluginFault } from '../exports/destinations/plugin-calls.ts'
import type { HttpServer, ServerLimits } from '../http/sockets/server.ts'
import type { Store } from '../store/port.ts'
import { openDataDirectory, prepareDataDirectory } from '../kernel/machine/data-directory.ts'
import { lockWorkspace } from '../workspace/maintenance/workspace.ts'
import { createMetrics } from '../kernel/observing/metrics.ts'
import { removeOldNativeBindings } from '../kernel/executable/native-binding.ts'
import { findUnknownSecrets, type FirstStartSecrets, prepareFirstStart } from '../workspace/first-start.ts'
import { ChangeBell } from '../core/feed/change-bell.ts'
import { system as realSystem } from '../kernel/machine/system.ts'

/** Milliseconds that requests under way get at a stop. */
const STOP_GRACE = 10_000

export interface AppOptions extends PartsOptions {
  readonly firstStart: FirstStartSecrets
  /** Shows the random password of the first start, which exists nowhere else. Resolves when it is shown. */
  readonly announcePassword: (password: string) => Promise<void>
  readonly version: string
  readonly testing?: NonNullable<PartsOptions['testing']> & {
    readonly checkResponses?: boolean
    readonly serverLimits?: Partial<ServerLimits>
    readonly bodyTimeout?: number
    readonly stopGrace?: number
    /** Wraps the store. */
    readonly wrapStore?: (store: Store) => Store
  }
}

export interface App {
  /** `http://HOST:PORT` */
  readonly url: string
  /** Which secrets of the first start this workspace, which is older, does not know. It takes as long as a login. */
  findUnknownSecrets(): Promise<readonly (keyof FirstStartSecrets)[]>
  /** Refuses new requests, finishes open requests, ends exports, and closes storage. */
  stop(): Promise<void>
}

/** Starts the server on its data directory. @throws StartError */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, log } = options
  const { dataDir } = config
  const network = openNetwork(config)
  prepareDataDirectory(dataDir)
  const unlock = lockWorkspace(dataDir)
  try {
    removeOldNativeBindings(dataDir)
    const directory = openDataDirectory(dataDir, options.testing?.system ?? realSystem)
    const metrics = createMetrics(options.version)
    const bell = new ChangeBell()
    const onCommit = [metrics.committed, bell.ring]
    const opened = await openWorkspace({ directory, onCommit, onNews: (news) => bell.hear(news), config, log })
    const store = options.testing?.wrapStore?.(opened) ?? opened
    try {
      return await startOn({ store, directory, metrics, network, bell, unlock }, options)
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw explainStart(error, config)
  }
}

/** Whether an uncaught fault comes from a plugin; then the server continues. Call it in the async context of the fault. */
export function claimFault(error: unknown): boolean {
  return claimPluginFault(error)
}

async function startOn(foundation: Foundation, options: AppOptions): Promise<App> {
  const { store, metrics, bell } = foundation
  const { log, config, firstStart, testing = {} } = options
  const readiness = { isServing: false }
  const parts = await prepareParts(foundation, options)
  const { system, passwords, importFiles, exports, rounds, eraser, modelChanges, bulkRunner, events } = parts
  const { engine, found: exporter, messengers } = exports
  let server: HttpServer | undefined
  try {
    await modelChanges.recover()
    metrics.watch(() => [...store.gauges(), engine.gauge()])
    const held = new HeldMemory(config.maxHeld)
    const services = createServices(
      { ...foundation, ...parts, ...events, engine, exporter, messengers, held, documentation: createDocumentation() },
      options,
      readiness,
    )
    server = createServer({ services, metrics, system, held }, options, readiness)
    // The address is taken before the admin is made: an operator whose port is taken has seen no password yet.
    const url = await listen(server, config)
    const isFirst = await prepareFirstStart({ store, system, passwords, log }, firstStart, options.announcePassword)
    listenTo(bell, { engine, modelChanges, bulkRunner, deliverer: events.deliverer })
    await Promise.all([engine.start(), bulkRunner.start(), events.deliverer.start()])
    await store.noteHolder()
    readiness.isServing = true
    const running = { foundation, ...parts, server }
    return {
      url,
      findUnknownSecrets: async () => (isFirst ? [] : findUnknownSecrets({ store, passwords }, firstStart)),
      async stop() {
        if (!readiness.isServing) return
        readiness.isServing = false
        await stop(running, testing.stopGrace ?? STOP_GRACE)
      },
    }
  } catch (error) {
    await server?.stop(0)
    await Promise.all([modelChanges.stop(), bulkRunner.stop(), events.deliverer.stop(), eraser.stop()])
    for (const one of rounds) await one?.stop()
    await Promise.all([exports.close(), importFiles.close(), parts.pictures.close()])
    throw error
  }
}

type Background = Pick<Parts, 'modelChanges' | 'bulkRunner'> &
  Pick<PreparedExports, 'engine'> &
  Pick<Parts['events'], 'deliverer'>

/** Looks for new work whenever something was committed, here or by another server. */
function listenTo(bell: ChangeBell, { engine, modelChanges, bulkRunner, deliverer }: Background): void {
  bell.onNews = ({ isOfJobs, isOfModel }) => {
    if (isOfJobs) bulkRunner.wake()
    if (isOfJobs) engine.refresh()
    if (isOfModel) modelChanges.look()
    deliverer.hear(isOfJobs)
  }
}

interface Running extends Parts {
  readonly foundation: Foundation
  readonly server: HttpServer
}

async function stop(running: Running, grace: number): Promise<void> {
  const { foundation, exports, importFiles, pictures, server, keyUsage, signIns, rounds } = running
  const { modelChanges, bulkRunner, eraser, events } = running
  foundation.bell.close()
  const background = [
    modelChanges.stop(),
    bulkRunner.stop(),
    eraser.stop(),
    events.deliverer.stop(),
    exports.engine.stop(),
  ]
  await Promise.all([...background, server.stop(grace)])
  await Promise.all([keyUsage.flush(), signIns.flush()])
  for (const one of rounds) await one?.stop()
  await Promise.all([exports.close(), importFiles.close(), pictures.close()])
  await foundation.store.close()
  foundation.unlock()
}
