// Writes one line of an import in its own transaction. Contract 2 §7, 3 §4.
import { type Change, type ChangeOrigin, diffCategories, diffValues } from '../core/records/rules/changes.ts'
import { arrangementOf } from '../bulk/rules/arrangement.ts'
import { readRowHead } from '../core/csv/csv-row.ts'
import type { CsvHeader } from '../core/csv/csv-header.ts'
import { invalid, notFound, PimletError, shorten } from '../kernel/errors.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import {
  type FaultyLine,
  type FileLine,
  ImportedRecord,
  type ImportLine,
  type RecordLine,
} from './rules/import-outcome.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import { assertCanWrite, assertPermission, readableValues } from '../core/accounts/rules/permissions.ts'
import { parseValues, type Values } from '../core/records/rules/record.ts'
import { parse } from '../kernel/input/parse.ts'
import { readValues, replaceValues } from '../core/values/values.ts'
import type { StoredRecord } from '../store/record-port.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Caller } from '../core/accounts/caller.ts'
import { createRecord } from '../core/records/records.ts'
import { type AssigningTransaction, assignCategories } from '../core/records/record-categories.ts'
import { checkUpdate, writeUpdate } from '../core/records/record-writing.ts'
import { placesOf } from './category-cells.ts'
import type { FileColumn } from './file-cells.ts'
import { findByValue, findParent, type Matching } from './matching.ts'
import { type LineTransaction, placePictures } from './picture-cells.ts'
import { type NamedValues, readLineValues, withoutPending } from './line-values.ts'

export interface Importer {
  readonly system: System
  readonly caller: Caller
  /** 0: no limit. */
  readonly maxRecords: number
  readonly setting: ImportSetting
  readonly origin: ChangeOrigin
  /** Whether anybody asks for the changes of a created record. */
  readonly tellsChanges: boolean
  /** The header of a csv; undefined for other formats. */
  readonly header: CsvHeader | undefined
  /** Columns of references whose cells name files. */
  readonly pictureColumns?: readonly FileColumn[] | undefined
}

export interface LineOptions {
  /** ID of the record that an earlier round of the same import made from the line. */
  readonly as?: string | undefined
  /** IDs of records that later lines make. References to these are left out for now. */
  readonly pending?: ReadonlySet<string> | undefined
}

export interface WrittenLine {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly recordId: string
  readonly schemaId: string
  readonly changes: readonly Change[]
  /** The result of `arrangementOf`. */
  readonly arrangement: string | null
  /** Values removed because their cells were empty. */
  readonly cleared: number
  /** Whether references were left out. */
  readonly isPartial: boolean
  /** IDs of records of pictures that were made for the line. */
  readonly pictures: readonly string[]
}

/**
 * @throws errors of creating or updating the record; NOT_FOUND where the record must exist; MissingRecord where a later
 * line may bring the missing record
 * @returns the outcome for the record; in a dry run, the outcome that writing would have
 */
export async function writeLine(
  tx: LineTransaction,
  importer: Importer,
  read: RecordLine,
  options: LineOptions = {},
): Promise<WrittenLine> {
  const model = await tx.model()
  const found = await findTarget(tx, importer, read, model, options.as)
  const { line, made: pictures } = await placePictures(tx, importer, read, found.schema)
  const { schema, stored, own } = found
  const { header, setting } = importer
  const { emptyCells } = setting
  const seen = readableValues(importer.caller.role, schema.id, own)
  const { values, cleared } = readLineValues(line, { header, emptyCells }, { model, schema, own: seen })
  const kept = await withoutPending(tx, values, schema, options.pending)
  const target = { ...found, values: kept.values }
  const written =
    stored === undefined ? await create(tx, importer, target) : await updateRecord(tx, importer, stored, target)
  const placed = await place(tx, importer, line, written.record)
  const { record, changes } = placed ?? written
  return {
    outcome: stored === undefined ? 'created' : placed !== undefined ? 'updated' : written.outcome,
    recordId: record.id,
    schemaId: schema.id,
    changes: placed === undefined ? changes : [...written.changes, ...changes],
    arrangement: written.arrangement,
    cleared: stored === undefined ? 0 : cleared,
    isPartial: kept.isPartial,
    pictures,
  }
}

