// RFC 4180 with a header, UTF-8, CRLF. Decisions §6. Which columns there are is said in `domain/csv-columns.ts`.
import { stringify } from 'csv-stringify/sync'
import { ColumnSurvey, type CsvColumns } from '../../domain/csv-columns.ts'
import { type ExportedRecord, FIXED_FIELDS } from '../../domain/flatten.ts'
import { scopeKey } from '../../domain/scope.ts'
import { textFormOf, unitOf } from '../../domain/value-text.ts'
import type { Format, FormatOptions } from './format.ts'

/** null is a cell with nothing in it (no value), '' a quoted one (an empty text or list). */
type Row = (string | null)[]

/** What spreadsheets begin a formula with, or skip before they look for one; also in full width. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

export const writeCsv: Format = (options) => {
  const survey = new ColumnSurvey()
  // A flat export has the same columns whatever records there are.
  if (options.isFlat) for (const attribute of options.attributes) survey.add(attribute, {})
  let columns: CsvColumns | undefined
  const known = (): CsvColumns => (columns ??= survey.layOut(options.attributes, options.dimensions))
  return {
    survey: options.isFlat ? undefined : (record) => surveyRecord(survey, record),
    begin: () => rowsText([[...known().names]]),
    write: (records) => rowsText(records.map((record) => rowOf(record, known(), options))),
    end: () => '',
  }
}

function surveyRecord(survey: ColumnSurvey, { attributes }: ExportedRecord): void {
  for (const { attribute, values } of attributes) for (const { scope } of values) survey.add(attribute, scope)
}

function rowOf({ head, attributes }: ExportedRecord, columns: CsvColumns, options: FormatOptions): Row {
  const row: Row = Array.from<string | null>({ length: columns.names.length }).fill(null)
  for (const [index, field] of FIXED_FIELDS.entries()) row[index] = head[field]
  for (const { attribute, values } of attributes) {
    const { toText, unitField, isLiteral } = textFormOf(attribute)
    const cells = columns.cells.get(attribute.alias)
    for (const { scope, value } of values) {
      const place = cells!.get(options.isFlat ? '' : scopeKey(scope))!
      const text = toText(value)
      row[place.text] = options.spreadsheetSafe && !isLiteral ? disarm(text) : text
      if (unitField === undefined) continue
      const unit = unitOf(value, unitField)
      row[place.units.get(unitField)!] = options.spreadsheetSafe ? disarm(unit) : unit
    }
  }
  return row
}

function disarm(text: string): string {
  return BEGINS_FORMULA.test(text) ? `'${text}` : text
}

function rowsText(rows: readonly Row[]): string {
  // `quoted_match`: left alone it quotes for CRLF, and not for one of both.
  return stringify(rows as Row[], { record_delimiter: 'windows', quoted_match: /[\r\n]/, quoted_empty: true })
}
