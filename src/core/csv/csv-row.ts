// Turns a row of an imported csv into the JSON that a client would send. Contract 2 §7.
//
// A column is one scoped value. A filled cell sets the value, and an empty cell means that there is no value. Values
// without a column are left alone. A cell with nothing in it is empty; a cell with `""` is an empty text.
import { type CellStyle, type CsvHeader, isScopeOf, type ValueColumn } from './csv-header.ts'
import type { CsvCell } from './csv-cell.ts'
import { withDot, withoutGroups } from './source-dialect.ts'
import { splitAmount } from './written-amount.ts'
import type { TextReading } from '../datatypes/data-type.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { shorten } from '../../kernel/errors.ts'
import type { Attribute } from '../model/rules/attributes.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { scopedValues, type Values } from '../records/rules/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../scopes/scope.ts'
import { parseMoment } from '../values/dates.ts'
import type { FaultSink } from '../values/value-fault.ts'

/** The columns of a header as records of one schema have them. */
export interface SchemaColumns {
  readonly style: CellStyle
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
  const scopesOf = (columns: readonly ValueColumn[]): Set<string> => new Set(columns.map(({ key }) => key))
  return {
    style: header.style,
    attributes,
    foreign,
    keys: new Map(attributes.map(({ attribute, columns }) => [attribute.alias, scopesOf(columns)])),
  }
}

/** The fixed fields of a row, as the body of a new record has them; undefined where nothing is written. */
export function readRowHead(
  cells: readonly CsvCell[],
  { fixed }: CsvHeader,
): Readonly<Record<'id' | 'schemaId' | 'parentId', string | undefined>> {
  const read = (field: 'id' | 'schemaId' | 'parentId'): string | undefined => {
    const index = fixed.get(field)
    const cell = index === undefined ? null : cells[index]!
    return cell === null || cell === '' ? undefined : String(cell)
  }
  return { id: read('id'), schemaId: read('schemaId'), parentId: read('parentId') }
}

/** The values of a row: every attribute that has a column, null where a cell is empty. Cells at fault are left out. */
export function readRowValues(
  cells: readonly CsvCell[],
  { style, attributes, foreign }: SchemaColumns,
  faults: FaultSink,
): Record<string, { scope: Scope; value: unknown }[]> {
  const add = ({ alias, scope, name, cell }: ValueColumn, problem: string): void =>
    faults.add({
      attributeAlias: alias,
      scope,
      code: 'type',
      message: describeCell(name, cells[cell] ?? null, problem),
    })
  for (const stray of foreign)
    if ((cells[stray.cell] ?? '') !== '') add(stray, "is not of this record's schema and must be empty")
  return Object.fromEntries(
    attributes.map(({ attribute, columns }) => [
      attribute.alias,
      columns.flatMap((column) => {
        const reading = readValue(cells, column, attribute, style)
        if (reading.problem === undefined) return [{ scope: column.scope, value: reading.value }]
        add(column, reading.problem)
        return []
      }),
    ]),
  )
}

/** Characters of a cell in a message. */
const MAX_QUOTED = 60

/** `problem`: the rest of a sentence that begins with the column. */
function describeCell(name: string, cell: CsvCell, problem: string): string {
  const quoted = cell === null || cell === '' ? '' : `: the cell has '${shorten(String(cell), MAX_QUOTED)}'`
  return `The column '${shorten(name)}' ${problem}${quoted}`
}

/** The message of a fault of a value that a cell of the row has. */
export function describeCellOf(cells: readonly CsvCell[], { attributes }: SchemaColumns) {
  return (alias: string, scope: Scope, problem: string): string => {
    const columns = attributes.find(({ attribute }) => attribute.alias === alias)?.columns
    const column = columns?.find(({ key }) => key === scopeKey(scope))
    return describeCell(column?.name ?? alias, cells[column?.cell ?? -1] ?? null, problem)
  }
}

