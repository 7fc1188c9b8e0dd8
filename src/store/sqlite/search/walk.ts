// Walks through the rows of one place of the index, a part at a time; and counts the rows of a few places.
import type { Ask, Walk, WalkedRow } from '../../../core/search/plan/ask.ts'
import type { StatementCache } from '../statements.ts'
import { isAmong } from './print-set.ts'

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

type CountAsk = Extract<Ask, { readonly kind: 'tally' | 'filled' }>

/** In one scope every row of a key is of another record. */
export function countRows(asked: CountAsk, sql: StatementCache): unknown {
  const { attribute, scopes } = asked
  const ofScopes = isAmong('scope', scopes)
  const from = `FROM idx.value WHERE attribute = ? AND ${ofScopes.sql} AND key <> ''`
  const parameters = [attribute, ...ofScopes.parameters]
  if (asked.kind === 'filled')
    return sql.numbers(`SELECT count(${asked.isSingle ? '*' : 'DISTINCT record'}) ${from}`, parameters)[0]
  return sql.tuples(
    `SELECT key, count(${scopes.length === 1 ? '*' : 'DISTINCT record'}) ${from} GROUP BY key`,
    parameters,
  )
}

/** From each key the next one is looked up: rows of the same are not read. */
export function keysOfPlace(asked: Extract<Ask, { kind: 'keys' }>, sql: StatementCache): string[] {
  const next = (after: string): string =>
    `(SELECT key FROM idx.value WHERE attribute = @attribute AND scope = @scope AND key > ${after} ORDER BY key LIMIT 1)`
  const { attribute, scope, after, limit } = asked
  return sql
    .all<{ key: string }>(
      `WITH RECURSIVE found (key) AS (
         SELECT ${next('@after')} UNION ALL SELECT ${next('found.key')} FROM found WHERE found.key IS NOT NULL LIMIT @limit
       ) SELECT key FROM found WHERE key IS NOT NULL`,
      { attribute, scope, after, limit },
    )
    .map(({ key }) => key)
}
