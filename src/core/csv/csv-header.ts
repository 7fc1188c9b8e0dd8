// The first row of an imported csv: the meaning of each column. The inverse of `csv-columns.ts`. Contract 2 §6, 2 §7.
import { UNIT_FIELDS, type UnitField } from '../datatypes/data-type.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { findById } from '../../kernel/found-by-id.ts'
import { FIXED_FIELDS } from '../records/rules/exported-record.ts'
import type { Attribute } from '../model/rules/attributes.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { type Scope, scopeKey } from '../scopes/scope.ts'
import type { CsvCell } from './csv-cell.ts'
import { TAKEN_NAMES } from './csv-columns.ts'
import type { NumberStyle } from './source-dialect.ts'

type FixedField = (typeof FIXED_FIELDS)[number]

/** One scoped value of an attribute, which may take several columns. */
export interface ValueColumn {
  readonly name: string
  readonly alias: string
  readonly scope: Scope
  /** `scopeKey` form of the scope. */
  readonly key: string
  /** Index of the cell. */
  readonly cell: number
  /** Index of the cell with the value's unit or currency. */
  readonly units: ReadonlyMap<UnitField, number>
  /** The style of the column's cells, where it differs from the file's. */
  readonly style?: CellStyle | undefined
}

/** How the cells of a file are read. */
export interface CellStyle {
  readonly numbers: NumberStyle
  /** For a spreadsheet: a time of midnight counts as a date. */
  readonly isSheet: boolean
  /** For a mapping: a unit may stand with its amount, and is ignored without one. */
  readonly isMapped?: boolean
  /** The unit or currency of amounts that have none. */
  readonly unit?: string | undefined
}

export const PLAIN_CELLS: CellStyle = { numbers: 'dot', isSheet: false }

export interface CsvHeader {
  readonly width: number
  readonly style: CellStyle
  readonly fixed: ReadonlyMap<FixedField, number>
  readonly values: readonly ValueColumn[]
  /** Where a mapping gives the meaning of the columns. */
  readonly mapped?: MappedCells
}

/** Index of the cell with the record's categories, and the catalog of paths that several catalogs have. */
export interface CategoriesCell {
  readonly cell: number
  readonly catalogId: string | undefined
}

interface MappedCells {
  readonly categories: CategoriesCell | undefined
  /** Makes the cells that the header describes from the cells of the file. */
  readonly prepare: (row: readonly CsvCell[]) => readonly CsvCell[]
}

const ALIAS = '[A-Za-z][A-Za-z0-9_-]{0,63}'
/** An attribute that is called like a fixed field is `values.<alias>`, as one called `deleted` may be; no other is. */
const COLUMN = new RegExp(
  `^(?:values\\.(${TAKEN_NAMES.join('|')})|(${ALIAS}))(?:\\[([^[\\]]+)\\])?(?:\\.(${UNIT_FIELDS.join('|')}))?$`,
)

/**
 * @param schemas the schemas that records of the file may have; each column must fit at least one of them
 * @throws VALIDATION_ERROR naming the first column that is unknown, given twice or incomplete
 */
export function readCsvHeader(
  names: readonly string[],
  schemas: readonly Schema[],
  model: Model,
  style: CellStyle = PLAIN_CELLS,
): CsvHeader {
  const fixed = new Map<FixedField, number>()
  const values = new Map<string, ValueColumn & { readonly units: Map<UnitField, number> }>()
  const units: { name: string; of: string; unitField: UnitField; cell: number }[] = []
  for (const [cell, name] of names.entries()) {
    const field = FIXED_FIELDS.find((candidate) => candidate === name)
    if (field !== undefined) {
      if (fixed.has(field)) throw invalid(`The file has the column '${name}' twice`)
      fixed.set(field, cell)
      continue
    }
    const { alias, scope, unitField } = parseColumn(name, names)
    assertKnown(name, { alias, scope, unitField }, schemas, model)
    const key = scopeKey(scope)
    const of = `${alias}[${key}]`
    if (unitField !== undefined) units.push({ name, of, unitField, cell })
    else if (values.has(of)) throw invalid(`The file has the column '${shorten(name)}' twice`)
    else values.set(of, { name, alias, scope, key, cell, units: new Map() })
  }
  for (const { name, of, unitField, cell } of units) {
    const column = values.get(of)
    if (column === undefined)
      throw invalid(`The file has the column '${shorten(name)}' without the amounts it belongs to`)
    if (column.units.has(unitField)) throw invalid(`The file has the column '${shorten(name)}' twice`)
    column.units.set(unitField, cell)
  }
  return { width: names.length, style, fixed, values: [...values.values()] }
}

interface ColumnParts {
  readonly alias: string
  readonly scope: Scope
  readonly unitField: UnitField | undefined
}

function parseColumn(name: string, names: readonly string[]): ColumnParts {
  const parts = columnNameOf(name)
  if (parts === undefined) throw unknownColumn(name, names)
  return parts
}

/** The header of a column of an export; undefined if it is none. */
export function columnNameOf(name: string): ColumnParts | undefined {
  const [, likeField, other, scopeText, unitField] = COLUMN.exec(name) ?? []
  const alias = likeField ?? other
  const scope = scopeText === undefined ? {} : parseScope(scopeText)
  const isField = (FIXED_FIELDS as readonly (string | undefined)[]).includes(other)
  if (alias === undefined || scope === undefined || isField) return undefined
  return { alias, scope, unitField: unitField as UnitField | undefined }
}

/** Undefined where it is no list of `dimension=segment`. */
function parseScope(text: string): Scope | undefined {
  const pairs = text.split(';').map((pair) => pair.split('='))
  const dimensions = new Set(pairs.map(([dimension]) => dimension))
  const isList = pairs.every((pair) => pair.length === 2 && pair.every((part) => part !== ''))
  return isList && dimensions.size === pairs.length ? Object.fromEntries(pairs as [string, string][]) : undefined
}

function unknownColumn(name: string, names: readonly string[]): Error {
  const hint = names.length === 1 && /[;\t]/.test(name) ? ': cells must be separated by commas' : ''
  return invalid(`The file has the unknown column '${shorten(name)}'${hint}`)
}

function assertKnown(name: string, parts: ColumnParts, schemas: readonly Schema[], model: Model): void {
  const attributes = schemas.flatMap((schema) => schema.attribute(parts.alias) ?? [])
  const { unitField } = parts
  const withUnit = attributes.filter(
    (attribute) => unitField === undefined || dataTypeOf(attribute).unitField === unitField,
  )
  if (withUnit.length === 0) throw invalid(`The file has the unknown column '${shorten(name)}'`)
  if (!withUnit.some((attribute) => isScopeOf(parts.scope, attribute, model)))
    throw invalid(`The file has the column '${shorten(name)}', but the attribute has no such scope`)
}

/** Whether the attribute may hold a value in `scope`. */
export function isScopeOf(scope: Scope, { dimensionIds }: Attribute, { dimensions }: Model): boolean {
  return Object.entries(scope).every(
    ([dimensionId, segmentId]) =>
      dimensionIds.includes(dimensionId) &&
      findById(dimensions.get(dimensionId)?.segments ?? [], segmentId) !== undefined,
  )
}
