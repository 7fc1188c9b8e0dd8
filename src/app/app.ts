// The composition root: builds all parts, and decides the order of their start and stop.
import { type ExportLimits, openNetwork, prepareExports, type PreparedExports } from './app-exports.ts'
import { createServer, listen } from './app-server.ts'
import { createServices } from './app-services.ts'
import { HeldMemory } from '../kernel/held-memory.ts'
import { explainStart, openWorkspace } from './app-storage.ts'
import { createImportFiles, type ImportFiles } from '../imports/readers/import-files.ts'
import type { ContentStore } from '../files/content/content-store.ts'
import { openContent } from '../files/content/open-content.ts'
import { RenditionFiles } from '../files/pictures/rendition-files.ts'
import { Renditions } from '../files/pictures/renditions.ts'
import { Pictures } from '../files/pictures/pictures.ts'
import { createFileMaker } from '../files/file-maker.ts'
import { fileSourceOf } from './import-file-source.ts'
import { createFileService, createOriginals, type Describe } from '../files/files.ts'
import { createPublicAddressService } from '../files/public-addresses.ts'
import { startFileCollecting } from '../files/collecting.ts'
import type { GuardedNetwork } from '../kernel/egress/network.ts'
import { claimPluginFault } from '../exports/destinations/plugin-calls.ts'
import type { HttpServer, ServerLimits } from '../http/sockets/server.ts'
import type { Config } from '../kernel/settings/config.ts'
import { type DataDirectory, openDataDirectory, prepareDataDirectory } from '../kernel/machine/data-directory.ts'
import type { Log } from '../kernel/observing/log.ts'
import { lockWorkspace } from '../workspace/maintenance/workspace.ts'
import { createMetrics, type Metrics } from '../kernel/observing/metrics.ts'
import { removeOldNativeBindings } from '../kernel/executable/native-binding.ts'
import { findUnknownSecrets, type FirstStartSecrets, prepareFirstStart } from '../workspace/first-start.ts'
import { createKeyUsage, type KeyUsage } from '../core/accounts/key-usage.ts'
import { createPasswordHasher } from '../core/accounts/passwords.ts'
import { createSignIns, type SignIns } from '../core/accounts/sign-ins.ts'
import { HistoryEraser } from '../workspace/erasure/history-eraser.ts'
import { startAnswerRetention, startAuditRetention } from '../core/retention.ts'
import { ChangeBell } from '../core/feed/change-bell.ts'
import { type Deliverer, type EventLimits, prepareEvents } from '../events/deliverer.ts'
import { carryOutImport } from '../imports/import-job.ts'
import { BulkRunner } from '../bulk/bulk-runner.ts'
import { ModelChanges } from '../core/model/changes/model-changes.ts'
import { startSummaries } from '../collaboration/summaries.ts'
import { startHousekeeping } from '../collaboration/housekeeping.ts'
import { startCounting } from '../statistics/counting.ts'
import { startImportRetention } from '../imports/import-retention.ts'
import { startJobRetention } from '../bulk/job-retention.ts'
import { createAnswerSeal } from '../core/requests/answer-seal.ts'
import type { Store } from '../store/port.ts'
import type { Rounds } from '../store/rounds.ts'
import { system as realSystem, type System } from '../kernel/machine/system.ts'
import path from 'node:path'
import { PimletError } from '../kernel/errors.ts'
import { StartError } from '../kernel/machine/start-error.ts'

/** Milliseconds that requests under way get at a stop. */
const STOP_GRACE = 10_000

