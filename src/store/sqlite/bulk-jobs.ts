// Jobs that change many records, the records of each, and what became of them.
import {
  type BulkJob,
  type BulkOutcome,
  type BulkTask,
  hasEnded,
  MAX_SAMPLE_CHARACTERS,
  MAX_SAMPLES,
} from '../../core/jobs/rules/bulk-job.ts'
import { alreadyExists } from '../../kernel/errors.ts'
import type { Change } from '../../core/records/rules/changes.ts'
import type {
  BulkError,
  BulkItem,
  BulkJobReads,
  BulkJobWrites,
  BulkSample,
  PlacedError,
  WaitingRow,
} from '../bulk-port.ts'
import type { FeedWrites } from '../feed-port.ts'
import type { Page } from '../record-port.ts'
import { BULK_JOB_COLUMNS, type BulkJobRow, SELECTED_COLUMNS, toJob, valuesOf } from './bulk-job-rows.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

const SELECTED = `SELECT ${SELECTED_COLUMNS} FROM bulk_job`
const NUMBER = '(SELECT n FROM bulk_job WHERE id = ?)'
const OPEN = 'SELECT 1 FROM bulk_job WHERE id = ? AND completed_at IS NULL'
/** Characters of the changes of one page of samples. */
const MAX_PAGE = 1024 * 1024

/** Of each outcome how many there are, and the characters of all. */
type Kept = Partial<Record<BulkOutcome | 'characters', number>>

export class BulkJobs implements BulkJobReads, BulkJobWrites {
  readonly #sql: StatementCache

  readonly #feed: FeedWrites

  constructor(db: Connection, feed: FeedWrites) {
    this.#sql = new StatementCache(db)
    this.#feed = feed
  }

  async get(id: string): Promise<BulkJob | undefined> {
    const row = this.#sql.get<BulkJobRow>(`${SELECTED} WHERE id = ?`, [id])
    return row && toJob(row)
  }

  async list(ownerId: string | undefined, { limit, offset }: Page): Promise<BulkJob[]> {
    const [which, values] = ownerId === undefined ? ['', []] : ['WHERE owner_id = ?', [ownerId]]
    const sql = `${SELECTED} ${which} ORDER BY n DESC LIMIT ? OFFSET ?`
    return this.#sql.all<BulkJobRow>(sql, [...values, limit, offset]).map(toJob)
  }

  async listOpen(): Promise<BulkJob[]> {
    const sql = `${SELECTED} WHERE completed_at IS NULL ORDER BY status = 'queued', n`
    return this.#sql.all<BulkJobRow>(sql, []).map(toJob)
  }

  async countQueued(ownerId: string): Promise<number> {
    const sql = `SELECT count(*) FROM bulk_job WHERE completed_at IS NULL AND status = 'queued' AND owner_id = ?`
    return this.#sql.numbers(sql, [ownerId])[0]!
  }

  async taskOf(id: string): Promise<BulkTask> {
    const row = this.#sql.get<{ task: string }>('SELECT task FROM bulk_job WHERE id = ?', [id])
    return JSON.parse(row!.task) as BulkTask
  }

  async itemsFrom(id: string, place: number, limit: number): Promise<BulkItem[]> {
    return this.#items('place > ? ORDER BY place', id, place, limit)
  }

  async changedFrom(id: string, place: number, limit: number, isReversed: boolean): Promise<BulkItem[]> {
    const which = isReversed
      ? 'place < ? AND is_changed ORDER BY place DESC'
      : 'place > ? AND is_changed ORDER BY place'
    return this.#items(which, id, place, limit)
  }

  async errorsOf(id: string, { limit, offset }: Page): Promise<BulkError[]> {
    const sql = `SELECT record_id AS recordId, error, message, line FROM bulk_error
      WHERE job_n = ${NUMBER} ORDER BY place LIMIT ? OFFSET ?`
    return this.#sql.all<BulkError>(sql, [id, limit, offset])
  }

  async errorsFrom(id: string, place: number, limit: number): Promise<PlacedError[]> {
    const sql = `SELECT place, record_id AS recordId, error, message, line FROM bulk_error
      WHERE job_n = ${NUMBER} AND place > ? ORDER BY place LIMIT ?`
    return this.#sql.all<PlacedError>(sql, [id, place, limit])
  }

