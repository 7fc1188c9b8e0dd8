// Runs a job that gives the files of a zip to records: reads several files ahead, and writes their records in steps. An
// interrupted job continues where it stopped. Contract 4 §4.
import { findActor } from '../../bulk/job-actor.ts'
import { clearFindings } from '../../bulk/findings.ts'
import { limitError } from '../../core/records/rules/record-limit.ts'
import { isRefusal } from '../../kernel/errors.ts'
import { inOrder } from '../../kernel/in-order.ts'
import type { LongTransaction, Reads } from '../../store/port.ts'
import type { ImportFiles } from '../readers/import-files.ts'
import { beginRunning, mayRun } from '../job-progress.ts'
import { limitAfter, type RoomDeps, roomOf } from '../room.ts'
import { assertMayImport } from '../rules/import-rights.ts'
import { targetOf, type ZipMapping } from '../rules/zip-mapping.ts'
import type { FileGroup, Grouping } from '../rules/zip-names.ts'
import { groupFiles, inTurns, withZip } from './zip-files.ts'
import { type FileKeeper, ZipReading } from './zip-reading.ts'
import { rehearseGroup, type WrittenGroup, writeGroup, type ZipWriter } from './zip-records.ts'
import { findRecordOf } from './zip-search.ts'
import { type GroupEnding, type ReadGroup, takeGroups } from './zip-step.ts'

/** Records whose files are read ahead. */
const AHEAD = 96
/** Records that are written together, and milliseconds after which fewer are. */
const AT_ONCE = 64
const PATIENCE = 300

export interface ZipJobDeps extends RoomDeps {
  readonly importFiles: ImportFiles
  readonly files: FileKeeper
  /** Bytes of one file at most. */
  readonly maxFile: number
}

interface ZipTask {
  readonly jobId: string
  readonly importId: string
  readonly mapping: ZipMapping
  readonly signal: AbortSignal
}

/**
 * @throws OwnerFault; NOT_FOUND where the zip is gone; VALIDATION_ERROR where the zip cannot be read or the mapping no longer
 * fits; LIMIT_EXCEEDED; UNAVAILABLE
 */
export function carryOutZip(deps: ZipJobDeps, task: ZipTask): Promise<void> {
  return deps.importFiles.withFile(task.importId, (file) =>
    withZip(file, async (zip) => {
      // The end of the job ends the reading ahead, too.
      const ending = new AbortController()
      const signal = AbortSignal.any([task.signal, ending.signal])
      const grouping = await groupFiles(zip, task.mapping.pattern, signal)
      const job = new ZipJob(deps, { ...task, signal }, grouping, new ZipReading(zip, deps))
      await job.run(() => ending.abort())
    }),
  )
}

class ZipJob {
  readonly #deps: ZipJobDeps
  readonly #task: ZipTask
  readonly #grouping: Grouping
  readonly #reading: ZipReading
  /** Records of pictures that a dry run would make, by the IDs that it gives them. */
  readonly #fresh = new Set<string>()
  /** The lists that a dry run gives to records, whose variants begin with them. */
  readonly #rehearsed = new Map<string, readonly string[]>()
  #reader: { readonly until: number; readonly writer: Promise<ZipWriter> } | undefined

  constructor(deps: ZipJobDeps, task: ZipTask, grouping: Grouping, reading: ZipReading) {
    this.#deps = deps
    this.#task = task
    this.#grouping = grouping
    this.#reading = reading
  }

