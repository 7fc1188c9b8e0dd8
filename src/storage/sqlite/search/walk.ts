// Walks through the rows of one place of the index, a part at a time.
import type { Walk, WalkedRow } from '../../search/ask.ts'
import type { StatementCache } from '../statements.ts'

const ROWS = 'SELECT key, record FROM idx.value WHERE attribute = ? AND scope = ?'

export function walk(asked: Walk, sql: StatementCache): WalkedRow[] {
  return asked.key === undefined ? walkKeys(asked, sql) : walkKey(asked, asked.key, sql)
}

function walkKey({ attribute, scope, from, limit }: Walk, key: unknown, sql: StatementCache): WalkedRow[] {
  return sql.tuples<WalkedRow>(`${ROWS} AND key = ? AND record > ? ORDER BY record LIMIT ?`, [
    attribute,
    scope,
    key,
    from?.record ?? 0,
    limit,
  ])
}

/** Keys that are filled. The rest of the key that was reached comes first: SQLite cannot compare both where one order is the other way round. */
function walkKeys(asked: Walk, sql: StatementCache): WalkedRow[] {
  const { attribute, scope, direction, from, limit } = asked
  const order = direction === 'asc' ? 'key, record' : 'key DESC, record'
  if (from === undefined)
    return sql.tuples<WalkedRow>(`${ROWS} AND key <> '' ORDER BY ${order} LIMIT ?`, [attribute, scope, limit])
  const beyond = direction === 'asc' ? '>' : '<'
  const rest = from.record === undefined ? [] : walkKey({ ...asked, limit }, from.key, sql)
  if (rest.length === limit) return rest
  const comparison = from.record === undefined ? `${beyond}=` : beyond
  const others = sql.tuples<WalkedRow>(`${ROWS} AND key ${comparison} ? AND key <> '' ORDER BY ${order} LIMIT ?`, [
    attribute,
    scope,
    from.key,
    limit - rest.length,
  ])
  return [...rest, ...others]
}
