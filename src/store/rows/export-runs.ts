// Stores the run history of export jobs. Some runs are performed by servers, which are registered while they live.
import { alreadyExists, conflict } from '../../kernel/errors.ts'
import type { ExportRun, RenderedFile, RunFiles } from '../../exports/rules/export-run.ts'
import type { FeedWrites } from '../feed-port.ts'
import type { ExportRunReads, ExportRunWrites, RunFilter } from '../run-port.ts'
import { RowRepository, type Servers, type SqlSession } from './session.ts'

/** Column → member. */
const MEMBERS = {
  id: 'id',
  job_id: 'jobId',
  status: 'status',
  started_at: 'startedAt',
  completed_at: 'completedAt',
  record_count: 'recordCount',
  file_size: 'fileSize',
  destination_path: 'destinationPath',
  error: 'error',
  kind: 'kind',
  attempts: 'attempts',
  sha256: 'sha256',
  redelivers: 'redelivers',
  kept_until: 'keptUntil',
  files: 'files',
} as const satisfies Record<string, keyof ExportRun>
const NAMES = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]
const COLUMNS = NAMES.map((column) => `${column} AS "${MEMBERS[column]}"`).join(', ')
const LATEST_FIRST = 'ORDER BY started_at DESC, n DESC'

export class ExportRuns extends RowRepository implements ExportRunReads, ExportRunWrites {
  readonly #servers: Servers
  readonly #feed: FeedWrites

  constructor(session: SqlSession, servers: Servers, feed: FeedWrites) {
    super(session)
    this.#servers = servers
    this.#feed = feed
  }

  async get(id: string): Promise<ExportRun | undefined> {
    return (await this.#select('WHERE id = $1', id))[0]
  }

  listOf(jobId: string, limit: number): Promise<ExportRun[]> {
    return this.#select(`WHERE job_id = $1 ${LATEST_FIRST} LIMIT $2`, jobId, limit)
  }

  list({ jobId, status }: RunFilter, limit: number): Promise<ExportRun[]> {
    const wanted = [
      ['job_id', jobId],
      ['status', status],
    ].filter(([, value]) => value !== undefined)
    const where = wanted.map(([column], index) => `${column} = $${index + 2}`).join(' AND ')
    const values = wanted.map(([, value]) => value)
    return this.#select(`${where && `WHERE ${where}`} ${LATEST_FIRST} LIMIT $1`, limit, ...values)
  }

  async latest(): Promise<ReadonlyMap<string, ExportRun>> {
    const runs = await this.#select(
      `WHERE n IN (SELECT (SELECT n FROM export_run WHERE job_id = export_job.id ${LATEST_FIRST} LIMIT 1)
                     FROM export_job) ORDER BY n`,
    )
    return new Map(runs.map((run) => [run.jobId, run]))
  }

  listRunning(): Promise<ExportRun[]> {
    return this.#select(`WHERE status = 'running' ORDER BY n`)
  }

  async findRunning(jobId: string): Promise<ExportRun | undefined> {
    return (await this.#select(`WHERE job_id = $1 AND status = 'running' ORDER BY n LIMIT 1`, jobId))[0]
  }

  listAbandoned(): Promise<ExportRun[]> {
    const { living } = this.#servers
    const isAbandoned = `owner NOT IN (${living}) OR (owner IS NULL AND NOT EXISTS (${living} AND holder <> $1))`
    return this.#select(
      `WHERE status = 'running' AND owner IS DISTINCT FROM $1 AND (${isAbandoned}) ORDER BY n`,
      this.#servers.own,
    )
  }

  async listOrphaned(): Promise<ExportRun[]> {
    const { own, living, isAlone } = this.#servers
    if (isAlone) return []
    return this.#select(`WHERE status = 'running' AND owner <> $1 AND owner NOT IN (${living}) ORDER BY n`, own)
  }

