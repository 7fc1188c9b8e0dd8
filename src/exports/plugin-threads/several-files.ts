// The files of a delivery of several, as a plugin's thread asks for them: by name, because a file cannot be sent. Contract 2 §6.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { ExportFile, SeveralContext } from '../../kernel/destination.ts'
import type { Answer, FileFacts, StreamWork } from './plugin-messages.ts'

/** Streams of one file that are open at a time. */
const MAX_STREAMS = 32

export class SeveralFiles {
  readonly #files: AsyncIterator<ExportFile>
  readonly #context: SeveralContext
  /** Taken and not delivered, by name. */
  readonly #taken = new Map<string, ExportFile>()

  constructor(files: AsyncIterable<ExportFile>, context: SeveralContext) {
    this.#files = files[Symbol.asyncIterator]()
    this.#context = context
  }

  /** Undefined: there is no further one. */
  async take(): Promise<FileFacts | undefined> {
    const { done, value } = await this.#files.next()
    if (done === true) return undefined
    this.#taken.set(value.name, value)
    return factsOf(value)
  }

  /** @throws TypeError for a name that was not taken */
  async delivered(name: unknown): Promise<void> {
    const file = typeof name === 'string' ? this.#taken.get(name) : undefined
    if (file === undefined) throw new TypeError('delivered() was called with a file that was not taken, or twice')
    this.#taken.delete(file.name)
    await this.#context.delivered(file)
  }
}

/** A file that is not on the disk: a plugin's thread asks for its bytes, some at a time. */
export class StreamedFile {
  readonly #file: ExportFile
  readonly #streams = new Map<number, Readable>()
  #last = 0

  constructor(file: ExportFile) {
    this.#file = file
  }

  async perform(work: StreamWork, asked: unknown): Promise<Answer> {
    if (work === 'openStream') return { stream: this.#open(readRange(asked)) }
    const stream = typeof asked === 'number' ? this.#streams.get(asked) : undefined
    if (stream === undefined) throw new TypeError('this stream of the file is not open')
    if (work === 'readStream') return { chunk: await nextChunk(stream) }
    stream.destroy()
    this.#streams.delete(asked as number)
    return {}
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.destroy()
    this.#streams.clear()
  }

  #open(range: { start: number; end: number } | undefined): number {
    if (this.#streams.size >= MAX_STREAMS) throw new Error(`more than ${MAX_STREAMS} streams of the file are open`)
    this.#last += 1
    // A fault reaches the next reading.
    this.#streams.set(
      this.#last,
      this.#file.open(range).on('error', () => undefined),
    )
    return this.#last
  }
}

function readRange(asked: unknown): { start: number; end: number } | undefined {
  const { start, end } = (asked ?? {}) as { start?: unknown; end?: unknown }
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : undefined
}

async function nextChunk(stream: Readable): Promise<Uint8Array | undefined> {
  for (;;) {
    if (stream.errored) throw stream.errored
    const chunk = stream.read() as Buffer | null
    if (chunk !== null) return chunk
    if (stream.readableEnded || stream.destroyed) return undefined
    const waiting = new AbortController()
    const { signal } = waiting
    const events = ['readable', 'end', 'close'].map((event) => once(stream, event, { signal }))
    await Promise.race(events).finally(() => waiting.abort())
    await Promise.allSettled(events)
  }
}

export function factsOf(file: ExportFile): FileFacts {
  const { name, path, size, sha256, contentType, isChecksum, isBeside, isStreamed } = file
  return { name, path, size, sha256, contentType, isChecksum, isBeside, isStreamed }
}
