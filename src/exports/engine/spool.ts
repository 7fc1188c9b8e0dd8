// The spool: rendered files until they are delivered, and for a day if the delivery failed. Private to the server.
// Contract 2 §6, 3 §5.
import { createHash } from 'node:crypto'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  rm,
  stat,
  writeFile,
  constants,
  type FileHandle,
  open,
} from 'node:fs/promises'
import path from 'node:path'
import type { RenderedFile } from '../rules/export-run.ts'
import type { ExportFile } from '../../kernel/destination.ts'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { streamFile } from '../../kernel/machine/file-chunks.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'

export interface Spool {
  /**
   * Makes the spool directory if it is missing.
   * @throws UnsafeSpool for a link: its target may belong to somebody else
   */
  prepare(): Promise<void>
  /** Removes the present files, except the files of the runs that `keep` then returns. */
  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void>
  /** Absolute path of a run's file. */
  fileOf(runId: string): string
  /** Absolute path of the list of records in the file. */
  memberFileOf(runId: string): string
  /** Absolute path of the list of files that go with the file. */
  listFileOf(runId: string): string
  /** Absolute path of the list of the files that the destination has. */
  knownFileOf(runId: string): string
  /** Absolute path of the list of the entries of a zip. */
  entryFileOf(runId: string): string
  /** Absolute path of one file while it is delivered. */
  partFileOf(runId: string, number: number): string
  /** Whether the run's file is there, of this size in bytes. */
  has(runId: string, size: number): Promise<boolean>
  /** Shares the file of one run with another. Rejects if there is no file. */
  share(from: string, to: string): Promise<void>
  /** Removes the file of the run, if there is one. */
  remove(runId: string): Promise<void>
}

/** The spool directory does not belong to the server (it is a link). The message is for the person who starts the server. */
export class UnsafeSpool extends Error {
  override readonly name = 'UnsafeSpool'
}

export const CHECKSUM_ENDING = '.sha256'
const MEMBER_ENDING = '.members'
const LIST_ENDING = '.files'
const KNOWN_ENDING = '.known'
const ENTRY_ENDING = '.entries'
const ENDINGS = ['', CHECKSUM_ENDING, MEMBER_ENDING, LIST_ENDING, KNOWN_ENDING, ENTRY_ENDING]

export function createSpool(directory: string): Spool {
  const fileOf = (runId: string): string => path.join(directory, runId)
  return {
    async prepare() {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      if (!(await lstat(directory)).isDirectory())
        throw new UnsafeSpool(
          `${directory} must be a directory: a server empties it, and will not empty what a link leads to`,
        )
      await chmod(directory, 0o700)
    },
    async sweep(keep) {
      const names = await readdir(directory)
      if (names.length === 0) return
      const runIds = await keep()
      for (const name of names) {
        const [runId = ''] = name.split('.')
        if (!runIds.has(runId)) await rm(path.join(directory, name), { recursive: true, force: true })
      }
    },
    fileOf,
    memberFileOf: (runId) => fileOf(runId) + MEMBER_ENDING,
    listFileOf: (runId) => fileOf(runId) + LIST_ENDING,
    knownFileOf: (runId) => fileOf(runId) + KNOWN_ENDING,
    entryFileOf: (runId) => fileOf(runId) + ENTRY_ENDING,
    partFileOf: (runId, number) => `${fileOf(runId)}.part-${number}`,
    has: async (runId, size) => (await stat(fileOf(runId)).catch(() => undefined))?.size === size,
    // Not every file system has hard links.
    share: (from, to) => link(fileOf(from), fileOf(to)).catch(() => copyFile(fileOf(from), fileOf(to))),
    async remove(runId) {
      for (const ending of ENDINGS) await rm(fileOf(runId) + ending, { force: true })
    },
  }
}

/** A finished spool file, in the form that destinations receive. */
export function asExportFile(spoolFile: string, facts: Omit<ExportFile, 'path' | 'open'>): ExportFile {
  return { ...facts, path: spoolFile, open: (range) => streamFile(spoolFile, facts.size, range) }
}

/** The checksum file, which is delivered beside the file; `sha256sum -c` reads this format. */
export async function makeChecksumFile(spoolFile: string, { name, sha256 }: RenderedFile): Promise<ExportFile> {
  const content = Buffer.from(`${sha256}  ${name}\n`)
  const file = spoolFile + CHECKSUM_ENDING
  await writeFile(file, content, { mode: 0o600 })
  return asExportFile(file, {
    name: name + CHECKSUM_ENDING,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    contentType: 'text/plain; charset=utf-8',
    isChecksum: true,
  })
}

/** Bytes that wait for compression, which runs beside the rendering: with the default of 16 KiB they would take turns. */
const GZIP_OPTIONS = { chunkSize: 64 * 1024, writableHighWaterMark: 1024 * 1024 }

export interface SpoolFile {
  /** Bytes. */
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/**
 * Replaces the content of the existing file.
 * @throws UNAVAILABLE when storage is full or not writable
 */
export async function writeSpoolFile(
  path: string,
  bytes: AsyncIterable<Buffer>,
  options: { compress: boolean; signal: AbortSignal; size?: { written: number } },
): Promise<SpoolFile> {
  const { compress, signal, size = { written: 0 } } = options
  const file = await open(path, constants.O_WRONLY | constants.O_TRUNC).catch(translateFileError)
  try {
    const hash = createHash('sha256')
    size.written = 0
    const write = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) {
        hash.update(chunk)
        size.written += chunk.length
        await writeAll(file, chunk)
      }
    }
    if (compress) await pipeline(bytes, createGzip(GZIP_OPTIONS), write, { signal })
    else await pipeline(bytes, write, { signal })
    await file.sync()
    return { size: size.written, sha256: hash.digest('hex') }
  } catch (error) {
    return translateFileError(error)
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  let written = 0
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten
}
