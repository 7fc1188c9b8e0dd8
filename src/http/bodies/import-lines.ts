// From the body of an import to its lines: JSON lines, or the rows of a csv. Contract 2 §7.
import { isUtf8 } from 'node:buffer'
import { invalid, PimletError } from '../../domain/errors.ts'
import type { ImportLine } from '../../domain/records/import.ts'
import type { BodyStream } from './body-stream.ts'
import { CsvRowEnds, readCells } from './csv-rows.ts'
import { type LineEnds, plainLineEnds, type RawLine, splitLines } from './line-splitter.ts'
import { scanAndParse } from './parse-json.ts'

const OPEN_OBJECT = 0x7b

export const IMPORT_TYPES = ['application/x-ndjson', 'text/csv'] as const

type ImportBody = BodyStream<(typeof IMPORT_TYPES)[number]>
type Place = Pick<ImportLine, 'line' | 'size'>
type Reader = (bytes: Buffer, at: Place) => ImportLine | undefined

/** Some lines at a time, as they arrive. @throws VALIDATION_ERROR for a csv without a header that can be read */
export function readImportLines(body: ImportBody): AsyncGenerator<Iterable<ImportLine>, void> {
  return body.contentType === 'text/csv' ? readCsv(body) : readJsonLines(body)
}

async function* readJsonLines(body: ImportBody): AsyncGenerator<Iterable<ImportLine>, void> {
  const readLine: Reader = (bytes, at) => readJsonLine(bytes, at, body.maxValues)
  for await (const lines of linesOf(body, plainLineEnds)) yield readLines(lines, body.maxPart, readLine)
}

function linesOf({ chunks, maxPart, enter }: ImportBody, ends: LineEnds): AsyncGenerator<Iterable<RawLine>, void> {
  return splitLines(chunks, maxPart, ends, enter)
}

async function* readCsv(body: ImportBody): AsyncGenerator<Iterable<ImportLine>, void> {
  let width: number | undefined
  const readRow: Reader = (bytes, at) => {
    if (!isUtf8(bytes)) throw invalid('The line is not valid UTF-8')
    const cells = readCells(bytes.toString('utf8'), body.maxValues)
    if (cells.every((cell) => cell === null)) return undefined
    if (width === undefined) {
      width = cells.length
      return { ...at, kind: 'header', names: cells.map((cell) => cell?.trim() ?? '') }
    }
    if (cells.length !== width) throw invalid(`The row has ${cells.length} cells, and the header has ${width}`)
    return { ...at, kind: 'row', cells }
  }
  const afterHeader = function* (lines: Iterable<ImportLine>): Generator<ImportLine, void> {
    for (const line of lines) {
      if (width === undefined && line.kind === 'fault')
        throw invalid(`The header of the csv cannot be read: ${line.error.message}`)
      yield line
    }
  }
  for await (const lines of linesOf(body, new CsvRowEnds())) yield afterHeader(readLines(lines, body.maxPart, readRow))
  if (width === undefined) throw invalid('The csv is empty: a header is expected')
}

function* readLines(lines: Iterable<RawLine>, maxPart: number, read: Reader): Generator<ImportLine, void> {
  for (const { line, bytes } of lines) {
    const at = { line, size: bytes?.length ?? 0 }
    let found: ImportLine | undefined
    try {
      if (bytes === undefined)
        throw new PimletError('PAYLOAD_TOO_LARGE', `The line is larger than ${maxPart} bytes (--max-body)`)
      found = read(bytes, at)
    } catch (error) {
      if (!(error instanceof PimletError)) throw error
      found = { ...at, kind: 'fault', error }
    }
    if (found !== undefined) yield found
  }
}

/** The service judges the numbers of values, as it does in the body of POST /records. */
const LINE = { what: 'The line', keepsLostIn: new Set(['values']) }

function readJsonLine(bytes: Buffer, at: Place, maxValues: number): ImportLine | undefined {
  if (isBlank(bytes)) return undefined
  const body = scanAndParse(bytes, maxValues, LINE)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('The line must be a JSON object')
  return { ...at, kind: 'body', body }
}

/** What begins with a brace, as lines do, is not. */
function isBlank(bytes: Buffer): boolean {
  return bytes[0] !== OPEN_OBJECT && bytes.toString('utf8').trim() === ''
}
