// Reads the rows of a kept file by position, starting behind a given one. A job reads the rows once in each round.
// Contract 3 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportUpload } from './rules/import-upload.ts'
import type { PimletError } from '../kernel/errors.ts'
import type { FileLine, ImportLine, ImportSource } from './rules/import-outcome.ts'
import type { ImportFiles } from './readers/import-files.ts'

export interface FileRow<Line = FileLine> {
  /** From 1; the header has the position 0. */
  readonly position: number
  readonly line: Line
  /** Why the row cannot be imported, as far as known. */
  readonly error?: PimletError | undefined
}

/** Milliseconds of reading before the event loop gets a turn. */
const MAX_TURN = 2
/** Positions requested at once. */
const AT_ONCE = 500

/** Yields the header, too. A zip of files has no rows. @throws VALIDATION_ERROR, UNAVAILABLE, the signal's reason */
export async function* readFileRows(
  files: ImportFiles,
  { id, format, delimiter, decimal, encoding, sheet }: ImportUpload,
  signal: AbortSignal,
  keepsRaw = false,
): AsyncGenerator<FileRow<ImportLine>, void> {
  const how = {
    delimiter: delimiter ?? undefined,
    decimal: decimal ?? undefined,
    encoding: encoding ?? undefined,
    sheet: sheet ?? undefined,
    keepsRaw,
  }
  if (format === 'zip') return
  yield* rowsOf(files.read(id, format, how, signal), signal)
}

/** Yields the header and the rows of any source. @throws as `readFileRows` does */
export async function* rowsOf(
  { lines }: Pick<ImportSource, 'lines'>,
  signal: AbortSignal,
): AsyncGenerator<FileRow<ImportLine>, void> {
  let position = 0
  let turn = performance.now()
  for await (const some of lines)
    for (const line of some) {
      if (line.kind !== 'header') position += 1
      yield { position, line }
      if (performance.now() - turn < MAX_TURN) continue
      await nextTurn()
      signal.throwIfAborted()
      turn = performance.now()
    }
}

/** Yields the rows behind the position `after`. */
export async function* rowsBehind(rows: AsyncIterable<FileRow>, after: number): AsyncGenerator<FileRow, void> {
  for await (const row of rows) if (row.position > after) yield row
}

/** Yields the rows at the positions that `next` gives in batches, in rising order, behind a given position. */
export async function* rowsAt(
  rows: AsyncIterable<FileRow>,
  after: number,
  next: (after: number, limit: number) => Promise<readonly { readonly position: number }[]>,
): AsyncGenerator<FileRow, void> {
  let wanted = await next(after, AT_ONCE)
  let at = 0
  for await (const row of rows) {
    if (at === wanted.length) return
    if (row.position !== wanted[at]!.position) continue
    yield row
    at += 1
    if (at < wanted.length) continue
    wanted = await next(row.position, AT_ONCE)
    at = 0
  }
}
