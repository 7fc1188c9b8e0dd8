// From the body of an import to its lines: JSON lines, or the rows of a csv. Decisions §7.
import { isUtf8 } from 'node:buffer'
import { invalid, PimletError } from '../domain/errors.ts'
import type { ImportLine } from '../domain/import.ts'
import { parseJson } from './body.ts'
import type { BodyStream } from './body-stream.ts'
import { CsvRowEnds, readCells } from './csv-rows.ts'
import { plainLineEnds, type RawLine, splitLines } from './line-splitter.ts'

export const IMPORT_TYPES = ['application/x-ndjson', 'text/csv'] as const

type ImportBody = BodyStream<(typeof IMPORT_TYPES)[number]>
type Place = Pick<ImportLine, 'line' | 'size'>
type Reader = (text: string, at: Place) => ImportLine | undefined

/** Some lines at a time, as they arrive. @throws VALIDATION_ERROR for a csv without a header that can be read */
export function readImportLines(body: ImportBody): AsyncGenerator<Iterable<ImportLine>, void> {
  return body.contentType === 'text/csv' ? readCsv(body) : readJsonLines(body)
}

async function* readJsonLines({ chunks, maxPart }: ImportBody): AsyncGenerator<Iterable<ImportLine>, void> {
  for await (const lines of splitLines(chunks, maxPart, plainLineEnds)) yield readLines(lines, maxPart, readJsonLine)
}

async function* readCsv({ chunks, maxPart }: ImportBody): AsyncGenerator<Iterable<ImportLine>, void> {
  let width: number | undefined
  const readRow: Reader = (text, at) => {
    const cells = readCells(text)
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
  for await (const lines of splitLines(chunks, maxPart, new CsvRowEnds()))
    yield afterHeader(readLines(lines, maxPart, readRow))
  if (width === undefined) throw invalid('The csv is empty: a header is expected')
}

function* readLines(lines: Iterable<RawLine>, maxPart: number, read: Reader): Generator<ImportLine, void> {
  for (const { line, bytes } of lines) {
    const at = { line, size: bytes?.length ?? 0 }
    let found: ImportLine | undefined
    try {
      if (bytes === undefined) throw new PimletError('PAYLOAD_TOO_LARGE', `The line is larger than ${maxPart} bytes`)
      if (!isUtf8(bytes)) throw invalid('The line is not valid UTF-8')
      found = read(bytes.toString('utf8'), at)
    } catch (error) {
      if (!(error instanceof PimletError)) throw error
      found = { ...at, kind: 'fault', error }
    }
    if (found !== undefined) yield found
  }
}

const readJsonLine: Reader = (text, at) => {
  if (text.trim() === '') return undefined
  const body = parseJson(text, 'The line')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('The line must be a JSON object')
  return { ...at, kind: 'body', body }
}
