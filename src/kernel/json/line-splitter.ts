// Splits arriving bytes into lines, holding one line at most. A line beyond the limit is skipped. Contract 2 §7.
import { GatheredBytes } from './gathered-bytes.ts'

/** Bytes of a part that needs no turn. */
const SMALL_PART = 64 * 1024

/** The room that a large part takes of the memory. */
export interface LargePart {
  leave(): void
  /** Await it before parsing a large line. */
  takeTurn(): Promise<void>
}

export interface RawLine {
  /** The number of the line; the first is 1. */
  readonly line: number
  /** Without the line end; undefined: longer than the limit. */
  readonly bytes: Buffer | undefined
}

/** Finds the line feed that ends a line. Sees the parts of a body one after another. */
export interface LineEnds {
  /** `from`: where a new line begins, or 0 in the next part. @returns -1 where the part holds no end of the line */
  find(part: Buffer, from: number): number
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const ALONE: LargePart = { leave: () => undefined, takeTurn: () => Promise.resolve() }

export const plainLineEnds: LineEnds = { find: (part, from) => part.indexOf(LINE_FEED, from) }

/**
 * Yields some lines at a time; read them before asking for more. Large lines await `enter` and call its result afterwards.
 * Throws errors of `chunks` and `enter`.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  ends: LineEnds,
  enter: () => LargePart | Promise<LargePart> = () => ALONE,
): AsyncGenerator<Iterable<RawLine>, void> {
  const splitter = new LineSplitter(maxBytes, ends)
  let place: LargePart | undefined
  try {
    for await (const chunk of chunks) {
      if (place !== undefined && chunk.includes(LINE_FEED)) await place.takeTurn()
      yield splitter.take(chunk)
      const isLarge = splitter.held > SMALL_PART
      if (isLarge === (place !== undefined)) continue
      place?.leave()
      place = isLarge ? await enter() : undefined
    }
    await place?.takeTurn()
    yield splitter.end()
  } finally {
    place?.leave()
  }
}

class LineSplitter {
  readonly #maxBytes: number
  readonly #ends: LineEnds
  /** Bytes of the current line. */
  readonly #kept = new GatheredBytes()
  #size = 0
  #line = 1
  #feeds = 0

  constructor(maxBytes: number, ends: LineEnds) {
    this.#maxBytes = maxBytes
    this.#ends = ends
  }

  /** Kept bytes of the current line. */
  get held(): number {
    return this.#kept.length
  }

  *take(chunk: Buffer): Generator<RawLine, void> {
    let from = 0
    for (let end = this.#ends.find(chunk, 0); end !== -1; end = this.#ends.find(chunk, from)) {
      const part = chunk.subarray(from, end)
      from = end + 1
      // Keeping a part takes longer than reading a short line.
      const isWhole = this.#size === 0
      this.#count(part)
      if (!isWhole) this.#keep(part)
      yield this.#cut(isWhole ? part : this.#kept.take(), 1)
    }
    if (from === chunk.length) return
    this.#count(chunk.subarray(from))
    this.#keep(chunk.subarray(from))
  }

  *end(): Generator<RawLine, void> {
    if (this.#size > 0) yield this.#cut(this.#kept.take(), 0)
  }

  #count(part: Buffer): void {
    this.#size += part.length
    for (let at = part.indexOf(LINE_FEED); at !== -1; at = part.indexOf(LINE_FEED, at + 1)) this.#feeds += 1
  }

  #keep(part: Buffer): void {
    if (this.#size > this.#maxBytes) this.#kept.clear()
    else this.#kept.add(part)
  }

  /** `feeds`: how many line feeds end it. */
  #cut(whole: Buffer, feeds: number): RawLine {
    const isTooLong = this.#size > this.#maxBytes
    const cut = { line: this.#line, bytes: isTooLong ? undefined : withoutMarks(whole, this.#line === 1) }
    this.#line += this.#feeds + feeds
    this.#size = 0
    this.#feeds = 0
    return cut
  }
}

/** Without the byte order mark of a file's begin, and without the CR of CRLF. */
function withoutMarks(bytes: Buffer, isFirst: boolean): Buffer {
  const from = isFirst && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
  return from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end)
}
