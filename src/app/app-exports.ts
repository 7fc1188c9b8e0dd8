// Builds the export engine: a part of the composition root (`app.ts`).
import path from 'node:path'
import { builtInDestinations } from '../../plugins/index.ts'
import { builtInMessengers } from '../../plugins/messengers/index.ts'
import type { Config } from '../kernel/settings/config.ts'
import type { DataDirectory } from '../kernel/machine/data-directory.ts'
import { DELIVERY_LIMITS, type DeliveryLimits } from '../exports/engine/delivery.ts'
import { createExportEngine, type RunningEngine } from '../exports/engine/engine.ts'
import { createNetwork, type GuardedNetwork } from '../kernel/egress/network.ts'
import { loadPlugins, pluginsOf } from '../exports/destinations/plugin-loader.ts'
import { asPlugin, type Plugin } from '../exports/messengers/messenger-plugin.ts'
import { createMessengers } from '../exports/messengers/plugin-messengers.ts'
import type { Messengers } from '../kernel/messengers.ts'
import { createPluginThreads, type PluginThreads } from '../exports/plugin-threads/plugin-threads.ts'
import type { AddressSource } from '../exports/rendering/file-addresses.ts'
import { createRenderer, createFoundExports, type FoundExports } from '../exports/rendering/render-client.ts'
import type { FileMaker } from '../exports/engine/run-files.ts'
import { UnsafeSpool } from '../exports/engine/spool.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Metrics } from '../kernel/observing/metrics.ts'
import { StartError, UsageError } from '../kernel/machine/start-error.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'

/** Limits that tests change. */
export type ExportLimits = Partial<DeliveryLimits> & { readonly runTime?: number; readonly silenceCheck?: number }

interface ExportFoundation {
  readonly store: Store
  readonly directory: DataDirectory
  readonly metrics: Metrics
  readonly network: GuardedNetwork
  /** Rung at the progress of a run, for requests that wait for it. */
  readonly bell: { ring(): void }
}

export interface PreparedExports {
  readonly engine: RunningEngine
  readonly found: FoundExports
  readonly messengers: Messengers
  /** Ends the threads; to be called when no run goes on any more. */
  close(): Promise<void>
}

interface ExportTools {
  readonly fileMaker: FileMaker
  readonly addresses: AddressSource
  readonly log: Log
  readonly system: System
  readonly limits: ExportLimits | undefined
}

/** Prepares destinations and their network, and repairs the leftovers of a dead server. @throws StartError */
export async function prepareExports(
  foundation: ExportFoundation,
  config: Config,
  tools: ExportTools,
): Promise<PreparedExports> {
  const grace = tools.limits?.grace ?? DELIVERY_LIMITS.grace
  const onFault = (message: string): void => tools.log.warn({}, message)
  const threads = createPluginThreads({ allow: config.allowDestinations, onFault, limits: { grace } })
  try {
    const plugins = await loadAll(config.pluginsDir, threads)
    const destinations = pluginsOf('destination', plugins)
    const { engine, renderer } = createEngine(foundation, config, { ...tools, destinations })
    const installed = pluginsOf('messenger', plugins)
    const messengers = createMessengers({ ...foundation, ...foundation.directory, ...tools, installed })
    const found = createFoundExports({
      location: foundation.store.location,
      queryTimeout: config.queryTimeout * 1000,
      onFault: (message, error) => tools.log.error({ err: error }, message),
    })
    await engine.recover().catch((error: unknown) => {
      throw error instanceof UnsafeSpool ? new StartError(error.message, { cause: error }) : error
    })
    return {
      engine,
      found,
      messengers,
      async close() {
        await Promise.all([renderer.close(), found.close(), threads.close()])
      },
    }
  } catch (error) {
    await threads.close()
    throw error
  }
}

/** Faults of the user's plugins become the one line that the user sees. */
async function loadAll(directory: string, threads: PluginThreads): Promise<Map<string, Plugin>> {
  try {
    return await loadPlugins(directory, [...builtInDestinations, ...builtInMessengers.map(asPlugin)], threads)
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function createEngine(
  { store, directory, metrics, network, bell }: ExportFoundation,
  { keepRuns }: Config,
  { limits, ...tools }: ExportTools & { destinations: ReadonlyMap<string, Plugin> },
) {
  const { path: dataDir, encryptionKey } = directory
  const onFault = (message: string, error: unknown): void => tools.log.error({ err: error }, message)
  const renderer = createRenderer({ location: store.location, onFault })
  const engine = createExportEngine({
    ...tools,
    store,
    network,
    renderer,
    encryptionKey,
    keepRuns,
    spoolDirectory: path.join(dataDir, 'spool'),
    onProgress: () => bell.ring(),
    onEnded: (status) => metrics.exportEnded(status),
    ...(limits === undefined ? {} : { limits }),
  })
  return { engine, renderer }
}

/** @throws UsageError for an entry of --allow-destination that is none */
export function openNetwork({ allowDestinations }: Config): GuardedNetwork {
  try {
    return createNetwork({ allow: allowDestinations })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
