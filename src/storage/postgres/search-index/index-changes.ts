// What searches have to learn of a batch: sent in the same commit.
import type { PlacedRow, Statement } from '../session.ts'

export interface IndexChanges {
  /** Inserted or updated, or given other categories. */
  readonly written: readonly PlacedRow[]
  /** Their places. */
  readonly deleted: readonly number[]
  /** IDs of records whose variants are found by other values or categories now. */
  readonly variantsOf: readonly string[]
  /** IDs of schemas whose records are to be indexed anew. */
  readonly schemas: readonly string[]
}

export function indexStatements({ written, deleted, variantsOf, schemas }: IndexChanges): Statement[] {
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
    ...(schemas.length === 0
      ? []
      : [{ sql: 'INSERT INTO index_pending (schema_id) SELECT unnest($1::text[])', parameters: [schemas] }]),
  ]
}
