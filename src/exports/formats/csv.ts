// RFC 4180 with a header, UTF-8, CRLF. Decisions §6. Which columns there are is said in `domain/csv-columns.ts`.
import { stringify } from 'csv-stringify/sync'
import { ColumnSurvey, type CsvColumns } from '../../domain/csv-columns.ts'
import { type ExportedRecord, FIXED_FIELDS } from '../../domain/flatten.ts'
import { scopeKey } from '../../domain/scope.ts'
import { textFormOf, unitOf } from '../../domain/value-text.ts'
import type { Format, FormatOptions } from './format.ts'

/** null is a cell with nothing in it (no value), '' a quoted one (an empty text or list). */
type Row = (string | number | boolean | null)[]

export const writeCsv: Format = (options) => {
  const survey = new ColumnSurvey()
  // A flat export has the same columns whatever records there are.
  if (options.isFlat) for (const attribute of options.attributes) survey.add(attribute, {})
  let columns: CsvColumns | undefined
  const known = (): CsvColumns => (columns ??= survey.layOut(options.attributes, options.dimensions))
  return {
    survey: options.isFlat ? undefined : (record) => surveyRecord(survey, record),
    begin: () => rowsText([[...known().names]], options),
    write: (records) =>
      rowsText(
        records.map((record) => rowOf(record, known(), options)),
        options,
      ),
    end: () => '',
  }
}

function surveyRecord(survey: ColumnSurvey, { attributes }: ExportedRecord): void {
  for (const { attribute, values } of attributes) for (const { scope } of values) survey.add(attribute, scope)
}

function rowOf({ head, attributes }: ExportedRecord, columns: CsvColumns, { isFlat }: FormatOptions): Row {
  const row: Row = Array.from<Row[number]>({ length: columns.names.length }).fill(null)
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

function rowsText(rows: readonly Row[], { spreadsheetSafe }: FormatOptions): string {
  return stringify(rows as Row[], {
    record_delimiter: 'windows',
    // An empty text is written as "", no value as nothing. A lone CR or LF is quoted as CRLF is by itself.
    quoted_match: /^$|[\r\n]/,
    // Texts that begin with = + - @ tab or CR (or their full-width forms); negative numbers stay numbers.
    escape_formulas: spreadsheetSafe,
    cast: { boolean: String },
  })
}
