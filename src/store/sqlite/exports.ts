// The run history of export jobs, and what their destinations have noted as left behind.
import { alreadyExists, conflict } from '../../kernel/errors.ts'
import type { ExportRun, RenderedFile } from '../../exports/rules/export-run.ts'
import type { FeedWrites } from '../feed-port.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'
import type {
  ExportLeftoverReads,
  ExportLeftoverWrites,
  ExportRunReads,
  ExportRunWrites,
  RunFilter,
} from '../run-port.ts'

const COLUMNS = `id, job_id AS jobId, status, started_at AS startedAt, completed_at AS completedAt,
  record_count AS recordCount, file_size AS fileSize, destination_path AS destinationPath, error,
  kind, attempts, sha256, redelivers, kept_until AS keptUntil`

export class ExportRuns implements ExportRunReads, ExportRunWrites {
  readonly #sql: StatementCache
  readonly #owner: string

  readonly #feed: FeedWrites

  /** @param owner names this store among all that have had the database open */
  constructor(db: Connection, owner: string, feed: FeedWrites) {
    this.#sql = new StatementCache(db)
    this.#owner = owner
    this.#feed = feed
  }

  async get(id: string): Promise<ExportRun | undefined> {
    return this.#sql.get<ExportRun>(`SELECT ${COLUMNS} FROM export_run WHERE id = ?`, [id])
  }

  async listOf(jobId: string, limit: number): Promise<ExportRun[]> {
    const sql = `SELECT ${COLUMNS} FROM export_run WHERE job_id = ? ORDER BY started_at DESC, n DESC LIMIT ?`
    return this.#sql.all<ExportRun>(sql, [jobId, limit])
  }

