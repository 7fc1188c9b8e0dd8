// Stores the counts of days, and counts entries of the audit trail for them.
import type { AuditAction } from '../../core/records/rules/changes.ts'
import type { DayCount, Traffic } from '../../statistics/rules/day-count.ts'
import type { DayCountReads, DayCountWrites, TrafficPiece, TrailPlace } from '../statistics-port.ts'
import { RowRepository } from './session.ts'

interface Row {
  readonly document: string
}

interface TrafficRow {
  readonly day: string
  readonly schemaId: string
  readonly action: AuditAction
  /** JSON; empty for anything but a transition. */
  readonly changes: string
  readonly entries: number
  readonly through: number
}

export class DayCounts extends RowRepository implements DayCountReads, DayCountWrites {
  async get(schemaId: string, day: string): Promise<DayCount | undefined> {
    return (await this.list(schemaId, day, day))[0]
  }

  async list(schemaId: string, from: string, to: string): Promise<DayCount[]> {
    const sql = 'SELECT document FROM day_count WHERE schema_id = $1 AND day >= $2 AND day <= $3 ORDER BY day'
    const rows = await this.session.rows<Row>(sql, [schemaId, from, to])
    return rows.map(({ document }) => JSON.parse(document) as DayCount)
  }

  async through(): Promise<number | undefined> {
    const sql = 'SELECT through FROM day_count ORDER BY through DESC LIMIT 1'
    return (await this.session.rows<{ through: number }>(sql))[0]?.through
  }

  async trafficAfter(sequence: number, limit: number): Promise<TrafficPiece> {
    // Only transitions are read as a whole: they are short.
    const sql = `SELECT day, schema_id AS "schemaId", action, changes, count(*) AS entries, max(sequence) AS through
      FROM (SELECT sequence, substr(timestamp, 1, 10) AS day, schema_id, action,
          CASE action WHEN 'transition' THEN changes ELSE '' END AS changes
        FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2) AS piece
      GROUP BY day, schema_id, action, changes`
    const rows = await this.session.rows<TrafficRow>(sql, [sequence, limit])
    const through = rows.length === 0 ? undefined : Math.max(...rows.map((row) => row.through))
    return { traffic: rows.map(toTraffic), through }
  }

  async entryFrom(sequence: number): Promise<TrailPlace | undefined> {
    const sql = 'SELECT sequence, timestamp FROM audit WHERE sequence >= $1 ORDER BY sequence LIMIT 1'
    return (await this.session.rows<TrailPlace>(sql, [sequence]))[0]
  }

  async put(count: DayCount, through: number): Promise<void> {
    this.session.writer.hold(
      `INSERT INTO day_count (schema_id, day, through, document) VALUES ($1, $2, $3, $4)
         ON CONFLICT (schema_id, day) DO UPDATE SET through = excluded.through, document = excluded.document`,
      count.schemaId,
      count.day,
      through,
      JSON.stringify(count),
    )
  }

  async deleteBefore(day: string, limit: number): Promise<number> {
    const { writer, dialect } = this.session
    const sql = 'SELECT day FROM day_count ORDER BY through DESC, day DESC LIMIT 1'
    const [newest] = await this.session.rows<{ day: string }>(sql)
    if (newest === undefined || newest.day < day) return 0
    const which = 'WHERE day < $1 LIMIT $2'
    return writer.run(
      `DELETE FROM day_count WHERE ${dialect.isOneOf('day_count', 'schema_id, day', which)}`,
      day,
      limit,
    )
  }
}

function toTraffic({ day, schemaId, action, changes, entries }: TrafficRow): Traffic {
  return { day, schemaId, action, stateId: stateOf(changes), count: entries }
}

/** null: erased, or no transition. */
function stateOf(changes: string): string | null {
  const list = changes === '' ? null : (JSON.parse(changes) as readonly { newValue?: unknown }[] | null)
  const value = list?.[0]?.newValue
  return typeof value === 'string' ? value : null
}
