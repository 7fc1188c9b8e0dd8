// RFC 4180 with a header, UTF-8, CRLF. Contract 2 §6.
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import { PLAIN_CSV } from '../../core/csv/csv-dialect.ts'
import { type Cell, csvLines } from './csv-text.ts'
import type { Format } from './format.ts'
import { type Cells, createTable } from './table.ts'

const CELLS: Cells<Cell> = {
  ofField: (text) => text,
  ofValue: (value, attribute) => dataTypeOf(attribute).toCell(value),
  ofUnit: (unit) => unit,
  deleted: true,
}

export const writeCsv: Format = (options) => {
  const { spreadsheetSafe, dialect = PLAIN_CSV } = options
  const table = createTable(options, CELLS)
  const lines = (rows: (readonly Cell[])[]): string => csvLines(rows, spreadsheetSafe, dialect)
  return {
    survey: table.survey,
    begin: () => (dialect.bom ? '\uFEFF' : '') + lines([table.begin().header]),
    write: (records) => lines(table.rows(records)),
    writeDeleted: (ids) => lines(table.deletedRows(ids)),
    end: () => '',
    mustBeginAgain: () => table.mustBeginAgain(),
  }
}
