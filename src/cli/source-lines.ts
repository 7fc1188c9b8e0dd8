// The lines of a file to import as they are, each with its end and its number: a csv row may go over several. A server reads
// the same lines in it (`imports/import-lines.ts`).
import { CsvRowEnds } from '../imports/csv-rows.ts'
import { type LineEnds, plainLineEnds } from '../imports/line-splitter.ts'
import { StartError } from '../machine/start-error.ts'

/** That has lines. */
export type ImportFormat = 'ndjson' | 'csv'

export interface SourceLine {
  /** Where it begins in the file; the first one is 1. */
  readonly line: number
  readonly bytes: Buffer
  /** Line feeds in it, that at its end included. */
  readonly feeds: number
}

/** Bytes of one line: more than any server takes (`--max-body`). */
const MAX_LINE = 256 * 1024 ** 2
const LINE_FEED = 0x0a

/** @throws StartError for a line that no server would take */
export async function* readSourceLines(
  chunks: AsyncIterable<Buffer>,
  format: ImportFormat,
  delimiter = ',',
): AsyncGenerator<SourceLine, void> {
  const ends: LineEnds = format === 'csv' ? new CsvRowEnds(delimiter) : plainLineEnds
  let parts: Buffer[] = []
  let size = 0
  let line = 1
  const cut = (): SourceLine => {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    const found = { line, bytes, feeds: countFeeds(bytes) }
    parts = []
    size = 0
    line += found.feeds
    return found
  }
  const add = (part: Buffer): void => {
    parts.push(part)
    size += part.length
    if (size > MAX_LINE) throw new StartError(`Line ${line} is larger than 256 MB${format === 'csv' ? HINT : ''}`)
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = ends.find(chunk, 0); end !== -1; end = ends.find(chunk, from)) {
      add(chunk.subarray(from, end + 1))
      from = end + 1
      yield cut()
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  if (size > 0) yield cut()
}

const HINT = ': is a quote in it not closed?'

function countFeeds(bytes: Buffer): number {
  let feeds = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) feeds += 1
  return feeds
}

/** Whether a row of a csv has no cell with anything in it: the header is the first row that has one. */
export function isBlankRow({ bytes }: SourceLine): boolean {
  return /^\ufeff?(?:sep=.)?[,;|\t\r\n]*$/.test(bytes.subarray(0, 100_000).toString('utf8'))
}
