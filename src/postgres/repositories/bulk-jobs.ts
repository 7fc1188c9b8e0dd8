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
} from '../../store/bulk-port.ts'
import type { FeedWrites } from '../../store/feed-port.ts'
import type { Page } from '../../store/record-port.ts'
import type { Load } from '../../store/rows/session.ts'
import type { Session } from '../session.ts'
import { BulkWaiting } from './bulk-waiting.ts'

/** Characters of the changes of one page of samples. */
const MAX_PAGE = 1024 * 1024
const KIND = 'bulk job'
const SAMPLES = 'bulk samples'

/** Of each outcome how many there are, and the characters of all. */
type Kept = Partial<Record<BulkOutcome | 'characters', number>>

interface Row {
  readonly document: string
}

const byId: Load<BulkJob> = async (ids, from) => {
  const rows = await from.rows<Row>('SELECT document FROM bulk_job WHERE id = ANY ($1::text[])', [ids])
  return new Map(rows.map(toJob).map((job) => [job.id, job]))
}

const samplesById: Load<Kept> = async (ids, from) => {
  const sql = 'SELECT id, samples FROM bulk_job WHERE id = ANY ($1::text[])'
  const rows = await from.rows<{ id: string; samples: string }>(sql, [ids])
  return new Map(rows.map(({ id, samples }) => [id, JSON.parse(samples) as Kept]))
}

const NOTE_CHANGED = `UPDATE bulk_item SET is_changed = true, arrangement = changed.arrangement
  FROM unnest($1::text[], $2::bigint[], $3::text[]) AS changed (job_id, place, arrangement)
  WHERE bulk_item.job_id = changed.job_id AND bulk_item.place = changed.place`

export class BulkJobs extends BulkWaiting implements BulkJobReads, BulkJobWrites {
  readonly #session: Session
  readonly #feed: FeedWrites

  constructor(session: Session, feed: FeedWrites) {
    super(session)
    this.#session = session
    this.#feed = feed
  }

