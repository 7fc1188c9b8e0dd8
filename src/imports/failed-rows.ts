// Streams the failed rows of an import with the reason of each. Users can correct the csv and import it again. Contract
// 3 §4, 3 §10.
import type { CsvCell } from '../core/csv/csv-cell.ts'
import type { Encoding } from '../core/csv/source-dialect.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import { allCells } from './rules/placed-cells.ts'
import type { PlacedError } from '../store/bulk-port.ts'
import type { Store } from '../store/port.ts'
import type { FileLine } from './rules/import-outcome.ts'
import { readFileRows } from './file-rows.ts'
import type { ImportFiles } from './readers/import-files.ts'

/** Character → byte. */
const TO_1252 = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_none, byte) => byte)),
    (one, byte) => [one, byte],
  ),
)
const QUESTION = 0x3f

/** Errors read by one query. */
const AT_ONCE = 500
/** Characters per chunk. */
const CHUNK = 64 * 1024

interface Failed {
  readonly upload: ImportUpload
  /** undefined: no job has taken the file yet, so no row has failed. */
  readonly jobId: string | undefined
}

/** @throws while iterating: UNAVAILABLE, the signal's reason */
export async function* failedRows(
  { store, files }: { readonly store: Store; readonly files: ImportFiles },
  { upload, jobId }: Failed,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (upload.format === 'zip') return yield* failedFiles(errorsOf(store, jobId))
  const errors = errorsOf(store, jobId)
  let next = await errors.next()
  const { encoding } = upload
  const encode = (text: string): Uint8Array => encodeText(text, encoding ?? 'utf-8')
  const isMarked = encoding === 'utf-16le' || (encoding === 'utf-8' && (await files.isMarked(upload.id, signal)))
  let text = isMarked ? '\ufeff' : ''
  for await (const { line, position } of readFileRows(files, upload, signal, true)) {
    if (line.kind === 'header') {
      text += csvRow([...line.names, 'error', 'message'], upload)
      continue
    }
    if (next.done === true) break
    if (next.value.place !== position) continue
    text += failedRow(line, next.value, upload)
    next = await errors.next()
    if (text.length < CHUNK) continue
    yield encode(text)
    text = ''
  }
  yield encode(text)
}

/** The row as the file had it, with the reason behind it. */
function failedRow(line: FileLine, { error, message }: PlacedError, upload: ImportUpload): string {
  if (line.kind === 'row') return csvRow([...line.cells, error, message], upload)
  if (line.kind === 'fault' && line.cells !== undefined)
    return csvRow([...allCells(line.cells), error, message], upload)
  if (upload.format === 'ndjson') return withReason(line.raw ?? '{}', error, message)
  return `${line.raw ?? ''}${upload.delimiter ?? ','}${csvRow([error, message], upload)}`
}

function csvRow(cells: readonly CsvCell[], { delimiter }: ImportUpload): string {
  return `${cells.map((cell) => toText(cell, delimiter ?? ',')).join(delimiter ?? ',')}\r\n`
}

/** The errors of the job as a whole have no file. */
async function* failedFiles(errors: AsyncIterable<PlacedError>): AsyncGenerator<Uint8Array, void> {
  let text = 'file,error,message\r\n'
  for await (const { file = null, error, message } of errors) {
    text += `${[file, error, message].map((cell) => toText(cell, ',')).join(',')}\r\n`
    if (text.length < CHUNK) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

/** Yields the errors in the order of the file. */
async function* errorsOf({ read }: Store, jobId: string | undefined): AsyncGenerator<PlacedError, void> {
  if (jobId === undefined) return
  for (let place = 0; ;) {
    const errors = await read.bulkJobs.errorsFrom(jobId, place, AT_ONCE)
    yield* errors
    if (errors.length < AT_ONCE) return
    place = errors.at(-1)!.place
  }
}

/** The two members that an earlier import added to a line of JSON. */
const ADDED = /(?:,|(?<=\{))"error":"[A-Z_]+","message":"(?:[^"\\]|\\.)*"\}$/

/**
 * Keeps the text of the values, because parsing and writing would change some numbers. A line that is no object is
 * returned unchanged.
 */
function withReason(line: string, error: string, message: string): string {
  const text = line.trimEnd()
  if (!isObject(text)) return `${line.replace(/\r$/, '')}\n`
  const members = text.replace(ADDED, '}').slice(0, -1).trimEnd()
  const separator = members.endsWith('{') ? '' : ','
  return `${members}${separator}"error":${JSON.stringify(error)},"message":${JSON.stringify(message)}}\n`
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Writes a cell as it was read: an empty text has quotes, a missing value has none. */
function toText(cell: CsvCell, delimiter: string): string {
  if (cell === null) return ''
  const text = String(cell)
  const isQuoted = text === '' || /["\r\n]/.test(text) || text.includes(delimiter)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

/** Characters outside the encoding become question marks. */
function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding !== 'windows-1252') return Buffer.from(text, encoding)
  return Uint8Array.from(text, (character) => TO_1252.get(character) ?? QUESTION)
}
