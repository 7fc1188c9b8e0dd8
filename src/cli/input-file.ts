// The input file of a command: a named file or standard input, unpacked if it is gzip.
import { createReadStream, statSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { StartError } from '../kernel/machine/start-error.ts'
import { own } from '../kernel/own.ts'

export interface InputFile {
  /** Bytes on disk; undefined: unknown. */
  readonly size: number | undefined
  /** Streams the unpacked content. `onRead` gets the number of bytes read from the file. */
  open(onRead: (bytes: number) => void): Readable
}

/** `-`: standard input. @throws StartError */
export function findInputFile(name: string): InputFile {
  const size = name === '-' ? undefined : sizeOf(name)
  return {
    size,
    open(onRead) {
      const source = name === '-' ? process.stdin : createReadStream(name, { highWaterMark: 256 * 1024 })
      return Readable.from(unpack(counted(source, onRead), name), { objectMode: false })
    },
  }
}

function sizeOf(name: string): number | undefined {
  try {
    const stats = statSync(name)
    if (stats.isDirectory()) throw new StartError(`Cannot read ${name}: it is a directory`)
    return stats.isFile() ? stats.size : undefined
  } catch (error) {
    throw error instanceof StartError ? error : unreadable(name, error)
  }
}

async function* counted(source: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  for await (const chunk of source) {
    onRead((chunk as Buffer).length)
    yield chunk as Buffer
  }
}

async function* unpack(chunks: AsyncGenerator<Buffer, void>, name: string): AsyncGenerator<Buffer, void> {
  try {
    let head = Buffer.alloc(0)
    while (head.length < 2) {
      const next = await chunks.next()
      if (next.done === true) break
      head = Buffer.concat([head, next.value])
    }
    const isPacked = head[0] === 0x1f && head[1] === 0x8b
    const unpacked = isPacked ? createGunzip() : new PassThrough()
    const whole = (async function* () {
      yield head
      yield* chunks
    })()
    const ended = pipeline(whole, unpacked)
    ended.catch(() => undefined)
    yield* unpacked
    await ended
  } catch (error) {
    throw unreadable(name, error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
  Z_BUF_ERROR: 'the gzip file ends too early',
  Z_DATA_ERROR: 'the gzip file is damaged',
}

/** The fault of a file that cannot be read. */
export function unreadable(name: string, error: unknown): StartError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const what = name === '-' ? 'standard input' : name
  return new StartError(`Cannot read ${what}: ${own(REASONS, code) ?? message}`, { cause: error })
}
