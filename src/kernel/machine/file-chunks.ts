// Reads files in memory that is used again. New memory leads to garbage collections, which cost more than the reading.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Bytes of one piece, and of one chunk of a stream. */
const PIECE = 1024 ** 2
const CHUNK = 256 * 1024
/** Most pieces of memory that are kept for the next reading. */
const MOST_SPARE = 4
const spare: Buffer[] = []

/**
 * Calls `work` with each piece of the file, of at most 1 MiB. The next piece takes the same memory.
 * @throws the system's error, the signal's reason, errors of `work`
 */
export async function eachChunk(path: string, work: (chunk: Buffer) => void, signal?: AbortSignal): Promise<void> {
  const file = await open(path)
  const memory = spare.pop() ?? Buffer.allocUnsafeSlow(PIECE)
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(memory, 0, PIECE)
      if (bytesRead === 0) return
      work(memory.subarray(0, bytesRead))
    }
  } finally {
    if (spare.length < MOST_SPARE) spare.push(memory)
    await file.close()
  }
}

/** Returns a stream of a file. Its known size saves a last read that would only find the end. @param range both ends inclusive */
export function streamFile(
  path: string,
  size: number,
  range?: { readonly start: number; readonly end: number },
): Readable {
  // An empty file has no last byte.
  if (size === 0) return createReadStream(path, { highWaterMark: 1 })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  return createReadStream(path, { start, end, highWaterMark: Math.min(CHUNK, size) })
}
