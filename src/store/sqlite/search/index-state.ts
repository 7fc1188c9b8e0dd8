// The ground of a search: what a connection within a snapshot, with the index attached as `idx`, says of it.
import type { SearchQuery } from '../../search-port.ts'
import { type Ground, searchedSchemas } from '../../reading/search-snapshot.ts'
import { toNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { StatementCache } from '../statements.ts'
import { categoryIdsOf, categoryTree } from './category-tree.ts'
import { attributeLookUp } from './dictionary.ts'
import { readPending, SnapshotMissed } from './pending.ts'
import { beginSnapshot, endSnapshot, type Searcher, type SearchSnapshot } from './searcher.ts'

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

/** Begins a snapshot: again, where the index has moved on between its snapshot and that of the records. */
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
