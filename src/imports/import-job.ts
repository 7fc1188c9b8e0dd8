// Runs a job that imports a kept file: counts the rows, then writes them in steps. An interrupted job continues where
// it stopped. Contract 3 §4, 3 §10.
import { findActor } from '../bulk/actor.ts'
import { clearFindings } from '../bulk/findings.ts'
import { type BulkJob, type BulkTask, hasEnded, NO_COUNTS } from '../core/jobs/rules/bulk-job.ts'
import { Rehearsal } from '../core/records/rehearsal.ts'
import { notFound, type PimletError } from '../kernel/errors.ts'
import type { LongTransaction, Reads } from '../store/port.ts'
import { readHeader } from './file-header.ts'
import { type FileRow, type HeaderLine, readFileRows, rowsAt, rowsBehind } from './file-rows.ts'
import type { ImportFiles } from './import-file-store.ts'
import { type Importer, type RecordLine, writeLine } from './import-line.ts'
import { endingOf, type LineWriter, ROUNDS, takeRows } from './import-step.ts'
import { LineKeys } from './line-keys.ts'
import { assertRoomFor, type RoomDeps, roomOf } from './room.ts'
import type { ImportLine } from './rules/import-outcome.ts'
import type { ImportPlan } from './rules/import-profile.ts'
import { assertMayImport } from './rules/import-rights.ts'
import { type ImportSetting, settingOf } from './rules/import-setting.ts'
import type { ImportUpload } from './rules/import-upload.ts'

/** Rows, and their bytes, that are read ahead for a step. */
const MAX_AT_HAND = 200
const MAX_BYTES_AT_HAND = 1024 * 1024
/** Names of waiting rows that are remembered. A row that refers to a waiting row beyond this limit fails. */
const MAX_NAMES = 200_000

interface ImportJobDeps extends RoomDeps {
  readonly importFiles: ImportFiles
}

/**
 * @throws OwnerFault; NOT_FOUND where the file is gone; VALIDATION_ERROR where the file cannot be read or the mapping
 * no longer fits; UNAVAILABLE
 */
export async function carryOutImport(
  deps: ImportJobDeps,
  jobId: string,
  { importId, mapping, duplicates }: Extract<BulkTask, { kind: 'import' }>,
  signal: AbortSignal,
): Promise<void> {
  const upload = await deps.store.read.imports.get(importId)
  if (upload === undefined || !(await deps.importFiles.has(importId)))
    throw notFound('The file of the import', importId)
  const setting = settingOf({ duplicates }, mapping, await deps.store.read.model())
  await new ImportJob(deps, { jobId, upload, setting, mapping, signal }).run()
}

class ImportJob {
  readonly #deps: ImportJobDeps
  readonly #parts: JobParts
  readonly #rehearsal = new Rehearsal()
  #header: Importer['header']
  #pending: ReadonlySet<string> = new Set()

  readonly #keys: LineKeys
  /** Position of the last row whose keys are noted. */
  #noted = 0
  readonly #refused = new WeakMap<RecordLine, PimletError>()

  constructor(deps: ImportJobDeps, parts: JobParts) {
    this.#deps = deps
    this.#parts = parts
    this.#keys = new LineKeys(parts.setting)
  }

