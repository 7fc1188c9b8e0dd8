// What the search index calls the attributes and scopes of the model, looked up within one snapshot.
import { parseScopeKey } from '../../../core/scopes/scope.ts'
import type { IndexedAttribute, IndexedScope, LookUpAttribute } from '../../../core/search/plan/asked.ts'
import type { StatementCache } from '../statements.ts'

interface Row {
  readonly schemaId: string
  readonly n: number
  readonly scope: number
  readonly key: string
}

/** Over a connection that has the index attached as `idx`. Without a schema's ID: of all schemas. What was looked up once is known. */
export function attributeLookUp(sql: StatementCache, schemaId: string | undefined): LookUpAttribute {
  const known = new Map<string, ReadonlyMap<string, IndexedAttribute>>()
  return (alias) => {
    const before = known.get(alias)
    if (before !== undefined) return before
    const found = lookUp(sql, alias, schemaId)
    known.set(alias, found)
    return found
  }
}

function lookUp(sql: StatementCache, alias: string, schemaId: string | undefined): Map<string, IndexedAttribute> {
  const rows = sql.all<Row>(
    `SELECT attribute.schema_id AS schemaId, attribute.n, attribute_scope.scope, scope.key
       FROM idx.attribute JOIN idx.attribute_scope ON attribute_scope.attribute = attribute.n
       JOIN idx.scope ON scope.n = abs(attribute_scope.scope)
      WHERE attribute.alias = ?${schemaId === undefined ? '' : ' AND attribute.schema_id = ?'}`,
    schemaId === undefined ? [alias] : [alias, schemaId],
  )
  const found = new Map<string, { n: number; scopes: IndexedScope[] }>()
  for (const { schemaId: id, n, scope, key } of rows) {
    const attribute = found.get(id) ?? { n, scopes: [] }
    attribute.scopes.push({ n: scope, scope: parseScopeKey(key) })
    found.set(id, attribute)
  }
  return found
}
