// RFC 4180 with a header, UTF-8, CRLF. Decisions §6. Which columns there are is said in `domain/csv-columns.ts`.
import { ColumnSurvey, type CsvColumns } from '../../domain/csv-columns.ts'
import { type ExportedRecord, FIXED_FIELDS } from '../../domain/flatten.ts'
import { scopeKey } from '../../domain/scope.ts'
import { textFormOf, unitOf } from '../../domain/value-text.ts'
import { type Cell, csvLine } from './csv-line.ts'
import type { Format, FormatOptions } from './format.ts'

export const writeCsv: Format = (options) => {
  const survey = new ColumnSurvey()
  // A flat export has the same columns whatever records there are.
  if (options.isFlat) for (const attribute of options.attributes) survey.add(attribute, {})
  let columns: CsvColumns | undefined
  const known = (): CsvColumns => (columns ??= survey.layOut(options.attributes, options.dimensions))
  return {
    survey: options.isFlat ? undefined : (record) => surveyRecord(survey, record),
    begin: () => csvLine(known().names, options.spreadsheetSafe),
    write: (records) => {
      let text = ''
      for (const record of records) text += csvLine(rowOf(record, known(), options), options.spreadsheetSafe)
      return text
    },
    end: () => '',
  }
}

function surveyRecord(survey: ColumnSurvey, { attributes }: ExportedRecord): void {
  for (const { attribute, values } of attributes) for (const { scope } of values) survey.add(attribute, scope)
}

function rowOf({ head, attributes }: ExportedRecord, columns: CsvColumns, { isFlat }: FormatOptions): readonly Cell[] {
  const row = new Array<Cell>(columns.names.length).fill(null)
  for (const [index, field] of FIXED_FIELDS.entries()) row[index] = head[field]
  for (const { attribute, values } of attributes) {
    const { toCell, unitField } = textFormOf(attribute)
    const cells = columns.cells.get(attribute.alias)
    for (const { scope, value } of values) {
      const place = cells!.get(isFlat ? '' : scopeKey(scope))!
      row[place.text] = toCell(value)
      if (unitField !== undefined) row[place.units.get(unitField)!] = unitOf(value, unitField)
    }
  }
  return row
}
