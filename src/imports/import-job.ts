// Runs a job that imports a kept file: counts the rows, then writes them in steps. An interrupted job continues where
// it stopped. Contract 3 §4, 3 §10.
import { findActor } from '../bulk/job-actor.ts'
import { clearFindings } from '../bulk/findings.ts'
import type { Caller } from '../core/accounts/caller.ts'
import type { BulkJob, ImportTask, MadeByImport } from '../core/jobs/rules/bulk-job.ts'
import type { Model } from '../core/model/rules/model.ts'
import { Rehearsal } from '../core/records/rehearsal.ts'
import { notFound } from '../kernel/errors.ts'
import type { LongTransaction, Reads, Transaction } from '../store/port.ts'
import { readHeader } from './file-header.ts'
import { FileCells, type FileColumn, fileColumnsOf, type FileSource, withoutFetched } from './file-cells.ts'
import { type FileRow, readFileRows, rowsAt, rowsBehind } from './file-rows.ts'
import { type Importer, type LineOptions, prepare, writeLine } from './import-line.ts'
import { endingOf, type LineEnding, ROUNDS } from './import-rounds.ts'
import { takeRows } from './import-step.ts'
import { beginRunning, mayRun } from './job-progress.ts'
import { LineKeys } from './line-keys.ts'
import { makeAll, makeParts, mergeMade, over } from './make-all.ts'
import { PictureNames } from './picture-names.ts'
import { planMaking } from './planning.ts'
import { assertRoomFor, roomOf } from './room.ts'
import type { FileHeader, ImportLine, RecordLine } from './rules/import-outcome.ts'
import type { ImportPlan } from './rules/import-profile.ts'
import { assertMayImport } from './rules/import-rights.ts'
import { type ImportSetting, settingOf } from './rules/import-setting.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import { modelFor } from './rules/planned-model.ts'
import { isZipMapping } from './rules/zip-mapping.ts'
import type { FileKeeper } from './zip/zip-reading.ts'
import { type ZipJobDeps, carryOutZip } from './zip/zip-job.ts'

/** Rows, and their bytes, that are read ahead for a step. */
const MAX_AT_HAND = 200
/** Where their files are fetched. */
const MAX_WITH_FILES = 16
const MAX_BYTES_AT_HAND = 1024 * 1024
/** Names of waiting rows that are remembered. A row that refers to a waiting row beyond this limit fails. */
const MAX_NAMES = 200_000

interface ImportJobDeps extends ZipJobDeps {
  readonly files: FileSource & FileKeeper
}

/**
 * @throws OwnerFault; NOT_FOUND where the file is gone; VALIDATION_ERROR where the file cannot be read or the mapping
 * no longer fits; UNAVAILABLE
 */
export async function carryOutImport(
  deps: ImportJobDeps,
  jobId: string,
  { importId, mapping, duplicates }: ImportTask,
  signal: AbortSignal,
): Promise<void> {
  const upload = await deps.store.read.imports.get(importId)
  if (upload === undefined || !(await deps.importFiles.has(importId)))
    throw notFound('The file of the import', importId)
  if (isZipMapping(mapping)) return carryOutZip(deps, { jobId, importId, mapping, signal })
  const found = settingOf({ duplicates }, mapping, await deps.store.read.model())
  const dryRun = (await deps.store.read.bulkJobs.get(jobId))?.dryRun === true
  const lines = readLines(deps, { jobId, upload, signal })
  const making = await planMaking(deps, found, lines)
  await new ImportJob(deps, { jobId, upload, setting: { ...found, making }, mapping, dryRun, signal }).run()
}

class ImportJob {
  readonly #deps: ImportJobDeps
  #parts: JobParts
  readonly #rehearsal = new Rehearsal()
  readonly #keys: LineKeys
  readonly #fileCells: FileCells
  #fileColumns: readonly FileColumn[] = []
  #header: Importer['header']

  constructor(deps: ImportJobDeps, parts: JobParts) {
    this.#deps = deps
    this.#parts = parts
    this.#keys = new LineKeys(parts.setting)
    this.#fileCells = new FileCells(deps.files, new PictureNames(deps.store, parts.signal), parts.signal)
  }

  async run(): Promise<void> {
    const job = await this.#begin()
    if (job === undefined) return
    if (!job.dryRun) await this.#make()
    if (job.round !== ROUNDS.first) await this.#noteKeys()
    for (let isMore = true; isMore;) isMore = (await this.#takeRound()) && (await this.#endRound())
  }

  get #jobs() {
    return this.#deps.store.read.bulkJobs
  }

