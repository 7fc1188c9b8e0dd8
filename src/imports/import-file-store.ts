// Where files lie that are imported, and how they are read: `src/imports/readers/import-files.ts` is it. Contract 2 §7, 3 §4.
import type { Encoding } from '../core/csv/source-dialect.ts'
import type { ArrivingFile, ImportFormat, ImportSource, ReadOptions } from './rules/import-outcome.ts'

interface Beginning {
  /** Undefined: not even one has an end yet. */
  readonly rows: ArrivingFile<Buffer> | undefined
  /** Whether these are all. */
  readonly isWhole: boolean
  readonly file: ArrivingFile<Buffer>
}

interface HeldFile {
  /** Can be read more than once. */
  readonly file: ArrivingFile<Buffer>
  readonly remove: () => Promise<void>
}

export interface ImportFiles {
  /** What a file says as it arrives. */
  readBody(file: ArrivingFile<Buffer>, how: ReadOptions, signal: AbortSignal): ImportSource
  /** The rows that a csv begins with, without one that is cut off; `file`: all of it. @throws what `chunks` throws */
  beginningOf(file: ArrivingFile<Buffer>): Promise<Beginning>
  /** All of a file on the disk, until it is removed. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, what `chunks` throws */
  hold(file: ArrivingFile<Buffer>): Promise<HeldFile>
  /** Keeps a file under a name, and resolves to its size. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, what `chunks` throws */
  keep(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  has(name: string): Promise<boolean>
  /** Of all kept files. */
  names(): Promise<ReadonlySet<string>>
  /** What a kept file says. @throws while iterating: VALIDATION_ERROR, UNAVAILABLE */
  read(name: string, format: ImportFormat, how: ReadOptions, signal: AbortSignal): ImportSource
  /** Of all of a csv. */
  encodingOf(name: string, asked: Encoding | undefined): Promise<Encoding>
  /** The names of a spreadsheet's sheets. @throws VALIDATION_ERROR, UNAVAILABLE */
  sheetsOf(name: string, signal: AbortSignal): Promise<readonly string[]>
  remove(name: string): Promise<void>
}