  async run(): Promise<void> {
    if (!(await this.#begin())) return
    for (let isMore = true; isMore;) isMore = (await this.#takeRound()) && (await this.#endRound())
  }

  get #jobs() {
    return this.#deps.store.read.bulkJobs
  }

  /** Resolves to whether the job is running now. */
  async #begin(): Promise<boolean> {
    const { jobId } = this.#parts
    const job = await this.#jobs.get(jobId)
    if (job === undefined || hasEnded(job) || job.pausedReason !== null) return false
    if (job.dryRun) await clearFindings(this.#deps.store, jobId)
    const selected = job.isSelected ? job.selected : await this.#countRows()
    if (!job.isSelected && !job.dryRun) await assertRoomForJob(this.#deps, this.#parts, job, selected)
    return this.#deps.store.transaction(async (tx) => {
      const present = await tx.bulkJobs.get(jobId)
      if (present === undefined || hasEnded(present) || present.pausedReason !== null) return false
      const startedAt = present.startedAt ?? this.#now()
      const running: BulkJob = { ...present, selected, isSelected: true, status: 'running', startedAt }
      // Later rows depend on earlier ones, and a dry run forgets those: it starts again.
      const anew = { ...NO_COUNTS, selected, round: 0, position: 0 }
      await tx.bulkJobs.update(present.dryRun ? { ...running, ...anew } : running)
      return true
    })
  }

  async #countRows(): Promise<number> {
    let count = 0
    for await (const row of this.#read((line) => this.#understand(line))) count = row.position
    return count
  }

  async #understand({ names, style }: HeaderLine): Promise<void> {
    this.#header = await readHeader(this.#deps.store, { names, style }, this.#parts.setting)
  }

  #read(onHeader: (line: HeaderLine) => Promise<void>): AsyncGenerator<FileRow, void> {
    const { upload, signal } = this.#parts
    return readFileRows(this.#deps.importFiles, upload, onHeader, signal)
  }

  /** Yields the rows of the file and notes their keys, also of rows that the job took before it was interrupted. */
  async *#noting(): AsyncGenerator<FileRow, void> {
    for await (const row of this.#read((line) => this.#understand(line))) {
      const { line, position } = row
      if (line.kind !== 'fault') {
        const context = { header: this.#header, model: await this.#deps.store.read.model() }
        const isNew = position > this.#noted
        const refused = isNew ? this.#keys.take(line, context) : this.#keys.takeAgain(line, context)
        if (refused !== undefined) this.#refused.set(line, refused)
      }
      this.#noted = Math.max(this.#noted, position)
      yield row
    }
  }

  /** Later rounds judge a row by the keys of all rows behind it. */
  async #noteAll(): Promise<void> {
    if (this.#noted > 0 || this.#parts.setting.duplicates === 'fail') return
    const rows = this.#noting()
    while ((await rows.next()).done !== true) this.#parts.signal.throwIfAborted()
  }

  /** Resolves to whether the job still runs. */
  async #takeRound(): Promise<boolean> {
    const { jobId, signal } = this.#parts
    const { round, position } = (await this.#jobs.get(jobId))!
    this.#pending = round === ROUNDS.without ? new Set(await this.#jobs.waitingNames(jobId, MAX_NAMES)) : new Set()
    if (round !== ROUNDS.first) await this.#noteAll()
    const all = this.#noting()
    const next = (after: number, limit: number) => this.#jobs.waitingFrom(jobId, after, limit)
    const rows = round === ROUNDS.first ? rowsBehind(all, position) : rowsAt(all, position, next)
    let atHand: FileRow[] = []
    let bytes = 0
    const take = async (atMost: number): Promise<boolean> => {
      while (atHand.length > atMost) {
        signal.throwIfAborted()
        await this.#deps.store.whenCalm()
        const taken = await this.#takeStep(atHand)
        if (taken === undefined) return false
        atHand = atHand.filter((row) => row.position > taken)
      }
      bytes = atHand.reduce((sum, { line }) => sum + line.size, 0)
      return true
    }
    for await (const row of rows) {
      atHand.push(row)
      bytes += row.line.size
      const isFull = atHand.length >= MAX_AT_HAND || bytes > MAX_BYTES_AT_HAND
      if (isFull && !(await take(MAX_AT_HAND >> 1))) return false
    }
    return take(0)
  }

