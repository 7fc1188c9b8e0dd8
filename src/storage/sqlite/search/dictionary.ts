// What the search index calls the attributes and scopes of the model, looked up within one snapshot.
import { parseScopeKey, type Scope } from '../../../domain/scope.ts'
import type { StatementCache } from '../statements.ts'

export interface IndexedScope {
  /** Negative where the value is inherited. */
  readonly n: number
  readonly scope: Scope
}

export interface IndexedAttribute {
  readonly n: number
  /** The scopes that values of the attribute have anywhere. */
  readonly scopes: readonly IndexedScope[]
}

/** Undefined where no record holds a value of the attribute. */
export type LookUpAttribute = (schemaId: string, alias: string) => IndexedAttribute | undefined

/** An attribute has more scopes than were to be looked at. */
export class TooManyScopes extends Error {
  override readonly name = 'TooManyScopes'
}

/**
 * Over a connection that has the index attached as `idx`. What was looked up once is known.
 * @param maxScopes the look-up throws TooManyScopes for an attribute that has more
 */
export function attributeLookUp(sql: StatementCache, maxScopes?: number): LookUpAttribute {
  const known = new Map<string, IndexedAttribute | undefined>()
  return (schemaId, alias) => {
    const name = `${schemaId} ${alias}`
    if (!known.has(name)) known.set(name, lookUp(sql, schemaId, alias, maxScopes))
    return known.get(name)
  }
}

function lookUp(
  sql: StatementCache,
  schemaId: string,
  alias: string,
  maxScopes: number | undefined,
): IndexedAttribute | undefined {
  const row = sql.get<{ n: number }>('SELECT n FROM idx.attribute WHERE schema_id = ? AND alias = ?', [schemaId, alias])
  if (row === undefined) return undefined
  const scopes = sql.all<{ n: number; key: string }>(
    `SELECT attribute_scope.scope AS n, scope.key
       FROM idx.attribute_scope JOIN idx.scope ON scope.n = abs(attribute_scope.scope)
      WHERE attribute_scope.attribute = ? LIMIT ?`,
    [row.n, maxScopes === undefined ? -1 : maxScopes + 1],
  )
  if (maxScopes !== undefined && scopes.length > maxScopes) throw new TooManyScopes()
  return { n: row.n, scopes: scopes.map(({ n, key }) => ({ n, scope: parseScopeKey(key) })) }
}
