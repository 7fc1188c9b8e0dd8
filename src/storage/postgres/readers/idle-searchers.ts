// The connections of one reader thread: a bounded number, since the database has few for all servers. Who comes when all are taken waits.
import { Connection } from '../connection.ts'
import type { PostgresLocation } from '../location.ts'
import { rememberNothing, Searcher } from '../search/searcher.ts'

const MAX_CONNECTIONS = 6
/** Connections that are kept open for the next task. */
const KEPT = 3

export class IdleSearchers {
  readonly #location: PostgresLocation
  readonly #timeout: number
  readonly #remembered = rememberNothing()
  readonly #idle: Searcher[] = []
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(location: PostgresLocation, timeout: number) {
    this.#location = location
    this.#timeout = timeout
  }

  /** To be given back. @throws UNAVAILABLE */
  async take(): Promise<Searcher> {
    if (this.#taken >= MAX_CONNECTIONS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#taken += 1
    try {
      let known = this.#idle.pop()
      while (known?.connection.closed.aborted === true) known = this.#idle.pop()
      return known ?? (await Searcher.open(this.#location, this.#timeout, this.#remembered))
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  async giveBack(searcher: Searcher): Promise<void> {
    const isUsable = await searcher.end()
    if (isUsable && this.#idle.length < KEPT) this.#idle.push(searcher)
    else if (isUsable) await searcher.connection.close()
    this.#leave()
  }

  /** Ends what the database does for a task, from another connection. */
  async cancel(searcher: Searcher): Promise<void> {
    const other = await Connection.open(this.#location)
    await other.rows('SELECT pg_cancel_backend($1)', [searcher.connection.processId])
    await other.close()
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken -= 1
    else next()
  }
}
