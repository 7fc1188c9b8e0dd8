// Keeps imported files on the disk: private to the server, durable, and limited in their total size. Contract 3 §4.
import { lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { PimletError } from '../../kernel/errors.ts'
import { writeChunks } from '../../kernel/machine/chunk-writer.ts'
import { translateFileError, syncDirectory } from '../../kernel/machine/whole-files.ts'

/** Files that are removed when the server ends. */
const TEMPORARY = /\.(?:part|texts)$/

export class Spool {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #sizes = new Map<string, number>()
  #used = 0

  /** `maxBytes`: of all files together. */
  constructor(directory: string, maxBytes: number) {
    this.#directory = directory
    this.#maxBytes = maxBytes
  }

  fileOf(name: string): string {
    return path.join(this.#directory, name)
  }

  has(name: string): boolean {
    return this.#sizes.has(name)
  }

  names(): ReadonlySet<string> {
    return new Set(this.#sizes.keys())
  }

  /**
   * Makes the directory, and removes files not in `known`; undefined: removes only temporary files. Must be called
   * first.
   */
  async sweep(known: ReadonlySet<string> | undefined): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 }).catch(translateFileError)
    if (!(await lstat(this.#directory)).isDirectory())
      throw new PimletError('UNAVAILABLE', `${this.#directory} must be a directory`)
    for (const name of await readdir(this.#directory)) {
      const file = this.fileOf(name)
      if (TEMPORARY.test(name) || known?.has(name) === false) await rm(file, { recursive: true, force: true })
      else this.#note(name, (await stat(file)).size)
    }
  }

  /**
   * Writes a file, and resolves to its size once the file is durable.
   * @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks`
   */
  async write(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const file = await open(this.fileOf(name), 'wx', 0o600).catch(translateFileError)
    let size = 0
    try {
      await writeChunks(file, chunks, (chunk) => {
        size += chunk.length
        this.#note(name, size)
        this.#assertFits(size)
      })
      await file.sync().catch(translateFileError)
      await file.close()
      syncDirectory(this.#directory)
      this.#note(name, size)
      return size
    } catch (error) {
      await file.close().catch(() => undefined)
      await this.remove(name)
      throw error
    }
  }

  async remove(name: string): Promise<void> {
    const size = this.#sizes.get(name)
    // The name is deleted first, so that a concurrent reader finds a missing file instead of a failed reading.
    this.#sizes.delete(name)
    try {
      await rm(this.fileOf(name), { force: true })
      this.#used -= size ?? 0
    } catch (error) {
      if (size !== undefined) this.#sizes.set(name, size)
      throw error
    }
  }

  #note(name: string, size: number): void {
    this.#used += size - (this.#sizes.get(name) ?? 0)
    this.#sizes.set(name, size)
  }

  #assertFits(size: number): void {
    assertSize(size, this.#maxBytes)
    if (this.#used > this.#maxBytes) throw noRoom(this.#maxBytes)
  }
}

/** @throws PAYLOAD_TOO_LARGE */
export function assertSize(size: number, maxBytes: number): void {
  if (size > maxBytes)
    throw new PimletError('PAYLOAD_TOO_LARGE', `The file is larger than ${maxBytes} bytes (--max-import)`)
}

export function noRoom(maxBytes: number): PimletError {
  const message = `All files that wait to be imported may have ${maxBytes} bytes together (--max-import): delete imports, or wait until some are over`
  return new PimletError('PAYLOAD_TOO_LARGE', message)
}