/**
 * Returns the line with its cells mapped by the header: the form that other functions take. A line that the steps of a column
 * refuse becomes a fault.
 */
export function prepare<Line extends ImportLine>(line: Line, header: CsvHeader | undefined): Line | FaultyLine {
  if (line.kind !== 'row' || header?.mapped === undefined) return line
  try {
    return { ...line, cells: header.mapped.prepare(line.cells) }
  } catch (error) {
    if (!(error instanceof PimletError)) throw error
    return { kind: 'fault', line: line.line, size: line.size, error }
  }
}

/** Reads the ID and schema that the line gives. */
export function headOf(
  line: RecordLine,
  header: CsvHeader | undefined,
): { readonly id?: unknown; readonly schemaId?: unknown } {
  if (line.kind === 'row') return readRowHead(line.cells, header!)
  return line.body as { readonly id?: unknown; readonly schemaId?: unknown }
}

/** Returns the ID that the line gives its record, for messages. */
export function idOf(line: FileLine, header: CsvHeader | undefined): string | null {
  const id = line.kind === 'fault' ? undefined : headOf(line, header).id
  return typeof id === 'string' ? shorten(id, 128) : null
}

interface Target {
  readonly id: string | undefined
  readonly schema: Schema
  readonly parentId: string | null
  readonly stored: StoredRecord | undefined
  readonly own: Values
}

async function findTarget(
  tx: AssigningTransaction,
  importer: Importer,
  line: RecordLine,
  model: Model,
  as: string | undefined,
): Promise<Target> {
  const { setting, header, caller } = importer
  const { mode, matchBy } = setting
  const head = parse(
    ImportedRecord,
    line.kind === 'body' ? line.body : { ...readRowHead(line.cells, header!), values: null },
  )
  // The ID comes first: a line that names a record by its ID need not name the schema.
  const named = await findNamed(tx, setting, head.id, as)
  const schema = schemaOf(head.schemaId ?? setting.schemaId ?? named?.schemaId, model)
  const matching = { role: caller.role, schema, matchBy, header }
  const isMatched = as === undefined && matchBy !== undefined && mode !== 'create'
  const stored = isMatched ? await findMatched(tx, setting, matching, head.id, line) : named
  const parentId = typeof head.parentId === 'string' ? await findParent(tx, matching, head.parentId) : head.parentId
  if (stored !== undefined) assertStays(stored, schema, parentId)
  const own = stored === undefined ? {} : parseValues(stored)
  return { id: head.id, schema, parentId: parentId ?? null, stored, own }
}

/** Finds the record that the line names by its ID. @throws NOT_FOUND where the record must exist */
async function findNamed(
  tx: AssigningTransaction,
  { mode, matchBy }: ImportSetting,
  id: string | undefined,
  as: string | undefined,
): Promise<StoredRecord | undefined> {
  const named = as ?? (mode === 'create' || matchBy !== undefined ? undefined : id)
  const stored = named === undefined ? undefined : await tx.records.get(named)
  const isMatchedLater = matchBy !== undefined && as === undefined
  if (stored === undefined && mode === 'update' && !isMatchedLater) throw missing(id)
  return stored
}

/** Finds the record that has the line's value of `matchBy`. @throws NOT_FOUND where the record must exist */
async function findMatched(
  tx: AssigningTransaction,
  { mode, matchBy }: ImportSetting,
  matching: Matching,
  id: string | undefined,
  line: RecordLine,
): Promise<StoredRecord | undefined> {
  const { stored, asked } = await findByValue(tx, matching, line)
  if (stored === undefined && mode === 'update') throw missing(id, matchBy, asked)
  return stored
}

