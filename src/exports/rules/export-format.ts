// The formats of an export, by name. Contract 1 §2.9, 2 §6, 3 §4. How each is written is in `exports/formats/`.

/** Formats whose files are text. */
export const TEXT_FORMATS = ['csv', 'json', 'jsonl', 'xml'] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

export const EXPORT_FORMATS = [...TEXT_FORMATS, 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Formats that are a table: a header, and a row for each record. */
const TABLES: readonly ExportFormat[] = ['csv', 'xlsx']

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  xml: 'application/xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The media type of an export's file. */
export function contentTypeOf(format: ExportFormat, isCompressed: boolean): string {
  return isCompressed ? 'application/gzip' : CONTENT_TYPES[format]
}

export function isTable(format: ExportFormat): boolean {
  return TABLES.includes(format)
}

/** The format of a preview: a workbook is shown as a csv. */
export function previewFormat(format: ExportFormat): TextFormat {
  return format === 'xlsx' ? 'csv' : format
}
