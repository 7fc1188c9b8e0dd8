// Runs each transaction twice, as stores may: the writes of the first run are undone, and its result or error is
// ignored. Code that passes the tests on this store keeps no state between the runs. `TEST_STORE_TWICE=1 npm run
// test:run` uses this store in every server that tests start.
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

/** Returns `store`, or the repeating store if TEST_STORE_TWICE is set. */
export function asTested<Wrapped extends Store>(store: Wrapped): Wrapped {
  return process.env['TEST_STORE_TWICE'] === '1' ? runTwice(store) : store
}
