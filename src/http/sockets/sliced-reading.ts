// The bytes of a connection are given to Node's parser in slices. One read brings up to 64 KiB, which may be ten thousand
// chunks or headers. Parsing them takes tens of milliseconds for each such connection. So these connections take turns, and
// after each turn all other work has a turn of the event loop.
import type { Socket } from 'node:net'

/** Line feeds of a slice: a chunk has two of them, a header one. */
const MOST_LINES = 256
/** Milliseconds of one turn of the event loop. */
const SHARE = 1
/** Bytes that hold no more chunks than a slice: the shortest chunk has six. Most requests are not longer. */
const SHORT = (MOST_LINES / 2) * 6
const LINE_FEED = 0x0a

export interface ReadingLimits {
  /** Bytes of all connections that may wait to be parsed. Bytes beyond are refused. */
  readonly maxUnparsed: number
}

type Parse = (bytes: Buffer) => void

export class SlicedReading {
  readonly #limits: ReadingLimits
  readonly #refuse: (socket: Socket) => void
  /** In the order of their turns. */
  readonly #waiting = new Set<SlicedSocket>()
  #unparsed = 0
  #isScheduled = false
  #isLettingIn = false

  constructor(limits: ReadingLimits, refuse: (socket: Socket) => void) {
    this.#limits = limits
    this.#refuse = refuse
  }

  /** Call this when Node has just attached its parser to `socket`. */
  follow(socket: Socket): void {
    this.#isLettingIn = true
    const [parse] = socket.listeners('data')
    socket.removeListener('data', parse as Parse)
    const sliced = new SlicedSocket(socket, (bytes) => void parse!.call(socket, bytes), {
      queue: () => this.#queue(sliced),
      mayKeep: (more) => this.#mayKeep(more),
      refuse: () => this.#refuse(socket),
    })
    socket.once('close', () => {
      this.#waiting.delete(sliced)
      sliced.drop()
    })
  }

  /** `more` is below zero where bytes are parsed or dropped. */
  #mayKeep(more: number): boolean {
    if (more > 0 && this.#unparsed + more > this.#limits.maxUnparsed) return false
    this.#unparsed += more
    return true
  }

  #queue(sliced: SlicedSocket): void {
    this.#waiting.add(sliced)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#serve)
  }

  readonly #serve = (): void => {
    // Each turn accepts one connection. All connections behind this one wait for the turn, so the turn parses one slice.
    const end = performance.now() + (this.#isLettingIn ? 0 : SHARE)
    this.#isLettingIn = false
    for (const sliced of this.#waiting) {
      this.#waiting.delete(sliced)
      if (sliced.parseNext()) this.#waiting.add(sliced)
      if (performance.now() > end) break
    }
    this.#isScheduled = this.#waiting.size > 0
    if (this.#isScheduled) setImmediate(this.#serve)
  }
}

interface Surroundings {
  readonly queue: () => void
  readonly mayKeep: (more: number) => boolean
  readonly refuse: () => void
}

class SlicedSocket {
  readonly #socket: Socket
  readonly #parse: Parse
  readonly #all: Surroundings
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  /** Whether Node has paused the socket, because the reader of the body is behind. */
  #isHalted = false
  /** The socket has sent too much. It is refused in its turn, because hundreds may do so at once. */
  #isRefused = false
  readonly #resume: () => Socket

  constructor(socket: Socket, parse: Parse, all: Surroundings) {
    this.#socket = socket
    this.#parse = parse
    this.#all = all
    this.#resume = socket.resume.bind(socket)
    const pause = socket.pause.bind(socket)
    socket.pause = () => {
      this.#isHalted = true
      return pause()
    }
    socket.resume = () => this.#goOn()
    socket.on('data', this.#take)
  }

  /** Parses one slice. @returns whether more bytes wait and Node takes them */
  parseNext(): boolean {
    if (this.#socket.destroyed) return false
    if (this.#isRefused) {
      this.#isRefused = false
      this.#all.refuse()
      return false
    }
    // After a refusal of input that is no request, nothing more is parsed.
    if (!this.#socket.listeners('data').includes(this.#take)) this.#at = this.#bytes.length
    const end = endOfSlice(this.#bytes, this.#at)
    const slice = this.#bytes.subarray(this.#at, end)
    this.#at = end
    if (slice.length > 0) this.#parse(slice)
    if (this.#at < this.#bytes.length) return !this.#isHalted
    this.drop()
    if (!this.#isHalted) this.#resume()
    return false
  }

  drop(): void {
    this.#all.mayKeep(-this.#bytes.length)
    this.#bytes = Buffer.alloc(0)
    this.#at = 0
  }

  readonly #take = (data: Buffer): void => {
    // A refusal is final.
    if (this.#isRefused) return
    const rest = this.#bytes.subarray(this.#at)
    if (rest.length === 0 && (data.length <= SHORT || endOfSlice(data, 0) === data.length)) return this.#parse(data)
    this.drop()
    this.#isRefused = !this.#all.mayKeep(rest.length + data.length)
    if (this.#isRefused) freeBytes(data)
    if (!this.#isRefused) this.#bytes = rest.length === 0 ? data : Buffer.concat([rest, data])
    this.#socket.pause()
    this.#isHalted = false
    this.#all.queue()
  }

  #goOn(): Socket {
    if (this.#isRefused) return this.#socket
    this.#isHalted = false
    if (this.#bytes.length === 0) return this.#resume()
    // Node's listeners expect this event of a resumed socket. A listener may pause the socket again.
    this.#socket.emit('resume')
    if (!this.#isHalted) this.#all.queue()
    return this.#socket
  }
}

/** Hundreds of refused reads would otherwise stay in memory until the next garbage collection. */
function freeBytes({ buffer, length }: Buffer): void {
  const isShared = buffer.byteLength !== length
  if (!isShared) (buffer as ArrayBuffer).transfer(0)
}

function endOfSlice(bytes: Buffer, from: number): number {
  let at = from
  for (let lines = 0; lines < MOST_LINES; lines += 1) {
    const feed = bytes.indexOf(LINE_FEED, at)
    if (feed === -1) return bytes.length
    at = feed + 1
  }
  return at
}
