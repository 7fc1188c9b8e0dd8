// Notices a dead connection where no network reports it: after a silence it asks the database about the connection on
// another one.

const MILLISECONDS = 1000
/** Ticks without any data, while an answer is awaited: a process that was stopped, or is busy, has had no ticks. */
const SILENT_TICKS = 5

interface ProbedConnection {
  /** Whether answers are awaited. */
  readonly isWaiting: () => boolean
  /** Whether the database works on the answers. Asked after so many seconds of silence. */
  readonly isAlive: (seconds: number) => Promise<boolean>
  /** It is of no use any more. */
  readonly giveUp: () => void
}

export class KeepaliveProbe {
  readonly #line: ProbedConnection
  readonly #timer: NodeJS.Timeout
  #hasHeard = false
  #silent = 0

  constructor(line: ProbedConnection) {
    this.#line = line
    this.#timer = setInterval(() => this.#tick(), MILLISECONDS).unref()
  }

  /** Something has arrived. */
  heard(): void {
    this.#hasHeard = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    this.#silent = this.#hasHeard || !this.#line.isWaiting() ? 0 : this.#silent + 1
    this.#hasHeard = false
    if (this.#silent > 0 && this.#silent % SILENT_TICKS === 0) void this.#look()
  }

  async #look(): Promise<void> {
    const isAlive = await this.#line.isAlive((this.#silent * MILLISECONDS) / 1000)
    if (isAlive || this.#hasHeard || this.#silent < SILENT_TICKS) return
    this.stop()
    this.#line.giveUp()
  }
}
