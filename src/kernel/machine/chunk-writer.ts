// Writes arriving bytes to a file. The next chunks arrive while the last ones are written.
import type { FileHandle } from 'node:fs/promises'
import { GatheredBytes } from '../json/gathered-bytes.ts'
import { translateFileError } from './whole-files.ts'

/** Bytes that gather behind a write under way. */
const MOST_GATHERED = 256 * 1024

/**
 * Writes all chunks at the end of `file`. Nothing is being written any more when it ends.
 * @param note is called with each chunk before it is written; its error ends the writing
 * @throws UNAVAILABLE where the disk is full, errors of `chunks` and `note`
 */
export async function writeChunks(
  file: Pick<FileHandle, 'write'>,
  chunks: AsyncIterable<Uint8Array>,
  note: (chunk: Uint8Array) => void,
): Promise<void> {
  const gathered = new GatheredBytes()
  let writing: Promise<void> | undefined
  // One write after another: chunks that gather meanwhile go together at once.
  const writeGathered = async (): Promise<void> => {
    while (gathered.length > 0) await writeAll(file, gathered.take())
    writing = undefined
  }
  try {
    for await (const chunk of chunks) {
      note(chunk)
      if (chunk.length === 0) continue
      gathered.add(chunk)
      writing ??= writeGathered()
      // The failure is caught here, because nobody may await the writing yet.
      writing.catch(() => undefined)
      if (gathered.length > MOST_GATHERED) await writing
    }
    await writing
  } finally {
    gathered.clear()
    await writing?.catch(() => undefined)
  }
}

/** A write may take a part only. */
async function writeAll(file: Pick<FileHandle, 'write'>, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await file.write(bytes, written).catch(translateFileError)).bytesWritten
}
