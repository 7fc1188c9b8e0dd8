// In which order requests are served that arrived in one turn of the event loop. The system tells first of the connections
// that were served a moment ago: a request that comes a little late would wait until all others were served twice.

export interface Connection {
  /** How many requests had been served on all connections when its latest was: none yet where it is not given. */
  latestServed?: number
}

interface Waiting {
  readonly connection: Connection
  readonly serve: () => void
}

/**
 * Whatever arrives in a turn is served at its end, that of the connection which waits longest for its turn first. Reading
 * all before anything is served also takes less time: of GETs of records, one after another at 16 connections, a quarter.
 */
export class TurnQueue {
  #arrived: Waiting[] = []
  /** The next one last. */
  #order: Waiting[] = []
  #served = 0

  /** `serve` does not throw. Requests of one connection keep their order. */
  add(connection: Connection, serve: () => void): void {
    this.#arrived.push({ connection, serve })
    // One for each: what a request continues with, after it awaited something at hand, does not wait for the others.
    setImmediate(this.#serveNext)
  }

  readonly #serveNext = (): void => {
    if (this.#order.length === 0) {
      this.#order = this.#arrived.sort(byLatestServed).toReversed()
      this.#arrived = []
    }
    const next = this.#order.pop()
    if (next === undefined) return
    this.#served += 1
    next.connection.latestServed = this.#served
    next.serve()
  }
}

function byLatestServed(one: Waiting, other: Waiting): number {
  return (one.connection.latestServed ?? 0) - (other.connection.latestServed ?? 0)
}
