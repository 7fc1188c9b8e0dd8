// Media types of imported files. Contract 2 §7, 3 §4.
import type { ImportFormat } from './import-outcome.ts'

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const ZIP_TYPE = 'application/zip'

export const MEDIA_TYPES = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  xlsx: XLSX_TYPE,
} as const satisfies Record<ImportFormat, string>