  async isPerformed(id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM export_run WHERE id = $1 AND status = 'running' AND owner IS NOT NULL`
    return (await this.session.rows(sql, [id])).length > 0
  }

  listSilent(moment: string, limit: number, jobId?: string): Promise<ExportRun[]> {
    const [ofJob, values] = jobId === undefined ? ['', []] : ['AND job_id = $3', [jobId]]
    return this.#select(`WHERE status = 'running' AND heard_at < $1 ${ofJob} LIMIT $2`, moment, limit, ...values)
  }

  async fileOf(id: string): Promise<RenderedFile | undefined> {
    const sql = 'SELECT file FROM export_run WHERE id = $1 AND file IS NOT NULL'
    const [row] = await this.session.rows<{ file: string }>(sql, [id])
    return row && (JSON.parse(row.file) as RenderedFile)
  }

  async isFileHere(id: string): Promise<boolean> {
    return this.#isHere(await this.#homeOf(id))
  }

  async listGiven(): Promise<ExportRun[]> {
    if (this.#servers.isAlone) return []
    return this.#select(
      `WHERE status = 'running' AND owner = $1 AND heartbeat_at IS NULL ORDER BY n`,
      this.#servers.own,
    )
  }

  listKept(jobId?: string): Promise<ExportRun[]> {
    const [ofJob, values] = jobId === undefined ? ['', []] : ['AND job_id = $1', [jobId]]
    return this.#select(`WHERE kept_until IS NOT NULL ${ofJob} ${LATEST_FIRST}`, ...values)
  }

  async noteFile(id: string, file: RenderedFile): Promise<void> {
    this.session.writer.hold('UPDATE export_run SET file = $1 WHERE id = $2', JSON.stringify(file), id)
  }

  async insert(run: ExportRun, heardAt?: string): Promise<void> {
    if ((await this.get(run.id)) !== undefined) throw alreadyExists('Export run', run.id)
    const { writer } = this.session
    const places = NAMES.map((_, index) => `$${index + 3}`).join(', ')
    const sql = `INSERT INTO export_run (n, heard_at, ${NAMES.join(', ')}) VALUES ($1, $2, ${places})`
    writer.hold(sql, writer.nextN(), heardAt ?? null, ...valuesOf(run))
    this.#noteEnd(run, heardAt)
  }

  async begin(run: ExportRun, term: number): Promise<boolean> {
    const performed = `SELECT id FROM export_run WHERE job_id = $1 AND status = 'running' AND owner IS NOT NULL`
    const [other] = await this.session.rows<{ id: string }>(performed, [run.jobId])
    if (other !== undefined) throw conflict(`The export job '${run.jobId}' is running already: '${other.id}'`)
    const owner = run.redelivers === null ? this.#servers.own : await this.#whoHasFileOf(run.redelivers)
    const isHere = owner === this.#servers.own
    await this.insert(run)
    const sql = 'UPDATE export_run SET owner = $1, term = $2, heartbeat_at = $3 WHERE id = $4'
    this.session.writer.hold(sql, owner, term, isHere ? run.startedAt : null, run.id)
    if (!isHere) this.session.writer.add('jobs', 1)
    return isHere
  }

  async take(id: string, moment: string): Promise<number | undefined> {
    const [run] = await this.session.rows<{ term: number }>(
      `UPDATE export_run SET heartbeat_at = $1
         WHERE id = $2 AND status = 'running' AND owner = $3 AND heartbeat_at IS NULL RETURNING term`,
      [moment, id, this.#servers.own],
    )
    return run?.term
  }

  async end(run: ExportRun, term: number): Promise<boolean> {
    const sql = `SELECT 1 FROM export_run WHERE id = $1 AND owner = $2 AND term = $3 AND status = 'running'`
    if ((await this.session.rows(sql, [run.id, this.#servers.own, term])).length === 0) return false
    await this.update(run)
    return true
  }

  async beat(moment: string): Promise<string[]> {
    const own = await this.session.rows<{ id: string; isUnwanted: boolean }>(
      `UPDATE export_run SET heartbeat_at = $1 WHERE status = 'running' AND owner = $2 AND heartbeat_at IS NOT NULL
         RETURNING id, cancel_requested AS "isUnwanted"`,
      [moment, this.#servers.own],
    )
    return own.filter(({ isUnwanted }) => isUnwanted).map(({ id }) => id)
  }

  async requestCancel(id: string): Promise<boolean> {
    const [run] = await this.session.rows<{ owner: string | null }>(
      `UPDATE export_run SET cancel_requested = true WHERE id = $1 AND status = 'running'
         RETURNING CASE WHEN owner IN (${this.#servers.living}) THEN owner END AS owner`,
      [id],
    )
    this.session.writer.add('jobs', 1)
    return typeof run?.owner === 'string' && run.owner !== this.#servers.own
  }

  async update(run: ExportRun, heardAt?: string): Promise<void> {
    const set = NAMES.map((column, index) => `${column} = $${index + 3}`).join(', ')
    const isEnd = (await this.#select(`WHERE id = $1 AND status = 'running'`, run.id)).length > 0
    const sql = `UPDATE export_run SET ${set}, heard_at = coalesce($2, heard_at) WHERE id = $1`
    this.session.writer.hold(sql, run.id, heardAt ?? null, ...valuesOf(run))
    if (isEnd) this.#noteEnd(run, heardAt)
  }

  async prune(jobId: string, keep: number): Promise<void> {
    const sql = `DELETE FROM export_run WHERE job_id = $1 AND status <> 'running' AND n NOT IN
      (SELECT n FROM export_run WHERE job_id = $1 ${LATEST_FIRST} LIMIT $2)`
    this.session.writer.hold(sql, jobId, keep)
  }

  /** Returns the server with the run's file. After a kill and a restart, the earlier server may still seem to live. */
  async #whoHasFileOf(id: string): Promise<string> {
    const home = await this.#homeOf(id)
    if (this.#isHere(home)) return this.#servers.own
    const sql = `${this.#servers.living} AND starts_with(holder, $1) ORDER BY until DESC LIMIT 1`
    const [server] = await this.session.rows<{ holder: string }>(sql, [`${home}.`])
    if (server !== undefined) return server.holder
    throw conflict(
      `The file of the export run '${id}' is at a server that is not running: start that one, or trigger the job instead`,
    )
  }

  async #homeOf(id: string): Promise<string> {
    const [run] = await this.session.rows<{ owner: string | null }>('SELECT owner FROM export_run WHERE id = $1', [id])
    return this.#servers.homeOf(run?.owner ?? '')
  }

  /** Returns whether the file is here. A file without a known server is not on another server either. */
  #isHere(home: string): boolean {
    return home === '' || home === this.#servers.homeOf(this.#servers.own)
  }

  #noteEnd(run: ExportRun, heardAt: string | undefined): void {
    if (run.status !== 'running') this.#feed.append({ kind: 'run', timestamp: heardAt ?? run.completedAt!, run })
  }

  async #select(which: string, ...values: unknown[]): Promise<ExportRun[]> {
    const rows = await this.session.rows<RunRow>(`SELECT ${COLUMNS} FROM export_run ${which}`, values)
    return rows.map((row) => ({ ...row, files: row.files === null ? null : (JSON.parse(row.files) as RunFiles) }))
  }
}

/** A run in the form of its columns. */
type RunRow = Omit<ExportRun, 'files'> & { readonly files: string | null }

function valuesOf(run: ExportRun): unknown[] {
  const row: RunRow = { ...run, files: run.files && JSON.stringify(run.files) }
  return NAMES.map((column) => row[MEMBERS[column]])
}
