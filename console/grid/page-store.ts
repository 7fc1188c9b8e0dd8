// The rows of a list of any length, read in pages when they come into view. G1: jumps use offsets, the next page uses a
// cursor. Pages that the user scrolls past are cancelled; some pages are kept. A list that is read again stays on the
// screen until the new list arrives.

const PAGE_ROWS = 100
/** Most pages that are kept. */
export const KEPT_PAGES = 50
/** Milliseconds that a page must stay in view during scrolling before it is requested. */
const SETTLING_MS = 60
/** The number of rows read beyond the view. */
const AHEAD = 40

export interface PageQuestion {
  readonly offset: number
  /** The cursor; it has priority over `offset`. */
  readonly after?: string | undefined
  readonly limit: number
  /** Whether the answer must contain the number of rows. */
  readonly total: boolean
}

export interface PageAnswer<Row> {
  readonly rows: readonly Row[]
  readonly total?: number | undefined
  /** The cursor of the page after the last row. */
  readonly next?: string | undefined
}

/** Rows of a sheet: of one list, or of groups under their heads. */
export interface RowStore<Row> {
  /** The number of records; undefined until it has been read. */
  readonly total: number | undefined
  /** The number of rows that are shown, heads of groups included. */
  readonly length: number
  readonly isReading: boolean
  /** Whether the shown rows belong to the latest reading of the list. */
  readonly isCurrent: boolean
  /** Rows that are read beyond the view. */
  readonly ahead: number
  /** Returns a row; undefined: it is not read yet, or is the head of a group. */
  row(index: number): Row | undefined
  isHead(index: number): boolean
  /** Counts records before the row. */
  numberOf(index: number): number
  /** Notes that rows from `first` to `last` are in view. */
  want(first: number, last: number): void
  /**
   * Reads rows, also out of view, and keeps them until the next call; `last` before `first`: none. Resolves when the
   * rows are read, or cannot be read.
   */
  hold(first: number, last: number): Promise<void>
  /** Reads the rows again, with a new query if given; the old rows stay until then. */
  renew(read?: ReadPage<Row>): void
  tryAgain(): void
  update(change: (row: Row) => Row | undefined): void
  entries(): Iterable<readonly [index: number, row: Row]>
  close(): void
}

export type ReadPage<Row> = (question: PageQuestion, signal: AbortSignal) => Promise<PageAnswer<Row>>

interface Page<Row> {
  rows: readonly Row[]
  readonly next: string | undefined
  /** The reading of the list that the page belongs to. */
  readonly reading: number
  usedAt: number
}

interface Request {
  readonly controller: AbortController
  readonly answered: Promise<void>
}

interface PageStoreEvents {
  /** Called when rows, their number, or running requests change. */
  readonly changed: () => void
  readonly failed: (error: unknown) => void
}

/** The clock that the store needs. */
interface Clock {
  readonly now: () => number
  /** Returns a function that cancels the work. */
  readonly later: (work: () => void, milliseconds: number) => () => void
}

export class PageStore<Row> implements RowStore<Row> {
  /** Undefined: the first page is not read yet. */
  total: number | undefined
  #read: ReadPage<Row>
  #reading = 1
  /** The reading that `total` is from. */
  #totalOf = 0
  #isReplaced = false
  #hasFailed = false
  #wanted: readonly number[] = []
  #held: readonly number[] = []
  #holding: Promise<void> = Promise.resolve()
  #wantedAt = Number.NEGATIVE_INFINITY
  #uses = 0
  #cancelLater: (() => void) | undefined
  readonly #pages = new Map<number, Page<Row>>()
  readonly #asked = new Map<number, Request>()
  readonly #events: PageStoreEvents
  readonly #clock: Clock

  constructor(read: ReadPage<Row>, events: PageStoreEvents, clock: Clock) {
    this.#read = read
    this.#events = events
    this.#clock = clock
  }

  /** Drawing a whole screen of new rows at once takes longer than a frame. */
  get ahead(): number {
    return this.total === undefined ? 0 : AHEAD
  }

  get length(): number {
    return this.total ?? 0
  }

  /** Pages in memory. */
  get size(): number {
    return this.#pages.size
  }

  isHead(): boolean {
    return false
  }

  numberOf(index: number): number {
    return index
  }

  get isReading(): boolean {
    return this.#asked.size > 0 || this.#cancelLater !== undefined
  }

  /** Whether the shown rows belong to the latest reading of the list. */
  get isCurrent(): boolean {
    return this.#totalOf === this.#reading
  }

