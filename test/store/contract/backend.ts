// What the storage contract asks of whoever is tested against it.
import { PimletError } from '../../../src/kernel/errors.ts'
import type { Store, Transaction } from '../../../src/store/port.ts'
import type { Lifetime } from '../../helpers/shared-in-suite.ts'
import { insertModel } from './fixtures.ts'
import type { FoundSnapshot, RecordSnapshot } from '../../../src/store/snapshot-port.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'

export interface Backend {
  readonly name: string
  /** Makes a storage with nothing in it, which ends with the test. */
  open(test: Lifetime, options?: BackendOptions): Promise<OpenedStorage>
}

export interface BackendOptions {
  /** Milliseconds of work that one search may take. */
  readonly queryTimeout?: number
}

export interface OpenedStorage {
  readonly store: Store
  /** Closes it and reopens it on what it has stored. */
  readonly reopen: () => Promise<Store>
  /** Opens another one on what a process that dies at this moment leaves. */
  readonly openAfterKill: () => Promise<Store>
  readonly openSnapshot: () => Promise<RecordSnapshot>
  /** `timeout`: milliseconds of work. */
  readonly openFoundSnapshot: (query: SearchQuery, timeout?: number) => Promise<FoundSnapshot>
  /** Resolves when what is done in the background for what was committed before the call is done. */
  readonly whenSettled: () => Promise<void>
}

/** With the model of `fixtures.ts` in it. */
export async function openWithModel(
  backend: Backend,
  test: Lifetime,
  insert: (tx: Transaction) => Promise<void> = insertModel,
): Promise<OpenedStorage> {
  const opened = await backend.open(test)
  await opened.store.transaction(insert)
  return opened
}

export const hasCode = (code: string) => (error: unknown) => error instanceof PimletError && error.code === code

/** Also that the message says so. */
export const says = (code: string, message: RegExp) => (error: unknown) =>
  hasCode(code)(error) && message.test((error as Error).message)
