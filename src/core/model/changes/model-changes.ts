// Makes changes of the model that stored records must follow. Contract 2 §3. A change has four parts. One transaction
// stores the change, and refuses contradicting writes from then on. Then the change checks whether it is possible,
// works in short steps, and switches to the new definition in one transaction. The request waits; if its client leaves,
// the change continues. A stop ends the change between two steps, a kill anywhere: the next start undoes the change,
// and the client can request it again.
import type { System } from '../../../kernel/machine/system.ts'
import type { ModelChange } from '../rules/model-change.ts'
import { PimletError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/observing/log.ts'
import type { Store, Transaction } from '../../../store/port.ts'
import { settle } from './stages.ts'
import { Walk } from './schema-walk.ts'

/** Milliseconds to the next try to end a change, after storage was full or not writable. */
const RETRY = 5000
/** Milliseconds between two checks whether another server that makes a change is dead. */
const LOOK_AGAIN = 3000

/** The outcome of closing a change. */
export interface Closed<Change, Result> {
  readonly result: Result
  /** Undefined: the change is already made, because it concerns no record. */
  readonly change: Change | undefined
}

/** The parts that a change of the model needs. */
export interface ChangingDeps {
  readonly store: Store
  readonly system: System
  readonly modelChanges: ModelChanges
}

export class ModelChanges {
  readonly #store: Store
  readonly #log: Log
  readonly #walk: Walk
  readonly #retryAfter: number
  /** Promises of the ends of changes under way. None rejects. */
  readonly #underWay = new Set<Promise<void>>()
  /** The present try to end a change that was interrupted, by ID. None rejects. */
  readonly #endings = new Map<string, Promise<void>>()
  readonly #retries = new Set<NodeJS.Timeout>()
  /** IDs of the changes that this server makes. */
  readonly #own = new Set<string>()
  #looking: NodeJS.Timeout | undefined
  #isStopped = false

  /** `retryAfter`: milliseconds. */
  constructor({ store, log, retryAfter = RETRY }: { store: Store; log: Log; retryAfter?: number }) {
    this.#store = store
    this.#retryAfter = retryAfter
    this.#log = log
    this.#walk = new Walk(store, () => this.#assertGoesOn())
  }

  /**
   * Makes a change. `close` decides in one transaction; `carryOut` does the rest before the switch. If one of them
   * throws, so does this function. Then nothing has changed, except for values that are already dropped.
   * @throws UNAVAILABLE when the server stops meanwhile
   */
  async make<Change extends ModelChange, Result>(
    id: string,
    close: (tx: Transaction) => Promise<Closed<Change, Result>>,
    carryOut: (change: Change, walk: Walk) => Promise<void>,
  ): Promise<Result> {
    await this.#endings.get(id)
    this.#assertGoesOn()
    const { result, change } = await this.#store.transaction(async (tx) => {
      const closed = await close(tx)
      if (closed.change !== undefined) await tx.modelChanges.insert(closed.change)
      return closed
    })
    if (change === undefined) return result
    this.#own.add(change.id)
    await this.#watch(this.#finish(change, carryOut)).finally(() => this.#own.delete(change.id))
    return result
  }

  /** Ends interrupted changes in the background, at the start. Later transactions do not wait for this. */
  async recover(): Promise<void> {
    for (const { id, kind, after, jobId } of await this.#store.read.modelChanges.listAbandoned()) {
      if (jobId !== undefined) continue
      this.#log.warn({ kind, id: after.id }, 'a change of the model was interrupted, and is undone')
      this.#settleInBackground(id, true)
    }
    this.look()
  }

  /** Ends the changes of dead servers, while other servers make changes. */
  look(): void {
    clearTimeout(this.#looking)
    if (this.#isStopped) return
    void this.#lookNow()
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#log.warn({ err: error }, 'changes of the model could not be looked for')
        return true
      })
      .then((isMore) => {
        clearTimeout(this.#looking)
        if (isMore && !this.#isStopped) this.#looking = setTimeout(() => this.look(), LOOK_AGAIN).unref()
        return isMore
      })
  }

  /** Resolves to whether other servers make changes. */
  async #lookNow(): Promise<boolean> {
    const { modelChanges } = this.#store.read
    const isOfOther = ({ id, jobId }: ModelChange): boolean =>
      jobId === undefined && !this.#own.has(id) && !this.#endings.has(id)
    if (!(await modelChanges.list()).some(isOfOther)) return false
    for (const change of (await modelChanges.listAbandoned()).filter(isOfOther))
      this.#settleInBackground(change.id, true)
    return true
  }

  /** Resolves when the step under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#looking)
    for (const retry of this.#retries) clearTimeout(retry)
    await Promise.all([...this.#underWay, ...this.#endings.values()])
  }

  async #finish<Change extends ModelChange>(
    change: Change,
    carryOut: (change: Change, walk: Walk) => Promise<void>,
  ): Promise<void> {
    try {
      await carryOut(change, this.#walk)
    } catch (error) {
      await this.#settle(change.id)
      throw error
    }
    await this.#settle(change.id)
  }

  /** Makes `stop` wait for the work. */
  async #watch(work: Promise<void>): Promise<void> {
    const ended = work.catch(() => undefined)
    this.#underWay.add(ended)
    try {
      await work
    } finally {
      this.#underWay.delete(ended)
    }
  }

  /** Ends a change, and never rejects: work that fails now is tried again later, or at the next start. */
  async #settle(id: string, ofAnother = false): Promise<void> {
    if (this.#isStopped) return
    try {
      await settle(this.#store, id, this.#walk, { ofAnother })
    } catch (error) {
      if (this.#isStopped) return
      this.#log.warn({ err: error, id }, 'a change of the model could not be ended, and is tried again')
      const retry = setTimeout(() => {
        this.#retries.delete(retry)
        this.#settleInBackground(id, ofAnother)
      }, this.#retryAfter).unref()
      this.#retries.add(retry)
    }
  }

  #settleInBackground(id: string, ofAnother: boolean): void {
    const ending = this.#settle(id, ofAnother).finally(() => {
      if (this.#endings.get(id) === ending) this.#endings.delete(id)
    })
    this.#endings.set(id, ending)
  }

  #assertGoesOn(): void {
    if (this.#isStopped)
      throw new PimletError('UNAVAILABLE', 'The server is shutting down, and the change is not made: ask for it again')
  }
}
