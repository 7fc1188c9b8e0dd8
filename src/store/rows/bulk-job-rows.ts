// Stores jobs that change many records, with the records of each job and their outcomes.
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
import { type Load, RowRepository, type SqlSession } from './session.ts'

/** The most characters of the changes of one page of samples. */
const MAX_PAGE = 1024 * 1024
const KIND = 'bulk job'
const SAMPLES = 'bulk samples'

/** The primary key of a table. */
const KEYS: Readonly<Record<string, string>> = {
  bulk_item: 'job_id, place',
  bulk_error: 'job_id, place',
  bulk_sample: 'job_id, outcome, place',
  bulk_waiting: 'job_id, position',
}

/** The number of samples of each outcome, and the number of their characters. */
type Kept = Partial<Record<BulkOutcome | 'characters', number>>

interface Row {
  readonly document: string
}

export class BulkJobs extends RowRepository implements BulkJobReads, BulkJobWrites {
  readonly #feed: FeedWrites
  readonly #noteChanged: string
  readonly #byId: Load<BulkJob> = async (ids, from) => {
    const rows = await from.rows<Row>(`SELECT document FROM bulk_job WHERE ${this.session.dialect.among('id', 1)}`, [
      ids,
    ])
    return new Map(rows.map(toJob).map((job) => [job.id, job]))
  }

  readonly #samplesById: Load<Kept> = async (ids, from) => {
    const sql = `SELECT id, samples FROM bulk_job WHERE ${this.session.dialect.among('id', 1)}`
    const rows = await from.rows<{ id: string; samples: string }>(sql, [ids])
    return new Map(rows.map(({ id, samples }) => [id, JSON.parse(samples) as Kept]))
  }

  constructor(session: SqlSession, feed: FeedWrites) {
    super(session)
    this.#feed = feed
    const key = { job_id: 'text', place: 'integer' } as const
    this.#noteChanged = session.dialect.update('bulk_item', key, { arrangement: 'text' }, 'is_changed = true')
  }

  async get(id: string): Promise<BulkJob | undefined> {
    return (await this.session.look(KIND, [id], this.#byId)).get(id)
  }

  async list(ownerId: string | undefined, { limit, offset }: Page): Promise<BulkJob[]> {
    const [which, values] = ownerId === undefined ? ['', []] : ['WHERE owner_id = $3', [ownerId]]
    const sql = `SELECT document FROM bulk_job ${which} ORDER BY n DESC LIMIT $1 OFFSET $2`
    return (await this.session.rows<Row>(sql, [limit, offset, ...values])).map(toJob)
  }

  async listOpen(): Promise<BulkJob[]> {
    const sql = 'SELECT document FROM bulk_job WHERE completed_at IS NULL ORDER BY is_queued, n'
    return (await this.session.rows<Row>(sql)).map(toJob)
  }

  async countQueued(ownerId: string): Promise<number> {
    const sql = 'SELECT count(*) AS number FROM bulk_job WHERE completed_at IS NULL AND is_queued AND owner_id = $1'
    return (await this.session.rows<{ number: number }>(sql, [ownerId]))[0]!.number
  }

  async taskOf(id: string): Promise<BulkTask> {
    const [row] = await this.session.rows<{ task: string }>('SELECT task FROM bulk_job WHERE id = $1', [id])
    return JSON.parse(row!.task) as BulkTask
  }

  itemsFrom(id: string, place: number, limit: number): Promise<BulkItem[]> {
    return this.#items('place > $2 ORDER BY place', id, place, limit)
  }

  changedFrom(id: string, place: number, limit: number, isReversed: boolean): Promise<BulkItem[]> {
    const which = isReversed
      ? 'place < $2 AND is_changed ORDER BY place DESC'
      : 'place > $2 AND is_changed ORDER BY place'
    return this.#items(which, id, place, limit)
  }

  errorsOf(id: string, { limit, offset }: Page): Promise<BulkError[]> {
    const sql = `SELECT record_id AS "recordId", error, message, line, file FROM bulk_error
      WHERE job_id = $1 ORDER BY place LIMIT $2 OFFSET $3`
    return this.session.rows(sql, [id, limit, offset])
  }

  errorsFrom(id: string, place: number, limit: number): Promise<PlacedError[]> {
    const sql = `SELECT place, record_id AS "recordId", error, message, line, file FROM bulk_error
      WHERE job_id = $1 AND place > $2 ORDER BY place LIMIT $3`
    return this.session.rows(sql, [id, place, limit])
  }

  async samplesOf(id: string, outcome: BulkOutcome, { limit, offset }: Page): Promise<BulkSample[]> {
    const rows = await this.session.rows<Omit<BulkSample, 'changes'> & { changes: string }>(
      `SELECT "recordId", "schemaId", changes, line, file, "filePlace" FROM
         (SELECT place, record_id AS "recordId", schema_id AS "schemaId", changes, line, file, file_place AS "filePlace",
            sum(length(changes)) OVER page AS taken, row_number() OVER page AS nth
          FROM (SELECT * FROM bulk_sample WHERE job_id = $1 AND outcome = $2 ORDER BY place LIMIT $3 OFFSET $4) AS sample
          WINDOW page AS (ORDER BY place)) AS sized
        WHERE taken <= ${MAX_PAGE} OR nth = 1 ORDER BY place`,
      [id, outcome, limit, offset],
    )
    return rows.map(({ changes, ...row }) => ({ ...row, changes: JSON.parse(changes) as Change[] }))
  }

  async listEndedBefore(moment: string, limit: number): Promise<string[]> {
    const sql = 'SELECT id FROM bulk_job WHERE completed_at < $1 ORDER BY completed_at LIMIT $2'
    return (await this.session.rows<{ id: string }>(sql, [moment, limit])).map(({ id }) => id)
  }

  async insert(job: BulkJob, task: BulkTask): Promise<void> {
    if ((await this.get(job.id)) !== undefined) throw alreadyExists('Bulk job', job.id)
    const { writer } = this.session
    const sql = `INSERT INTO bulk_job (n, id, owner_id, is_queued, completed_at, document, task)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`
    const document = JSON.stringify(job)
    const isQueued = job.status === 'queued'
    writer.hold(sql, writer.nextN(), job.id, job.ownerId, isQueued, job.completedAt, document, JSON.stringify(task))
    writer.put(KIND, job.id, job)
    writer.add('jobs', 1)
  }

  async update(job: BulkJob): Promise<void> {
    const { writer } = this.session
    const before = await this.get(job.id)
    const sql = `UPDATE bulk_job SET owner_id = $2, is_queued = $3, completed_at = $4, document = $5 WHERE id = $1`
    writer.hold(sql, job.id, job.ownerId, job.status === 'queued', job.completedAt, JSON.stringify(job))
    if (before === undefined) return
    writer.put(KIND, job.id, job)
    // The server that carries jobs out may be another one.
    if (before.pausedReason !== null && job.pausedReason === null) writer.add('jobs', 1)
    if (hasEnded(job) && before.completedAt === null)
      this.#feed.append({ kind: 'bulk', timestamp: job.completedAt!, job })
  }

  async addItems(id: string, first: number, items: readonly Omit<BulkItem, 'place'>[]): Promise<void> {
    const { writer, dialect } = this.session
    const item = dialect.given('item', { job_id: 'text', place: 'integer', record_id: 'text', arrangement: 'text' })
    const sql = `INSERT INTO bulk_item (job_id, place, record_id, arrangement) SELECT * FROM ${item}`
    for (const [index, { recordId, arrangement }] of items.entries())
      writer.holdRow(sql, id, first + index, recordId, arrangement)
  }

  removeItems(id: string, limit: number): Promise<number> {
    const sql = `DELETE FROM bulk_item WHERE job_id = $1 AND place IN
      (SELECT place FROM bulk_item WHERE job_id = $1 ORDER BY place LIMIT $2)`
    return this.session.writer.run(sql, id, limit)
  }

  async noteChanged(id: string, place: number, arrangement: string | null): Promise<void> {
    this.session.writer.holdRow(this.#noteChanged, id, place, arrangement)
  }

  async addError(id: string, place: number, { recordId, error, message, line, file = null }: BulkError): Promise<void> {
    const sql = `INSERT INTO bulk_error (job_id, place, record_id, error, message, line, file)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`
    this.session.writer.hold(sql, id, place, recordId, error, message, line, file)
  }

  async addSample(id: string, place: number, outcome: BulkOutcome, sample: BulkSample): Promise<void> {
    const { writer } = this.session
    const kept = (await this.session.look(SAMPLES, [id], this.#samplesById)).get(id)!
    const [count, characters] = [kept[outcome] ?? 0, kept.characters ?? 0]
    if (count >= MAX_SAMPLES) return
    const changes = JSON.stringify(sample.changes)
    if (characters + changes.length > MAX_SAMPLE_CHARACTERS) return
    const sql = `INSERT INTO bulk_sample (job_id, outcome, place, record_id, schema_id, changes, line, file, file_place)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
    const { recordId, schemaId, line, file = null, filePlace = null } = sample
    writer.hold(sql, id, outcome, place, recordId, schemaId, changes, line, file, filePlace)
    this.#putSamples(id, { ...kept, [outcome]: count + 1, characters: characters + changes.length })
  }

  async waitingFrom(id: string, position: number, limit: number): Promise<WaitingRow[]> {
    const sql = `SELECT position, names_id AS "namesId", record_id AS "recordId", outcome FROM bulk_waiting
      WHERE job_id = $1 AND position > $2 ORDER BY position LIMIT $3`
    return (await this.session.rows<WaitingColumns>(sql, [id, position, limit])).map(toWaiting)
  }

  async waitingNames(id: string, limit: number): Promise<string[]> {
    const sql = 'SELECT names_id AS name FROM bulk_waiting WHERE job_id = $1 AND names_id IS NOT NULL LIMIT $2'
    return (await this.session.rows<{ name: string }>(sql, [id, limit])).map(({ name }) => name)
  }

  async putWaiting(id: string, { position, namesId, written }: WaitingRow): Promise<void> {
    const sql = `INSERT INTO bulk_waiting (job_id, position, names_id, record_id, outcome) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (job_id, position) DO UPDATE
        SET names_id = excluded.names_id, record_id = excluded.record_id, outcome = excluded.outcome`
    this.session.writer.hold(sql, id, position, namesId, written?.recordId ?? null, written?.outcome ?? null)
  }

  async removeWaiting(id: string, position: number): Promise<void> {
    this.session.writer.hold('DELETE FROM bulk_waiting WHERE job_id = $1 AND position = $2', id, position)
  }

  async clearFindings(id: string, limit: number): Promise<number> {
    const { writer, dialect } = this.session
    let gone = 0
    for (const [table, key] of ['bulk_error', 'bulk_sample', 'bulk_waiting'].map(
      (name) => [name, KEYS[name]!] as const,
    )) {
      const isGone = dialect.isOneOf(table, key, 'WHERE job_id = $1 LIMIT $2')
      gone += await writer.run(`DELETE FROM ${table} WHERE ${isGone}`, id, limit)
    }
    this.#putSamples(id, {})
    return gone
  }

  async replaceTask(id: string, task: BulkTask): Promise<void> {
    this.session.writer.hold('UPDATE bulk_job SET task = $2 WHERE id = $1', id, JSON.stringify(task))
  }

  async eraseFindings(recordId: string, message: string, limit: number): Promise<number> {
    const { writer, dialect } = this.session
    const some = (table: string, which: string): string =>
      dialect.isOneOf(table, KEYS[table]!, `WHERE record_id = $1 AND ${which} LIMIT $2`)
    // The name of a file may contain a value of its record.
    const errors = `UPDATE bulk_error SET message = $3, file = NULL WHERE ${some('bulk_error', 'message <> $3')}`
    const samples = `UPDATE bulk_sample SET changes = '[]', file = NULL
      WHERE ${some('bulk_sample', "(changes <> '[]' OR file IS NOT NULL)")}`
    const items = `UPDATE bulk_item SET arrangement = NULL WHERE ${some('bulk_item', 'arrangement IS NOT NULL')}`
    let erased = await writer.run(errors, recordId, limit, message)
    for (const sql of [samples, items]) erased += await writer.run(sql, recordId, limit)
    return erased
  }

  async delete(id: string): Promise<void> {
    this.session.writer.hold('DELETE FROM bulk_job WHERE id = $1', id)
    this.session.writer.put(KIND, id, undefined)
    this.session.writer.put(SAMPLES, id, undefined)
  }

  #putSamples(id: string, kept: Kept): void {
    this.session.writer.hold('UPDATE bulk_job SET samples = $1 WHERE id = $2', JSON.stringify(kept), id)
    this.session.writer.put(SAMPLES, id, kept)
  }

  #items(which: string, id: string, place: number, limit: number): Promise<BulkItem[]> {
    const sql = `SELECT place, record_id AS "recordId", arrangement FROM bulk_item WHERE job_id = $1 AND ${which} LIMIT $3`
    return this.session.rows(sql, [id, place, limit])
  }
}

function toJob({ document }: Row): BulkJob {
  return JSON.parse(document) as BulkJob
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