export interface AppOptions {
  readonly config: Config
  readonly firstStart: FirstStartSecrets
  /** Shows the random password of the first start, which exists nowhere else. Resolves when it is shown. */
  readonly announcePassword: (password: string) => Promise<void>
  readonly version: string
  readonly log: Log
  /** Values that tests change. */
  readonly testing?: {
    readonly system?: System
    readonly passwordCost?: number
    readonly checkResponses?: boolean
    readonly serverLimits?: Partial<ServerLimits>
    readonly bodyTimeout?: number
    readonly stopGrace?: number
    readonly exportLimits?: ExportLimits
    readonly eventLimits?: EventLimits
    /** Milliseconds between two looks for daily summaries that are due. */
    readonly summaryInterval?: number
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

/**
 * Whether an uncaught fault comes from a plugin; then the server continues. Call it in the async context of the fault.
 */
export function claimFault(error: unknown): boolean {
  return claimPluginFault(error)
}

interface Foundation {
  readonly store: Store
  readonly directory: DataDirectory
  readonly metrics: Metrics
  readonly network: GuardedNetwork
  readonly bell: ChangeBell
  /** Unlocks the data directory. */
  readonly unlock: () => void
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
      { ...foundation, ...parts, ...events, engine, exporter, messengers, held },
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
    const running = { foundation, ...parts, ...events, server }
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

/** Builds all parts besides the server; none has started yet. */
async function prepareParts(foundation: Foundation, { log, config, testing = {} }: AppOptions) {
  const { store, directory } = foundation
  const system = testing.system ?? realSystem
  const importFiles = await prepareImports(foundation, config, log)
  const kept = await prepareFiles(foundation, config, { log, system })
  const { content, files } = kept
  const { publicAddresses: addresses } = kept
  const fileMaker = createFileMaker({ store, ...kept })
  const tools = { log, system, addresses, fileMaker, limits: testing.exportLimits }
  const exports = await prepareExports(foundation, config, tools)
  const common = { store, system, log, importFiles, content, ...config }
  const modelChanges = new ModelChanges(common)
  return {
    system,
    log,
    importFiles,
    ...kept,
    exports,
    passwords: createPasswordHasher(system, testing.passwordCost),
    keyUsage: createKeyUsage(common),
    signIns: createSignIns(common),
    rounds: [
      ...startAllRounds(common),
      startSummaries({ ...common, messengers: exports.messengers, interval: testing.summaryInterval }),
    ],
    eraser: new HistoryEraser({
      ...common,
      seal: createAnswerSeal(directory.encryptionKey, system),
      tidySpool: () => exports.engine.tidySpool(),
    }),
    modelChanges,
    bulkRunner: new BulkRunner({
      ...common,
      modelChanges,
      carryOutImport: (leading, ...job) =>
        carryOutImport({ ...common, store: leading, files: fileSourceOf(files), maxFile: config.maxFile }, ...job),
    }),
    events: prepareEvents(foundation, { system, log, limits: testing.eventLimits }),
  }
}

/** The store of bytes, and everything that works on it. @throws StartError */
async function prepareFiles(
  { store, directory, network }: Foundation,
  config: Config,
  { log, system }: { readonly log: Log; readonly system: System },
) {
  const content = await openContent({ ...config, dataDir: directory.path })
  const pictures = new Pictures({
    dataDir: directory.path,
    pictureWorkers: config.pictureWorkers,
    onFault: (message) => log.warn({}, message),
  })
  if (config.databaseUrl !== undefined && !content.isShared)
    log.info({}, `Files are kept in ${content.place}, which other servers do not have: name a shared store by --files`)
  const originals = createOriginals({ content, log })
  const describe: Describe = (file, signal) => pictures.describe({ path: file }, signal)
  return {
    content,
    pictures,
    originals,
    publicAddresses: createPublicAddressService({ store, system, ...directory, ...config }),
    renditions: new Renditions(openRenditions(directory, config, { system, log }), pictures),
    files: createFileService({ store, system, content, describe, originals, network, maxFile: config.maxFile }),
  }
}

type Background = Pick<Running, 'modelChanges' | 'bulkRunner' | 'deliverer'> & Pick<PreparedExports, 'engine'>

/** Looks for new work whenever something was committed, here or by another server. */
function listenTo(bell: ChangeBell, { engine, modelChanges, bulkRunner, deliverer }: Background): void {
  bell.onNews = ({ isOfJobs, isOfModel }) => {
    if (isOfJobs) bulkRunner.wake()
    if (isOfJobs) engine.refresh()
    if (isOfModel) modelChanges.look()
    deliverer.hear(isOfJobs)
  }
}

interface RoundsParts extends Pick<Config, 'keepAuditDays' | 'keepJobsDays' | 'keepFilesDays'> {
  readonly store: Store
  readonly system: System
  readonly log: Log
  readonly importFiles: ImportFiles
  readonly content: ContentStore
}

function startAllRounds(parts: RoundsParts): (Pick<Rounds, 'stop'> | undefined)[] {
  return [
    startAuditRetention({ ...parts, keepDays: parts.keepAuditDays }),
    startAnswerRetention(parts),
    startImportRetention(parts),
    startJobRetention(parts),
    startFileCollecting(parts),
    startHousekeeping(parts),
    startCounting(parts),
  ]
}

interface Running {
  readonly foundation: Foundation
  readonly exports: PreparedExports
  readonly importFiles: ImportFiles
  readonly pictures: Pictures
  readonly server: HttpServer
  readonly keyUsage: KeyUsage
  readonly signIns: SignIns
  readonly rounds: readonly (Pick<Rounds, 'stop'> | undefined)[]
  readonly modelChanges: ModelChanges
  readonly bulkRunner: BulkRunner
  readonly eraser: HistoryEraser
  readonly deliverer: Deliverer
}

async function stop(running: Running, grace: number): Promise<void> {
  const { foundation, exports, importFiles, pictures, server, keyUsage, signIns, rounds } = running
  const { modelChanges, bulkRunner, eraser, deliverer } = running
  foundation.bell.close()
  const background = [modelChanges.stop(), bulkRunner.stop(), eraser.stop(), deliverer.stop(), exports.engine.stop()]
  await Promise.all([...background, server.stop(grace)])
  await Promise.all([keyUsage.flush(), signIns.flush()])
  for (const one of rounds) await one?.stop()
  await Promise.all([exports.close(), importFiles.close(), pictures.close()])
  await foundation.store.close()
  foundation.unlock()
}

/** @throws StartError */
function openRenditions(
  directory: DataDirectory,
  { maxRenditions }: Config,
  { system, log }: { readonly system: System; readonly log: Log },
): RenditionFiles {
  const files = new RenditionFiles(path.join(directory.path, 'renditions'), maxRenditions, system)
  files.begin().catch((error: unknown) => log.warn({ err: error }, 'old renditions were not looked through'))
  return files
}

/** Opens the directory of uploaded files and removes files without an import. @throws StartError */
async function prepareImports(
  { directory, store }: { readonly directory: DataDirectory; readonly store: Store },
  { maxImport, maxBody, maxBodyValues }: Config,
  log: Log,
): Promise<ImportFiles> {
  const files = createImportFiles({
    directory: path.join(directory.path, 'imports'),
    maxBytes: maxImport,
    maxPart: maxBody,
    maxValues: maxBodyValues,
    pieces: store.files,
    onFault: (message, error) => log.error({ err: error }, message),
  })
  await files.begin(new Set(await store.read.imports.ids())).catch((error: unknown) => {
    throw error instanceof PimletError ? new StartError(error.message, { cause: error }) : error
  })
  return files
}