  async samplesOf(id: string, outcome: BulkOutcome, { limit, offset }: Page): Promise<BulkSample[]> {
    const sql = `SELECT record_id AS recordId, schema_id AS schemaId, changes, line FROM bulk_sample
      WHERE job_n = ${NUMBER} AND outcome = ? ORDER BY place LIMIT ? OFFSET ?`
    const samples: BulkSample[] = []
    let characters = 0
    const rows = this.#sql.iterate<Omit<BulkSample, 'changes'> & { changes: string }>(sql, [id, outcome, limit, offset])
    for (const { changes, ...row } of rows) {
      characters += changes.length
      if (samples.length > 0 && characters > MAX_PAGE) break
      samples.push({ ...row, changes: JSON.parse(changes) as Change[] })
    }
    return samples
  }

  async listEndedBefore(moment: string, limit: number): Promise<string[]> {
    const sql = 'SELECT id FROM bulk_job WHERE completed_at < ? ORDER BY completed_at LIMIT ?'
    return this.#sql.all<{ id: string }>(sql, [moment, limit]).map(({ id }) => id)
  }

  async insert(job: BulkJob, task: BulkTask): Promise<void> {
    const sql = `INSERT INTO bulk_job (${BULK_JOB_COLUMNS.join(', ')}, task) VALUES (${BULK_JOB_COLUMNS.map(() => '?').join(', ')}, ?)`
    try {
      this.#sql.run(sql, [...valuesOf(job), JSON.stringify(task)])
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Bulk job', job.id) : error
    }
  }

  async update(job: BulkJob): Promise<void> {
    const sql = `UPDATE bulk_job SET ${BULK_JOB_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`
    const isEnd = hasEnded(job) && this.#sql.get(OPEN, [job.id]) !== undefined
    this.#sql.run(sql, [...valuesOf(job), job.id])
    if (isEnd) this.#feed.append({ kind: 'bulk', timestamp: job.completedAt!, job })
  }

  async addItems(id: string, first: number, items: readonly Omit<BulkItem, 'place'>[]): Promise<void> {
    const n = this.#numberOf(id)
    const sql = 'INSERT INTO bulk_item (job_n, place, record_id, arrangement) VALUES (?, ?, ?, ?)'
    for (const [index, { recordId, arrangement }] of items.entries())
      this.#sql.run(sql, [n, first + index, recordId, arrangement])
  }

  async removeItems(id: string, limit: number): Promise<number> {
    return this.#removeSome('bulk_item', 'place', this.#numberOf(id), limit)
  }

  async noteChanged(id: string, place: number, arrangement: string | null): Promise<void> {
    const sql = `UPDATE bulk_item SET is_changed = 1, arrangement = ? WHERE job_n = ${NUMBER} AND place = ?`
    this.#sql.run(sql, [arrangement, id, place])
  }

  async addError(id: string, place: number, { recordId, error, message, line }: BulkError): Promise<void> {
    const sql = 'INSERT INTO bulk_error (job_n, place, record_id, error, message, line) VALUES (?, ?, ?, ?, ?, ?)'
    this.#sql.run(sql, [this.#numberOf(id), place, recordId, error, message, line])
  }

  async addSample(id: string, place: number, outcome: BulkOutcome, sample: BulkSample): Promise<void> {
    const row = this.#sql.get<{ n: number; samples: string }>('SELECT n, samples FROM bulk_job WHERE id = ?', [id])!
    const kept = JSON.parse(row.samples) as Kept
    const [count, characters] = [kept[outcome] ?? 0, kept.characters ?? 0]
    if (count >= MAX_SAMPLES) return
    const changes = JSON.stringify(sample.changes)
    if (characters + changes.length > MAX_SAMPLE_CHARACTERS) return
    const sql =
      'INSERT INTO bulk_sample (job_n, outcome, place, record_id, schema_id, changes, line) VALUES (?, ?, ?, ?, ?, ?, ?)'
    this.#sql.run(sql, [row.n, outcome, place, sample.recordId, sample.schemaId, changes, sample.line])
    const now: Kept = { ...kept, [outcome]: count + 1, characters: characters + changes.length }
    this.#sql.run('UPDATE bulk_job SET samples = ? WHERE n = ?', [JSON.stringify(now), row.n])
  }

