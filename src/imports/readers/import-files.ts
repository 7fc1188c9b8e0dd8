// Gives services imported files, kept or read as they arrive. Contract 2 §7, 3 §4.
import { createReadStream } from 'node:fs'
import type { Encoding } from '../../core/csv/source-dialect.ts'
import { invalid } from '../../kernel/errors.ts'
import { plainLineEnds, splitLines } from '../../kernel/json/line-splitter.ts'
import { scanAndParse } from '../../kernel/json/parse-json.ts'
import type {
  ArrivingFile,
  ImportFormat,
  ImportLine,
  ImportSource,
  ReadOptions,
  ToldDialect,
} from '../rules/import-outcome.ts'
import { decodeBytes } from './csv-decoding.ts'
import { readCsvLines } from './csv-lines.ts'
import { Spool } from './import-spool.ts'
import type { SharedFiles } from '../../store/import-port.ts'
import { keepInPieces, keepOnDisk } from './keeping.ts'
import { peek } from './peeking.ts'
import { type LineReader, readLines, type SourceBytes } from './read-lines.ts'
import { createSheetReading } from './sheet-reading.ts'

interface ImportFilesOptions {
  readonly directory: string
  /** Bytes of all files together. */
  readonly maxBytes: number
  /** Bytes, and values, of one line at most. */
  readonly maxPart: number
  readonly maxValues: number
  /** Storage of files shared by several servers; undefined: files lie in the directory. */
  readonly pieces: SharedFiles | undefined
  readonly onFault: (message: string, error: unknown) => void
}

/** Bytes of the beginning of a csv, usually a few hundred rows. */
const BEGINNING = 256 * 1024
const UTF8_MARK = Buffer.from('\ufeff')
/** Spreadsheets have no dialect. */
const NO_DIALECT: ToldDialect = { delimiter: null, decimal: null, encoding: null }

