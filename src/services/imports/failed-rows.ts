// The rows of an import that failed, as they were, each with what is wrong: a csv to be put right and imported again. Contract 3 §4, 3 §10.
import type { CsvCell } from '../../domain/csv/csv-cell.ts'
import { encodeText } from '../../domain/csv/text-encoding.ts'
import type { ImportUpload } from '../../domain/imports/import-upload.ts'
import type { PlacedError } from '../../storage/bulk-port.ts'
import type { Store } from '../../storage/port.ts'
import { readFileRows } from './file-rows.ts'
import type { ImportFiles } from './import-files.ts'

/** Errors that are read at once. */
const AT_ONCE = 500
/** Characters of a chunk. */
const CHUNK = 64 * 1024

interface Failed {
  readonly upload: ImportUpload
  /** undefined: no job has taken the file yet, so that none failed. */
  readonly jobId: string | undefined
}

/** @throws while iterating: UNAVAILABLE, the signal's reason */
export async function* failedRows(
  { store, files }: { readonly store: Store; readonly files: ImportFiles },
  { upload, jobId }: Failed,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const errors = errorsOf(store, jobId)
  let next = await errors.next()
  const { encoding, delimiter } = upload
  const encode = (text: string): Uint8Array => encodeText(text, encoding ?? 'utf-8')
  const write = (cells: readonly CsvCell[]): string =>
    `${cells.map((cell) => toText(cell, delimiter ?? ',')).join(delimiter ?? ',')}\r\n`
  let text = encoding === 'utf-16le' ? '\ufeff' : ''
  const onHeader = async ({ names }: { readonly names: readonly string[] }): Promise<void> => {
    text += write([...names, 'error', 'message'])
  }
  for await (const { line, position } of readFileRows(files, upload, onHeader, signal)) {
    if (next.done === true) break
    if (next.value.place !== position) continue
    const more = [next.value.error, next.value.message]
    next = await errors.next()
    if (line.kind === 'row') text += write([...line.cells, ...more])
    else if (line.kind === 'body')
      text += `${JSON.stringify({ ...(line.body as object), error: more[0], message: more[1] })}\n`
    else text += `${line.raw ?? ''}${line.raw === undefined ? '' : (delimiter ?? ',')}${write(more)}`
    if (text.length < CHUNK) continue
    yield encode(text)
    text = ''
  }
  yield encode(text)
}

/** In the order of the file. */
async function* errorsOf({ read }: Store, jobId: string | undefined): AsyncGenerator<PlacedError, void> {
  if (jobId === undefined) return
  for (let place = 0; ;) {
    const errors = await read.bulkJobs.errorsFrom(jobId, place, AT_ONCE)
    yield* errors
    if (errors.length < AT_ONCE) return
    place = errors.at(-1)!.place
  }
}

/** As it was read: an empty text has quotes, and nothing has none. */
function toText(cell: CsvCell, delimiter: string): string {
  if (cell === null) return ''
  const text = String(cell)
  const isQuoted = text === '' || /["\r\n]/.test(text) || text.includes(delimiter)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