  async list({ jobId, status }: RunFilter, limit: number): Promise<ExportRun[]> {
    if (jobId !== undefined && status === undefined) return this.listOf(jobId, limit)
    const conditions = [
      ...(jobId === undefined ? [] : ['job_id = @jobId']),
      ...(status === undefined ? [] : ['status = @status']),
    ]
    // The latest are found in an index alone, where it has all that is asked.
    return this.#sql.all<ExportRun>(
      `SELECT ${COLUMNS} FROM export_run
        WHERE n IN (SELECT n FROM export_run ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
                     ORDER BY started_at DESC, n DESC LIMIT @limit)
        ORDER BY started_at DESC, n DESC`,
      { limit, ...(jobId === undefined ? {} : { jobId }), ...(status === undefined ? {} : { status }) },
    )
  }

  async latest(): Promise<ReadonlyMap<string, ExportRun>> {
    const runs = this.#sql.all<ExportRun>(
      `SELECT ${COLUMNS} FROM export_run WHERE n IN (
         SELECT (SELECT n FROM export_run WHERE job_id = export_job.id ORDER BY started_at DESC, n DESC LIMIT 1)
           FROM export_job)`,
      [],
    )
    return new Map(runs.map((run) => [run.jobId, run]))
  }

  async listRunning(): Promise<ExportRun[]> {
    return this.#sql.all<ExportRun>(`SELECT ${COLUMNS} FROM export_run WHERE status = 'running' ORDER BY n`, [])
  }

  async findRunning(jobId: string): Promise<ExportRun | undefined> {
    return this.#sql.get<ExportRun>(
      `SELECT ${COLUMNS} FROM export_run WHERE job_id = ? AND status = 'running' LIMIT 1`,
      [jobId],
    )
  }

  async listAbandoned(): Promise<ExportRun[]> {
    const sql = `SELECT ${COLUMNS} FROM export_run WHERE status = 'running' AND owner IS NOT ? ORDER BY n`
    return this.#sql.all<ExportRun>(sql, [this.#owner])
  }

  /** There are no other servers. */
  async listOrphaned(): Promise<ExportRun[]> {
    return []
  }

  async isPerformed(id: string): Promise<boolean> {
    const sql = "SELECT 1 FROM export_run WHERE id = ? AND status = 'running' AND owner = ?"
    return this.#sql.get(sql, [id, this.#owner]) !== undefined
  }

  async listSilent(moment: string, limit: number, jobId?: string): Promise<ExportRun[]> {
    const ofJob = jobId === undefined ? '' : 'AND job_id = @jobId'
    return this.#sql.all<ExportRun>(
      `SELECT ${COLUMNS} FROM export_run WHERE status = 'running' AND heard_at < @moment ${ofJob} LIMIT @limit`,
      { moment, limit, ...(jobId === undefined ? {} : { jobId }) },
    )
  }

  async fileOf(id: string): Promise<RenderedFile | undefined> {
    const sql = 'SELECT file FROM export_run WHERE id = ? AND file IS NOT NULL'
    const row = this.#sql.get<{ file: string }>(sql, [id])
    return row && (JSON.parse(row.file) as RenderedFile)
  }

  /** There are no other servers. */
  async isFileHere(): Promise<boolean> {
    return true
  }

  async listGiven(): Promise<ExportRun[]> {
    return []
  }

  async listKept(jobId?: string): Promise<ExportRun[]> {
    const ofJob = jobId === undefined ? '' : 'AND job_id = @jobId'
    const sql = `SELECT ${COLUMNS} FROM export_run WHERE kept_until IS NOT NULL ${ofJob} ORDER BY started_at DESC, n DESC`
    return this.#sql.all<ExportRun>(sql, jobId === undefined ? {} : { jobId })
  }

  async noteFile(id: string, file: RenderedFile): Promise<void> {
    this.#sql.run('UPDATE export_run SET file = ? WHERE id = ?', [JSON.stringify(file), id])
  }

  async insert(run: ExportRun, heardAt?: string): Promise<void> {
    const sql = `INSERT INTO export_run
        (id, job_id, status, started_at, completed_at, record_count, file_size, destination_path, error,
         kind, attempts, sha256, redelivers, kept_until, heard_at)
      VALUES
        (@id, @jobId, @status, @startedAt, @completedAt, @recordCount, @fileSize, @destinationPath, @error,
         @kind, @attempts, @sha256, @redelivers, @keptUntil, @heardAt)`
    try {
      this.#sql.run(sql, { ...run, heardAt: heardAt ?? null })
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Export run', run.id) : error
    }
    this.#noteEnd(run, heardAt)
  }

  async begin(run: ExportRun, term: number): Promise<boolean> {
    const performed = `SELECT id FROM export_run WHERE job_id = ? AND status = 'running' AND owner IS NOT NULL`
    const other = this.#sql.get<{ id: string }>(performed, [run.jobId])
    if (other !== undefined) throw conflict(`The export job '${run.jobId}' is running already: '${other.id}'`)
    await this.insert(run)
    const sql = 'UPDATE export_run SET owner = ?, term = ?, heartbeat_at = started_at WHERE id = ?'
    this.#sql.run(sql, [this.#owner, term, run.id])
    return true
  }

  async take(): Promise<number | undefined> {
    return undefined
  }

  async end(run: ExportRun, term: number): Promise<boolean> {
    const sql = "SELECT 1 FROM export_run WHERE id = ? AND owner = ? AND term = ? AND status = 'running'"
    if (this.#sql.get(sql, [run.id, this.#owner, term]) === undefined) return false
    await this.update(run)
    return true
  }

  async beat(moment: string): Promise<string[]> {
    const sql = `UPDATE export_run SET heartbeat_at = ? WHERE status = 'running' AND owner = ?
      RETURNING id, cancel_requested AS isUnwanted`
    const own = this.#sql.all<{ id: string; isUnwanted: number }>(sql, [moment, this.#owner])
    return own.filter(({ isUnwanted }) => isUnwanted === 1).map(({ id }) => id)
  }

  async requestCancel(id: string): Promise<boolean> {
    this.#sql.run("UPDATE export_run SET cancel_requested = 1 WHERE id = ? AND status = 'running'", [id])
    // Nobody else has the workspace.
    return false
  }

  async update(run: ExportRun, heardAt?: string): Promise<void> {
    const sql = `UPDATE export_run
      SET status = @status, started_at = @startedAt, completed_at = @completedAt, record_count = @recordCount,
          file_size = @fileSize, destination_path = @destinationPath, error = @error, kind = @kind,
          attempts = @attempts, sha256 = @sha256, redelivers = @redelivers, kept_until = @keptUntil,
          heard_at = coalesce(@heardAt, heard_at)
      WHERE id = @id`
    const isEnd = this.#sql.get("SELECT 1 FROM export_run WHERE id = ? AND status = 'running'", [run.id]) !== undefined
    this.#sql.run(sql, { ...run, heardAt: heardAt ?? null })
    if (isEnd) this.#noteEnd(run, heardAt)
  }

  #noteEnd(run: ExportRun, heardAt: string | undefined): void {
    if (run.status !== 'running') this.#feed.append({ kind: 'run', timestamp: heardAt ?? run.completedAt!, run })
  }

  async prune(jobId: string, keep: number): Promise<void> {
    const sql = `DELETE FROM export_run WHERE status <> 'running' AND n IN (
      SELECT n FROM export_run WHERE job_id = ? ORDER BY started_at DESC, n DESC LIMIT -1 OFFSET ?)`
    this.#sql.run(sql, [jobId, keep])
  }
}

export class ExportLeftovers implements ExportLeftoverReads, ExportLeftoverWrites {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async listOf(jobId: string): Promise<string[]> {
    const sql = 'SELECT name FROM export_leftover WHERE job_id = ? ORDER BY name'
    return this.#sql.all<{ name: string }>(sql, [jobId]).map(({ name }) => name)
  }

  async jobIds(): Promise<string[]> {
    const sql = 'SELECT DISTINCT job_id AS jobId FROM export_leftover'
    return this.#sql.all<{ jobId: string }>(sql, []).map(({ jobId }) => jobId)
  }

  async note(jobId: string, name: string): Promise<void> {
    this.#sql.run('INSERT OR IGNORE INTO export_leftover (job_id, name) VALUES (?, ?)', [jobId, name])
  }

  async forget(jobId: string, name: string): Promise<void> {
    this.#sql.run('DELETE FROM export_leftover WHERE job_id = ? AND name = ?', [jobId, name])
  }
}