function readValue(
  cells: readonly CsvCell[],
  { cell, units, style: own }: ValueColumn,
  attribute: Attribute,
  style: CellStyle,
): TextReading {
  const { unitField } = dataTypeOf(attribute)
  const unit = unitField === undefined ? null : (cells[units.get(unitField) ?? -1] ?? null)
  return readCell(cells[cell] ?? null, unit === null ? '' : String(unit), attribute, own ?? style)
}

/** An empty cell is no value (null). The exception is a quoted empty cell of a data type that has empty values. */
function readCell(cell: CsvCell, unit: string, attribute: Attribute, style: CellStyle): TextReading {
  const type = dataTypeOf(attribute)
  if (cell !== null && (cell !== '' || type.mayBeEmptyText)) return readText(cell, unit, attribute, style)
  if (unit === '' || style.isMapped === true) return { value: null }
  return { problem: `has a ${type.unitField} without an amount` }
}

const NO_TIME = /^\d{4}-\d\d-\d\d$/

function readText(cell: string | number | boolean, unit: string, attribute: Attribute, style: CellStyle): TextReading {
  const type = dataTypeOf(attribute)
  if (type.unitField !== undefined && unit === '' && style.isMapped === true) {
    const [amount, found] = withUnit(cell, attribute, style.unit)
    if (found !== '') return readText(amount, found, attribute, style)
  }
  if (typeof cell !== 'string') return type.fromCell(String(cell), unit)
  if (type.order === 'number' && style.numbers === 'comma') {
    const text = withDot(cell)
    return text === undefined ? { problem: 'must be a number, written as 1234,5' } : type.fromCell(text, unit)
  }
  if (type.order === 'number' && style.numbers === 'grouped') return type.fromCell(withoutGroups(cell) ?? cell, unit)
  return type.fromCell(momentOf(cell, attribute, style), unit)
}

/** A day as a dateTime is its midnight; for a mapping, a moment as a date is its day. */
function momentOf(cell: string, { dataType }: Attribute, { isSheet, isMapped = false }: CellStyle): string {
  if (dataType === 'dateTime' && (isSheet || isMapped) && NO_TIME.test(cell)) return `${cell}T00:00:00.000Z`
  return dataType === 'date' && isMapped && parseMoment(cell) !== undefined ? cell.slice(0, 10) : cell
}

/** Splits `12,90 €` or `1.5 kg` into amount and unit. Without one it has the unit `given`, or the only one of its attribute. */
function withUnit(
  cell: string | number | boolean,
  { units, currencies }: Attribute,
  given: string | undefined,
): [amount: CsvCell & {}, unit: string] {
  const known = [...units, ...currencies]
  const only = given ?? (known.length === 1 ? known[0]! : '')
  return (typeof cell === 'string' && splitAmount(cell, known)) || [cell, only]
}

/** The values of a row without those that its cells leave empty. */
export function withoutEmpty(
  named: Readonly<Record<string, readonly { readonly scope: Scope; readonly value: unknown }[]>>,
): Record<string, { scope: Scope; value: unknown }[]> {
  const filled = Object.entries(named).map(([alias, values]) => [alias, values.filter(({ value }) => value !== null)])
  return Object.fromEntries(filled.filter(([, values]) => values!.length > 0)) as ReturnType<typeof withoutEmpty>
}

/** Alias → the scopes that are spoken of. */
export function keysOf(named: Readonly<Record<string, readonly { readonly scope: Scope }[]>>): SchemaColumns['keys'] {
  const entries = Object.entries(named)
  return new Map(entries.map(([alias, values]) => [alias, new Set(values.map(({ scope }) => scopeKey(scope)))]))
}

/** How many values of `before` go because their cells are empty. */
export function countCleared(
  before: Values,
  named: Readonly<Record<string, readonly { readonly scope: Scope; readonly value: unknown }[]>>,
): number {
  let count = 0
  for (const [alias, values] of Object.entries(named)) {
    const emptied = values.filter(({ value }) => value === null).map(({ scope }) => scopeKey(scope))
    if (emptied.length === 0) continue
    const held = new Set(scopedValues(before, alias).map(({ scope }) => scopeKey(scope)))
    count += emptied.filter((key) => held.has(key)).length
  }
  return count
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
