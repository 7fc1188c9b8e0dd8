// From a row of a csv that is imported to what a client would send as JSON. Contract 2 §7.
//
// A column is one scoped value: a filled cell sets it, an empty cell means that there is no value, and values without a
// column are left alone. A cell with nothing in it is empty; a cell with `""` is an empty text.
import { type CsvHeader, isScopeOf, type ValueColumn } from './csv-header.ts'
import type { TextReading } from '../datatypes/data-type.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { invalid, shorten } from '../errors.ts'
import type { Attribute } from '../model/attributes.ts'
import type { Model, Schema } from '../model/model.ts'
import { scopedValues, type Values } from '../records/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../scopes/scope.ts'

/** null: nothing is written there. */
export type CsvCell = string | null

/** The columns of a header as records of one schema have them. */
export interface SchemaColumns {
  readonly attributes: readonly { readonly attribute: Attribute; readonly columns: readonly ValueColumn[] }[]
  /** Columns of other schemas: they must be empty. */
  readonly foreign: readonly ValueColumn[]
  /** Alias → the scopes, in `scopeKey` form, that have a column. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>
}

export function columnsOf(header: CsvHeader, schema: Schema, model: Model): SchemaColumns {
  const byAttribute = new Map<Attribute, ValueColumn[]>()
  const foreign: ValueColumn[] = []
  for (const column of header.values) {
    const attribute = schema.attribute(column.alias)
    if (attribute === undefined || !isScopeOf(column.scope, attribute, model)) foreign.push(column)
    else if (byAttribute.has(attribute)) byAttribute.get(attribute)!.push(column)
    else byAttribute.set(attribute, [column])
  }
  const attributes = [...byAttribute].map(([attribute, columns]) => ({ attribute, columns }))
  const keysOf = (columns: readonly ValueColumn[]): Set<string> => new Set(columns.map(({ key }) => key))
  return {
    attributes,
    foreign,
    keys: new Map(attributes.map(({ attribute, columns }) => [attribute.alias, keysOf(columns)])),
  }
}

/** The fixed fields of a row, as the body of a new record has them; undefined where nothing is written. */
export function readRowHead(
  cells: readonly CsvCell[],
  { fixed }: CsvHeader,
): Readonly<Record<'id' | 'schemaId' | 'parentId', string | undefined>> {
  const read = (field: 'id' | 'schemaId' | 'parentId'): string | undefined => {
    const index = fixed.get(field)
    return (index === undefined ? undefined : cells[index]) || undefined
  }
  return { id: read('id'), schemaId: read('schemaId'), parentId: read('parentId') }
}

/** The values of a row: every attribute that has a column, null where a cell is empty. @throws VALIDATION_ERROR */
export function readRowValues(
  cells: readonly CsvCell[],
  { attributes, foreign }: SchemaColumns,
): Record<string, { scope: Scope; value: unknown }[]> {
  const stray = foreign.find(({ cell }) => (cells[cell] ?? '') !== '')
  if (stray !== undefined)
    throw invalid(`The column '${shorten(stray.name)}' is not of this record's schema and must be empty`)
  return Object.fromEntries(
    attributes.map(({ attribute, columns }) => [
      attribute.alias,
      columns.map((column) => ({ scope: column.scope, value: readValue(cells, column, attribute) })),
    ]),
  )
}

function readValue(cells: readonly CsvCell[], { name, cell, units }: ValueColumn, attribute: Attribute): unknown {
  const { unitField } = dataTypeOf(attribute)
  const unit = unitField === undefined ? undefined : cells[units.get(unitField) ?? -1]
  const reading = readCell(cells[cell] ?? null, unit ?? '', attribute)
  if (reading.problem !== undefined) throw invalid(`The column '${shorten(name)}' ${reading.problem}`)
  return reading.value
}

/** An empty cell is no value, which is null, unless it is a quoted nothing of a data type that has such a value. */
function readCell(text: CsvCell, unit: string, attribute: Attribute): TextReading {
  const type = dataTypeOf(attribute)
  if (text !== null && (text !== '' || type.mayBeEmptyText)) return type.fromCell(text, unit)
  return unit === '' ? { value: null } : { problem: `has a ${type.unitField} without an amount` }
}

/** `update` with the values that `before` has in scopes without a column: a row leaves them alone. */
export function keepOtherScopes(before: Values, update: Values, keys: SchemaColumns['keys']): Values {
  return Object.fromEntries(
    Object.entries(update).map(([alias, values]): [string, readonly ScopedValue[]] => {
      const spokenOf = keys.get(alias)!
      const kept = scopedValues(before, alias).filter(({ scope }) => !spokenOf.has(scopeKey(scope)))
      return [alias, [...kept, ...values]]
    }),
  )
}
