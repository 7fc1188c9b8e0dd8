// Applies a mapping to the header of a file: finds the cells that hold parts of a record, and the steps for each cell.
// Contract 3 §4.
import type { CategoriesCell, CellStyle, CsvHeader, ValueColumn } from '../../core/csv/csv-header.ts'
import type { CsvCell } from '../../core/csv/csv-cell.ts'
import type { UnitField } from '../../core/datatypes/data-type.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Schema } from '../../core/model/rules/model.ts'
import { scopeKey } from '../../core/scopes/scope.ts'
import type { ImportColumn, ImportMapping } from './import-profile.ts'
import { optionsOf } from './option-names.ts'
import { compileSteps, textsOf } from './profile-steps.ts'
import { RowWork, StepFault } from './row-work.ts'
import { tellApart } from './told-apart.ts'

/**
 * Ignores columns that the mapping does not name.
 * @param headers of the columns of the file
 * @throws VALIDATION_ERROR naming a column that the file lacks, or has twice
 */
export function mapHeader(
  headers: readonly string[],
  { columns }: Pick<ImportMapping, 'columns'>,
  schema: Schema,
  style: CellStyle,
): CsvHeader {
  const fixed = new Map<'id' | 'parentId' | 'schemaId', number>()
  const values = new Map<string, ValueColumn & { readonly units: Map<UnitField, number> }>()
  const units: { readonly of: string; readonly unitField: UnitField; readonly cell: number }[] = []
  const cells: CellReader[] = []
  let categories: CategoriesCell | undefined
  const mappedStyle = { ...style, isMapped: true }
  const names = new ColumnNames(headers)
  for (const column of columns) {
    const { to, header, catalogId } = column
    if ('field' in to && to.field === 'ignore') continue
    const cell = cells.push(cellReader(column, names, schema, style)) - 1
    if ('field' in to) {
      if (to.field === 'categories') categories = { cell, catalogId }
      else if (to.field !== 'ignore') fixed.set(to.field, cell)
      continue
    }
    const { attributeAlias: alias, scope = {}, part } = to
    const key = scopeKey(scope)
    const of = `${alias}[${key}]`
    if (part === 'unit' || part === 'currency') units.push({ of, unitField: part, cell })
    else {
      values.set(of, { name: header, alias, scope, key, cell, units: new Map(), style: styleOf(column, mappedStyle) })
    }
  }
  for (const { of, unitField, cell } of units) values.get(of)?.units.set(unitField, cell)
  return {
    width: cells.length,
    style: mappedStyle,
    fixed,
    values: [...values.values()],
    mapped: {
      categories,
      prepare: (row) => {
        const work = new RowWork()
        return cells.map((read) => read(row, work))
      },
    },
  }
}

/** The number steps fail on an amount that includes its unit, so the style reads these. Undefined: that of the file. */
function styleOf({ with: steps = [] }: ImportColumn, style: CellStyle): CellStyle | undefined {
  const isGrouped = steps.includes('number') && style.numbers === 'dot'
  const numbers = steps.includes('decimalComma') ? 'comma' : isGrouped ? 'grouped' : style.numbers
  const unit = steps.find((step) => typeof step === 'object' && 'unit' in step)?.unit
  return numbers === style.numbers && unit === undefined ? undefined : { ...style, numbers, unit }
}

type CellReader = (row: readonly CsvCell[], work: RowWork) => CsvCell

function cellReader(
  { header, to, with: steps = [], createOptions }: ImportColumn,
  names: ColumnNames,
  schema: Schema,
  { numbers }: CellStyle,
): CellReader {
  const index = names.find(header)
  const attribute = 'field' in to ? undefined : schema.attribute(to.attributeAlias)
  // The attribute's options do not apply to a unit.
  const columnOf = (other: string): number => names.find(other) ?? lacks(other)
  const work = compileSteps(steps, { attribute, numbers, columnOf })
  const name = createOptions === true ? optionNamer(attribute!) : (cell: CsvCell) => cell
  // A default works without a column.
  if (index === undefined && !steps.some((step) => typeof step === 'object' && 'default' in step)) lacks(header)
  return (cells, row) => {
    try {
      return name(work(index === undefined ? null : cells[index]!, { cells, work: row }))
    } catch (error) {
      if (error instanceof StepFault) throw invalid(`The column '${shorten(header)}' ${error.message}`)
      throw error
    }
  }
}

/** Turns names of options into IDs, each once. */
function optionNamer(attribute: Attribute): (cell: CsvCell) => CsvCell {
  const names = optionsOf(attribute)
  return (cell) => {
    const ids = optionTexts(cell, attribute).map((text) => names.find(text) ?? text)
    return ids.length === 0 ? null : [...new Set(ids)].join('|')
  }
}

/** The texts in a cell that name options. @throws StepFault for too many */
export function optionTexts(cell: CsvCell, { dataType }: Pick<Attribute, 'dataType'>): string[] {
  const text = cell === null ? '' : String(cell)
  if (dataType === 'multiSelect') return textsOf(text, '|')
  const name = text.trim()
  return name === '' ? [] : [name]
}

/** @throws VALIDATION_ERROR */
function lacks(header: string): never {
  throw invalid(`The file has no column '${shorten(header)}'`)
}

/** The columns of a file by their headers; equal headers have letters. Steps may look for a hundred thousand headers. */
class ColumnNames {
  readonly #names: readonly string[]
  /** Indexes by name, and by header. */
  readonly #byName: ReadonlyMap<string, readonly number[]>
  readonly #byHeader: ReadonlyMap<string, readonly number[]>

  constructor(headers: readonly string[]) {
    const names = tellApart(headers)
    this.#names = names
    this.#byName = Map.groupBy(names.keys(), (index) => names[index]!)
    this.#byHeader = Map.groupBy(headers.keys(), (index) => headers[index]!)
  }

  /** @throws VALIDATION_ERROR for a header that stands twice */
  find(header: string): number | undefined {
    const wanted = header.trim()
    const found = this.#byName.get(wanted) ?? []
    const twice = found.length > 1 ? found : (this.#byHeader.get(wanted) ?? [])
    if (found.length === 1 || twice.length < 2) return found[0]
    const names = twice.slice(0, 2).map((index) => `'${shorten(this.#names[index]!)}'`)
    throw invalid(`The file has the column '${shorten(header)}' twice: ${names.join(' and ')}`)
  }
}
