// Parses the lines of a file of any format. A faulty line does not end the file. Contract 2 §7.
import { PimletError } from '../../kernel/errors.ts'
import type { ArrivingFile, ImportLine } from '../rules/import-outcome.ts'
import type { RawLine } from '../../kernel/json/line-splitter.ts'

/** A text as it arrives. */
export type SourceBytes = Omit<ArrivingFile<Buffer>, 'format'>

type Place = Pick<ImportLine, 'line' | 'size'>
export type LineReader = (bytes: Buffer, at: Place) => ImportLine | undefined

/** Characters of a line whose text is kept. */
const MAX_RAW = 64 * 1024

export function* readLines(lines: Iterable<RawLine>, maxPart: number, read: LineReader): Generator<ImportLine, void> {
  for (const { line, bytes } of lines) {
    // A file may have millions of empty lines, which give nobody a turn.
    if (bytes?.length === 0) continue
    const at = { line, size: bytes?.length ?? 0 }
    let found: ImportLine | undefined
    try {
      if (bytes === undefined)
        throw new PimletError('PAYLOAD_TOO_LARGE', `The line is larger than ${maxPart} bytes (--max-body)`)
      found = read(bytes, at)
    } catch (error) {
      if (!(error instanceof PimletError)) throw error
      const raw = bytes !== undefined && bytes.length <= MAX_RAW ? bytes.toString('utf8') : undefined
      found = { ...at, kind: 'fault', error, raw }
    }
    if (found !== undefined) yield found
  }
}