  async waitingFrom(id: string, position: number, limit: number): Promise<WaitingRow[]> {
    const sql = `SELECT position, names_id AS namesId, record_id AS recordId, outcome FROM bulk_waiting
      WHERE job_n = ${NUMBER} AND position > ? ORDER BY position LIMIT ?`
    return this.#sql.all<WaitingColumns>(sql, [id, position, limit]).map(toWaiting)
  }

  async waitingNames(id: string, limit: number): Promise<string[]> {
    const sql = `SELECT names_id AS name FROM bulk_waiting WHERE job_n = ${NUMBER} AND names_id IS NOT NULL LIMIT ?`
    return this.#sql.all<{ name: string }>(sql, [id, limit]).map(({ name }) => name)
  }

  async putWaiting(id: string, { position, namesId, written }: WaitingRow): Promise<void> {
    const sql =
      'INSERT OR REPLACE INTO bulk_waiting (job_n, position, names_id, record_id, outcome) VALUES (?, ?, ?, ?, ?)'
    const values = [position, namesId, written?.recordId ?? null, written?.outcome ?? null]
    this.#sql.run(sql, [this.#numberOf(id), ...values])
  }

  async removeWaiting(id: string, position: number): Promise<void> {
    this.#sql.run(`DELETE FROM bulk_waiting WHERE job_n = ${NUMBER} AND position = ?`, [id, position])
  }

  async clearFindings(id: string, limit: number): Promise<number> {
    const n = this.#numberOf(id)
    this.#sql.run("UPDATE bulk_job SET samples = '{}' WHERE n = ?", [n])
    return (
      this.#removeSome('bulk_error', 'place', n, limit) +
      this.#removeSome('bulk_sample', 'outcome, place', n, limit) +
      this.#removeSome('bulk_waiting', 'position', n, limit)
    )
  }

  async replaceTask(id: string, task: BulkTask): Promise<void> {
    this.#sql.run('UPDATE bulk_job SET task = ? WHERE id = ?', [JSON.stringify(task), id])
  }

  async eraseFindings(recordId: string, message: string, limit: number): Promise<number> {
    const some = (table: string, key: string, which: string): string =>
      `(${key}) IN (SELECT ${key} FROM ${table} WHERE record_id = ? AND ${which} LIMIT ?)`
    const errors = some('bulk_error', 'job_n, place', 'message <> ?')
    return (
      this.#sql.run(`UPDATE bulk_error SET message = ? WHERE ${errors}`, [message, recordId, message, limit]) +
      this.#sql.run(
        `UPDATE bulk_sample SET changes = '[]' WHERE ${some('bulk_sample', 'job_n, outcome, place', "changes <> '[]'")}`,
        [recordId, limit],
      ) +
      this.#sql.run(
        `UPDATE bulk_item SET arrangement = NULL WHERE ${some('bulk_item', 'job_n, place', 'arrangement IS NOT NULL')}`,
        [recordId, limit],
      )
    )
  }

  async delete(id: string): Promise<void> {
    this.#sql.run('DELETE FROM bulk_job WHERE id = ?', [id])
  }

  /** `key`: what tells the rows of a job apart. */
  #removeSome(table: string, key: string, n: number, limit: number): number {
    const sql = `DELETE FROM ${table} WHERE job_n = ? AND (${key}) IN
      (SELECT ${key} FROM ${table} WHERE job_n = ? ORDER BY ${key} LIMIT ?)`
    return this.#sql.run(sql, [n, n, limit])
  }

  #items(which: string, id: string, place: number, limit: number): BulkItem[] {
    const sql = `SELECT place, record_id AS recordId, arrangement FROM bulk_item
      WHERE job_n = ? AND ${which} LIMIT ?`
    return this.#sql.all<BulkItem>(sql, [this.#numberOf(id), place, limit])
  }

  #numberOf(id: string): number {
    return this.#sql.numbers('SELECT n FROM bulk_job WHERE id = ?', [id])[0] ?? -1
  }
}

interface WaitingColumns {
  readonly position: number
  readonly namesId: string | null
  readonly recordId: string | null
  readonly outcome: 'created' | 'updated' | 'unchanged' | null
}

function toWaiting({ position, namesId, recordId, outcome }: WaitingColumns): WaitingRow {
  const written = recordId === null || outcome === null ? null : { recordId, outcome }
  return { position, namesId, written }
}
