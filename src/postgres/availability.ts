// Knows whether the database can be reached. When one caller cannot reach it, all callers are refused at once, until a
// repeated check gets an answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../kernel/errors.ts'

const MILLISECONDS_BETWEEN = 500

export class Availability {
  /** Resolves if the database answers. */
  readonly #ask: () => Promise<void>
  readonly #closing = new AbortController()
  readonly #listeners: ((isAway: boolean) => void)[] = []
  #isWatched = false
  #isAway = false

  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  /** Starts to watch the database. Before this, the start of the server waits for the database. */
  begin(): void {
    this.#isWatched = true
  }

  onChange(listener: (isAway: boolean) => void): void {
    this.#listeners.push(listener)
  }

  /** @throws UNAVAILABLE, at once, while the database is away */
  assertThere(): void {
    if (this.#isAway) throw new PimletError('UNAVAILABLE', 'The database does not answer: it is asked again and again')
  }

  /** Notes that a caller could not reach the database. */
  lost(): void {
    if (!this.#isWatched || this.#isAway || this.#closing.signal.aborted) return
    this.#change(true)
    void this.#untilThere()
  }

  close(): void {
    this.#closing.abort()
  }

  async #untilThere(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const isThere = await this.#ask().then(
        () => true,
        () => false,
      )
      if (isThere && !signal.aborted) return this.#change(false)
      await sleep(MILLISECONDS_BETWEEN, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  #change(isAway: boolean): void {
    this.#isAway = isAway
    for (const listener of this.#listeners) listener(isAway)
  }
}
