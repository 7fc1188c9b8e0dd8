// Takes some rows of an import job. One transaction writes the outcomes and the progress of the job, so a stop neither
// skips nor repeats a row. Contract 3 §4, 3 §10.
import { type BulkCounts, type BulkJob, MAX_SAMPLES } from '../core/jobs/rules/bulk-job.ts'
import type { PimletError } from '../kernel/errors.ts'
import type { LongTransaction } from '../store/port.ts'
import type { FileRow } from './file-rows.ts'
import { idOf, type Importer, type LineOptions, type WrittenLine } from './import-line.ts'
import { endLine, type LineEnding, type Outcomes, ROUNDS, type Waiting } from './import-rounds.ts'
import type { RecordLine } from './rules/import-outcome.ts'
import { MAX_FAILED_ROWS } from './rules/import-upload.ts'

/** Milliseconds of work before other writers get a turn. */
const STEP_MILLISECONDS = 10
/** Places of one row: of its record, and of more pictures than a row can name. */
const PLACES = 1_000_000
/** Rows whose records are read together. */
const AHEAD = 50

interface StepContext {
  readonly tx: LongTransaction
  readonly header: Importer['header']
  /** Writes the line, or finds the outcome that writing would have. @throws errors that the line does not cause */
  readonly write: (line: RecordLine, options: LineOptions) => Promise<LineEnding>
  /** Names of waiting rows, where rows are written without references to these. */
  readonly pending: ReadonlySet<string> | undefined
}

/** Resolves to the updated job, which has reached the position of the last row taken. */
export async function takeRows(context: StepContext, before: BulkJob, rows: readonly FileRow[]): Promise<BulkJob> {
  const { tx, header } = context
  const newest = await tx.audit.newest()
  const outcomes = new OutcomesInStorage(tx, before, header)
  const end = performance.now() + STEP_MILLISECONDS
  let position = before.position
  for (const [index, row] of rows.entries()) {
    if (index % AHEAD === 0)
      await tx.readAhead(() => rows.slice(index, index + AHEAD).flatMap(({ line }) => idOf(line, header) ?? []))
    await takeRow(context, outcomes, before, row)
    position = row.position
    await tx.pause()
    if (performance.now() > end) break
  }
  const job = { ...before, ...outcomes.counts, position }
  const isFirst = job.firstVersion === null && job.changed > 0 && !job.dryRun
  return isFirst ? { ...job, firstVersion: newest + 1 } : job
}

async function takeRow(
  { tx, write, pending }: StepContext,
  outcomes: OutcomesInStorage,
  { id, round }: BulkJob,
  row: FileRow,
): Promise<void> {
  const { position, line, error } = row
  const [waiting] = round === ROUNDS.first ? [] : await tx.bulkJobs.waitingFrom(id, position - 1, 1)
  const options = { as: waiting?.written?.recordId, pending }
  const ending = error === undefined ? await write(line as RecordLine, options) : { error }
  await endLine(outcomes, round, row, ending, waiting)
}

class OutcomesInStorage implements Outcomes<FileRow> {
  readonly #tx: LongTransaction
  readonly #job: BulkJob
  readonly #header: Importer['header']
  readonly counts: { -readonly [Name in keyof BulkCounts]: number }

  constructor(tx: LongTransaction, job: BulkJob, header: Importer['header']) {
    this.#tx = tx
    this.#job = job
    this.#header = header
    const { selected, done, changed, unchanged, failed, created, updated } = job
    this.counts = { selected, done, changed, unchanged, failed, created, updated }
  }

  async count(
    { line: { line } }: FileRow,
    { outcome, recordId, schemaId, changes, arrangement, pictures }: WrittenLine,
  ): Promise<void> {
    const { id, dryRun } = this.#job
    const { bulkJobs } = this.#tx
    this.counts.done += 1
    // The place is the order in which records are written. An undo follows the reverse order.
    const place = this.counts.done * PLACES
    this.counts[outcome] += 1
    if (!dryRun) await this.#addPictures(place - pictures.length, pictures)
    if (outcome !== 'unchanged') {
      this.counts.changed += 1
      if (!dryRun) await bulkJobs.addItems(id, place, [{ recordId, arrangement: null }])
      if (!dryRun) await bulkJobs.noteChanged(id, place, arrangement)
    }
    if (this.counts[outcome] <= MAX_SAMPLES)
      await bulkJobs.addSample(id, place, outcome, { recordId, schemaId, changes, line })
  }

  /** They come before the record that refers to them, so an undo deletes them behind it. */
  async #addPictures(first: number, pictures: readonly string[]): Promise<void> {
    const { bulkJobs } = this.#tx
    if (pictures.length === 0) return
    const items = pictures.map((recordId) => ({ recordId, arrangement: null }))
    await bulkJobs.addItems(this.#job.id, first, items)
    for (const index of pictures.keys()) await bulkJobs.noteChanged(this.#job.id, first + index, null)
  }

  /** Notes errors in the order of the file, because failed rows are found by reading both side by side. */
  async fail(
    { line, position }: FileRow,
    { code, message }: PimletError,
    counted: WrittenLine['outcome'] | undefined,
  ): Promise<void> {
    if (counted === undefined) this.counts.done += 1
    else this.counts[counted] -= 1
    if (counted === 'created' || counted === 'updated') this.counts.changed -= 1
    this.counts.failed += 1
    if (this.counts.failed > MAX_FAILED_ROWS) return
    const what = { recordId: idOf(line, this.#header), error: code, message, line: line.line }
    await this.#tx.bulkJobs.addError(this.#job.id, position, what)
  }

  async wait({ line, position }: FileRow, { written }: Waiting): Promise<boolean> {
    await this.#tx.bulkJobs.putWaiting(this.#job.id, { position, namesId: idOf(line, this.#header), written })
    return true
  }

  endWait({ position }: FileRow): Promise<void> {
    return this.#tx.bulkJobs.removeWaiting(this.#job.id, position)
  }
}
