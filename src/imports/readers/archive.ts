// Streams the parts of a zip archive one after another, and refuses parts that differ from the directory. Home of
// yauzl. Contract 3 §4.
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32, inflateRaw } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { invalid, PimletError, shorten } from '../../kernel/errors.ts'
import { MAX_ZIP_FILES, type SkippedEntries } from '../rules/import-upload.ts'
import { isSkipped } from '../rules/zip-names.ts'
import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'

/** The part that names the beginning of a workbook. */
export const ROOT = '_rels/.rels'

/** The purpose of an archive, and its limits. */
interface ArchiveKind {
  /** For messages. */
  readonly name: string
  readonly maxParts: number
  /** Bytes of all unpacked parts together, and of the directory. */
  readonly maxUnpacked: number
  readonly maxDirectory: number
  /** Whether a part is left out. */
  readonly skips: (path: string) => boolean
}

export const WORKBOOK: ArchiveKind = {
  name: 'xlsx',
  maxParts: 10_000,
  maxUnpacked: 2 * 1024 ** 3,
  maxDirectory: 4 * 1024 ** 2,
  skips: () => false,
}
/** Files for records. Besides these, a zip may have entries that are no files. */
export const FILES: ArchiveKind = {
  name: 'zip',
  maxParts: 4 * MAX_ZIP_FILES,
  maxUnpacked: 128 * 1024 ** 3,
  maxDirectory: 32 * 1024 ** 2,
  skips: (path) => path !== ROOT && isSkipped(path),
}
/** Skipped entries that are named. */
const MAX_SKIPPED = 20

/** Largest ratio of unpacked to packed size of a large part. Typed text reaches about 10, zip bombs about 1000. */
const MAX_RATIO = 200
/** Bytes. A smaller part may have any ratio. */
const SMALL_PART = 16 * 1024 ** 2
/** Bytes of one directory entry. Real names and extra fields are far shorter. */
const MAX_ENTRY = 8 * 1024
/** Characters of the path of a file. */
const MAX_PATH = 1000
/** Bytes of a directory entry before its name. */
const ENTRY_HEAD = 46

/** Refuses most malicious archives by their directory alone, before any part is unpacked. @throws VALIDATION_ERROR */
export async function assertWorkbookArchive(file: string): Promise<void> {
  const archive = await Archive.open(file, WORKBOOK)
  const isWorkbook = archive.has(ROOT)
  archive.close()
  if (!isWorkbook) throw noWorkbook()
}

export function noWorkbook(): PimletError {
  return invalid('The file is an archive, but no xlsx')
}

export class Archive {
  readonly #kind: ArchiveKind
  readonly #zip: ZipFile
  readonly #file: FileHandle
  readonly #parts: ReadonlyMap<string, Entry>
  readonly skipped: SkippedEntries

  private constructor(kind: ArchiveKind, { zip, file }: Opened, { parts, skipped }: Directory) {
    this.#kind = kind
    this.#zip = zip
    this.#file = file
    this.#parts = parts
    this.skipped = skipped
  }

  /** @throws VALIDATION_ERROR for a file that is no archive, or an archive that is too large */
  static async open(file: string, kind: ArchiveKind): Promise<Archive> {
    await assertArchive(file, kind)
    // Only a workbook may have backslashes in its names.
    const how = { lazyEntries: true, autoClose: false, strictFileNames: kind === FILES } as const
    const zip = await openPromise(file, how).catch((error: unknown) => unreadable(error, kind))
    try {
      if (zip.entryCount > kind.maxParts) throw invalid(`The ${kind.name} has more than ${kind.maxParts} parts`)
      const directory = await readDirectory(zip, kind)
      return new Archive(kind, { zip, file: await open(file) }, directory)
    } catch (error) {
      zip.close()
      throw error
    }
  }

  has(name: string): boolean {
    return this.#parts.has(name)
  }

  /** In the order of the directory. */
  names(): Iterable<string> {
    return this.#parts.keys()
  }