export function createImportFiles(options: ImportFilesOptions) {
  const { directory, maxBytes, maxPart, maxValues, pieces, onFault } = options
  const spool = new Spool(directory, maxBytes)
  const keeping =
    pieces === undefined
      ? keepOnDisk(spool)
      : keepInPieces(pieces, new Spool(directory, Number.MAX_SAFE_INTEGER), maxBytes)
  const sheets = createSheetReading(onFault)
  let temporaries = 0

  function nameArriving(): string {
    temporaries += 1
    return `arriving-${temporaries}.part`
  }

  async function* readArriving(file: ArrivingFile<Buffer>, { sheet }: ReadOptions, signal: AbortSignal) {
    const name = nameArriving()
    await spool.write(name, file.chunks)
    try {
      yield* sheets.rows(spool.fileOf(name), { sheet, maxPart, maxValues }, signal)
    } finally {
      await spool.remove(name)
    }
  }

  return {
    /** Keeps the files in `known`, which an earlier server kept, and removes all other files. */
    begin: (known: ReadonlySet<string>): Promise<void> => keeping.begin(known),

    /**
     * Reads the lines of a file as it arrives; a spreadsheet is read once it has arrived completely.
     * @throws while iterating: VALIDATION_ERROR, PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks`
     */
    readBody(file: ArrivingFile<Buffer>, how: ReadOptions, signal: AbortSignal): ImportSource {
      if (file.format !== 'xlsx') return readTextLines(file.format, file, how)
      return { lines: readArriving(file, how, signal), dialect: () => NO_DIALECT }
    },

    /**
     * Reads the first complete rows of a csv; undefined: its beginning has none. `file` still yields all of the file.
     * @throws errors of `chunks`
     */
    async beginningOf(file: ArrivingFile<Buffer>) {
      const { sample, isWhole, chunks } = await peek(file.chunks, BEGINNING)
      const size = isWhole ? sample.length : sample.lastIndexOf('\n') + 1
      const some = { ...file, chunks: inOne(sample.subarray(0, size)), enter: undefined }
      return { rows: isWhole || size > 0 ? some : undefined, isWhole, file: { ...file, chunks } }
    },

    /** Holds all of a file on the disk until it is removed. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks` */
    async hold(file: ArrivingFile<Buffer>) {
      const name = nameArriving()
      await spool.write(name, file.chunks)
      const chunks = { [Symbol.asyncIterator]: () => bytesOf(spool.fileOf(name)) }
      return { file: { ...file, chunks }, remove: () => spool.remove(name) }
    },

    /**
     * Keeps a file under a name, and resolves to its size.
     * @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks`
     */
    keep: (name: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => keeping.keep(name, chunks),

    has: (name: string): Promise<boolean> => keeping.has(name),

    /** Names of all kept files. */
    names: (): Promise<ReadonlySet<string>> => keeping.names(),

    /** @throws as `readBody` does */
    read(name: string, format: ImportFormat, how: ReadOptions, signal: AbortSignal): ImportSource {
      if (format !== 'xlsx')
        return readTextLines(format, { chunks: keeping.chunks(name, signal), maxPart, maxValues }, how)
      const read = (file: string) => sheets.rows(file, { sheet: how.sheet, maxPart, maxValues }, signal)
      return { lines: keeping.onDisk(name, read), dialect: () => NO_DIALECT }
    },

    /** Runs work with a kept file on the disk of this server. @throws NOT_FOUND where it is gone, UNAVAILABLE; errors of `work` */
    async withFile<Result>(name: string, work: (file: string) => Promise<Result>): Promise<Result> {
      const [result] = await Array.fromAsync(keeping.onDisk(name, (file) => oneOf(work(file))))
      return result!
    },

    /** Finds the encoding by reading all of a csv. @throws VALIDATION_ERROR for an unsupported encoding */
    async encodingOf(name: string, asked: Encoding | undefined): Promise<Encoding> {
      if (asked !== undefined) return asked
      const { chunks: decoded, encoding, isKnown } = decodeBytes(keeping.chunks(name), undefined)
      const parts = decoded[Symbol.asyncIterator]()
      while (!isKnown() && (await parts.next()).done !== true);
      await parts.return?.()
      return encoding()
    },

    /** Whether a file begins with the mark by which programs know UTF-8. @throws UNAVAILABLE, the signal's reason */
    async isMarked(name: string, signal: AbortSignal): Promise<boolean> {
      for await (const chunk of keeping.chunks(name, signal))
        return UTF8_MARK.equals(chunk.subarray(0, UTF8_MARK.length))
      return false
    },

    /** The names of a spreadsheet's sheets. @throws VALIDATION_ERROR, UNAVAILABLE */
    async sheetsOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
      const [found] = await Array.fromAsync(keeping.onDisk(name, (file) => sheets.sheets(file, signal)))
      return found!
    },

    remove: (name: string): Promise<void> => keeping.remove(name),

    /** Ends all reading under way. */
    close: (): Promise<void> => sheets.close(),
  }
}

export type ImportFiles = ReturnType<typeof createImportFiles>

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file) as AsyncIterable<Buffer>
}

async function* oneOf<Result>(working: Promise<Result>): AsyncGenerator<Result> {
  yield await working
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const OPEN_OBJECT = 0x7b

/** Reads the formats that need not arrive completely first. */
function readTextLines(format: 'csv' | 'ndjson', source: SourceBytes, asked: ReadOptions): ImportSource {
  return format === 'csv'
    ? readCsvLines(source, asked)
    : { lines: readJsonLines(source, asked.keepsRaw), dialect: () => undefined }
}

async function* readJsonLines(source: SourceBytes, keepsRaw = false): AsyncGenerator<Iterable<ImportLine>, void> {
  const { chunks, maxPart, maxValues, enter } = source
  const readLine: LineReader = (bytes, at) => {
    const line = readJsonLine(bytes, at, maxValues)
    return keepsRaw && line?.kind === 'body' ? { ...line, raw: bytes.toString('utf8') } : line
  }
  for await (const lines of splitLines(chunks, maxPart, plainLineEnds, enter)) yield readLines(lines, maxPart, readLine)
}

/** Numbers of values are left to the service, as in the body of POST /records. */
const LINE = { what: 'The line', keepsLostIn: new Set(['values']) }

function readJsonLine(bytes: Buffer, at: Pick<ImportLine, 'line' | 'size'>, maxValues: number): ImportLine | undefined {
  if (isBlank(bytes)) return undefined
  const body = scanAndParse(bytes, maxValues, LINE)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('The line must be a JSON object')
  return { ...at, kind: 'body', body }
}

/** A line that begins with a brace is not blank, and most lines do. */
function isBlank(bytes: Buffer): boolean {
  return bytes[0] !== OPEN_OBJECT && bytes.toString('utf8').trim() === ''
}
