// Leases within one process. If this process alone has the workspace, no other leases exist: it gets them at once, for
// ever.
import { PimletError } from '../kernel/errors.ts'
import type { Lease, Leases } from './run-port.ts'

/** No earlier holder exists while this process lives. */
const TERM = 1

export class LocalLeases implements Leases {
  /** Lease name → queue of callers that wait for the holder. */
  readonly #queues = new Map<string, ((lease: Lease) => void)[]>()
  readonly #closing = new AbortController()

  hold(name: string, onWait?: () => void): Promise<Lease> {
    const { signal } = this.#closing
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(new PimletError('UNAVAILABLE', 'The server is shutting down'))
      if (signal.aborted) {
        refuse()
        return
      }
      const queue = this.#queues.get(name)
      if (queue === undefined) {
        this.#queues.set(name, [])
        resolve(this.#lease(name))
        return
      }
      onWait?.()
      signal.addEventListener('abort', refuse, { once: true })
      queue.push((lease) => {
        signal.removeEventListener('abort', refuse)
        resolve(lease)
      })
    })
  }

  close(): void {
    this.#closing.abort()
  }

  #lease(name: string): Lease {
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      const next = this.#queues.get(name)!.shift()
      if (next === undefined) this.#queues.delete(name)
      else next(this.#lease(name))
    }
    return { name, term: TERM, signal: this.#closing.signal, release }
  }
}
