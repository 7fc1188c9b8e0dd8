// The formats of an export, by name. Contract 1 §2.9, 2 §6. How each is written is in `exports/formats/`.

export const EXPORT_FORMATS = ['csv', 'json', 'jsonl', 'xml'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  xml: 'application/xml',
}

/** The media type of an export's file. */
export function contentTypeOf(format: ExportFormat, isCompressed: boolean): string {
  return isCompressed ? 'application/gzip' : CONTENT_TYPES[format]
}
