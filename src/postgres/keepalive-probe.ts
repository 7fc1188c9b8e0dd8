// Notices a dead connection that the network does not report. After a silence, it asks the database about this
// connection through another connection.

const MILLISECONDS = 1000
/**
 * Ticks without data while an answer is awaited. Ticks stop while the process is stopped or busy, so this is not plain
 * time.
 */
const SILENT_TICKS = 5

interface ProbedConnection {
  /** Whether answers are awaited. */
  readonly isWaiting: () => boolean
  /** Asks whether the database works on the answers, after so many seconds of silence. */
  readonly isAlive: (seconds: number) => Promise<boolean>
  /** Called when the connection is dead. */
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

  /** Notes that data arrived. */
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
