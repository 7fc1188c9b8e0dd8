// Duties that only one server of a workspace performs at a time. Every server waits for the lease, and waits again
// after it has lost the lease. After that loss, a server writes nothing more.
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../kernel/errors.ts'
import type { Store, Transaction } from './port.ts'
import type { Lease } from './run-port.ts'

/** Milliseconds to the next try, after the duty could not begin. */
const RETRY = 1000

interface Duty {
  /** Names the lease. */
  readonly name: string
  /**
   * Called each time that this server gets the lease. After the lease is lost, the store writes nothing, and the
   * lease's signal ends all work.
   */
  readonly begin: (store: Store, lease: Lease) => Promise<void>
  readonly onFault: (error: unknown) => void
}

export class Leading {
  readonly #store: Store
  readonly #duty: Duty
  readonly #stopping = new AbortController()
  #ended: Promise<void> | undefined

  constructor(store: Store, duty: Duty) {
    this.#store = store
    this.#duty = duty
  }

  /** Resolves when the duty has begun, or when another server has the duty: then the duty begins later. */
  async start(): Promise<void> {
    if (this.#ended !== undefined) return
    const { promise: beginning, resolve: begun } = Promise.withResolvers<void>()
    this.#ended = this.#run(this.#store.leases.hold(this.#duty.name, begun), begun)
    await beginning
  }

  /** Called when all work of the duty has ended: other servers may take the duty. */
  stop(): void {
    this.#stopping.abort()
  }

  async #run(first: Promise<Lease>, begun: () => void): Promise<void> {
    for (let next = first; ; next = this.#store.leases.hold(this.#duty.name)) {
      // A closed store refuses the lease: then nothing is left to do.
      const lease = await next.catch(() => undefined)
      if (lease === undefined) return begun()
      const isBegun = !this.#stopping.signal.aborted && (await this.#begin(lease))
      begun()
      if (isBegun) await anyAborted(lease.signal, this.#stopping.signal)
      lease.release()
      if (this.#stopping.signal.aborted) return
      if (!isBegun) await sleep(RETRY, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  async #begin(lease: Lease): Promise<boolean> {
    try {
      await this.#duty.begin(underLease(this.#store, lease), lease)
      return true
    } catch (error) {
      if (!this.#stopping.signal.aborted && !lease.signal.aborted) this.#duty.onFault(error)
      return false
    }
  }
}

/**
 * Returns the store with transactions that check the lease. @throws UNAVAILABLE after another server has taken the
 * lease
 */
export function underLease(store: Store, lease: Lease): Store {
  const held = async <Own extends Transaction>(tx: Own): Promise<Own> => {
    if (await tx.holds(lease)) return tx
    throw new PimletError('UNAVAILABLE', 'Another server has taken this over')
  }
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'transaction')
        return <Result>(work: (tx: Transaction) => Promise<Result>) =>
          target.transaction(async (tx) => work(await held(tx)))
      if (name === 'longTransaction')
        return <Result>(work: Parameters<Store['longTransaction']>[0]) =>
          target.longTransaction(async (tx) => work(await held(tx))) as Promise<Result>
      const member = target[name]
      return typeof member === 'function' ? (member as () => unknown).bind(target) : member
    },
  })
}

function anyAborted(...signals: readonly AbortSignal[]): Promise<void> {
  const any = AbortSignal.any([...signals])
  return new Promise((resolve) => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}