  async get(id: string): Promise<BulkJob | undefined> {
    return (await this.#session.look(KIND, [id], byId)).get(id)
  }

  async list(createdBy: string | undefined, { limit, offset }: Page): Promise<BulkJob[]> {
    const [which, values] = createdBy === undefined ? ['', []] : ['WHERE created_by = $3', [createdBy]]
    const sql = `SELECT document FROM bulk_job ${which} ORDER BY n DESC LIMIT $1 OFFSET $2`
    return (await this.#session.rows<Row>(sql, [limit, offset, ...values])).map(toJob)
  }

  async listOpen(): Promise<BulkJob[]> {
    const sql = 'SELECT document FROM bulk_job WHERE completed_at IS NULL ORDER BY is_queued, n'
    return (await this.#session.rows<Row>(sql)).map(toJob)
  }

  async countQueued(createdBy: string): Promise<number> {
    const sql = 'SELECT count(*) AS number FROM bulk_job WHERE completed_at IS NULL AND is_queued AND created_by = $1'
    return (await this.#session.rows<{ number: number }>(sql, [createdBy]))[0]!.number
  }

  async taskOf(id: string): Promise<BulkTask> {
    const [row] = await this.#session.rows<{ task: string }>('SELECT task FROM bulk_job WHERE id = $1', [id])
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
    const sql = `SELECT record_id AS "recordId", error, message, line FROM bulk_error
      WHERE job_id = $1 ORDER BY place LIMIT $2 OFFSET $3`
    return this.#session.rows(sql, [id, limit, offset])
  }

  errorsFrom(id: string, place: number, limit: number): Promise<PlacedError[]> {
    const sql = `SELECT place, record_id AS "recordId", error, message, line FROM bulk_error
      WHERE job_id = $1 AND place > $2 ORDER BY place LIMIT $3`
    return this.#session.rows(sql, [id, place, limit])
  }

  async samplesOf(id: string, outcome: BulkOutcome, { limit, offset }: Page): Promise<BulkSample[]> {
    const rows = await this.#session.rows<Omit<BulkSample, 'changes'> & { changes: string }>(
      `SELECT "recordId", "schemaId", changes, line FROM
         (SELECT place, record_id AS "recordId", schema_id AS "schemaId", changes, line,
            sum(length(changes)) OVER page AS taken, row_number() OVER page AS index
          FROM (SELECT * FROM bulk_sample WHERE job_id = $1 AND outcome = $2 ORDER BY place LIMIT $3 OFFSET $4) AS sample
          WINDOW page AS (ORDER BY place)) AS sized
        WHERE taken <= ${MAX_PAGE} OR index = 1 ORDER BY place`,
      [id, outcome, limit, offset],
    )
    return rows.map(({ changes, ...row }) => ({ ...row, changes: JSON.parse(changes) as Change[] }))
  }

  async listEndedBefore(moment: string, limit: number): Promise<string[]> {
    const sql = 'SELECT id FROM bulk_job WHERE completed_at < $1 ORDER BY completed_at LIMIT $2'
    return (await this.#session.rows<{ id: string }>(sql, [moment, limit])).map(({ id }) => id)
  }

  async insert(job: BulkJob, task: BulkTask): Promise<void> {
    if ((await this.get(job.id)) !== undefined) throw alreadyExists('Bulk job', job.id)
    const { writer } = this.#session
    const sql = `INSERT INTO bulk_job (n, id, created_by, is_queued, completed_at, document, task)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`
    const document = JSON.stringify(job)
    const isQueued = job.status === 'queued'
    writer.hold(sql, writer.nextN(), job.id, job.createdBy, isQueued, job.completedAt, document, JSON.stringify(task))
    writer.put(KIND, job.id, job)
    writer.add('jobs', 1)
  }

  async update(job: BulkJob): Promise<void> {
    const { writer } = this.#session
    const before = await this.get(job.id)
    const sql = `UPDATE bulk_job SET created_by = $2, is_queued = $3, completed_at = $4, document = $5 WHERE id = $1`
    writer.hold(sql, job.id, job.createdBy, job.status === 'queued', job.completedAt, JSON.stringify(job))
    if (before === undefined) return
    writer.put(KIND, job.id, job)
    if (hasEnded(job) && before.completedAt === null)
      this.#feed.append({ kind: 'bulk', timestamp: job.completedAt!, job })
  }

  async addItems(id: string, first: number, items: readonly Omit<BulkItem, 'place'>[]): Promise<void> {
    this.#session.writer.hold(
      `INSERT INTO bulk_item (job_id, place, record_id, arrangement)
         SELECT $1, $2::bigint - 1 + place, record_id, arrangement
           FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS new (record_id, arrangement, place)`,
      id,
      first,
      items.map(({ recordId }) => recordId),
      items.map(({ arrangement }) => arrangement),
    )
  }

  removeItems(id: string, limit: number): Promise<number> {
    const sql = `DELETE FROM bulk_item WHERE job_id = $1 AND place IN
      (SELECT place FROM bulk_item WHERE job_id = $1 ORDER BY place LIMIT $2)`
    return this.#session.writer.run(sql, id, limit)
  }

  async noteChanged(id: string, place: number, arrangement: string | null): Promise<void> {
    this.#session.writer.holdRow(NOTE_CHANGED, id, place, arrangement)
  }

  async addError(id: string, place: number, { recordId, error, message, line }: BulkError): Promise<void> {
    const sql = `INSERT INTO bulk_error (job_id, place, record_id, error, message, line) VALUES ($1, $2, $3, $4, $5, $6)`
    this.#session.writer.hold(sql, id, place, recordId, error, message, line)
  }

  async addSample(id: string, place: number, outcome: BulkOutcome, sample: BulkSample): Promise<void> {
    const { writer } = this.#session
    const kept = (await this.#session.look(SAMPLES, [id], samplesById)).get(id)!
    const [count, characters] = [kept[outcome] ?? 0, kept.characters ?? 0]
    if (count >= MAX_SAMPLES) return
    const changes = JSON.stringify(sample.changes)
    if (characters + changes.length > MAX_SAMPLE_CHARACTERS) return
    const sql = `INSERT INTO bulk_sample (job_id, outcome, place, record_id, schema_id, changes, line)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`
    writer.hold(sql, id, outcome, place, sample.recordId, sample.schemaId, changes, sample.line)
    this.#putSamples(id, { ...kept, [outcome]: count + 1, characters: characters + changes.length })
  }

  async clearFindings(id: string, limit: number): Promise<number> {
    const { writer } = this.#session
    let gone = 0
    for (const table of ['bulk_error', 'bulk_sample', 'bulk_waiting']) {
      const some = `SELECT ctid FROM ${table} WHERE job_id = $1 LIMIT $2`
      gone += await writer.run(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${some}))`, id, limit)
    }
    this.#putSamples(id, {})
    return gone
  }

  async replaceTask(id: string, task: BulkTask): Promise<void> {
    this.#session.writer.hold('UPDATE bulk_job SET task = $2 WHERE id = $1', id, JSON.stringify(task))
  }

  async eraseFindings(recordId: string, message: string, limit: number): Promise<number> {
    const { writer } = this.#session
    const some = (table: string, which: string): string =>
      `ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE record_id = $1 AND ${which} LIMIT $2))`
    const errors = `UPDATE bulk_error SET message = $3 WHERE ${some('bulk_error', 'message <> $3')}`
    const samples = `UPDATE bulk_sample SET changes = '[]' WHERE ${some('bulk_sample', "changes <> '[]'")}`
    const items = `UPDATE bulk_item SET arrangement = NULL WHERE ${some('bulk_item', 'arrangement IS NOT NULL')}`
    let erased = await writer.run(errors, recordId, limit, message)
    for (const sql of [samples, items]) erased += await writer.run(sql, recordId, limit)
    return erased
  }

  async delete(id: string): Promise<void> {
    this.#session.writer.hold('DELETE FROM bulk_job WHERE id = $1', id)
    this.#session.writer.put(KIND, id, undefined)
    this.#session.writer.put(SAMPLES, id, undefined)
  }

  #putSamples(id: string, kept: Kept): void {
    this.#session.writer.hold('UPDATE bulk_job SET samples = $1 WHERE id = $2', JSON.stringify(kept), id)
    this.#session.writer.put(SAMPLES, id, kept)
  }

  #items(which: string, id: string, place: number, limit: number): Promise<BulkItem[]> {
    const sql = `SELECT place, record_id AS "recordId", arrangement FROM bulk_item WHERE job_id = $1 AND ${which} LIMIT $3`
    return this.#session.rows(sql, [id, place, limit])
  }
}

function toJob({ document }: Row): BulkJob {
  return JSON.parse(document) as BulkJob
}