  get size(): number {
    return this.#parts.size
  }

  /** Returns the unpacked bytes of a part. */
  sizeOf(name: string): number {
    return this.#parts.get(name)?.uncompressedSize ?? 0
  }

  /** A small part comes in one chunk. @throws VALIDATION_ERROR for a missing or damaged part */
  async *read(name: string): AsyncGenerator<Buffer, void> {
    const what = this.#kind.name
    const entry = this.#parts.get(name)
    if (entry === undefined) throw invalid(`The ${what} lacks the part '${name}'`)
    if (!entry.canDecodeFileData()) throw invalid(`The ${what} is protected by a password, or packed in an unusual way`)
    let sum = 0
    try {
      for await (const chunk of await this.#chunksOf(entry)) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      unreadable(error, this.#kind)
    }
    if (sum !== entry.crc32) throw invalid(`The part '${name}' of the ${what} is damaged`)
  }

  close(): void {
    this.#zip.close()
    // A file that was only read has nothing to lose.
    this.#file.close().catch(() => undefined)
  }

  async #chunksOf(entry: Entry): Promise<AsyncIterable<Buffer> | readonly Buffer[]> {
    if (!isSmall(entry)) return this.#zip.openReadStreamPromise(entry)
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true })
    return [await readSmallPart(this.#file, fileDataStart, entry)]
  }
}

/** Two ways to the same file: yauzl reads from its own. */
interface Opened {
  readonly zip: ZipFile
  readonly file: FileHandle
}

interface Directory {
  readonly parts: ReadonlyMap<string, Entry>
  readonly skipped: SkippedEntries
}

async function readDirectory(zip: ZipFile, kind: ArchiveKind): Promise<Directory> {
  const parts = new Map<string, Entry>()
  const skipped: string[] = []
  let others = 0
  const limits = new Limits(zip, kind)
  try {
    for await (const entry of zip.eachEntry()) {
      limits.take(entry)
      const name = nameOf(entry)
      // Extra fields are many small objects that nobody reads.
      entry.extraFields = []
      if (kind.skips(name)) {
        if (skipped.length < MAX_SKIPPED) skipped.push(name)
        else others += 1
        continue
      }
      if (parts.has(name)) throw invalid(`The ${kind.name} has the part '${shorten(name)}' twice`)
      if (kind === FILES) assertPlain(name, entry)
      parts.set(name, entry)
    }
  } catch (error) {
    unreadable(error, kind)
  }
  return { parts, skipped: { files: skipped.length + others, samples: skipped } }
}

/** Refuses bombs by the sizes in the directory of the archive. */
class Limits {
  readonly #zip: ZipFile
  readonly #kind: ArchiveKind
  #unpacked = 0
  #packed = 0
  #told = 0

  constructor(zip: ZipFile, kind: ArchiveKind) {
    this.#zip = zip
    this.#kind = kind
  }

