// Going through all records of a schema, a bounded number at a time, whatever is written in between.
import type { PlacedRecord, StoredRecord } from '../record-port.ts'
import { RECORD_COLUMNS } from './record-lists.ts'
import type { StatementCache } from './statements.ts'

/** Characters of values from which on a page ends: whoever reads them parses them, too. */
const MAX_CHARACTERS = 262_144

interface WalkedPage {
  readonly schemaId: string
  /** Behind which it begins. */
  readonly place: number
  readonly limit: number
}

export function listFrom(sql: StatementCache, page: WalkedPage): PlacedRecord[] {
  const records: PlacedRecord[] = []
  let characters = 0
  for (const place of placesFrom(sql, page)) {
    const record = sql.get<StoredRecord>(`SELECT ${RECORD_COLUMNS} FROM record WHERE n = ?`, [place])!
    characters += record.valuesJson.length
    if (records.length > 0 && characters > MAX_CHARACTERS) break
    records.push({ place, record })
  }
  return records
}

/** From the index alone: each state has its records in order, and those of all states are merged here. */
function placesFrom(sql: StatementCache, { schemaId, place, limit }: WalkedPage): number[] {
  const states = sql.all<{ stateId: string }>(
    'SELECT DISTINCT state_id AS stateId FROM record_count WHERE schema_id = ? AND records > 0',
    [schemaId],
  )
  return states
    .flatMap(({ stateId }) =>
      sql.numbers('SELECT n FROM record WHERE schema_id = ? AND state_id = ? AND n > ? ORDER BY n LIMIT ?', [
        schemaId,
        stateId,
        place,
        limit,
      ]),
    )
    .sort((one, other) => one - other)
    .slice(0, limit)
}
