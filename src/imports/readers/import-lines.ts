// From the bytes of a file to its lines: JSON lines, or the rows of a csv. Contract 2 §7.
import { invalid } from '../../kernel/errors.ts'
import type { ImportLine, ImportSource, ReadOptions } from '../rules/import-outcome.ts'
import { scanAndParse } from '../../kernel/json/parse-json.ts'
import { readCsvLines } from './csv-lines.ts'
import { plainLineEnds, splitLines } from '../../kernel/json/line-splitter.ts'
import { type LineReader, readLines, type SourceBytes } from './read-lines.ts'

const OPEN_OBJECT = 0x7b

/** What can be read as it arrives. */
export function readTextLines(format: 'csv' | 'ndjson', source: SourceBytes, asked: ReadOptions): ImportSource {
  return format === 'csv'
    ? readCsvLines(source, asked)
    : { lines: readJsonLines(source, asked.keepsRaw), dialect: () => undefined }
}

async function* readJsonLines(source: SourceBytes, keepsRaw = false): AsyncGenerator<Iterable<ImportLine>, void> {
  const { chunks, maxPart, maxValues, enter } = source
  const readLine: LineReader = (bytes, at) => {
    const line = readJsonLine(bytes, at, maxValues)
    return keepsRaw && line?.kind === 'body' ? { ...line, raw: bytes.toString('utf8') } : line
  }
  for await (const lines of splitLines(chunks, maxPart, plainLineEnds, enter)) yield readLines(lines, maxPart, readLine)
}

/** The service judges the numbers of values, as it does in the body of POST /records. */
const LINE = { what: 'The line', keepsLostIn: new Set(['values']) }

function readJsonLine(bytes: Buffer, at: Pick<ImportLine, 'line' | 'size'>, maxValues: number): ImportLine | undefined {
  if (isBlank(bytes)) return undefined
  const body = scanAndParse(bytes, maxValues, LINE)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('The line must be a JSON object')
  return { ...at, kind: 'body', body }
}

/** What begins with a brace, as lines do, is not. */
function isBlank(bytes: Buffer): boolean {
  return bytes[0] !== OPEN_OBJECT && bytes.toString('utf8').trim() === ''
}
