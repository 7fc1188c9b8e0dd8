// Whether the database is there. Whoever cannot reach it says so; from then on nobody waits for it, until one who asks it again and
// again has had an answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../kernel/errors.ts'

const MILLISECONDS_BETWEEN = 500

export class Presence {
  /** Resolves where it answers. */
  readonly #ask: () => Promise<void>
  readonly #closing = new AbortController()
  readonly #listeners: ((isAway: boolean) => void)[] = []
  #isWatched = false
  #isAway = false

  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  /** Who starts waits for it; from now on it is known. */
  begin(): void {
    this.#isWatched = true
  }

  onChange(listener: (isAway: boolean) => void): void {
    this.#listeners.push(listener)
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** @throws UNAVAILABLE, at once, as long as it is away */
  assertThere(): void {
    if (this.#isAway) throw new PimletError('UNAVAILABLE', 'The database does not answer: it is asked again and again')
  }

  /** Somebody could not reach it. */
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
