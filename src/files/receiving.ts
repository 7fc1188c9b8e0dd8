// Receives the bytes of a file: streamed to the disk in constant memory, and hashed on the way. Contract 4 §1.
import { createHash } from 'node:crypto'
import { open, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { PimletError } from '../kernel/errors.ts'
import { writeChunks } from '../kernel/machine/chunk-writer.ts'
import { translateFileError } from '../kernel/machine/whole-files.ts'
import { system } from '../kernel/machine/system.ts'

export interface ReceivedFile {
  readonly file: string
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

/**
 * Writes the bytes to a new file in `directory`, which the caller removes. An upload that breaks off leaves nothing. The
 * bytes are not synced, because the store may have them already, or keep them elsewhere.
 * @throws PAYLOAD_TOO_LARGE beyond `maxBytes`
 * @throws UNAVAILABLE if the disk is full
 * @throws errors of `chunks`
 */
export async function receiveFile(
  directory: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<ReceivedFile> {
  const file = path.join(directory, `${system.randomBytes(12).toString('hex')}.part`)
  const handle = await open(file, 'wx', 0o600).catch(translateFileError)
  const hash = createHash('sha256')
  let size = 0
  try {
    await writeChunks(handle, chunks, (chunk) => {
      size += chunk.length
      if (size > maxBytes)
        throw new PimletError('PAYLOAD_TOO_LARGE', `The file is larger than ${maxBytes} bytes (--max-file)`)
      hash.update(chunk)
    })
    await handle.close()
    return { file, sha256: hash.digest('hex'), size }
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(file, { force: true })
    throw error
  }
}

/** Removes the file, unless a store has taken it. */
export async function discard({ file }: ReceivedFile): Promise<void> {
  try {
    await unlink(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
