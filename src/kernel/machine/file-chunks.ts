// Reads files in little memory: each piece of new memory brings the next garbage collection nearer, and collections cost more than
// the reading.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Bytes of one piece, and of one chunk of a stream. */
const PIECE = 1024 ** 2
const CHUNK = 256 * 1024
/** Pieces of memory that stay for the next reading. */
const MOST_SPARE = 4
const spare: Buffer[] = []

/**
 * Calls `work` with each piece of the file; a file of at most 1 MiB comes as one piece. `work` must not keep a piece.
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
      // A file is over where a piece is not full: the question for more would cost as much as the piece.
      if (bytesRead < PIECE) return
    }
  } finally {
    if (spare.length < MOST_SPARE) spare.push(memory)
    await file.close()
  }
}

/** A stream of a file whose size is known: no memory is taken to find its end. @param range both ends inclusive */
export function streamFile(
  path: string,
  size: number,
  range?: { readonly start: number; readonly end: number },
): Readable {
  const { start, end } = range ?? { start: 0, end: size - 1 }
  // Node takes no end before the start.
  if (end < start) return createReadStream(path, { start, highWaterMark: 1 })
  return createReadStream(path, { start, end, highWaterMark: Math.min(CHUNK, end - start + 1) })
}
