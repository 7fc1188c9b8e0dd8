// Applies a mapping to the header of a file: finds the cells that hold parts of a record, and the steps for each cell.
// Contract 3 §4.
import type { CellStyle, CsvHeader, ValueColumn } from '../../core/csv/csv-header.ts'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import type { UnitField } from '../../core/datatypes/data-type.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import type { Schema } from '../../core/model/rules/model.ts'
import { scopeKey } from '../../core/scopes/scope.ts'
import type { ImportColumn, ImportMapping } from './import-profile.ts'
import { compileSteps } from './profile-steps.ts'

/**
 * Ignores columns that the mapping does not name.
 * @param names of the columns of the file
 * @throws VALIDATION_ERROR naming a column that the file lacks, or has twice
 */
export function mapHeader(
  names: readonly string[],
  { columns }: Pick<ImportMapping, 'columns'>,
  schema: Schema,
  style: CellStyle,
): CsvHeader {
  const fixed = new Map<'id' | 'parentId' | 'schemaId', number>()
  const values = new Map<string, ValueColumn & { readonly units: Map<UnitField, number> }>()
  const units: { readonly of: string; readonly unitField: UnitField; readonly cell: number }[] = []
  const cells: ((row: readonly CsvCell[]) => CsvCell)[] = []
  let categories: number | undefined
  const mappedStyle = { ...style, isMapped: true }
  // The decimal step fails on an amount that includes its unit, so the style parses the comma.
  const commaStyle = { ...mappedStyle, numbers: 'comma' } as const
  for (const column of columns) {
    const { to, header } = column
    if ('field' in to && to.field === 'ignore') continue
    const cell = cells.push(cellReader(column, names, schema)) - 1
    if ('field' in to) {
      if (to.field === 'categories') categories = cell
      else if (to.field !== 'ignore') fixed.set(to.field, cell)
      continue
    }
    const { attributeAlias: alias, scope = {}, part } = to
    const key = scopeKey(scope)
    const of = `${alias}[${key}]`
    if (part === 'unit' || part === 'currency') units.push({ of, unitField: part, cell })
    else {
      const own = column.with?.includes('decimalComma') ? commaStyle : undefined
      values.set(of, { name: header, alias, scope, key, cell, units: new Map(), style: own })
    }
  }
  for (const { of, unitField, cell } of units) values.get(of)?.units.set(unitField, cell)
  return {
    width: cells.length,
    style: mappedStyle,
    fixed,
    values: [...values.values()],
    mapped: { categories, prepare: (row) => cells.map((read) => read(row)) },
  }
}

function cellReader(
  { header, to, with: steps = [] }: ImportColumn,
  names: readonly string[],
  schema: Schema,
): (row: readonly CsvCell[]) => CsvCell {
  const index = findColumn(header, names)
  const attribute = 'field' in to ? undefined : schema.attribute(to.attributeAlias)
  // The attribute's options do not apply to a unit.
  const work = compileSteps(steps, attribute)
  if (index !== undefined) return (row) => work(row[index]!)
  // A default works without a column.
  if (steps.some((step) => typeof step === 'object' && 'default' in step)) return () => work(null)
  throw invalid(`The file has no column '${shorten(header)}'`)
}

function findColumn(header: string, names: readonly string[]): number | undefined {
  const wanted = header.trim()
  const found = names.flatMap((name, index) => (name === wanted ? [index] : []))
  if (found.length > 1) throw invalid(`The file has the column '${shorten(header)}' twice`)
  return found[0]
}
