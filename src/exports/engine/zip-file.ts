// The zip of a run: its feed, and the files that the feed leads to. The zip is never on the disk as a whole. Each reading
// makes the files again, one at a time, from kept originals and renditions. Contract 4 §4.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { ExportFile } from '../../kernel/destination.ts'
import { eachChunk, streamFile } from '../../kernel/machine/file-chunks.ts'
import { centralHeader, endOfZip, localHeader, type PlacedEntry } from '../formats/zip.ts'
import { FileListWriter, readFileList } from '../rendering/file-list.ts'
import type { WantedFile } from '../rendering/row-files.ts'
import type { RunFilesDelivery } from './run-files.ts'

/** An entry of the zip, and its file; without a file the entry is the feed. */
type Packed = PlacedEntry & { readonly wanted?: WantedFile | undefined }

interface Range {
  readonly start: number
  readonly end: number
}

interface ZipOrder {
  /** The feed. */
  readonly feed: { readonly name: string; readonly path: string }
  readonly files: RunFilesDelivery
  /** Where the list of entries is kept. */
  readonly entryFile: string
  readonly at: Date
  readonly signal: AbortSignal
}

export class ZipFile {
  readonly #order: ZipOrder
  #directory = { offset: 0, size: 0 }
  #count = 0

  constructor(order: ZipOrder) {
    this.#order = order
  }

  /** Reads each file, so that size and digest of the zip are known. Missing files are reported and left out. */
  async pack(name: string): Promise<ExportFile> {
    const { entryFile, at, signal, files } = this.#order
    const hash = createHash('sha256')
    const list = await FileListWriter.begin<Packed>(entryFile)
    let offset = 0
    for await (const { path, name: entryName, wanted, drop } of this.#sources()) {
      try {
        const entry = { name: entryName, offset, ...(await sumOf(path, signal)) }
        const head = localHeader(entry, at)
        hash.update(head)
        await eachChunk(path, (chunk) => hash.update(chunk), signal)
        offset += head.length + entry.size
        await list.add([{ ...entry, ...(wanted && { wanted }) }])
        this.#count += 1
        if (wanted !== undefined) files.packed()
      } finally {
        await drop()
      }
    }
    await list.close()
    const end = await this.#hashDirectory(hash, offset)
    return {
      name,
      path: '',
      isStreamed: true,
      size: end,
      sha256: hash.digest('hex'),
      contentType: 'application/zip',
      open: (range) => this.#open(range ?? { start: 0, end: end - 1 }),
    }
  }

  async #hashDirectory(hash: ReturnType<typeof createHash>, offset: number): Promise<number> {
    let size = 0
    for await (const entry of readFileList<Packed>(this.#order.entryFile)) {
      const head = centralHeader(entry, this.#order.at)
      hash.update(head)
      size += head.length
    }
    this.#directory = { offset, size }
    const end = endOfZip(this.#count, this.#directory)
    hash.update(end)
    return offset + size + end.length
  }

  /** The feed comes first. */
  async *#sources() {
    const { feed, files } = this.#order
    yield { ...feed, wanted: undefined, drop: async () => undefined }
    yield* files.made()
  }

  #open({ start, end }: Range): Readable {
    return Readable.from(cutTo(this.#parts(start), { start, end }), { objectMode: false, highWaterMark: 256 * 1024 })
  }

  /** The bytes from the part on that has `start`, each with its place. */
  async *#parts(start: number): AsyncGenerator<readonly [number, Buffer], void> {
    const { entryFile, at } = this.#order
    for await (const entry of readFileList<Packed>(entryFile)) {
      const head = localHeader(entry, at)
      if (entry.offset + head.length + entry.size <= start) continue
      yield [entry.offset, head]
      yield* this.#contentOf(entry, entry.offset + head.length)
    }
    let place = this.#directory.offset
    for await (const entry of readFileList<Packed>(entryFile)) {
      const head = centralHeader(entry, at)
      yield [place, head]
      place += head.length
    }
    yield [place, endOfZip(this.#count, this.#directory)]
  }

  async *#contentOf(entry: Packed, offset: number): AsyncGenerator<readonly [number, Buffer], void> {
    const { feed, files } = this.#order
    const { path, drop } =
      entry.wanted === undefined
        ? { path: feed.path, drop: async () => undefined }
        : await files.makeAgain(entry.wanted)
    try {
      let place = offset
      let sum = 0
      for await (const chunk of streamFile(path, entry.size) as AsyncIterable<Buffer>) {
        yield [place, chunk]
        place += chunk.length
        sum = crc32(chunk, sum)
      }
      // The destination must not keep a zip whose bytes differ from its digest.
      if (place !== offset + entry.size || sum !== entry.crc32)
        throw new Error(`the file '${entry.name}' of the zip was made again, and has other bytes`)
    } finally {
      await drop()
    }
  }
}

async function sumOf(path: string, signal: AbortSignal): Promise<{ size: number; crc32: number }> {
  let size = 0
  let sum = 0
  await eachChunk(
    path,
    (chunk) => {
      size += chunk.length
      sum = crc32(chunk, sum)
    },
    signal,
  )
  return { size, crc32: sum }
}

async function* cutTo(
  parts: AsyncIterable<readonly [number, Buffer]>,
  { start, end }: Range,
): AsyncGenerator<Buffer, void> {
  for await (const [place, bytes] of parts) {
    if (place > end) return
    const cut = bytes.subarray(Math.max(0, start - place), end - place + 1)
    if (cut.length > 0) yield cut
  }
}
