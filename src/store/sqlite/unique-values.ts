// The values that are unique among the records of a schema, and who holds them.
import { conflict } from '../../kernel/errors.ts'
import { describeTaken, type UniqueKey } from '../../core/values/values.ts'
import type { RecordIdentity } from '../record-port.ts'
import type { StatementCache } from './statements.ts'

const HOLDER = `SELECT record_id AS recordId FROM unique_value
  WHERE schema_id = ? AND alias = ? AND scope = ? AND key = ?`

/** As the port has it: looks at all holders before anything is written. */
export function setUniqueKeys(
  sql: StatementCache,
  { id, schemaId }: RecordIdentity,
  before: readonly UniqueKey[],
  after: readonly UniqueKey[],
): void {
  const [held, wanted] = [new Set(before.map(textOf)), new Set(after.map(textOf))]
  const placeOf = ({ alias, scope, key }: UniqueKey) => [schemaId, alias, scope, key]
  const missing = after.filter((key) => {
    if (held.has(textOf(key))) return false
    const holder = holderOf(sql, schemaId, key)
    if (holder !== undefined && holder !== id) throw conflict(describeTaken(key))
    return holder === undefined
  })
  const remove =
    'DELETE FROM unique_value WHERE schema_id = ? AND alias = ? AND scope = ? AND key = ? AND record_id = ?'
  for (const key of before) if (!wanted.has(textOf(key))) sql.run(remove, [...placeOf(key), id])
  // Two attributes' values are never one key, but the same key may be asked for twice.
  const add = 'INSERT OR IGNORE INTO unique_value (schema_id, alias, scope, key, record_id) VALUES (?, ?, ?, ?, ?)'
  for (const key of missing) sql.run(add, [...placeOf(key), id])
}

/** As the port has it. */
export function takenUniqueKeys(
  sql: StatementCache,
  { id, schemaId }: RecordIdentity,
  keys: readonly UniqueKey[],
): UniqueKey[] {
  return keys.filter((key) => {
    const holder = holderOf(sql, schemaId, key)
    return holder !== undefined && holder !== id
  })
}

/** As the port has it. */
export function holderOf(sql: StatementCache, schemaId: string, { alias, scope, key }: UniqueKey): string | undefined {
  return sql.get<{ recordId: string }>(HOLDER, [schemaId, alias, scope, key])?.recordId
}

function textOf({ alias, scope, key }: UniqueKey): string {
  return `${alias}\n${scope}\n${key}`
}
