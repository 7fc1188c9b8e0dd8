// Rows of a file that name records which were not there when it was read.
import type { WaitingRow } from '../../store/bulk-port.ts'
import type { Session } from '../session.ts'

interface Columns {
  readonly position: number
  readonly namesId: string | null
  readonly recordId: string | null
  readonly outcome: 'created' | 'updated' | 'unchanged' | null
}

export class BulkWaiting {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async waitingFrom(id: string, position: number, limit: number): Promise<WaitingRow[]> {
    const sql = `SELECT position, names_id AS "namesId", record_id AS "recordId", outcome FROM bulk_waiting
      WHERE job_id = $1 AND position > $2 ORDER BY position LIMIT $3`
    return (await this.#session.rows<Columns>(sql, [id, position, limit])).map(toWaiting)
  }

  async waitingNames(id: string, limit: number): Promise<string[]> {
    const sql = 'SELECT names_id AS name FROM bulk_waiting WHERE job_id = $1 AND names_id IS NOT NULL LIMIT $2'
    return (await this.#session.rows<{ name: string }>(sql, [id, limit])).map(({ name }) => name)
  }

  async putWaiting(id: string, { position, namesId, written }: WaitingRow): Promise<void> {
    const sql = `INSERT INTO bulk_waiting (job_id, position, names_id, record_id, outcome) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (job_id, position) DO UPDATE
        SET names_id = excluded.names_id, record_id = excluded.record_id, outcome = excluded.outcome`
    this.#session.writer.hold(sql, id, position, namesId, written?.recordId ?? null, written?.outcome ?? null)
  }

  async removeWaiting(id: string, position: number): Promise<void> {
    this.#session.writer.hold('DELETE FROM bulk_waiting WHERE job_id = $1 AND position = $2', id, position)
  }
}

function toWaiting({ position, namesId, recordId, outcome }: Columns): WaitingRow {
  const written = recordId === null || outcome === null ? null : { recordId, outcome }
  return { position, namesId, written }
}
