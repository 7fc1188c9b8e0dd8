// What the search index calls the attributes and scopes of the model, looked up within one snapshot.
import { parseScopeKey } from '../../../domain/scope.ts'
import type { IndexedAttribute, LookUpAttribute } from '../../search/to-sets.ts'
import type { StatementCache } from '../statements.ts'

/** Over a connection that has the index attached as `idx`. What was looked up once is known. */
export function attributeLookUp(sql: StatementCache): LookUpAttribute {
  const known = new Map<string, IndexedAttribute | undefined>()
  return (schemaId, alias) => {
    const name = `${schemaId} ${alias}`
    if (!known.has(name)) known.set(name, lookUp(sql, schemaId, alias))
    return known.get(name)
  }
}

function lookUp(sql: StatementCache, schemaId: string, alias: string): IndexedAttribute | undefined {
  const row = sql.get<{ n: number }>('SELECT n FROM idx.attribute WHERE schema_id = ? AND alias = ?', [schemaId, alias])
  if (row === undefined) return undefined
  const scopes = sql.all<{ n: number; key: string }>(
    `SELECT attribute_scope.scope AS n, scope.key
       FROM idx.attribute_scope JOIN idx.scope ON scope.n = abs(attribute_scope.scope)
      WHERE attribute_scope.attribute = ?`,
    [row.n],
  )
  return { n: row.n, scopes: scopes.map(({ n, key }) => ({ n, scope: parseScopeKey(key) })) }
}
