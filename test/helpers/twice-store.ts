// A store that runs each transaction twice, as a store may: what the first run wrote is undone, and what it returned or threw
// counts for nothing. Whoever passes the tests on it keeps no state between the runs. `TEST_STORE_TWICE=1` puts it under every
// server that tests start: `TEST_STORE_TWICE=1 npm run test:run`.
import type { LongTransaction, Reads, Store, Transaction } from '../../src/store/port.ts'
import { over } from './over.ts'

const UNDO = new Error('The first run is undone')

export function runTwice<Wrapped extends Store>(store: Wrapped): Wrapped {
  async function transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    await store
      .transaction(async (tx) => {
        await work(tx)
        throw UNDO
      })
      .catch(() => undefined)
    return store.transaction(work)
  }
  async function longTransaction<Result>(work: (tx: LongTransaction) => Promise<Result>): Promise<Result> {
    await store
      .longTransaction(async (tx) => {
        await work(tx)
        throw UNDO
      })
      .catch(() => undefined)
    return store.longTransaction(work)
  }
  async function snapshot<Result>(work: (reads: Reads) => Promise<Result>): Promise<Result> {
    await store.snapshot(work).catch(() => undefined)
    return store.snapshot(work)
  }
  return over<Store>(store, { transaction, longTransaction, snapshot }) as Wrapped
}

/** `store`, or one that runs everything twice where the tests are run so. */
export function asTested<Wrapped extends Store>(store: Wrapped): Wrapped {
  return process.env['TEST_STORE_TWICE'] === '1' ? runTwice(store) : store
}