  /** Returns a row; undefined: it is not read yet. */
  row(index: number): Row | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS]
  }

  /** Notes that rows from `first` to `last` are in view. */
  want(first: number, last: number): void {
    const pages = pagesOf(first, this.total === undefined ? last : Math.min(last, this.total - 1))
    const isMoved = pages.some((page) => !this.#wanted.includes(page))
    this.#wanted = pages
    this.#uses += 1
    for (const page of pages) this.#touch(page)
    this.#giveUpOthers()
    if (this.#hasFailed) return
    const now = this.#clock.now()
    const isQuick = isMoved && now - this.#wantedAt < SETTLING_MS
    if (isMoved) this.#wantedAt = now
    if (isQuick || this.#cancelLater !== undefined) this.#askLater()
    else this.#ask()
  }

  hold(first: number, last: number): Promise<void> {
    const end = this.total === undefined ? last : Math.min(last, this.total - 1)
    const held = end < first ? [] : pagesOf(first, end)
    // For the same rows, the running read continues.
    if (held.join() !== this.#held.join()) {
      this.#held = held
      this.#holding = this.#readHeld(held)
    }
    return this.#holding
  }

  /** Reads one page after another, so that the rows in view come first. */
  async #readHeld(held: readonly number[]): Promise<void> {
    for (const page of held) {
      if (this.#held !== held || this.#hasFailed) return
      if (!this.#isThere(page)) await (this.#asked.get(page)?.answered ?? this.#askPage(page))
    }
  }

  get isHolding(): boolean {
    return this.#held.length > 0
  }

  /** No row is in view. */
  rest(): void {
    this.#wanted = []
    this.#cancelLater?.()
    this.#cancelLater = undefined
    this.#giveUpOthers()
  }

  /** Reads the list again, with a new query if given; the old rows stay until then. */
  renew(read?: ReadPage<Row>): void {
    if (read !== undefined) {
      this.#read = read
      this.#isReplaced = true
    }
    this.#reading += 1
    this.#hasFailed = false
    this.#held = []
    for (const { controller } of this.#asked.values()) controller.abort()
    this.#asked.clear()
    this.#ask()
    this.#events.changed()
  }

  /** Continues after a failure. */
  tryAgain(): void {
    this.#hasFailed = false
    this.#held = []
    this.#ask()
    this.#events.changed()
  }

  /** Replaces each row for which `change` returns a new row. */
  update(change: (row: Row) => Row | undefined): void {
    let isChanged = false
    for (const page of this.#pages.values()) {
      const rows = page.rows.map((row) => change(row) ?? row)
      if (rows.every((row, index) => row === page.rows[index])) continue
      page.rows = rows
      isChanged = true
    }
    if (isChanged) this.#events.changed()
  }

  /** Yields all kept rows, with their indices. */
  *entries(): Generator<readonly [index: number, row: Row]> {
    for (const [number, { rows }] of this.#pages)
      for (const [index, row] of rows.entries()) yield [number * PAGE_ROWS + index, row]
  }

  close(): void {
    this.#cancelLater?.()
    this.#cancelLater = undefined
    for (const { controller } of this.#asked.values()) controller.abort()
    this.#asked.clear()
  }

  #touch(page: number): void {
    const known = this.#pages.get(page)
    if (known !== undefined) known.usedAt = this.#uses
  }

  #giveUpOthers(): void {
    for (const [page, { controller }] of this.#asked) {
      if (this.#wanted.includes(page) || this.#held.includes(page)) continue
      controller.abort()
      this.#asked.delete(page)
    }
  }

  #askLater(): void {
    this.#cancelLater?.()
    this.#cancelLater = this.#clock.later(() => {
      this.#cancelLater = undefined
      this.#ask()
    }, SETTLING_MS)
  }

  #ask(): void {
    for (const page of this.#wanted) if (!this.#isThere(page) && !this.#asked.has(page)) void this.#askPage(page)
  }

  #isThere(page: number): boolean {
    return this.#pages.get(page)?.reading === this.#reading
  }

  #askPage(number: number): Promise<void> {
    const controller = new AbortController()
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    this.#asked.set(number, { controller, answered })
    void this.#readPage(number, controller).finally(resolve)
    return answered
  }

  async #readPage(number: number, controller: AbortController): Promise<void> {
    const reading = this.#reading
    const before = this.#pages.get(number - 1)
    const after = before?.reading === reading ? before.next : undefined
    const question = { offset: number * PAGE_ROWS, after, limit: PAGE_ROWS, total: this.#totalOf !== reading }
    try {
      const answer = await this.#read(question, controller.signal)
      if (this.#asked.get(number)?.controller === controller) this.#keep(number, reading, answer)
    } catch (error) {
      if (this.#asked.get(number)?.controller !== controller) return
      this.#asked.delete(number)
      this.#hasFailed = true
      this.#events.failed(error)
      this.#events.changed()
    }
  }

  #keep(number: number, reading: number, { rows, total, next }: PageAnswer<Row>): void {
    this.#asked.delete(number)
    if (this.#isReplaced) {
      this.#pages.clear()
      this.#isReplaced = false
    }
    this.#pages.set(number, { rows, next, reading, usedAt: this.#uses })
    if (total !== undefined) {
      this.total = total
      this.#totalOf = reading
    }
    this.#forgetOldest()
    this.#events.changed()
  }

  #forgetOldest(): void {
    const pages = [...this.#pages].sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [number] of pages.slice(0, Math.max(0, pages.length - KEPT_PAGES)))
      if (!this.#wanted.includes(number) && !this.#held.includes(number)) this.#pages.delete(number)
  }
}

function pagesOf(first: number, last: number): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE_ROWS)
  const to = Math.max(from, Math.floor(last / PAGE_ROWS))
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
