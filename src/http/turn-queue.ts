// In which order requests are served that arrived in one turn of the event loop. The system tells first of the connections
// that were served a moment ago: a request that comes a little late would wait until all others were served twice.

export interface Connection {
  /** How many requests had been served on all connections when its latest was: none yet where it is not given. */
  latestServed?: number
}

/** Whose request it is, where that matters. */
export interface Asker {
  readonly party: string
}

interface Waiting {
  readonly connection: Connection
  readonly serve: () => void
  readonly asker: Asker | undefined
}

/** Milliseconds that requests are served in one go; one request may take longer. */
const SLICE = 10
/** New connections are let in for as long as the slice before took, but no longer than this. */
const MAX_PAUSE = 100

/**
 * Whatever arrives in a turn is served at its end, that of the connection which waits longest for its turn first. Reading
 * all before anything is served also takes less time: of GETs of records, one after another at 16 connections, a quarter.
 *
 * What takes longer than a slice is interrupted by a turn, in which others come in. From then on askers are served in turn,
 * not connections: whoever asks for much on hundreds of connections waits for himself.
 */
export class TurnQueue {
  #arrived: Waiting[] = []
  /** The next one last. */
  #order: Waiting[] = []
  #served = 0
  /** Of askers, while requests wait for longer than a slice. */
  readonly #latestServed = new Map<string, number>()
  /** Milliseconds on the monotonic clock: of the slice, and of the pause before it. */
  #began = 0
  #pausedAt = 0
  #isPaused = false
  #isLettingIn = false
  #isTakingTurns = false

  /** `serve` does not throw. Requests of one connection keep their order. */
  add(connection: Connection, serve: () => void, asker?: Asker): void {
    this.#arrived.push({ connection, serve, asker })
    // One for each: what a request continues with, after it awaited something at hand, does not wait for the others.
    setImmediate(this.#serveNext)
  }

  /** A connection was accepted. In each turn there is one, so those behind it would wait for a slice each. */
  letIn(): void {
    this.#isLettingIn = true
  }

  readonly #serveNext = (): void => {
    if (!this.#isPaused && this.#mustPause()) {
      this.#isPaused = true
      this.#pausedAt = performance.now()
      this.#isLettingIn = false
      setImmediate(this.#resume)
    }
    if (this.#isPaused) {
      setImmediate(this.#serveNext)
      return
    }
    if (this.#order.length === 0) {
      if (this.#arrived.length === 0) return
      this.#order = this.#arrived.sort(byLatestServed).toReversed()
      this.#arrived = []
      this.#began = performance.now()
      if (this.#isTakingTurns) this.#latestServed.clear()
      this.#isTakingTurns = false
    }
    const next = this.#order.pop()!
    this.#served += 1
    next.connection.latestServed = this.#served
    if (this.#isTakingTurns && next.asker !== undefined) this.#latestServed.set(next.asker.party, this.#served)
    next.serve()
  }

  #mustPause(): boolean {
    if (this.#isLettingIn) return true
    return this.#order.length > 0 && performance.now() - this.#began > SLICE
  }

  readonly #resume = (): void => {
    const now = performance.now()
    const enough = Math.min(MAX_PAUSE, Math.max(SLICE, this.#pausedAt - this.#began))
    if (this.#isLettingIn && now - this.#pausedAt < enough) {
      this.#isLettingIn = false
      setImmediate(this.#resume)
      return
    }
    this.#isLettingIn = false
    this.#isPaused = false
    this.#began = now
    this.#isTakingTurns = true
    this.#order = this.#takeTurns([...this.#order.toReversed(), ...this.#arrived])
    this.#arrived = []
  }

  /** One of each asker, then the next of each: those first that were served longest ago. The next one last. */
  #takeTurns(waiting: Waiting[]): Waiting[] {
    const perAsker = [...Map.groupBy(waiting.sort(byLatestServed), ({ asker }) => asker?.party ?? '')]
    perAsker.sort(([one], [other]) => (this.#latestServed.get(one) ?? 0) - (this.#latestServed.get(other) ?? 0))
    const rounds = Math.max(0, ...perAsker.map(([, requests]) => requests.length))
    const order: Waiting[] = []
    for (let round = 0; round < rounds; round += 1)
      for (const [, requests] of perAsker) if (round < requests.length) order.push(requests[round]!)
    return order.toReversed()
  }
}

function byLatestServed(one: Waiting, other: Waiting): number {
  return (one.connection.latestServed ?? 0) - (other.connection.latestServed ?? 0)
}