  /** @throws VALIDATION_ERROR */
  take(entry: Entry): void {
    const { name, maxDirectory, maxUnpacked } = this.#kind
    const length = ENTRY_HEAD + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    this.#told += length
    if (length > MAX_ENTRY || this.#told > maxDirectory) throw invalid(`The directory of the ${name} is too large`)
    this.#unpacked += entry.uncompressedSize
    this.#packed += entry.compressedSize
    if (this.#unpacked > maxUnpacked) throw tooLarge(name, `at most ${maxUnpacked} bytes are taken`)
    if (entry.uncompressedSize > Math.max(SMALL_PART, MAX_RATIO * entry.compressedSize))
      throw tooLarge(name, `at most ${MAX_RATIO} times the packed size`)
    if (this.#packed > this.#zip.fileSize) throw invalid(`The ${name} has parts that lie over one another`)
  }
}

/** Parts of a workbook that are not read need not be plain. @throws VALIDATION_ERROR */
function assertPlain(name: string, entry: Entry): void {
  if (name.length > MAX_PATH) throw invalid(`The zip has a path of more than ${MAX_PATH} characters`)
  if (name.includes('\0')) throw invalid('The zip has a path with the character NUL')
  if (entry.canDecodeFileData()) return
  const why = entry.isEncrypted()
    ? 'protected by a password'
    : `packed by the method ${entry.compressionMethod}: only deflate, and none, are read`
  throw invalid(`The part '${shorten(name)}' of the zip is ${why}`)
}

function tooLarge(what: string, limit: string): PimletError {
  return invalid(`The ${what} would be too large when it is unpacked: ${limit}`)
}

async function assertArchive(file: string, { name }: ArchiveKind): Promise<void> {
  let head = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { end: 7 })) head = Buffer.concat([head, chunk as Buffer])
  if (head.subarray(0, 2).toString('latin1') === 'PK') return
  const isOld = name === 'xlsx' && head.toString('hex') === 'd0cf11e0a1b11ae1'
  throw invalid(
    isOld
      ? 'The file is no xlsx but an older spreadsheet (xls), or one that is protected by a password: save it as xlsx'
      : `The file is no ${name}`,
  )
}

/** Names that yauzl refuses. */
const OUTSIDE = /^(?:invalid characters in fileName|absolute path|invalid relative path): ([\s\S]*)$/

/** Errors of yauzl and of unpacking are faults of the file; errors of the disk are not. */
function unreadable(error: unknown, { name }: ArchiveKind): never {
  if (error instanceof PimletError || (error instanceof Error && 'syscall' in error)) throw error
  const [, outside] = OUTSIDE.exec(error instanceof Error ? error.message : '') ?? []
  if (outside !== undefined)
    throw invalid(
      `The ${name} has the part '${shorten(outside)}': a name must not leave the ${name}, nor have a backslash`,
    )
  throw invalid(`The ${name} is damaged or incomplete`)
}

/** The name in an entry of the directory of a zip. */
interface NamedPart {
  /** The name as the zip gives it. */
  readonly fileName: string
  readonly fileNameRaw: Buffer
  readonly extraFields: readonly { readonly id: number }[]
  readonly generalPurposeBitFlag: number
}

const IS_UTF8 = 0x800
/** Says a name in UTF-8, beside the one in another encoding. */
const UNICODE_PATH = 0x7075

/** macOS and other systems write UTF-8 without the flag for UTF-8. */
function nameOf({ fileName, fileNameRaw, extraFields, generalPurposeBitFlag }: NamedPart): string {
  const isSaid = (generalPurposeBitFlag & IS_UTF8) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)
  return !isSaid && isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8') : fileName
}

/** Sizes and method in an entry of the directory of a zip. */
interface PackedPart {
  readonly compressedSize: number
  readonly uncompressedSize: number
  readonly compressionMethod: number
}

/** Packed and unpacked bytes. */
const SMALL = 1024 ** 2
const STORED = 0
const inflate = promisify(inflateRaw)

/** yauzl reads 64 KiB at a time, and of one part at a time: a small part is read at once. */
function isSmall({ compressedSize, uncompressedSize }: PackedPart): boolean {
  return Math.max(compressedSize, uncompressedSize) <= SMALL
}

/** The unpacked bytes. @param start where the packed bytes begin. @throws an error for a damaged part, the system's error */
async function readSmallPart(file: FileHandle, start: number, part: PackedPart): Promise<Buffer> {
  const packed = Buffer.allocUnsafeSlow(part.compressedSize)
  for (let at = 0; at < packed.length;) {
    const { bytesRead } = await file.read(packed, at, packed.length - at, start + at)
    if (bytesRead === 0) throw new Error('the part ends before its last byte')
    at += bytesRead
  }
  if (part.compressionMethod === STORED) return packed
  const bytes = await inflate(packed, { maxOutputLength: Math.max(1, part.uncompressedSize) })
  if (bytes.length !== part.uncompressedSize) throw new Error('the part has another size than the directory says')
  return bytes
}
