// Streams the parts of a zip archive one after another, and refuses parts that differ from the directory. Home of
// yauzl. Contract 3 §4.
import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { invalid, PimletError } from '../../kernel/errors.ts'

/** Bytes of all unpacked parts together. */
const MAX_UNPACKED = 2 * 1024 ** 3
/** Largest ratio of unpacked to packed size of a large part. Typed text reaches about 10, zip bombs about 1000. */
const MAX_RATIO = 200
/** Bytes. A smaller part may have any ratio. */
const SMALL_PART = 16 * 1024 ** 2
const MAX_PARTS = 10_000
/** Bytes of one directory entry, and of all. Real names and extra fields are far shorter. */
const MAX_ENTRY = 8 * 1024
const MAX_DIRECTORY = 4 * 1024 ** 2
/** Bytes of a directory entry before its name. */
const ENTRY_HEAD = 46

/** Refuses most malicious archives by their directory alone, before any part is unpacked. @throws VALIDATION_ERROR */
export async function assertWorkbookArchive(file: string): Promise<void> {
  const archive = await Archive.open(file)
  const isWorkbook = archive.has(ROOT)
  archive.close()
  if (!isWorkbook) throw noWorkbook()
}

/** The part that names the beginning of a workbook. */
const ROOT = '_rels/.rels'

export function noWorkbook(): PimletError {
  return invalid('The file is an archive, but no xlsx')
}

export class Archive {
  readonly #zip: ZipFile
  readonly #parts: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#parts = parts
  }

  /** @throws VALIDATION_ERROR for a file that is no archive, or an archive that is too large */
  static async open(file: string): Promise<Archive> {
    await assertArchive(file)
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(unreadable)
    try {
      if (zip.entryCount > MAX_PARTS) throw invalid(`The xlsx has more than ${MAX_PARTS} parts`)
      return new Archive(zip, await readParts(zip))
    } catch (error) {
      zip.close()
      throw error
    }
  }

  has(name: string): boolean {
    return this.#parts.has(name)
  }

  /** Returns the unpacked bytes of a part. */
  sizeOf(name: string): number {
    return this.#parts.get(name)?.uncompressedSize ?? 0
  }

  /** @throws VALIDATION_ERROR for a missing or damaged part */
  async *read(name: string): AsyncGenerator<Buffer, void> {
    const entry = this.#parts.get(name)
    if (entry === undefined) throw invalid(`The xlsx lacks the part '${name}'`)
    if (!entry.canDecodeFileData()) throw invalid('The xlsx is protected by a password, or packed in an unusual way')
    let sum = 0
    try {
      const stream = await this.#zip.openReadStreamPromise(entry)
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        sum = crc32(chunk, sum)
        yield chunk
      }
    } catch (error) {
      unreadable(error)
    }
    if (sum !== entry.crc32) throw invalid(`The part '${name}' of the xlsx is damaged`)
  }

  close(): void {
    this.#zip.close()
  }
}

async function readParts(zip: ZipFile): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>()
  let size = 0
  let told = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const length = ENTRY_HEAD + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      told += length
      if (length > MAX_ENTRY || told > MAX_DIRECTORY) throw invalid('The directory of the xlsx is too large')
      // Extra fields are many small objects that nobody reads.
      entry.extraFields = []
      size += entry.uncompressedSize
      if (size > MAX_UNPACKED) throw tooLarge(`at most ${MAX_UNPACKED} bytes are taken`)
      if (entry.uncompressedSize > Math.max(SMALL_PART, MAX_RATIO * entry.compressedSize))
        throw tooLarge(`at most ${MAX_RATIO} times what it is packed to`)
      if (parts.has(entry.fileName)) throw invalid('The xlsx has a part twice')
      parts.set(entry.fileName, entry)
    }
  } catch (error) {
    unreadable(error)
  }
  return parts
}

function tooLarge(limit: string): PimletError {
  return invalid(`The xlsx would be too large when it is unpacked: ${limit}`)
}

async function assertArchive(file: string): Promise<void> {
  let head = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { end: 7 })) head = Buffer.concat([head, chunk as Buffer])
  if (head.subarray(0, 2).toString('latin1') === 'PK') return
  const isOld = head.toString('hex') === 'd0cf11e0a1b11ae1'
  throw invalid(
    isOld
      ? 'The file is no xlsx but an older spreadsheet (xls), or one that is protected by a password: save it as xlsx'
      : 'The file is no xlsx',
  )
}

/** Errors of yauzl and of unpacking are faults of the file; errors of the disk are not. */
function unreadable(error: unknown): never {
  if (error instanceof PimletError || (error instanceof Error && 'syscall' in error)) throw error
  throw invalid('The xlsx is damaged or incomplete')
}
