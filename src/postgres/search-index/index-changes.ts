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
  const places = [...written.map(({ n }) => n), ...deleted]
  return [
    ...(places.length === 0
      ? []
      : [{ sql: 'INSERT INTO index_pending (record_n) SELECT unnest($1::bigint[])', parameters: [places] }]),
    ...(variantsOf.length === 0
      ? []
      : [
          {
            sql: 'INSERT INTO index_pending (record_n) SELECT n FROM record WHERE parent_id = ANY ($1::text[])',
            parameters: [variantsOf],
          },
        ]),
    ...(families.length === 0
      ? []
      : [
          {
            sql: 'INSERT INTO index_pending (record_n) SELECT n FROM record WHERE id = ANY ($1::text[]) OR parent_id = ANY ($1::text[])',
            parameters: [families],
          },
        ]),
    ...(schemas.length === 0
      ? []
      : [{ sql: 'INSERT INTO index_pending (schema_id) SELECT unnest($1::text[])', parameters: [schemas] }]),
  ]
}
