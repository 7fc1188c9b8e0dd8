// Reads the files of a zip before their records are written: finds their bytes, and in an import keeps new bytes. Contract
// 4 §4.
import { createHash } from 'node:crypto'
import type { Caller } from '../../core/accounts/caller.ts'
import type { FileName } from '../../core/datatypes/file.ts'
import { isRefusal, PimletError } from '../../kernel/errors.ts'
import { Gate } from '../../kernel/gate.ts'
import type { Archive } from '../readers/archive.ts'
import type { FileGroup, NamedFile } from '../rules/zip-names.ts'
import { fileOf, type ReadFile } from './zip-records.ts'
import type { FoundRecord } from './zip-search.ts'

/** The part of the files of the workspace that a zip needs. */
export interface FileKeeper {
  /**
   * Keeps a file like an upload of the caller.
   * @throws PAYLOAD_TOO_LARGE, PERMISSION_DENIED, UNAVAILABLE, errors of `chunks`
   */
  readonly keep: (
    caller: Caller,
    chunks: AsyncIterable<Uint8Array>,
    fileName: string,
    signal: AbortSignal,
  ) => Promise<FileName>
}

/** Files that are read at the same time. */
const AT_ONCE = 8
/** Bytes of small files that stay in memory until they are kept; further ones are read again. */
const MOST_HELD = 16 * 1024 ** 2

export class ZipReading {
  readonly #zip: Archive
  readonly #files: FileKeeper
  readonly #maxFile: number
  readonly #gate = new Gate({ size: AT_ONCE })
  /** By path. */
  readonly #held = new Map<string, Buffer>()
  #heldBytes = 0

  constructor(zip: Archive, { files, maxFile }: { readonly files: FileKeeper; readonly maxFile: number }) {
    this.#zip = zip
    this.#files = files
    this.#maxFile = maxFile
  }

  /** @param isKept whether `keep` follows, which then finds small files at hand. @throws UNAVAILABLE, the signal's reason */
  read(
    { files }: FileGroup,
    { isKept, signal }: { readonly isKept: boolean; readonly signal: AbortSignal },
  ): Promise<ReadFile[]> {
    return this.#eachOf(files, signal, async (file) => ({ ...file, sha256: await this.#hashOf(file, isKept, signal) }))
  }

  /**
   * Keeps the bytes that the record does not have.
   * @throws UNAVAILABLE, the signal's reason
   */
  async keep(
    caller: Caller,
    files: readonly ReadFile[],
    { held }: FoundRecord,
    { isList, signal }: { readonly isList: boolean; readonly signal: AbortSignal },
  ): Promise<ReadFile[]> {
    const first = files.find(({ error }) => error === undefined)
    const known = new Set(held.keys())
    const wanted = new Set<ReadFile>()
    for (const file of files) {
      if (file.error !== undefined || known.has(file.sha256) || (!isList && file !== first)) continue
      known.add(file.sha256)
      wanted.add(file)
    }
    for (const file of files) if (!wanted.has(file)) this.#letGo(file)
    return this.#eachOf(files, signal, async (file) => {
      if (!wanted.has(file)) return file
      const { fileName } = fileOf(file)
      try {
        await this.#files.keep(caller, this.#chunksOf(file, signal), fileName, signal)
      } finally {
        this.#letGo(file)
      }
      return file
    })
  }

  /** A refusal is the error of its file. Waits for all, so that none goes on behind the job. */
  async #eachOf<File extends NamedFile>(
    files: readonly File[],
    signal: AbortSignal,
    work: (file: File) => Promise<ReadFile>,
  ): Promise<ReadFile[]> {
    const ended = await Promise.allSettled(files.map((file) => this.#gate.run(() => work(file), { signal })))
    signal.throwIfAborted()
    return ended.map((one, index) => {
      if (one.status === 'fulfilled') return one.value
      if (!isRefusal(one.reason)) throw one.reason
      return { sha256: '', ...files[index]!, error: one.reason }
    })
  }

  async #hashOf(file: NamedFile, isKept: boolean, signal: AbortSignal): Promise<string> {
    if (this.#zip.sizeOf(file.path) > this.#maxFile)
      throw new PimletError('PAYLOAD_TOO_LARGE', `The file is larger than ${this.#maxFile} bytes (--max-file)`)
    const hash = createHash('sha256')
    let only: Buffer | undefined
    let chunks = 0
    for await (const chunk of this.#chunksOf(file, signal)) {
      hash.update(chunk)
      chunks += 1
      only = chunk
    }
    if (isKept && chunks === 1 && only !== undefined) this.#hold(file, only)
    return hash.digest('hex')
  }

  #hold({ path }: NamedFile, bytes: Buffer): void {
    if (this.#heldBytes + bytes.length > MOST_HELD) return
    this.#held.set(path, bytes)
    this.#heldBytes += bytes.length
  }

  #letGo({ path }: NamedFile): void {
    this.#heldBytes -= this.#held.get(path)?.length ?? 0
    this.#held.delete(path)
  }

  async *#chunksOf({ path }: NamedFile, signal: AbortSignal): AsyncGenerator<Buffer, void> {
    const held = this.#held.get(path)
    if (held !== undefined) return void (yield held)
    for await (const chunk of this.#zip.read(path)) {
      signal.throwIfAborted()
      yield chunk
    }
  }
}
