// Builds all parts besides the server and its services: a part of the composition root (`app.ts`).
import path from 'node:path'
import { type ExportLimits, prepareExports } from './app-exports.ts'
import { createImportFiles, type ImportFiles } from '../imports/readers/import-files.ts'
import type { ContentStore } from '../files/content/content-store.ts'
import { openContent } from '../files/content/open-content.ts'
import { RenditionFiles } from '../files/pictures/rendition-files.ts'
import { Renditions } from '../files/pictures/renditions.ts'
import { Pictures } from '../files/pictures/pictures.ts'
import { createFileMaker } from '../files/file-maker.ts'
import { createFileService, createOriginals, type Describe, type FileService } from '../files/files.ts'
import { createPublicAddressService } from '../files/public-addresses.ts'
import { startFileCollecting } from '../files/collecting.ts'
import type { GuardedNetwork } from '../kernel/egress/network.ts'
import type { Config } from '../kernel/settings/config.ts'
import type { DataDirectory } from '../kernel/machine/data-directory.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Metrics } from '../kernel/observing/metrics.ts'
import { createKeyUsage } from '../core/accounts/key-usage.ts'
import { createPasswordHasher } from '../core/accounts/passwords.ts'
import { createSignIns } from '../core/accounts/sign-ins.ts'
import { HistoryEraser } from '../workspace/erasure/history-eraser.ts'
import { startAnswerRetention, startAuditRetention } from '../core/retention.ts'
import type { ChangeBell } from '../core/feed/change-bell.ts'
import { type EventLimits, prepareEvents } from '../events/deliverer.ts'
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
import { type System, system as realSystem } from '../kernel/machine/system.ts'
import { PimletError } from '../kernel/errors.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import type { FileSource } from '../imports/file-cells.ts'
import type { FileKeeper } from '../imports/zip/zip-reading.ts'

export interface PartsOptions {
  readonly config: Config
  readonly log: Log
  /** Values that tests change. */
  readonly testing?: {
    readonly system?: System
    readonly passwordCost?: number
    readonly exportLimits?: ExportLimits
    readonly eventLimits?: EventLimits
    /** Milliseconds between two looks for daily summaries that are due. */
    readonly summaryInterval?: number
  }
}

export interface Foundation {
  readonly store: Store
  readonly directory: DataDirectory
  readonly metrics: Metrics
  readonly network: GuardedNetwork
  readonly bell: ChangeBell
  /** Unlocks the data directory. */
  readonly unlock: () => void
}

/** Builds all parts besides the server; none has started yet. */
export async function prepareParts(foundation: Foundation, { log, config, testing = {} }: PartsOptions) {
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

export type Parts = Awaited<ReturnType<typeof prepareParts>>

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

/** The files of the workspace, as imports use them. */
export function fileSourceOf(files: FileService): FileSource & FileKeeper {
  return {
    keep: async (caller, chunks, fileName, signal) => (await files.upload(caller, chunks, fileName, signal)).file,
    fetch: async (caller, url, signal) => (await files.fetch(caller, { url }, signal)).file,
    find: (caller, fileName) => files.findOwn(caller, fileName),
  }
}