  /** Resolves to the position that the job has reached; undefined: the job no longer runs. */
  async #takeStep(rows: readonly FileRow[]): Promise<number | undefined> {
    const { store } = this.#deps
    const { jobId } = this.#parts
    let step = this.#rehearsal.branch()
    const after = await store.longTransaction(async (tx) => {
      const before = await tx.bulkJobs.get(jobId)
      if (before?.status !== 'running') return undefined
      step = this.#rehearsal.branch()
      const write = this.#refusing(await this.#writer(tx, before, step))
      const taken = await takeRows({ tx, header: this.#header, write, pending: this.#pending }, before, rows)
      await tx.bulkJobs.update(taken)
      return taken
    })
    this.#rehearsal.keep(step)
    return after?.position
  }

  #refusing(write: LineWriter): LineWriter {
    return async (line, options) => {
      const error = this.#refused.get(line)
      return error === undefined ? write(line, options) : { error }
    }
  }

  async #writer(tx: LongTransaction, job: BulkJob, step: Rehearsal): Promise<LineWriter> {
    const importer = await this.#importerOf(tx, job)
    return (line, options) => {
      const written = job.dryRun
        ? step.attempt(tx, (overlay) => writeLine(overlay, importer, line, options))
        : tx.attempt(() => writeLine(tx, importer, line, options))
      return written.then((one) => ({ written: one }), endingOf)
    }
  }

  /** Imports on behalf of the owner, with the owner's current role. @throws OwnerFault */
  async #importerOf(reads: Reads, job: BulkJob): Promise<Importer> {
    const { system, maxRecords } = this.#deps
    const { jobId, setting, mapping } = this.#parts
    const caller = await findActor(reads, system, job, (role, model) => assertMayImport(role, mapping, model))
    const origin = { kind: 'import', id: jobId } as const
    // A dry run reports the number of records instead of failing at the limit.
    const most = job.dryRun ? 0 : maxRecords
    return { system, caller, maxRecords: most, setting, origin, tellsChanges: true, header: this.#header }
  }

  /** Resolves to whether another round follows. */
  #endRound(): Promise<boolean> {
    const { jobId } = this.#parts
    return this.#deps.store.transaction(async (tx) => {
      const job = await tx.bulkJobs.get(jobId)
      if (job?.status !== 'running') return false
      const waiting = await tx.bulkJobs.waitingFrom(jobId, 0, 1)
      const isMore = waiting.length > 0 && job.round < ROUNDS.whole
      const recordsAfter = job.dryRun ? (await tx.records.count({})) + job.created : null
      await tx.bulkJobs.update(
        isMore
          ? { ...job, round: job.round + 1, position: 0 }
          : { ...job, status: 'succeeded', completedAt: this.#now(), recordsAfter },
      )
      return isMore
    })
  }

  #now(): string {
    return this.#deps.system.now().toISOString()
  }
}

interface JobParts {
  readonly jobId: string
  readonly upload: ImportUpload
  readonly setting: ImportSetting
  readonly mapping: ImportPlan
  readonly signal: AbortSignal
}

interface JobRoomDeps extends RoomDeps {
  readonly importFiles: ImportFiles
}

/** Rows between two checks of the job's status. */
const ROWS = 1000

/**
 * @param rows of the file
 * @throws LIMIT_EXCEEDED
 */
async function assertRoomForJob(deps: JobRoomDeps, parts: JobParts, job: BulkJob, rows: number): Promise<void> {
  if (rows <= (await roomOf(deps))) return
  const caller = await findActor(deps.store.read, deps.system, job)
  const read = (): AsyncIterable<ImportLine> => readLines(deps, parts)
  await assertRoomFor(deps, { caller, setting: parts.setting, read, isWhole: true })
}

/** Yields lines until somebody ends the job. */
async function* readLines(
  { store, importFiles }: JobRoomDeps,
  { jobId, upload, signal }: JobParts,
): AsyncGenerator<ImportLine, void> {
  let header: HeaderLine | undefined
  const onHeader = async (line: HeaderLine): Promise<void> => void (header = { ...line, sample: undefined })
  for await (const { line, position } of readFileRows(importFiles, upload, onHeader, signal)) {
    if (header !== undefined) yield header
    header = undefined
    yield line
    if (position % ROWS !== 0) continue
    await store.whenCalm()
    const job = await store.read.bulkJobs.get(jobId)
    if (job === undefined || hasEnded(job) || job.pausedReason !== null) return
  }
}
