// Declares where imported files are kept, and how they are read. `src/imports/readers/import-files.ts` implements this.
// Contract 2 §7, 3 §4.
import type { Encoding } from '../core/csv/source-dialect.ts'
import type { ArrivingFile, ImportFormat, ImportSource, ReadOptions } from './rules/import-outcome.ts'

interface Beginning {
  /** Undefined: the beginning has no complete row. */
  readonly rows: ArrivingFile<Buffer> | undefined
  /** Whether `rows` are all rows of the file. */
  readonly isWhole: boolean
  readonly file: ArrivingFile<Buffer>
}

interface HeldFile {
  /** Can be read more than once. */
  readonly file: ArrivingFile<Buffer>
  readonly remove: () => Promise<void>
}

export interface ImportFiles {
  /** Reads the lines of a file as it arrives. */
  readBody(file: ArrivingFile<Buffer>, how: ReadOptions, signal: AbortSignal): ImportSource
  /** Reads the first complete rows of a csv; `file` still yields all of the file. @throws errors of `chunks` */
  beginningOf(file: ArrivingFile<Buffer>): Promise<Beginning>
  /** Holds all of a file on the disk until it is removed. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks` */
  hold(file: ArrivingFile<Buffer>): Promise<HeldFile>
  /** Keeps a file under a name, and resolves to its size. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks` */
  keep(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  has(name: string): Promise<boolean>
  /** Names of all kept files. */
  names(): Promise<ReadonlySet<string>>
  /** Reads the lines of a kept file. @throws while iterating: VALIDATION_ERROR, UNAVAILABLE */
  read(name: string, format: ImportFormat, how: ReadOptions, signal: AbortSignal): ImportSource
  /** Finds the encoding by reading all of a csv. */
  encodingOf(name: string, asked: Encoding | undefined): Promise<Encoding>
  /** The names of a spreadsheet's sheets. @throws VALIDATION_ERROR, UNAVAILABLE */
  sheetsOf(name: string, signal: AbortSignal): Promise<readonly string[]>
  remove(name: string): Promise<void>
}