  async run(stopReading: () => void): Promise<void> {
    const { store } = this.#deps
    const { jobId } = this.#task
    const found = await store.read.bulkJobs.get(jobId)
    if (!mayRun(found)) return
    if (found.dryRun) await clearFindings(store, jobId)
    if (!found.dryRun && !found.isSelected) await this.#assertRoom()
    const told = found.dryRun ? { pictures: 0 } : {}
    const job = await beginRunning(this.#deps, jobId, this.#grouping.count, told)
    if (job === undefined) return
    const groups = inOrder(this.#behind(job.position), AHEAD, (group) => this.#read(group, job.dryRun))
    try {
      if (await this.#takeAll(groups)) await this.#end()
    } finally {
      stopReading()
      await groups.return()
    }
  }

  /** Resolves to whether the job still runs. */
  async #takeAll(groups: AsyncIterable<ReadGroup>): Promise<boolean> {
    const { store } = this.#deps
    let atHand: ReadGroup[] = []
    const take = async (): Promise<boolean> => {
      while (atHand.length > 0) {
        this.#task.signal.throwIfAborted()
        await store.whenCalm()
        const taken = await this.#takeStep(atHand)
        if (taken === undefined) return false
        atHand = atHand.filter(({ position }) => position > taken)
      }
      return true
    }
    let takenAt = performance.now()
    for await (const group of groups) {
      atHand.push(group)
      if (atHand.length < AT_ONCE && performance.now() - takenAt < PATIENCE) continue
      if (!(await take())) return false
      takenAt = performance.now()
    }
    return take()
  }

  #behind(position: number): AsyncIterable<PlacedGroup> {
    return inTurns(behind(this.#grouping, position), this.#task.signal)
  }

  /** Reads the files of a group; in an import, keeps those that the record does not have. A group without a record is not read. */
  async #read(group: PlacedGroup, dryRun: boolean): Promise<ReadGroup> {
    const { signal } = this.#task
    const { position, key } = group
    if (group.error !== undefined) return { ...group, files: unread(group) }
    const writer = await this.#readerOf()
    try {
      const found = await findRecordOf(this.#deps.store.read, writer, key)
      const files = await this.#reading.read(group, { isKept: !dryRun, signal })
      if (dryRun) return { position, key, files }
      const isList = writer.target.pictures !== undefined
      return { position, key, files: await this.#reading.keep(writer.caller, files, found, { isList, signal }) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { ...group, files: unread(group), error }
    }
  }

  /** Resolves to the position that the job has reached; undefined: the job no longer runs. */
  #takeStep(groups: readonly ReadGroup[]): Promise<number | undefined> {
    return this.#deps.store.longTransaction(async (tx) => {
      const job = await tx.bulkJobs.get(this.#task.jobId)
      if (job?.status !== 'running') return undefined
      const writer = await this.#writerOf(tx)
      const taken = await takeGroups(tx, job, groups, (group) => this.#write(tx, writer, group, job.dryRun))
      await tx.bulkJobs.update(job.dryRun ? { ...taken, pictures: this.#fresh.size } : taken)
      return taken.position
    })
  }

  async #write(tx: LongTransaction, writer: ZipWriter, group: ReadGroup, dryRun: boolean): Promise<GroupEnding> {
    const { key, files } = group
    try {
      if (dryRun) return { written: await this.#rehearse(tx, writer, group) }
      return { written: await tx.attempt(() => writeGroup(tx, writer, key, files)) }
    } catch (error) {
      if (isRefusal(error)) return { error }
      throw error
    }
  }

  async #rehearse(reads: Reads, writer: ZipWriter, { key, files }: ReadGroup): Promise<WrittenGroup> {
    const written = await rehearseGroup(reads, { ...writer, rehearsed: this.#rehearsed }, key, files)
    for (const id of written.made) this.#fresh.add(id)
    return written
  }

  /** Reads all files first if they may be too many. @throws LIMIT_EXCEEDED */
  async #assertRoom(): Promise<void> {
    const { read } = this.#deps.store
    if (this.#grouping.count <= (await roomOf(this.#deps))) return
    const groups = inOrder(this.#behind(0), AHEAD, (group) => this.#read(group, true))
    for await (const group of groups) {
      await this.#deps.store.whenCalm()
      if (!mayRun(await read.bulkJobs.get(this.#task.jobId))) return
      if (group.error !== undefined) continue
      await this.#rehearse(read, await this.#writerOf(read), group).catch(asRefused)
    }
    const limit = await limitAfter(this.#deps, this.#fresh.size)
    if (limit !== undefined) throw limitError(limit, true)
  }

  /** The owner for reading ahead; each step checks the owner again. */
  async #readerOf(): Promise<ZipWriter> {
    const now = performance.now()
    if (this.#reader === undefined || now > this.#reader.until)
      this.#reader = { until: now + PATIENCE, writer: this.#writerOf(this.#deps.store.read) }
    return this.#reader.writer
  }

  /** Imports on behalf of the owner, with the owner's current role. @throws OwnerFault, VALIDATION_ERROR */
  async #writerOf(reads: Reads): Promise<ZipWriter> {
    const { system, maxRecords } = this.#deps
    const { jobId, mapping } = this.#task
    const job = (await reads.bulkJobs.get(jobId))!
    const caller = await findActor(reads, system, job, (role, model) => assertMayImport(role, mapping, model))
    const origin = { kind: 'import', id: jobId } as const
    return { system, caller, origin, maxRecords, mapping, target: targetOf(mapping, await reads.model()) }
  }

  #end(): Promise<void> {
    const { store, system } = this.#deps
    return store.transaction(async (tx) => {
      const job = await tx.bulkJobs.get(this.#task.jobId)
      if (job?.status !== 'running') return
      const recordsAfter = job.dryRun ? (await tx.records.count({})) + this.#fresh.size : null
      await tx.bulkJobs.update({
        ...job,
        status: 'succeeded',
        completedAt: system.now().toISOString(),
        recordsAfter,
      })
    })
  }
}

interface PlacedGroup extends FileGroup {
  readonly position: number
}

/** The groups behind a position, each with the position of its last file. */
function* behind(grouping: Grouping, after: number): Generator<PlacedGroup, void> {
  let position = 0
  for (const group of grouping.groups()) {
    position += group.files.length
    if (position > after) yield { ...group, position }
  }
}

/** A group that is refused makes nothing. */
function asRefused(error: unknown): void {
  if (!isRefusal(error)) throw error
}

function unread({ files }: FileGroup) {
  return files.map((file) => ({ ...file, sha256: '' }))
}
