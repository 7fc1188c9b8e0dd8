// The formats of exports, by name. Contract 2 §6.
import type { ExportFormat } from '../../domain/exports/export-format.ts'
import { writeCsv } from './csv.ts'
import type { Format } from './format.ts'
import { writeJson } from './json.ts'
import { writeJsonLines } from './jsonl.ts'
import { writeXml } from './xml.ts'

export const formats: Readonly<Record<ExportFormat, Format>> = {
  csv: writeCsv,
  json: writeJson,
  jsonl: writeJsonLines,
  xml: writeXml,
}
