// Turns held writes into statements: one for each table, over arrays, for any number of rows. Their order satisfies all
// references.
import type { Model } from '../core/model/rules/model.ts'
import type { NewAuditEntry } from '../store/audit-port.ts'
import { contentOf, storedKindOf } from '../store/rows/feed-rows.ts'
import type { Change, UniqueChange, Unsent } from './layer.ts'
import type { FlushedRecords, FlushIndex } from './search-index/flush-index.ts'
import type { Statement } from './layer.ts'
import type { PlacedRow } from './session.ts'

/**
 * Yields statements, to be sent one by one: the rows of the index are computed while the other statements are under
 * way.
 * @param model the model that searches use; undefined: the model is unknown, or changes with these writes
 */
export function* toStatements(unsent: Unsent, index: FlushIndex, model: Model | undefined): Generator<Statement> {
  const records = [...unsent.records.values()]
  yield* deletedUniques([...unsent.uniques.values()])
  yield* deletedRecords(records)
  yield* insertedRecords(records)
  yield* updatedRecords(records)
  yield* insertedUniques([...unsent.uniques.values()])
  yield* unsent.statements
  yield* counts(unsent.counts)
  yield* audit(unsent.audit)
  yield* events(unsent.events)
  yield* index.statements(indexed(unsent), model)
}

/** Returns one statement for all rows, with one array for each column; no statement for no rows. */
function forAll<Row>(sql: string, rows: readonly Row[], columns: readonly ((row: Row) => unknown)[]): Statement[] {
  return rows.length === 0 ? [] : [{ sql, parameters: columns.map((valueOf) => rows.map(valueOf)) }]
}

/** True if the ID has lost its row: a new record may have taken the ID. */
const isGone = ({ before, after }: Change<PlacedRow>): boolean => before !== undefined && before.n !== after?.n

function deletedRecords(changes: readonly Change<PlacedRow>[]): Statement[] {
  return forAll('DELETE FROM record WHERE n = ANY ($1::bigint[])', changes.filter(isGone), [({ before }) => before!.n])
}

const INSERT_RECORDS = `INSERT INTO record
  (n, id, schema_id, parent_id, state_id, version, created_at, updated_at, created_by, updated_by, vals)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[])`

function insertedRecords(changes: readonly Change<PlacedRow>[]): Statement[] {
  const rows = changes.flatMap(({ before, after }) => (after !== undefined && before?.n !== after.n ? [after] : []))
  return forAll(INSERT_RECORDS, rows, [
    ({ n }) => n,
    ({ record }) => record.id,
    ({ record }) => record.schemaId,
    ({ record }) => record.parentId,
    ({ record }) => record.lifecycleStateId,
    ({ record }) => record.version,
    ({ record }) => record.createdAt,
    ({ record }) => record.updatedAt,
    ({ record }) => record.createdBy,
    ({ record }) => record.updatedBy,
    ({ record }) => record.valuesJson,
  ])
}

const HEADS = 'state_id = new.state_id, version = new.version, updated_at = new.updated_at, updated_by = new.updated_by'
const NEW_HEADS = 'unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[]'
const UPDATE_HEADS = `UPDATE record SET ${HEADS} FROM ${NEW_HEADS}) AS new (n, state_id, version, updated_at, updated_by)
  WHERE record.n = new.n`
const UPDATE_VALUES = `UPDATE record SET ${HEADS}, vals = new.vals
  FROM ${NEW_HEADS}, $6::text[]) AS new (n, state_id, version, updated_at, updated_by, vals) WHERE record.n = new.n`

/** Updates values only where they changed: values may be large, and a new state or new categories leave them unchanged. */
function updatedRecords(changes: readonly Change<PlacedRow>[]): Statement[] {
  const updated = changes.filter(({ before, after }) => after !== undefined && before?.n === after.n)
  const hasValues = ({ before, after }: Change<PlacedRow>): boolean =>
    before!.record.valuesJson !== after!.record.valuesJson
  const heads: ((change: Change<PlacedRow>) => unknown)[] = [
    ({ after }) => after!.n,
    ({ after }) => after!.record.lifecycleStateId,
    ({ after }) => after!.record.version,
    ({ after }) => after!.record.updatedAt,
    ({ after }) => after!.record.updatedBy,
  ]
  return [
    ...forAll(UPDATE_VALUES, updated.filter(hasValues), [...heads, ({ after }) => after!.record.valuesJson]),
    ...forAll(
      UPDATE_HEADS,
      updated.filter((change) => !hasValues(change)),
      heads,
    ),
  ]
}