function missing(id: string | undefined, matchBy = '', asked?: string): Error {
  if (asked !== undefined) return notFound(`Record with the ${matchBy}`, asked)
  if (id !== undefined) return notFound('Record', id)
  return new PimletError('NOT_FOUND', 'The line has no id, and names no record: with the mode update none is created')
}

function schemaOf(schemaId: string | undefined, model: Model): Schema {
  if (schemaId === undefined) throw invalid('schemaId is required')
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
  return schema
}

/** @throws VALIDATION_ERROR where the line would change the record's schema or its parent */
function assertStays(stored: StoredRecord, schema: Schema, parentId: string | null | undefined): void {
  if (stored.schemaId !== schema.id)
    throw invalid(`schemaId cannot change: the record '${stored.id}' has the schema '${stored.schemaId}'`)
  if (parentId === undefined || parentId === stored.parentId) return
  const is = stored.parentId === null ? 'no variant' : `a variant of '${stored.parentId}'`
  throw invalid(`parentId cannot change: the record '${stored.id}' is ${is}`)
}

export interface Written {
  readonly record: StoredRecord
  readonly outcome: WrittenLine['outcome']
  readonly changes: readonly Change[]
  readonly arrangement: string | null
}

async function create(
  tx: AssigningTransaction,
  { system, caller, maxRecords, origin, tellsChanges }: Importer,
  { id, schema, parentId, values }: Target & { readonly values: NamedValues },
): Promise<Written> {
  assertPermission(caller.role, 'records.create')
  const record = await createRecord(
    tx,
    system,
    caller,
    { id, schemaId: schema.id, parentId, values, origin },
    maxRecords,
  )
  const changes = tellsChanges ? diffValues({}, parseValues(record)) : []
  return { record, outcome: 'created', changes, arrangement: null }
}

/** Throws as updating a record does. */
export async function updateRecord(
  tx: AssigningTransaction,
  { system, caller, origin }: Pick<Importer, 'system' | 'caller' | 'origin'>,
  record: StoredRecord,
  { schema, own, values }: Pick<Target, 'schema' | 'own'> & { readonly values: NamedValues },
): Promise<Written> {
  assertPermission(caller.role, 'records.update')
  const named = readValues(values, schema, await tx.model(), () => readableValues(caller.role, schema.id, own))
  const aliases = Object.keys(named)
  if (diffValues(own, replaceValues(own, named), aliases).length === 0) {
    assertCanWrite(caller.role, schema.id, aliases)
    return { record, outcome: 'unchanged', changes: [], arrangement: null }
  }
  const checked = await checkUpdate(tx, caller, { record, schema, update: named })
  // A value of a file has its facts only now.
  if (checked.changes.length === 0) return { record, outcome: 'unchanged', changes: [], arrangement: null }
  const written = await writeUpdate(tx, system, caller, checked, origin)
  const arrangement = arrangementOf(record.valuesJson, checked.after, checked.changes)
  return { record: written, outcome: 'updated', changes: checked.changes, arrangement }
}

/** Places the record in its categories; undefined: the record keeps its places. */
async function place(
  tx: AssigningTransaction,
  { system, caller, header, origin, setting }: Importer,
  line: RecordLine,
  record: StoredRecord,
): Promise<{ readonly record: StoredRecord; readonly changes: readonly Change[] } | undefined> {
  const column = header?.mapped?.categories
  if (line.kind !== 'row' || column === undefined) return undefined
  const before = await tx.categories.assignmentsOf(record.id)
  const categoryOf = setting.making && ((path: string) => setting.making!.categoryOf(path))
  const how = { role: caller.role, before, emptyCells: setting.emptyCells, catalogId: column.catalogId, categoryOf }
  const places = await placesOf(tx, how, line.cells[column.cell]!)
  const changes = places === undefined ? [] : diffCategories(before, places)
  if (places === undefined || changes.length === 0) return undefined
  const placed = await assignCategories(tx, system, caller, { record, places, origin })
  return { record: placed, changes: setting.making?.told(changes) ?? changes }
}
