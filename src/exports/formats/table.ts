// Exported records as rows of a table, for csv and xlsx. Contract 2 §6, 3 §4. `core/csv/csv-columns.ts` decides the columns.
import { ColumnSurvey, type CsvColumns, DELETED_COLUMN, TAKEN_NAMES } from '../../core/csv/csv-columns.ts'
import { LIST_SEPARATOR, PLAIN_CSV } from '../../core/csv/csv-dialect.ts'
import { unitOf } from '../../core/datatypes/data-type.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { type ExportedRecord, FIXED_FIELDS } from '../../core/records/rules/exported-record.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { scopeKey } from '../../core/scopes/scope.ts'
import type { FormatOptions } from './format.ts'

/** How cells are made. */
export interface Cells<Cell> {
  readonly ofField: (text: string | null, field: (typeof FIXED_FIELDS)[number]) => Cell | null
  readonly ofValue: (value: unknown, attribute: Attribute) => Cell
  readonly ofUnit: (unit: string) => Cell
  /** The mark of a deleted record. */
  readonly deleted: Cell
}

/** Returns a function from a value to its cell. The dialect's separator joins the members of a list. */
export function cellsOfValues({
  isExact = false,
  dialect: { separator } = PLAIN_CSV,
}: FormatOptions): (value: unknown, attribute: Attribute) => string | number | boolean {
  return (value, attribute) => {
    const { toCell, toExactCell = toCell, keysPerValue } = dataTypeOf(attribute)
    if (keysPerValue === 'many' && separator !== LIST_SEPARATOR) return (value as readonly string[]).join(separator)
    return isExact ? toExactCell(value) : toCell(value)
  }
}

interface Table<Cell> {
  readonly survey: ((record: ExportedRecord) => void) | undefined
  /** The columns of all surveyed records. */
  begin(): CsvColumns & { readonly header: readonly string[] }
  rows(records: readonly ExportedRecord[]): (Cell | null)[][]
  deletedRows(ids: readonly string[]): (Cell | null)[][]
  mustBeginAgain(): boolean
}

export function createTable<Cell>(
  { isFlat, attributes, dimensions, isDelta = false, hasDeltas = false }: FormatOptions,
  cells: Cells<Cell>,
): Table<Cell> {
  const seen = new ColumnSurvey()
  // The columns of a flat export do not depend on the records.
  if (isFlat) for (const attribute of attributes) seen.add(attribute, {})
  const survey = (record: ExportedRecord): void => surveyRecord(seen, record)
  let columns: CsvColumns
  let isLacking = false
  const add = (rows: (Cell | null)[][], record: ExportedRecord): void => {
    const row = isLacking ? undefined : rowOf(record, columns, isFlat, cells)
    if (row !== undefined) return void rows.push(isDelta ? [...row, null] : row)
    isLacking = true
    survey(record)
  }
  return {
    survey: isFlat ? undefined : survey,
    begin() {
      columns = seen.layOut(attributes, dimensions, hasDeltas ? TAKEN_NAMES : undefined)
      isLacking = false
      return { ...columns, header: isDelta ? [...columns.names, DELETED_COLUMN] : columns.names }
    },
    rows(records) {
      const rows: (Cell | null)[][] = []
      for (const record of records) add(rows, record)
      return rows
    },
    deletedRows: (ids) => ids.map((id) => [cells.ofField(id, 'id'), ...columns.empty.slice(1), cells.deleted]),
    mustBeginAgain: () => isLacking,
  }
}

function surveyRecord(seen: ColumnSurvey, { attributes }: ExportedRecord): void {
  for (const { attribute, values } of attributes) for (const { scope } of values) seen.add(attribute, scope)
}

/** Returns undefined if one of the record's values has no column. */
function rowOf<Cell>(
  { head, attributes }: ExportedRecord,
  columns: CsvColumns,
  isFlat: boolean,
  cells: Cells<Cell>,
): (Cell | null)[] | undefined {
  const row: (Cell | null)[] = columns.empty.slice()
  for (let index = 0; index < FIXED_FIELDS.length; index += 1) {
    const field = FIXED_FIELDS[index]!
    row[index] = cells.ofField(head[field], field)
  }
  for (const { attribute, values } of attributes) {
    const { unitField } = dataTypeOf(attribute)
    const places = columns.cells.get(attribute.alias)
    for (const { scope, value } of values) {
      const place = places?.get(isFlat ? '' : scopeKey(scope))
      if (place === undefined) return undefined
      row[place.text] = cells.ofValue(value, attribute)
      if (unitField === undefined) continue
      const unitPlace = place.units.get(unitField)
      if (unitPlace === undefined) return undefined
      row[unitPlace] = cells.ofUnit(unitOf(value, unitField))
    }
  }
  return row
}
