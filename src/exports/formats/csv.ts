// RFC 4180 with a header, UTF-8, CRLF. Contract 2 §6. Which columns there are is said in `domain/csv/csv-columns.ts`.
import { ColumnSurvey, type CsvColumns } from '../../domain/csv/csv-columns.ts'
import { unitOf } from '../../domain/datatypes/data-type.ts'
import { dataTypeOf } from '../../domain/datatypes/data-types.ts'
import { PLAIN_CSV } from '../../domain/exports/csv-dialect.ts'
import { type ExportedRecord, FIXED_FIELDS } from '../../domain/exports/flatten.ts'
import { scopeKey } from '../../domain/scopes/scope.ts'
import { type Cell, csvLines } from './csv-lines.ts'
import type { Format } from './format.ts'

export const writeCsv: Format = ({ isFlat, spreadsheetSafe, attributes, dimensions, dialect = PLAIN_CSV }) => {
  const seen = new ColumnSurvey()
  // A flat export has the same columns whatever records there are.
  if (isFlat) for (const attribute of attributes) seen.add(attribute, {})
  const survey = (record: ExportedRecord): void => surveyRecord(seen, record)
  let columns: CsvColumns
  let isLacking = false
  const addRow = (rows: Cell[][], record: ExportedRecord): void => {
    const cells = isLacking ? undefined : cellsOf(record, columns, isFlat)
    if (cells !== undefined) return void rows.push(cells)
    isLacking = true
    survey(record)
  }
  return {
    survey: isFlat ? undefined : survey,
    begin() {
      columns = seen.layOut(attributes, dimensions)
      isLacking = false
      return (dialect.bom ? '\uFEFF' : '') + csvLines([columns.names], spreadsheetSafe, dialect)
    },
    write(records) {
      const rows: Cell[][] = []
      for (const record of records) addRow(rows, record)
      return csvLines(rows, spreadsheetSafe, dialect)
    },
    end: () => '',
    mustBeginAgain: () => isLacking,
  }
}

function surveyRecord(seen: ColumnSurvey, { attributes }: ExportedRecord): void {
  for (const { attribute, values } of attributes) for (const { scope } of values) seen.add(attribute, scope)
}

/** undefined where there is no column for one of its values. */
function cellsOf({ head, attributes }: ExportedRecord, columns: CsvColumns, isFlat: boolean): Cell[] | undefined {
  const row: Cell[] = columns.empty.slice()
  for (let index = 0; index < FIXED_FIELDS.length; index += 1) row[index] = head[FIXED_FIELDS[index]!]
  for (const { attribute, values } of attributes) {
    const { toCell, unitField } = dataTypeOf(attribute)
    const cells = columns.cells.get(attribute.alias)
    for (const { scope, value } of values) {
      const place = cells?.get(isFlat ? '' : scopeKey(scope))
      if (place === undefined) return undefined
      row[place.text] = toCell(value)
      if (unitField === undefined) continue
      const unitPlace = place.units.get(unitField)
      if (unitPlace === undefined) return undefined
      row[unitPlace] = unitOf(value, unitField)
    }
  }
  return row
}
