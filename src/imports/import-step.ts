// Takes some rows of an import job. One transaction writes the outcomes and the progress of the job, so a stop neither
// skips nor repeats a row. Contract 3 §4, 3 §10.
import { type BulkCounts, type BulkJob, MAX_SAMPLES } from '../core/jobs/rules/bulk-job.ts'
import { MAX_FAILED_ROWS } from './rules/import-upload.ts'
import { MissingRecord, type PimletError } from '../kernel/errors.ts'
import type { WaitingRow } from '../store/bulk-port.ts'
import type { LongTransaction, Reads } from '../store/port.ts'
import type { FileRow } from './file-rows.ts'
import { idOf, type Importer, type LineOptions, type RecordLine, type WrittenLine } from './import-line.ts'
import { isOfLine } from './import-run.ts'

/** Milliseconds of work before other writers get a turn. */
const STEP_MILLISECONDS = 10
/** Rows whose records are read together. */
const AHEAD = 50

/**
 * Rounds for rows that refer to missing records. `first`: the row waits; `again`: all waiting rows are retried;
 * `without`: rows are written without references to waiting rows; `whole`: rows are written with all references.
 */
export const ROUNDS = { first: 0, again: 1, without: 2, whole: 3 } as const

type LineEnding = { readonly written: WrittenLine } | { readonly error: PimletError }
/** Writes the line, or finds the outcome that writing would have. @throws faults that the line does not cause */
export type LineWriter = (line: RecordLine, options: LineOptions) => Promise<LineEnding>

interface StepContext {
  readonly tx: LongTransaction
  readonly header: Importer['header']
  readonly write: LineWriter
  /** Names of waiting rows. */
  readonly pending: ReadonlySet<string>
}

/** Finds the waiting row at a position, and how the round writes its line. */
async function findWaiting(
  { bulkJobs }: Pick<Reads, 'bulkJobs'>,
  { id, round }: Pick<BulkJob, 'id' | 'round'>,
  position: number,
  pending: ReadonlySet<string>,
): Promise<{ readonly waiting: WaitingRow | undefined; readonly options: LineOptions }> {
  if (round === ROUNDS.first) return { waiting: undefined, options: {} }
  const [waiting] = await bulkJobs.waitingFrom(id, position - 1, 1)
  if (round === ROUNDS.without) return { waiting, options: { pending } }
  return { waiting, options: round === ROUNDS.whole ? { as: waiting?.written?.recordId } : {} }
}

/** Resolves to the updated job, which has reached the position of the last row taken. */
export async function takeRows(context: StepContext, before: BulkJob, rows: readonly FileRow[]): Promise<BulkJob> {
  const { tx } = context
  const newest = await tx.audit.newest()
  const tally = new Tally(tx, before)
  const end = performance.now() + STEP_MILLISECONDS
  let position = before.position
  for (const [index, row] of rows.entries()) {
    if (index % AHEAD === 0) await tx.readAhead(() => idsOf(rows.slice(index, index + AHEAD), context.header))
    await takeRow(context, tally, before.round, row)
    position = row.position
    await tx.pause()
    if (performance.now() > end) break
  }
  const job = { ...before, ...tally.counts, position }
  const isFirst = job.firstVersion === null && job.changed > 0 && !job.dryRun
  return isFirst ? { ...job, firstVersion: newest + 1 } : job
}

/** Returns the IDs that the lines give their records. */
function idsOf(rows: readonly FileRow[], header: Importer['header']): string[] {
  return rows.flatMap(({ line }) => (line.kind === 'fault' ? [] : (idOf(line, header) ?? [])))
}

async function takeRow(context: StepContext, tally: Tally, round: number, row: FileRow): Promise<void> {
  const { tx, header, pending } = context
  const { position, line } = row
  if (line.kind === 'fault') return tally.fail(row, line.error, header)
  const { waiting, options } = await findWaiting(tx, tally.job, position, pending)
  const ending = await context.write(line, options)
  if (round === ROUNDS.whole) return tally.complete(row, waiting!, ending, header)
  if ('written' in ending) {
    await tally.count(row, ending.written)
    const { isPartial, recordId, outcome } = ending.written
    if (isPartial) await tx.bulkJobs.putWaiting(tally.job.id, { ...waiting!, written: { recordId, outcome } })
    else if (waiting !== undefined) await tx.bulkJobs.removeWaiting(tally.job.id, position)
    return
  }
  const mayWait = ending.error instanceof MissingRecord && round < ROUNDS.without
  if (!mayWait) await tally.fail(row, ending.error, header)
  if (!mayWait && waiting !== undefined) await tx.bulkJobs.removeWaiting(tally.job.id, position)
  if (!mayWait || waiting !== undefined) return
  await tx.bulkJobs.putWaiting(tally.job.id, { position, namesId: idOf(line, header), written: null })
}

/** @throws errors that the line does not cause */
export function endingOf(error: unknown): LineEnding {
  if (isOfLine(error)) return { error }
  throw error
}

class Tally {
  readonly #tx: LongTransaction
  readonly #job: BulkJob
  readonly counts: { -readonly [Name in keyof BulkCounts]: number }

  constructor(tx: LongTransaction, job: BulkJob) {
    this.#tx = tx
    this.#job = job
    const { selected, done, changed, unchanged, failed, created, updated } = job
    this.counts = { selected, done, changed, unchanged, failed, created, updated }
  }

  get job(): BulkJob {
    return this.#job
  }

  async count({ line: { line } }: FileRow, { outcome, recordId, schemaId, changes, arrangement }: WrittenLine) {
    const { id, dryRun } = this.#job
    const { bulkJobs } = this.#tx
    this.counts.done += 1
    // The place is the order in which records are written. An undo follows the reverse order.
    const place = this.counts.done
    this.counts[outcome] += 1
    if (outcome !== 'unchanged') {
      this.counts.changed += 1
      if (!dryRun) await bulkJobs.addItems(id, place, [{ recordId, arrangement: null }])
      if (!dryRun) await bulkJobs.noteChanged(id, place, arrangement)
    }
    if (this.counts[outcome] <= MAX_SAMPLES)
      await bulkJobs.addSample(id, place, outcome, { recordId, schemaId, changes, line })
  }

  async fail(row: FileRow, error: PimletError, header: Importer['header']): Promise<void> {
    this.counts.done += 1
    await this.#note(row, error, header)
  }

  /** Writes the rest of a row that is partly written and already counted. */
  async complete(row: FileRow, { written }: WaitingRow, ending: LineEnding, header: Importer['header']): Promise<void> {
    await this.#tx.bulkJobs.removeWaiting(this.#job.id, row.position)
    if ('written' in ending || written === null) return
    this.counts[written.outcome] -= 1
    if (written.outcome !== 'unchanged') this.counts.changed -= 1
    await this.#note(row, ending.error, header)
  }

  /** Notes errors in the order of the file, because failed rows are found by reading both side by side. */
  async #note({ line, position }: FileRow, error: PimletError, header: Importer['header']): Promise<void> {
    this.counts.failed += 1
    if (this.counts.failed > MAX_FAILED_ROWS) return
    const { code, message } = error
    const what = { recordId: idOf(line, header), error: code, message, line: line.line }
    await this.#tx.bulkJobs.addError(this.#job.id, position, what)
  }
}
