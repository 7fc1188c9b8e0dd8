// What one line of an import does, in a transaction of its own. Contract 2 §7.
import { type ChangeOrigin, diffValues } from '../../domain/records/changes.ts'
import { columnsOf, keepOtherScopes, readRowHead, readRowValues, type SchemaColumns } from '../../domain/csv/csv-row.ts'
import type { CsvHeader } from '../../domain/csv/csv-header.ts'
import { invalid, shorten } from '../../domain/errors.ts'
import { ImportedRecord, type ImportLine, type ImportOptions } from '../../domain/records/import.ts'
import type { Model, Schema } from '../../domain/model/model.ts'
import { assertCanWrite } from '../../domain/accounts/permissions.ts'
import type { Values } from '../../domain/records/record.ts'
import { parse } from '../../domain/input/validation.ts'
import { readValues, replaceValues } from '../../domain/values/values.ts'
import type { RecordTransaction } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { parseValues } from '../records/readable-records.ts'
import { createRecord } from '../records/records.ts'
import { updateValues } from '../records/record-writing.ts'

const BY_IMPORT: ChangeOrigin = { kind: 'import' }

export type RecordLine = Extract<ImportLine, { kind: 'body' | 'row' }>

export interface Importer {
  readonly system: System
  readonly caller: Caller
  /** 0: no limit. */
  readonly maxRecords: number
  readonly options: ImportOptions
  /** Of a csv. */
  readonly header: CsvHeader | undefined
}

/**
 * Throws what creating or updating the record throws.
 * @returns what became, or in a dry run would become, of the record
 */
export async function writeLine(
  tx: RecordTransaction,
  importer: Importer,
  line: RecordLine,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { options, header } = importer
  const head = parse(
    ImportedRecord,
    line.kind === 'body' ? line.body : { ...readRowHead(line.cells, header!), values: null },
  )
  const stored = options.mode === 'create' || head.id === undefined ? undefined : await tx.records.get(head.id)
  const model = await tx.model()
  const schema = schemaOf(head.schemaId ?? options.schemaId ?? stored?.schemaId, model)
  const parentId = head.parentId ?? null
  if (stored !== undefined) assertStays(stored, schema, head.parentId)
  const own = stored === undefined ? {} : parseValues(stored)
  const values =
    line.kind === 'body' ? head.values : readRow(line, columnsFor(schema, header!, model), { model, schema, own })
  if (stored !== undefined)
    return update(tx, importer, stored, { schema, own, named: readValues(values, schema, model, () => own) })
  const { system, caller, maxRecords } = importer
  const input = { id: head.id, schemaId: schema.id, parentId, values, origin: BY_IMPORT }
  await createRecord(tx, system, caller, input, maxRecords)
  return 'created'
}

/** What the line names as its record's ID, for messages. */
export function idOf(line: ImportLine, header: CsvHeader | undefined): string | null {
  if (line.kind === 'row') return shortId(readRowHead(line.cells, header!).id)
  return line.kind === 'body' ? shortId((line.body as { id?: unknown } | null)?.id) : null
}

function shortId(id: unknown): string | null {
  return typeof id === 'string' ? shorten(id, 128) : null
}

function schemaOf(schemaId: string | undefined, model: Model): Schema {
  if (schemaId === undefined) throw invalid('schemaId is required')
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
  return schema
}

/** @throws VALIDATION_ERROR where the line would make the record another schema's or another record's variant */
function assertStays(stored: StoredRecord, schema: Schema, parentId: string | null | undefined): void {
  if (stored.schemaId !== schema.id)
    throw invalid(`schemaId cannot change: the record '${stored.id}' has the schema '${stored.schemaId}'`)
  if (parentId === undefined || parentId === stored.parentId) return
  const is = stored.parentId === null ? 'no variant' : `a variant of '${stored.parentId}'`
  throw invalid(`parentId cannot change: the record '${stored.id}' is ${is}`)
}

async function update(
  tx: RecordTransaction,
  { system, caller }: Importer,
  record: StoredRecord,
  { schema, own, named }: { schema: Schema; own: Values; named: Values },
): Promise<'updated' | 'unchanged'> {
  const aliases = Object.keys(named)
  if (diffValues(own, replaceValues(own, named), aliases).length === 0) {
    assertCanWrite(caller.role, schema.id, aliases)
    return 'unchanged'
  }
  await updateValues(tx, system, caller, { record, schema, update: named, origin: BY_IMPORT })
  return 'updated'
}

/** The schemas of a model are the same objects until the model changes. */
const knownColumns = new WeakMap<CsvHeader, WeakMap<Schema, SchemaColumns>>()

function columnsFor(schema: Schema, header: CsvHeader, model: Model): SchemaColumns {
  const bySchema = knownColumns.get(header) ?? new WeakMap<Schema, SchemaColumns>()
  knownColumns.set(header, bySchema)
  const columns = bySchema.get(schema) ?? columnsOf(header, schema, model)
  bySchema.set(schema, columns)
  return columns
}

interface RowTarget {
  readonly model: Model
  readonly schema: Schema
  readonly own: Values
}

/** The attributes that the row names, each as a whole: for an update with what is kept of it. */
function readRow(
  line: Extract<RecordLine, { kind: 'row' }>,
  columns: SchemaColumns,
  { model, schema, own }: RowTarget,
): Values {
  const named = readValues(readRowValues(line.cells, columns), schema, model, () => own)
  return keepOtherScopes(own, named, columns.keys)
}
