// Whether the database can be reached. A caller that cannot reach it reports so; from then on all callers are refused
// at once, until a repeated check has an answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../kernel/errors.ts'

const MILLISECONDS_BETWEEN = 500

export class Availability {
  /** Resolves where it answers. */
  readonly #ask: () => Promise<void>
  readonly #closing = new AbortController()
  readonly #listeners: ((isAway: boolean) => void)[] = []
  #isWatched = false
  #isAway = false

  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  /** Watches the database from now on: until now the start of the server waited for it. */
  begin(): void {
    this.#isWatched = true
  }

  onChange(listener: (isAway: boolean) => void): void {
    this.#listeners.push(listener)
  }

  /** @throws UNAVAILABLE, at once, as long as it is away */
  assertThere(): void {
    if (this.#isAway) throw new PimletError('UNAVAILABLE', 'The database does not answer: it is asked again and again')
  }

  /** A caller could not reach the database. */
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
