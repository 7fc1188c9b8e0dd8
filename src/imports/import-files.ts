// Files that are imported, as services see them: kept, or read as they arrive. Contract 2 §7, 3 §4.
import { createReadStream } from 'node:fs'
import type { Encoding } from '../domain/csv/source-dialect.ts'
import type { ArrivingFile, ImportFormat, ImportSource, ReadOptions, ToldDialect } from '../domain/records/import.ts'
import { decodeBytes } from './csv-decoding.ts'
import { readTextLines } from './import-lines.ts'
import { createSheetReading } from './sheet-reading.ts'
import { Spool } from './spool.ts'

export interface ImportFilesOptions {
  readonly directory: string
  /** Bytes of all files together. */
  readonly maxBytes: number
  /** Bytes, and values, that one line may have. */
  readonly maxPart: number
  readonly maxValues: number
  readonly onFault: (message: string, error: unknown) => void
}

/** A spreadsheet has none. */
const NO_DIALECT: ToldDialect = { delimiter: null, decimal: null, encoding: null }

/** Bytes that are read at a time. */
const CHUNK = 64 * 1024

export function createImportFiles({ directory, maxBytes, maxPart, maxValues, onFault }: ImportFilesOptions) {
  const spool = new Spool(directory, maxBytes)
  const sheets = createSheetReading(onFault)
  let temporaries = 0

  async function* readArriving(file: ArrivingFile<Buffer>, { sheet }: ReadOptions, signal: AbortSignal) {
    temporaries += 1
    const name = `arriving-${temporaries}.part`
    await spool.write(name, file.chunks)
    try {
      yield* sheets.rows(spool.fileOf(name), { sheet, maxPart, maxValues }, signal)
    } finally {
      await spool.remove(name)
    }
  }

  return {
    /** Keeps the files `known`, which an earlier server has kept, and removes others. */
    begin: (known: ReadonlySet<string>): Promise<void> => spool.sweep(known),

    /**
     * What a file says as it arrives; a spreadsheet when it is there to its end.
     * @throws while iterating: VALIDATION_ERROR, PAYLOAD_TOO_LARGE, UNAVAILABLE, what `chunks` throws
     */
    readBody(file: ArrivingFile<Buffer>, how: ReadOptions, signal: AbortSignal): ImportSource {
      if (file.format !== 'xlsx') return readTextLines(file.format, file, how)
      return { lines: readArriving(file, how, signal), dialect: () => NO_DIALECT }
    },

    /** Keeps a file under a name, and resolves to its size. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, what `chunks` throws */
    keep: (name: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => spool.write(name, chunks),

    has: (name: string): boolean => spool.has(name),

    /** Throws as `readBody` does. */
    read(name: string, format: ImportFormat, how: ReadOptions, signal: AbortSignal): ImportSource {
      const file = spool.fileOf(name)
      if (format !== 'xlsx') {
        const chunks = createReadStream(file, { highWaterMark: CHUNK, signal }) as AsyncIterable<Buffer>
        return readTextLines(format, { chunks, maxPart, maxValues }, how)
      }
      const lines = sheets.rows(file, { sheet: how.sheet, maxPart, maxValues }, signal)
      return { lines, dialect: () => NO_DIALECT }
    },

    /** Of all of a csv. @throws VALIDATION_ERROR for one that is not taken */
    async encodingOf(name: string, asked: Encoding | undefined): Promise<Encoding> {
      if (asked !== undefined) return asked
      const chunks = createReadStream(spool.fileOf(name), { highWaterMark: CHUNK }) as AsyncIterable<Buffer>
      const { chunks: decoded, encoding, isKnown } = decodeBytes(chunks, undefined)
      const parts = decoded[Symbol.asyncIterator]()
      while (!isKnown() && (await parts.next()).done !== true);
      await parts.return?.()
      return encoding()
    },

    /** The names of a spreadsheet's sheets. @throws VALIDATION_ERROR, UNAVAILABLE */
    sheetsOf: (name: string, signal: AbortSignal): Promise<readonly string[]> =>
      sheets.sheets(spool.fileOf(name), signal),

    remove: (name: string): Promise<void> => spool.remove(name),

    /** Ends what is being read. */
    close: (): Promise<void> => sheets.close(),
  }
}

export type StoredImportFiles = ReturnType<typeof createImportFiles>
