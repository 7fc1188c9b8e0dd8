// The connections of one reader thread. Their number is bounded, because all servers share the few connections of the
// database. A task keeps its connection until its results are taken, and waits if none is free. A caller gets at most
// as many connections as remain free for others.
import { PimletError } from '../../kernel/errors.ts'
import { Connection } from '../connection.ts'
import type { PostgresLocation } from '../location.ts'
import { rememberNothing, Searcher } from '../search/searcher.ts'

const MAX_CONNECTIONS = 8
/** The most idle connections that stay open for the next task. */
const KEPT = 3

interface Waiting {
  readonly callerId: string | undefined
  readonly begin: () => void
}

export class IdleSearchers {
  readonly #location: PostgresLocation
  readonly #timeout: number
  readonly #remembered = rememberNothing()
  readonly #idle: Searcher[] = []
  /** The next waiting task is first. */
  readonly #waiting: Waiting[] = []
  readonly #perCaller = new Map<string | undefined, number>()
  #taken = 0
  #isClosed = false

  constructor(location: PostgresLocation, timeout: number) {
    this.#location = location
    this.#timeout = timeout
  }

  /**
   * Takes a connection; the caller returns it by `giveBack`. @param callerId undefined: the server itself @throws
   * UNAVAILABLE
   */
  async take(callerId: string | undefined): Promise<Searcher> {
    if (this.#mayTake(callerId)) this.#count(callerId, 1)
    else await new Promise<void>((begin) => this.#waiting.push({ callerId, begin }))
    try {
      if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
      let known = this.#idle.pop()
      while (known?.connection.closed.aborted === true) known = this.#idle.pop()
      return known ?? (await Searcher.open(this.#location, this.#timeout, this.#remembered))
    } catch (error) {
      this.#leave(callerId)
      throw error
    }
  }

  async giveBack(searcher: Searcher, callerId: string | undefined): Promise<void> {
    const isUsable = await searcher.end()
    if (isUsable && !this.#isClosed && this.#idle.length < KEPT) this.#idle.push(searcher)
    else if (isUsable) await searcher.connection.close()
    this.#leave(callerId)
  }

  /** Cancels the work of the database for a task, from another connection. */
  async cancel(searcher: Searcher): Promise<void> {
    const other = await Connection.open(this.#location)
    const { processId } = searcher.connection
    if (processId !== undefined) await other.rows('SELECT pg_cancel_backend($1)', [processId])
    await other.close()
  }

  /** Connections in use are closed when they are given back: an open one would keep the thread alive. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()))
  }

  #mayTake(callerId: string | undefined): boolean {
    const free = MAX_CONNECTIONS - this.#taken
    return free > 0 && (callerId === undefined || (this.#perCaller.get(callerId) ?? 0) < free)
  }

  #count(callerId: string | undefined, change: 1 | -1): void {
    this.#taken += change
    const ofCaller = (this.#perCaller.get(callerId) ?? 0) + change
    if (ofCaller === 0) this.#perCaller.delete(callerId)
    else this.#perCaller.set(callerId, ofCaller)
  }

  #leave(callerId: string | undefined): void {
    this.#count(callerId, -1)
    for (;;) {
      const next = this.#waiting.findIndex((waiting) => this.#mayTake(waiting.callerId))
      if (next === -1) return
      const [waiting] = this.#waiting.splice(next, 1)
      this.#count(waiting!.callerId, 1)
      waiting!.begin()
    }
  }
}
