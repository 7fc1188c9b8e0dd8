// The formats of exports whose columns are named: what each makes of rows. Contract 3 §11.
import type { ColumnValue } from '../../domain/exports/columns.ts'
import type { CsvDialect } from '../../domain/exports/csv-dialect.ts'
import type { ExportFormat } from '../../domain/exports/export-format.ts'
import { csvLines } from './csv-lines.ts'
import { xmlRows } from './xml.ts'

export interface ColumnFormatOptions {
  readonly headers: readonly string[]
  readonly dialect: CsvDialect
}

/** Writes one export: `begin`, `write` for one batch of rows after another, `end`. */
export interface ColumnWriter {
  begin(): string
  write(rows: readonly (readonly ColumnValue[])[]): string
  end(): string
}

export type ColumnFormat = (options: ColumnFormatOptions) => ColumnWriter

const writeCsv: ColumnFormat = ({ headers, dialect }) => ({
  begin: () => (dialect.bom ? '\uFEFF' : '') + csvLines([[...headers]], false, dialect),
  write: (rows) =>
    csvLines(
      rows.map((row) => row.map(({ cell }) => cell)),
      false,
      dialect,
    ),
  end: () => '',
})

const writeJson: ColumnFormat = ({ headers }) => {
  let separator = '\n'
  return {
    begin: () => '[',
    write: (rows) => {
      let text = ''
      for (const row of rows) {
        text += separator + rowJson(headers, row)
        separator = ',\n'
      }
      return text
    },
    end: () => '\n]\n',
  }
}

const writeJsonLines: ColumnFormat = ({ headers }) => ({
  begin: () => '',
  write: (rows) => rows.map((row) => `${rowJson(headers, row)}\n`).join(''),
  end: () => '',
})

const writeXml: ColumnFormat = ({ headers }) => xmlRows(headers)

export const columnFormats: Readonly<Record<ExportFormat, ColumnFormat>> = {
  csv: writeCsv,
  json: writeJson,
  jsonl: writeJsonLines,
  xml: writeXml,
}

/** In the order of the columns, whatever they are called: an object would put those first that are numbers. */
function rowJson(headers: readonly string[], row: readonly ColumnValue[]): string {
  return `{${row.map(({ json }, index) => `${JSON.stringify(headers[index])}:${JSON.stringify(json)}`).join(',')}}`
}