  /** Resolves to the job, which is running now; undefined: it may not. */
  async #begin(): Promise<BulkJob | undefined> {
    const { jobId } = this.#parts
    const job = await this.#jobs.get(jobId)
    if (!mayRun(job)) return undefined
    if (job.dryRun) await clearFindings(this.#deps.store, jobId)
    const selected = job.isSelected ? job.selected : await this.#countRows()
    if (!job.isSelected && !job.dryRun) await assertRoomForJob(this.#deps, this.#parts, job, selected)
    const making = this.#parts.setting.making?.list()
    const told = job.making === undefined && making !== undefined ? { making } : {}
    return beginRunning(this.#deps, jobId, selected, told)
  }

  async #model(): Promise<Model> {
    return modelFor(this.#parts.setting, await this.#deps.store.read.model())
  }

  /** Makes the model that the mapping brings along, then the planned options and categories, and notes all for an undo. */
  async #make(): Promise<void> {
    const { jobId, setting } = this.#parts
    const { store, system } = this.#deps
    if (setting.making === undefined && setting.newModel === undefined) return
    const origin = { kind: 'import', id: jobId } as const
    const callerIn = async (tx: Transaction): Promise<Caller | undefined> => {
      const job = await tx.bulkJobs.get(jobId)
      return job?.status === 'running' ? (await this.#importerOf(tx, job)).caller : undefined
    }
    const note = async (tx: Transaction, made: MadeByImport): Promise<void> => {
      const task = (await tx.bulkJobs.taskOf(jobId)) as ImportTask
      await tx.bulkJobs.replaceTask(jobId, { ...task, made: mergeMade(task.made, made) })
    }
    const maker = { store, system, origin, callerIn, note }
    if (setting.newModel !== undefined) await makeParts(maker, setting.newModel)
    if (setting.making === undefined) return
    await makeAll(maker, setting.making)
    this.#parts = { ...this.#parts, setting: { ...setting, making: setting.making.made() } }
  }

  async #countRows(): Promise<number> {
    let count = 0
    for await (const row of this.#read()) count = row.position
    return count
  }

  /** Yields the rows, and understands the header before. */
  async *#read(): AsyncGenerator<FileRow, void> {
    const { upload, signal } = this.#parts
    for await (const { position, line } of readFileRows(this.#deps.importFiles, upload, signal))
      if (line.kind === 'header') await this.#readHeader(line)
      else yield { position, line }
  }

  async #readHeader(line: FileHeader): Promise<void> {
    const { setting, dryRun } = this.#parts
    const header = await readHeader(this.#deps.store, line, setting)
    this.#fileColumns = fileColumnsOf(header, setting.mapping, await this.#model())
    this.#header = dryRun ? withoutFetched(header, this.#fileColumns) : header
  }

  /** Prepares rows and notes their keys. Yields each row with the error that is found without writing the row. */
  async *#check(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow, void> {
    for await (const { position, line: read } of rows) {
      const line = prepare(read, this.#header)
      const error = this.#keys.refusalOf(line, this.#header, await this.#model())
      yield { position, line, error }
    }
  }

  /** Later rounds judge a row by the keys of all rows behind it. */
  async #noteKeys(): Promise<void> {
    if (this.#parts.setting.duplicates === 'fail') return
    const rows = this.#check(this.#read())
    while ((await rows.next()).done !== true) this.#parts.signal.throwIfAborted()
  }

  /** Resolves to whether the job still runs. */
  async #takeRound(): Promise<boolean> {
    const { jobId, signal } = this.#parts
    const { round, position } = (await this.#jobs.get(jobId))!
    const names = round === ROUNDS.without ? await this.#jobs.waitingNames(jobId, MAX_NAMES) : undefined
    const pending = names && new Set(names)
    const next = (after: number, limit: number) => this.#jobs.waitingFrom(jobId, after, limit)
    const read =
      // Keys are noted also of rows that the job took before it was interrupted.
      round === ROUNDS.first
        ? rowsBehind(this.#check(this.#read()), position)
        : this.#check(rowsAt(this.#read(), position, next))
    const { dryRun } = this.#parts
    const callerOf = async () => (await this.#importerOf(this.#deps.store.read, (await this.#jobs.get(jobId))!)).caller
    const rows = this.#fileCells.fill(read, () => this.#fileColumns, { callerOf, dryRun })
    let atHand: FileRow[] = []
    let bytes = 0
    const take = async (atMost: number): Promise<boolean> => {
      while (atHand.length > atMost) {
        signal.throwIfAborted()
        await this.#deps.store.whenCalm()
        const taken = await this.#takeStep(atHand, pending)
        if (taken === undefined) return false
        atHand = atHand.filter((row) => row.position > taken)
      }
      bytes = atHand.reduce((sum, { line }) => sum + line.size, 0)
      return true
    }
    for await (const row of rows) {
      atHand.push(row)
      bytes += row.line.size
      // A row whose files are fetched is written soon.
      const most = this.#fileColumns.length > 0 ? MAX_WITH_FILES : MAX_AT_HAND
      const isFull = atHand.length >= most || bytes > MAX_BYTES_AT_HAND
      if (isFull && !(await take(most >> 1))) return false
    }
    return take(0)
  }

  /** Resolves to the position that the job has reached; undefined: the job no longer runs. */
  #takeStep(rows: readonly FileRow[], pending: ReadonlySet<string> | undefined): Promise<number | undefined> {
    return this.#rehearsal.keepLast((branch) =>
      this.#deps.store.longTransaction(async (tx) => {
        const job = await tx.bulkJobs.get(this.#parts.jobId)
        if (job?.status !== 'running') return undefined
        const write = await this.#writer(tx, job, branch())
        const taken = await takeRows({ tx, header: this.#header, write, pending }, job, rows)
        await tx.bulkJobs.update(taken)
        return taken.position
      }),
    )
  }

  async #writer(tx: LongTransaction, job: BulkJob, branch: Rehearsal) {
    const importer = await this.#importerOf(tx, job)
    return (line: RecordLine, options: LineOptions): Promise<LineEnding> =>
      endingOf(
        job.dryRun
          ? branch.attempt(over(tx, this.#parts.setting), (overlay) => writeLine(overlay, importer, line, options))
          : tx.attempt(() => writeLine(tx, importer, line, options)),
      )
  }

  /** Imports on behalf of the owner, with the owner's current role. @throws OwnerFault */
  async #importerOf(reads: Reads, job: BulkJob): Promise<Importer> {
    const { system, maxRecords } = this.#deps
    const { jobId, setting, mapping } = this.#parts
    const caller = await findActor(reads, system, job, (role, model) => assertMayImport(role, mapping, model))
    const origin = { kind: 'import', id: jobId } as const
    // A dry run reports the number of records instead of failing at the limit.
    const most = job.dryRun ? 0 : maxRecords
    const pictureColumns = job.dryRun ? [] : this.#fileColumns.filter(({ pictures }) => pictures !== undefined)
    const how = { maxRecords: most, setting, origin, tellsChanges: true, header: this.#header, pictureColumns }
    return { system, caller, ...how }
  }

  /** Resolves to whether another round follows. */
  #endRound(): Promise<boolean> {
    const { jobId } = this.#parts
    return this.#deps.store.transaction(async (tx) => {
      const job = await tx.bulkJobs.get(jobId)
      if (job?.status !== 'running') return false
      const waiting = await tx.bulkJobs.waitingFrom(jobId, 0, 1)
      const isMore = waiting.length > 0 && job.round < ROUNDS.whole
      const told = job.dryRun && this.#fileColumns.length > 0 ? { fetches: this.#fileCells.count } : {}
      const recordsAfter = job.dryRun ? (await tx.records.count({})) + job.created : null
      await tx.bulkJobs.update(
        isMore
          ? { ...job, round: job.round + 1, position: 0 }
          : { ...job, status: 'succeeded', completedAt: this.#now(), recordsAfter, ...told },
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
  readonly dryRun: boolean
  readonly signal: AbortSignal
}

/** Rows between two checks of the job's status. */
const ROWS = 1000

/**
 * @param rows of the file
 * @throws LIMIT_EXCEEDED
 */
async function assertRoomForJob(deps: ImportJobDeps, parts: JobParts, job: BulkJob, rows: number): Promise<void> {
  if (rows <= (await roomOf(deps))) return
  const caller = await findActor(deps.store.read, deps.system, job)
  const read = (): AsyncIterable<ImportLine> => readLines(deps, parts)
  await assertRoomFor(deps, { caller, setting: parts.setting, read, isWhole: true })
}

/** Yields lines until somebody ends the job. */
async function* readLines(
  { store, importFiles }: ImportJobDeps,
  { jobId, upload, signal }: Pick<JobParts, 'jobId' | 'upload' | 'signal'>,
): AsyncGenerator<ImportLine, void> {
  for await (const { line, position } of readFileRows(importFiles, upload, signal)) {
    yield line
    if (position % ROWS !== 0) continue
    await store.whenCalm()
    if (!mayRun(await store.read.bulkJobs.get(jobId))) return
  }
}
