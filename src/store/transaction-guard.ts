// Two guards of a transaction: its work awaits only the transaction, and nobody uses the transaction after its end.
import type { Transaction } from './port.ts'

/**
 * The turns of the event loop that the work of a transaction takes. Work that awaits anything else would hold the
 * database, so it is refused.
 */
export class TransactionGuard {
  readonly #turnMilliseconds: number
  #waiting = 0
  #check: NodeJS.Immediate | undefined
  #began = performance.now()
  #fail: (error: Error) => void = () => undefined

  /** @param turnMilliseconds milliseconds that the work may run before `pause` lets other work run */
  constructor(turnMilliseconds: number) {
    this.#turnMilliseconds = turnMilliseconds
  }

  /** Runs `work`, which awaits only promises of `wait` and `pause`, and promises that resolve in the same turn. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      this.#checkAfterTurn()
      work()
        .then(resolve, reject)
        .finally(() => clearImmediate(this.#check))
    })
  }

  async wait<Result>(asked: Promise<Result>): Promise<Result> {
    this.#waiting += 1
    clearImmediate(this.#check)
    try {
      return await asked
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#checkAfterTurn()
    }
  }

  /** Resolves in a later turn of the event loop if this turn has taken long enough. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began < this.#turnMilliseconds) return
    await this.wait(new Promise((resolve) => setImmediate(resolve)))
    this.#began = performance.now()
  }

  /** Fails work that continues after this turn without a request to the transaction. */
  #checkAfterTurn(): void {
    clearImmediate(this.#check)
    this.#check = setImmediate(() =>
      this.#fail(new Error('A transaction awaited something other than its own methods')),
    )
  }
}

/** Replaces the repositories when the transaction is over. */
const NOTHING = new Proxy(
  {},
  {
    get() {
      throw new Error('A transaction was used after its end')
    },
  },
)

/** Returns the repositories of one transaction. After `end`, every use of them throws. */
export function openTransaction<Own extends Transaction>(repositories: Own): { tx: Own; end: () => void } {
  const tx = Object.create(repositories) as Own
  return { tx, end: () => void Object.setPrototypeOf(tx, NOTHING) }
}
