// Stores the progress of people's daily summaries.
import type { SummaryState } from '../../collaboration/rules/summary.ts'
import type { SummaryReads, SummaryWrites } from '../collaboration-port.ts'
import { RowRepository } from './session.ts'

/** Sorts after every moment. */
const NEVER = '9999-12-31T23:59:59.999Z'

interface Row {
  readonly document: string
}

export class Summaries extends RowRepository implements SummaryReads, SummaryWrites {
  async get(userId: string): Promise<SummaryState | undefined> {
    const rows = await this.session.rows<Row>('SELECT document FROM summary WHERE user_id = $1', [userId])
    return rows.map(toState)[0]
  }

  async due(now: string, limit: number): Promise<SummaryState[]> {
    const sql = 'SELECT document FROM summary WHERE next_at <= $1 ORDER BY next_at, user_id LIMIT $2'
    return (await this.session.rows<Row>(sql, [now, limit])).map(toState)
  }

  async put(state: SummaryState): Promise<void> {
    this.session.writer.hold(
      `INSERT INTO summary (user_id, next_at, document) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET next_at = excluded.next_at, document = excluded.document`,
      state.id,
      state.nextAt ?? NEVER,
      JSON.stringify(state),
    )
  }

  async delete(userId: string): Promise<void> {
    this.session.writer.hold('DELETE FROM summary WHERE user_id = $1', userId)
  }
}

function toState({ document }: Row): SummaryState {
  return JSON.parse(document) as SummaryState
}
