// Leases within one process, which are all there are where it alone has the workspace: it has them at once and for ever.
import { PimletError } from '../kernel/errors.ts'
import type { Lease, Leases } from './run-port.ts'

/** There is no earlier holder while this process lives. */
const TERM = 1

export class LocalLeases implements Leases {
  /** By name: the queue behind the holder of the lease. */
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
