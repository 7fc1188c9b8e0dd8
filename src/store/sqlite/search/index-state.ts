// Reads the ground of a search from a connection within a snapshot, with the index attached as `idx`.
import type { SearchQuery } from '../../search-port.ts'
import { type Ground, searchedSchemas } from '../../reading/search-snapshot.ts'
import { toNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { StatementCache } from '../statements.ts'
import { categoryIdsOf, categoryTree } from './category-tree.ts'
import { readPending, SnapshotMissed } from './pending.ts'
import { beginSnapshot, endSnapshot, type Searcher, type SearchSnapshot } from './searcher.ts'
import { parseScopeKey } from '../../../core/scopes/scope.ts'
import type { IndexedAttribute, IndexedScope, LookUpAttribute } from '../../../core/search/plan/asked.ts'

/** @throws SnapshotMissed */
export function groundOf(
  query: SearchQuery,
  sql: StatementCache,
  { model, progress }: SearchSnapshot,
): Omit<Ground, 'index'> {
  const { records, isAll } = readPending(progress, sql, searchedSchemas(query, model))
  return {
    model,
    lookUp: attributeLookUp(sql, query.schemaId),
    categories: categoryTree(sql),
    categoriesOf: ({ n, parentId }) => categoryIdsOf(n, parentId, sql),
    pending: { records: toNumbers(records), isAll },
  }
}

/** Begins a snapshot, and begins again if the index advanced between its snapshot and that of the records. */
export function beginSearch(query: SearchQuery, searcher: Searcher): Omit<Ground, 'index'> {
  for (;;) {
    const snapshot = beginSnapshot(searcher)
    try {
      return groundOf(query, searcher.sql, snapshot)
    } catch (error) {
      if (!(error instanceof SnapshotMissed)) throw error
      endSnapshot(searcher)
    }
  }
}

interface Row {
  readonly schemaId: string
  readonly n: number
  readonly scope: number
  readonly key: string
}

/**
 * Looks up attributes, with a cache, over a connection with the index attached as `idx`.
 * @param schemaId undefined: all schemas
 */
function attributeLookUp(sql: StatementCache, schemaId: string | undefined): LookUpAttribute {
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
