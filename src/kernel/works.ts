// What is under way until the server stops, such as threads that have one task each.
import { PimletError } from './errors.ts'

export class Works {
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  /** `signal`, and the end of all, abort what `work` gets. */
  run<Result>(signal: AbortSignal, work: (either: AbortSignal) => Promise<Result>): Promise<Result> {
    const result = work(AbortSignal.any([signal, this.#closing.signal]))
    const settled = result.catch(() => undefined)
    this.#running.add(settled)
    void settled.finally(() => this.#running.delete(settled))
    return result
  }

  /** Ends what is under way (it rejects with UNAVAILABLE) and refuses what comes later. */
  async close(): Promise<void> {
    this.#closing.abort(new PimletError('UNAVAILABLE', 'The server is shutting down'))
    await Promise.all(this.#running)
  }
}
