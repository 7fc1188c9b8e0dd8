// What searches have to learn of a batch: sent in the same commit.
import type { Statement } from '../layer.ts'
import type { PlacedRow } from '../session.ts'

export interface IndexChanges {
  /** Inserted or updated. */
  readonly written: readonly PlacedRow[]
  /** Their places. */
  readonly deleted: readonly number[]
  /** IDs of records whose variants are found by other values now. */
  readonly variantsOf: readonly string[]
  /** IDs of records that are found by other categories now, as are their variants. */
  readonly families: readonly string[]
  /** IDs of schemas whose records are to be indexed anew. */
  readonly schemas: readonly string[]
}

/** What the index thread has to look at. */
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
