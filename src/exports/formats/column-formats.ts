// The formats of exports with named columns: each turns rows into parts of a file. Contract 3 §5, 3 §11.
import type { ColumnValue } from '../rules/column-rows.ts'
import { type CsvDialect, LIST_SEPARATOR } from '../../core/csv/csv-dialect.ts'
import type { ExportFormat } from '../rules/export-format.ts'
import { DELETED_COLUMN } from '../../core/csv/csv-columns.ts'
import { type Cell, csvLines } from './csv.ts'
import type { CellForm, FilePart } from './format.ts'
import { deletedJson } from './json-formats.ts'
import { dateCell } from './xlsx.ts'
import type { XmlDocument } from '../rules/xml-document.ts'
import { xmlRows } from './xml.ts'
import { xmlDocument } from './xml-document-writer.ts'

interface ColumnFormatOptions {
  readonly headers: readonly string[]
  /** The date format of each column, if it has dates. */
  readonly forms: readonly (CellForm | undefined)[]
  /** The column of a record's ID; -1: there is none. */
  readonly idColumn: number
  readonly dialect: CsvDialect
  /** null: the plain document. */
  readonly xml: XmlDocument | null
  /** Of each column in the document. */
  readonly elements: readonly string[]
  readonly spreadsheetSafe: boolean
  /** See `FormatOptions`. */
  readonly isDelta: boolean
}

/** Writes one export: `begin`, `write` for one batch of rows after another, `end`. */
interface ColumnWriter {
  begin(): FilePart
  write(rows: readonly (readonly ColumnValue[])[]): FilePart
  writeDeleted(ids: readonly string[]): FilePart
  end(): FilePart
}

type ColumnFormat = (options: ColumnFormatOptions) => ColumnWriter

const writeCsv: ColumnFormat = (options) => {
  const { dialect, spreadsheetSafe } = options
  const lines = (rows: (readonly Cell[])[]): string => csvLines(rows, spreadsheetSafe, dialect)
  return {
    begin: () => (dialect.bom ? '\uFEFF' : '') + lines([headerOf(options)]),
    write: (rows) =>
      lines(
        rows.map((row) =>
          withoutMark(
            row.map((value): Cell => cellOf(value, dialect)),
            options,
          ),
        ),
      ),
    writeDeleted: (ids) => lines(ids.map((id) => deletedRow(id, options))),
    end: () => '',
  }
}

const writeXlsx: ColumnFormat = (options) => ({
  begin: () => ({ columns: headerOf(options).map((header, index) => ({ header, form: options.forms[index] })) }),
  write: (rows) => ({
    rows: rows.map((row) =>
      withoutMark(
        row.map((value) => {
          const { cell, form } = value
          return form !== undefined && typeof cell === 'string' ? dateCell(cell, form) : cellOf(value, options.dialect)
        }),
        options,
      ),
    ),
  }),
  writeDeleted: (ids) => ({ rows: ids.map((id) => deletedRow(id, options)) }),
  end: () => ({ rows: [] }),
})

const writeJson: ColumnFormat = ({ headers }) => {
  let separator = '\n'
  const list = (items: readonly string[]): string => {
    let text = ''
    for (const item of items) {
      text += separator + item
      separator = ',\n'
    }
    return text
  }
  return {
    begin: () => '[',
    write: (rows) => list(rows.map((row) => rowJson(headers, row))),
    writeDeleted: (ids) => list(ids.map(deletedJson)),
    end: () => '\n]\n',
  }
}

const writeJsonLines: ColumnFormat = ({ headers }) => ({
  begin: () => '',
  write: (rows) => rows.map((row) => `${rowJson(headers, row)}\n`).join(''),
  writeDeleted: (ids) => ids.map((id) => `${deletedJson(id)}\n`).join(''),
  end: () => '',
})

const writeXml: ColumnFormat = ({ headers, xml, elements }) =>
  xml === null ? xmlRows(headers) : { ...xmlDocument(xml, elements), writeDeleted: () => '' }

export const columnFormats: Readonly<Record<ExportFormat, ColumnFormat>> = {
  csv: writeCsv,
  json: writeJson,
  jsonl: writeJsonLines,
  xml: writeXml,
  xlsx: writeXlsx,
}

function cellOf({ cell, list }: ColumnValue, { separator }: CsvDialect): ColumnValue['cell'] {
  return list === undefined || separator === LIST_SEPARATOR ? cell : list.join(separator)
}

function headerOf({ headers, isDelta }: ColumnFormatOptions): string[] {
  return isDelta ? [...headers, DELETED_COLUMN] : [...headers]
}

function withoutMark<Item>(row: (Item | null)[], { isDelta }: ColumnFormatOptions): (Item | null)[] {
  return isDelta ? [...row, null] : row
}

function deletedRow(id: string, { headers, idColumn }: ColumnFormatOptions): (string | boolean | null)[] {
  return [...headers.map((_header, index) => (index === idColumn ? id : null)), true]
}

/** Members keep the order of the columns. An object would move numeric names to the front. */
function rowJson(headers: readonly string[], row: readonly ColumnValue[]): string {
  return `{${row.map(({ json }, index) => `${JSON.stringify(headers[index])}:${JSON.stringify(json)}`).join(',')}}`
}
