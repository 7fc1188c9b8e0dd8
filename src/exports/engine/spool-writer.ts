// From bytes to a finished file: compression, size and checksum on the way, and durable at the end. Contract 2 §6.
import { createHash } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { translateFileError } from '../../kernel/machine/file-errors.ts'

/** Bytes that wait for compression, which runs beside the rendering: with the default of 16 KiB they would take turns. */
const GZIP_OPTIONS = { chunkSize: 64 * 1024, writableHighWaterMark: 1024 * 1024 }

export interface SpoolFile {
  /** Bytes. */
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/**
 * Writes `bytes` into the existing file instead of what is in it.
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
