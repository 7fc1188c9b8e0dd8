// The rows of an import that failed, as they were, each with what is wrong: a csv to be put right and imported again. Contract 3 §4, 3 §10.
import type { CsvCell } from '../../domain/csv/csv-cell.ts'
import { encodeText } from '../../domain/csv/text-encoding.ts'
import type { ImportUpload } from '../../domain/imports/import-upload.ts'
import type { BulkError } from '../../storage/bulk-port.ts'
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
  const errors = jobId === undefined ? new Map<number, BulkError>() : await errorsByLine(store, jobId)
  const { encoding, delimiter } = upload
  const encode = (text: string): Uint8Array => encodeText(text, encoding ?? 'utf-8')
  const write = (cells: readonly CsvCell[]): string =>
    `${cells.map((cell) => toText(cell, delimiter ?? ',')).join(delimiter ?? ',')}\r\n`
  let text = encoding === 'utf-16le' ? '\ufeff' : ''
  const onHeader = async ({ names }: { readonly names: readonly string[] }): Promise<void> => {
    text += write([...names, 'error', 'message'])
  }
  for await (const { line } of readFileRows(files, upload, onHeader, signal)) {
    const found = errors.get(line.line)
    if (found === undefined) continue
    const more = [found.error, found.message]
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

async function errorsByLine({ read }: Store, jobId: string): Promise<Map<number, BulkError>> {
  const found = new Map<number, BulkError>()
  for (let offset = 0; ; offset += AT_ONCE) {
    const errors = await read.bulkJobs.errorsOf(jobId, { offset, limit: AT_ONCE })
    for (const error of errors) if (error.line !== null) found.set(error.line, error)
    if (errors.length < AT_ONCE) return found
  }
}

/** As it was read: an empty text has quotes, and nothing has none. */
function toText(cell: CsvCell, delimiter: string): string {
  if (cell === null) return ''
  const text = String(cell)
  const isQuoted = text === '' || /["\r\n]/.test(text) || text.includes(delimiter)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
