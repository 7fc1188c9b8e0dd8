// Reads the values that a line of an import gives a record. Contract 2 §7, 3 §4.
import type { CsvHeader } from '../core/csv/csv-header.ts'
import {
  columnsOf,
  countCleared,
  describeCellOf,
  keepOtherScopes,
  keysOf,
  readRowValues,
  type SchemaColumns,
  withoutEmpty,
} from '../core/csv/csv-row.ts'
import type { DataType } from '../core/datatypes/data-type.ts'
import { dataTypeOf } from '../core/datatypes/data-types.ts'
import type { EmptyCells, RecordLine } from './rules/import-outcome.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import type { FileName } from '../core/datatypes/file.ts'
import { type ScopedValue, scopeKey } from '../core/scopes/scope.ts'
import { scopedValues, type Values } from '../core/records/rules/record.ts'
import { FaultList } from '../core/values/value-fault.ts'
import { isPlainObject, readEach } from '../core/values/values.ts'
import type { RecordReads } from '../store/record-port.ts'

/** Values in the form that clients send. They are checked when they are written. */
export type NamedValues = unknown

interface LineTarget {
  readonly model: Model
  readonly schema: Schema
  /** Values of the record, without those that are hidden from the caller: faults tell of values. */
  readonly own: Values
}

interface LineReading {
  readonly header: CsvHeader | undefined
  readonly emptyCells: EmptyCells
}

/** `cleared`: values of the record that are removed because their cells are empty. @throws VALIDATION_ERROR */
export function readLineValues(
  line: RecordLine,
  { header, emptyCells }: LineReading,
  { model, schema, own }: LineTarget,
): { readonly values: NamedValues; readonly cleared: number } {
  if (line.kind === 'body') return { values: (line.body as { values?: unknown }).values, cleared: 0 }
  const columns = columnsFor(schema, header!, model)
  const faults = new FaultList()
  const given = readRowValues(line.cells, columns, faults)
  const spoken = emptyCells === 'keep' ? withoutEmpty(given) : given
  const keys = emptyCells === 'keep' ? keysOf(spoken) : columns.keys
  const describe = describeCellOf(line.cells, columns)
  const named = readEach(spoken, schema, model, { stored: () => own, faults, describe })
  faults.assertNone()
  const values = keepHeldFiles(own, keepOtherScopes(own, named, keys), schema)
  return { values, cleared: emptyCells === 'keep' ? 0 : countCleared(own, given) }
}

/** A row that names the bytes which the record has leaves their name alone. */
function keepHeldFiles(own: Values, update: Values, schema: Schema): Values {
  const kept = Object.entries(update).map(([alias, items]): [string, readonly ScopedValue[]] => {
    const attribute = schema.attribute(alias)
    if (attribute === undefined || dataTypeOf(attribute).files === undefined) return [alias, items]
    const held = new Map(scopedValues(own, alias).map((item) => [scopeKey(item.scope), item]))
    return [alias, items.map((item) => sameFile(held.get(scopeKey(item.scope)), item))]
  })
  return Object.fromEntries(kept)
}

function sameFile(held: ScopedValue | undefined, item: ScopedValue): ScopedValue {
  const [before, after] = [held?.value, item.value] as (FileName | null | undefined)[]
  return before?.sha256 !== undefined && before.sha256 === after?.sha256 ? held! : item
}

/** Keyed by schema, because a model keeps the same schema objects until the model changes. */
const knownColumns = new WeakMap<CsvHeader, WeakMap<Schema, SchemaColumns>>()

export function columnsFor(schema: Schema, header: CsvHeader, model: Model): SchemaColumns {
  const bySchema = knownColumns.get(header) ?? new WeakMap<Schema, SchemaColumns>()
  knownColumns.set(header, bySchema)
  const columns = bySchema.get(schema) ?? columnsOf(header, schema, model)
  bySchema.set(schema, columns)
  return columns
}

/** Leaves out references to missing records that later lines make. */
export async function withoutPending(
  tx: { readonly records: Pick<RecordReads, 'existing'> },
  values: NamedValues,
  schema: Schema,
  pending: ReadonlySet<string> | undefined,
): Promise<{ readonly values: NamedValues; readonly isPartial: boolean }> {
  if (pending === undefined || !isPlainObject(values)) return { values, isPartial: false }
  const kept: Record<string, unknown> = { ...values }
  let isPartial = false
  for (const attribute of schema.attributes) {
    const scoped = Object.hasOwn(values, attribute.alias) ? values[attribute.alias] : undefined
    const type = dataTypeOf(attribute)
    if (type.records === undefined || !Array.isArray(scoped)) continue
    const targets = scoped.flatMap((item) => targetsOf(item, type)).filter((id) => pending.has(id))
    const existing = await tx.records.existing(targets)
    const isKept = (id: string): boolean => !pending.has(id) || existing.has(id)
    if (targets.every(isKept)) continue
    kept[attribute.alias] = scoped.flatMap((item: unknown) => withKept(item, type, isKept))
    isPartial = true
  }
  return { values: kept, isPartial }
}

/** The records that a scoped value of the file names; none where it is no such value, which the write then refuses. */
function targetsOf(item: unknown, type: DataType): readonly string[] {
  const value = isPlainObject(item) ? item['value'] : undefined
  if (typeof value === 'string') return type.keysPerValue === 'one' ? type.records!.named(value) : []
  const isList = type.keysPerValue === 'many' && Array.isArray(value)
  return isList && value.every((id) => typeof id === 'string') ? type.records!.named(value) : []
}

/** The scoped value without the records that are not kept; none where nothing remains of it. */
function withKept(item: unknown, type: DataType, isKept: (recordId: string) => boolean): unknown[] {
  if (targetsOf(item, type).every(isKept)) return [item]
  const scoped = item as { readonly value: unknown }
  const value = type.records!.keep(scoped.value, isKept)
  return value === undefined ? [] : [{ ...scoped, value }]
}
