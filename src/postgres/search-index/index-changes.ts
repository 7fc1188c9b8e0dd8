// Notes the changes of a batch for the search index, in the same commit.
import type { Statement } from '../layer.ts'
import type { PlacedRow } from '../session.ts'

export interface IndexChanges {
  /** Inserted or updated records. */
  readonly written: readonly PlacedRow[]
  /** Places of deleted records. */
  readonly deleted: readonly number[]
  /** IDs of records whose values changed for their variants. */
  readonly variantsOf: readonly string[]
  /** IDs of records whose categories changed, for themselves and their variants. */
  readonly families: readonly string[]
  /** IDs of schemas whose records must be reindexed. */
  readonly schemas: readonly string[]
}

/** Returns statements that note the changes for the index thread. */
export function noteStatements({ written, deleted, variantsOf, families, schemas }: IndexChanges): Statement[] {
  const records = 'SELECT n FROM record WHERE'
  return [
    ...note('record_n', 'SELECT unnest($1::bigint[])', [...written.map(({ n }) => n), ...deleted]),
    ...note('record_n', `${records} parent_id = ANY ($1::text[])`, variantsOf),
    ...note('record_n', `${records} id = ANY ($1::text[]) OR parent_id = ANY ($1::text[])`, families),
    ...note('schema_id', 'SELECT unnest($1::text[])', schemas),
  ]
}

function note(column: string, select: string, changes: readonly unknown[]): Statement[] {
  if (changes.length === 0) return []
  return [{ sql: `INSERT INTO index_pending (${column}) ${select}`, parameters: [changes] }]
}
