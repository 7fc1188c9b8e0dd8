// Takes some groups of files of a zip. One transaction writes records, outcomes and the progress of the job, so a stop neither
// skips nor repeats a group. Contract 4 §4.
import { type BulkCounts, type BulkJob, MAX_SAMPLES } from '../../core/jobs/rules/bulk-job.ts'
import type { PimletError } from '../../kernel/errors.ts'
import type { LongTransaction } from '../../store/port.ts'
import { MAX_FAILED_ROWS } from '../rules/import-upload.ts'
import type { FileEnding, ReadFile, WrittenGroup } from './zip-records.ts'

/** Milliseconds of work before other writers get a turn. */
const STEP_MILLISECONDS = 10
/** Places of one file: of its record, and of more pictures than a record can name. */
const PLACES = 1_000_000

/** Files of one record whose bytes were read. */
export interface ReadGroup {
  /** The position of the last file; the first file of the zip has the position 1. */
  readonly position: number
  readonly key: string
  readonly files: readonly ReadFile[]
  readonly error?: PimletError | undefined
}

export type GroupEnding = { readonly written: WrittenGroup } | { readonly error: PimletError }

/** Resolves to the updated job, which has reached the position of the last group taken. */
export async function takeGroups(
  tx: LongTransaction,
  before: BulkJob,
  groups: readonly ReadGroup[],
  write: (group: ReadGroup) => Promise<GroupEnding>,
): Promise<BulkJob> {
  const newest = await tx.audit.newest()
  const findings = new Findings(tx, before)
  const end = performance.now() + STEP_MILLISECONDS
  let { position } = before
  for (const group of groups) {
    const ending = group.error === undefined ? await write(group) : { error: group.error }
    if ('error' in ending) for (const index of group.files.keys()) await findings.fail(group, index, ending.error, null)
    else await findings.note(group, ending.written)
    position = group.position
    await tx.pause()
    if (performance.now() > end) break
  }
  const job = { ...before, ...findings.counts, pictures: findings.pictures, position }
  const isFirst = job.firstVersion === null && job.changed > 0 && !job.dryRun
  return isFirst ? { ...job, firstVersion: newest + 1 } : job
}

class Findings {
  readonly #tx: LongTransaction
  readonly #job: BulkJob
  readonly counts: { -readonly [Name in keyof BulkCounts]: number }
  pictures: number

  constructor(tx: LongTransaction, job: BulkJob) {
    this.#tx = tx
    this.#job = job
    const { selected, done, changed, unchanged, failed, created, updated } = job
    this.counts = { selected, done, changed, unchanged, failed, created, updated }
    this.pictures = job.pictures ?? 0
  }

  async note(group: ReadGroup, written: WrittenGroup): Promise<void> {
    this.pictures += written.made.length
    if (!this.#job.dryRun) await this.#noteRecords(group.position * PLACES, written)
    let { changes } = written
    for (const [index, ending] of written.endings.entries()) {
      if ('error' in ending) {
        await this.fail(group, index, ending.error, written.record.id)
        continue
      }
      await this.#count(group, index, ending, { ...written, changes })
      // The first file tells the changes of its record.
      if (ending.outcome === 'updated') changes = []
    }
  }

  /** Pictures come before the record that refers to them, so an undo deletes them behind it. */
  async #noteRecords(place: number, { made, record, outcome, arrangement }: WrittenGroup): Promise<void> {
    const { bulkJobs } = this.#tx
    const { id } = this.#job
    const first = place - made.length
    if (made.length > 0) {
      const items = made.map((recordId) => ({ recordId, arrangement: null }))
      await bulkJobs.addItems(id, first, items)
      for (const index of made.keys()) await bulkJobs.noteChanged(id, first + index, null)
    }
    if (outcome === 'unchanged') return
    await bulkJobs.addItems(id, place, [{ recordId: record.id, arrangement: null }])
    await bulkJobs.noteChanged(id, place, arrangement)
  }

  async #count(
    group: ReadGroup,
    index: number,
    { outcome, place: filePlace }: Exclude<FileEnding, { error: PimletError }>,
    { record, changes }: Pick<WrittenGroup, 'record' | 'changes'>,
  ): Promise<void> {
    this.counts.done += 1
    this.counts[outcome] += 1
    if (outcome === 'updated') this.counts.changed += 1
    if (this.counts[outcome] > MAX_SAMPLES) return
    const { path: file, line } = group.files[index]!
    const told = outcome === 'updated' ? changes : []
    const sample = { recordId: record.id, schemaId: record.schemaId, changes: told, line, file, filePlace }
    await this.#tx.bulkJobs.addSample(this.#job.id, positionOf(group, index), outcome, sample)
  }

  async fail(group: ReadGroup, index: number, { code, message }: PimletError, recordId: string | null): Promise<void> {
    this.counts.done += 1
    this.counts.failed += 1
    if (this.counts.failed > MAX_FAILED_ROWS) return
    const { path: file, line } = group.files[index]!
    const error = { recordId, error: code, message, line, file }
    await this.#tx.bulkJobs.addError(this.#job.id, positionOf(group, index), error)
  }
}

function positionOf({ position, files }: ReadGroup, index: number): number {
  return position - files.length + 1 + index
}
