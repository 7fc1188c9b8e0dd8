// Keeps files on the disk of a single server, or in the database shared by several servers. Contract 3 §4.
import { createReadStream } from 'node:fs'
import { PimletError } from '../../kernel/errors.ts'
import { GatheredBytes } from '../../kernel/json/gathered-bytes.ts'
import type { SharedFiles } from '../../store/import-port.ts'
import { assertSize, noRoom, type Spool } from './import-spool.ts'

interface Keeping {
  /** Keeps the files in `known`, and removes all other files. */
  begin(known: ReadonlySet<string>): Promise<void>
  /** Resolves to the size. @throws PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks` */
  keep(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number>
  has(name: string): Promise<boolean>
  names(): Promise<ReadonlySet<string>>
  chunks(name: string, signal?: AbortSignal): AsyncIterable<Buffer>
  /** Yields the items that `read` yields from a file on the disk of this server. */
  onDisk<Item>(name: string, read: (file: string) => AsyncIterable<Item>): AsyncIterable<Item>
  remove(name: string): Promise<void>
}

/** Bytes of one read. */
const CHUNK = 64 * 1024
/** Bytes of a piece; a piece may be slightly larger. One transaction writes one piece. */
const PIECE = 512 * 1024

export function keepOnDisk(spool: Spool): Keeping {
  return {
    begin: (known) => spool.sweep(known),
    keep: (name, chunks) => spool.write(name, chunks),
    has: async (name) => spool.has(name),
    names: async () => spool.names(),
    chunks: (name, signal) => {
      const options = { highWaterMark: CHUNK, ...(signal === undefined ? {} : { signal }) }
      return whileThere(spool, name, (file) => createReadStream(file, options) as AsyncIterable<Buffer>)
    },
    onDisk: (name, read) => whileThere(spool, name, read),
    remove: (name) => spool.remove(name),
  }
}

/** A file may be removed between the check and its reading. @throws NOT_FOUND in that case; errors of `read` */
async function* whileThere<Item>(
  spool: Spool,
  name: string,
  read: (file: string) => AsyncIterable<Item>,
): AsyncGenerator<Item, void> {
  try {
    yield* read(spool.fileOf(name))
  } catch (error) {
    throw spool.has(name) ? error : noLongerThere(name)
  }
}

function noLongerThere(name: string): PimletError {
  return new PimletError('NOT_FOUND', `The file of the import '${name}' no longer exists`)
}

/**
 * @param temporary where files lie that must be read from a disk
 * @param maxBytes of all files together
 */
export function keepInPieces(pieces: SharedFiles, temporary: Spool, maxBytes: number): Keeping {
  let fetched = 0

  async function* read(name: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
    for (let place = 0; ; place += 1) {
      const piece = await pieces.piece(name, place)
      signal?.throwIfAborted()
      if (piece === undefined && place > 0) return
      if (piece === undefined) throw noLongerThere(name)
      for (let at = 0; at < piece.length; at += CHUNK) yield Buffer.from(piece.subarray(at, at + CHUNK))
      // An empty file has one piece, which is empty.
    }
  }

  return {
    async begin() {
      await temporary.sweep(undefined)
      await pieces.sweep()
    },

    async keep(name, chunks) {
      let size = 0
      try {
        let place = 0
        for await (const piece of inPieces(chunks)) {
          size += piece.length
          assertSize(size, maxBytes)
          if ((await pieces.add(name, place, piece)) > maxBytes) throw noRoom(maxBytes)
          place += 1
        }
        return size
      } catch (error) {
        await pieces.remove(name)
        throw error
      }
    },

    has: (name) => pieces.has(name),

    async names() {
      await pieces.sweep()
      return pieces.names()
    },

    chunks: read,

    async *onDisk(name, readFile) {
      fetched += 1
      const copy = `fetched-${fetched}.part`
      await temporary.write(copy, read(name))
      try {
        yield* readFile(temporary.fileOf(copy))
      } finally {
        await temporary.remove(copy)
      }
    },

    remove: (name) => pieces.remove(name),
  }
}

/** Yields at least one piece. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gathered = new GatheredBytes()
  let isAny = false
  for await (const chunk of chunks) {
    gathered.add(chunk)
    if (gathered.length < PIECE) continue
    yield gathered.take()
    isAny = true
  }
  if (gathered.length > 0 || !isAny) yield gathered.take()
}
