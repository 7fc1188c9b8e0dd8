// The formats of exports, by name, and the way from the parts of a file to its bytes. Contract 2 §6.
import type { ExportFormat, TextFormat } from '../rules/export-format.ts'
import { writeCsv } from './csv.ts'
import type { FilePart, Format, SheetPart } from './format.ts'
import { writeJson, writeJsonLines } from './json-formats.ts'
import { workbookBytes, writeXlsx } from './xlsx.ts'
import { writeXml } from './xml.ts'

export const formats = {
  csv: writeCsv,
  json: writeJson,
  jsonl: writeJsonLines,
  xml: writeXml,
  xlsx: writeXlsx,
} as const satisfies Readonly<Record<TextFormat, Format> & Record<'xlsx', Format<SheetPart>>>

/** Characters that become bytes at a time. */
const CHUNK = 128 * 1024

/** @param parts all of the format */
export function fileBytes(
  format: ExportFormat,
  parts: AsyncIterable<FilePart>,
  sheet: string,
): AsyncGenerator<Buffer, void> {
  return format === 'xlsx'
    ? workbookBytes(parts as AsyncIterable<SheetPart>, sheet)
    : textBytes(parts as AsyncIterable<string>)
}

async function* textBytes(text: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let collected = ''
  for await (const part of text) {
    collected += part
    if (collected.length < CHUNK) continue
    yield Buffer.from(collected)
    collected = ''
  }
  if (collected !== '') yield Buffer.from(collected)
}
