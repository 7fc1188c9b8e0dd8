// A transaction as its work has it: until its end, and no longer.
import type { Transaction } from './port.ts'

/** What a transaction has when it is over. */
const NOTHING = new Proxy(
  {},
  {
    get() {
      throw new Error('A transaction was used after its end')
    },
  },
)

/** The repositories for one transaction; after `end` they refuse to be asked for. */
export function openTransaction<Own extends Transaction>(repositories: Own): { tx: Own; end: () => void } {
  const tx = Object.create(repositories) as Own
  return { tx, end: () => void Object.setPrototypeOf(tx, NOTHING) }
}