const DELETE_UNIQUES = `DELETE FROM unique_value USING
    unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS gone (schema_id, alias, scope, key)
  WHERE unique_value.schema_id = gone.schema_id AND unique_value.alias = gone.alias
    AND unique_value.scope = gone.scope AND unique_value.key = gone.key`

const placeColumns: ((change: UniqueChange) => unknown)[] = [
  ({ place }) => place.schemaId,
  ({ place }) => place.alias,
  ({ place }) => place.scope,
  ({ place }) => place.key,
]

function deletedUniques(changes: readonly UniqueChange[]): Statement[] {
  const gone = changes.filter(({ before, after }) => before !== undefined && before !== after)
  return forAll(DELETE_UNIQUES, gone, placeColumns)
}

function insertedUniques(changes: readonly UniqueChange[]): Statement[] {
  const added = changes.filter(({ before, after }) => after !== undefined && before !== after)
  return forAll(
    `INSERT INTO unique_value (schema_id, alias, scope, key, record_id)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[])`,
    added,
    [...placeColumns, ({ after }) => after],
  )
}

function counts(differences: ReadonlyMap<string, number>): Statement[] {
  const rows = [...differences]
    .filter(([, by]) => by !== 0)
    .map(([where, by]) => [...(JSON.parse(where) as [string, string, boolean]), by] as const)
  return forAll(
    `INSERT INTO record_count (schema_id, state_id, is_variant, records)
       SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[], $4::bigint[])
       ON CONFLICT (schema_id, state_id, is_variant) DO UPDATE SET records = record_count.records + excluded.records`,
    rows,
    [([schemaId]) => schemaId, ([, stateId]) => stateId, ([, , isVariant]) => isVariant, ([, , , by]) => by],
  )
}

function audit(entries: readonly NewAuditEntry[]): Statement[] {
  return forAll(
    `INSERT INTO audit
       (sequence, id, record_id, schema_id, user_id, timestamp, action, origin, origin_id, changes, removed)
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::text[])`,
    entries,
    [
      ({ version }) => version,
      ({ id }) => id,
      ({ entityId }) => entityId,
      ({ schemaId }) => schemaId,
      ({ userId }) => userId,
      ({ timestamp }) => timestamp,
      ({ action }) => action,
      ({ origin }) => origin.kind,
      ({ origin }) => origin.id ?? null,
      ({ changes }) => JSON.stringify(changes),
      ({ removed }) => (removed === undefined ? null : JSON.stringify(removed)),
    ],
  )
}

function events(rows: Unsent['events']): Statement[] {
  return forAll(
    `INSERT INTO event (sequence, kind, timestamp, content)
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])`,
    rows,
    [
      ([sequence]) => sequence,
      ([, event]) => storedKindOf(event),
      ([, { timestamp }]) => timestamp,
      ([, event]) => contentOf(event),
    ],
  )
}

function indexed({ records, indexedVariantsOf, indexedFamilies, indexedSchemas }: Unsent): FlushedRecords {
  const changes = [...records.values()]
  const isNew = ({ before, after }: Change<PlacedRow>): boolean =>
    before === undefined && after?.record.parentId === null && !indexedFamilies.has(after.record.id)
  return {
    inserted: changes.filter(isNew).map(({ after }) => after!),
    written: changes.filter((change) => !isNew(change)).flatMap(({ after }) => after ?? []),
    deleted: changes.filter(isGone).map(({ before }) => before!.n),
    variantsOf: [...indexedVariantsOf],
    families: [...indexedFamilies],
    schemas: [...indexedSchemas],
  }
}
