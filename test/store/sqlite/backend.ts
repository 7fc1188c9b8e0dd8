// SQLite as the storage contract sees it.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import type { Lifetime } from '../../helpers/shared-in-suite.ts'
import { openFoundSnapshot, openSnapshot } from '../../../src/workspace/storages.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import type { Backend, BackendOptions } from '../contract/backend.ts'

/** Closed at the end of the test. */
export async function openStore(file: string, test: Lifetime, options: BackendOptions = {}): Promise<SqliteStore> {
  const store = await openSqliteStore({
    file,
    queryTimeout: options.queryTimeout,
    onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
  })
  test.after(() => store.close())
  return store
}

export const sqliteBackend: Backend = {
  name: 'SQLite',
  async open(test, options) {
    const directory = makeTempDirectory()
    const file = path.join(directory, 'pimlet.db')
    const store = await openStore(file, test, options)
    return {
      store,
      async reopen() {
        await store.close()
        return openStore(file, test, options)
      },
      async openAfterKill() {
        const copy = makeTempDirectory()
        cpSync(directory, copy, { recursive: true })
        return openStore(path.join(copy, 'pimlet.db'), test, options)
      },
      openSnapshot: () => openSnapshot(store.location),
      async openFoundSnapshot(query, timeout = 30_000) {
        await store.read.whenSearchable()
        return openFoundSnapshot(store.location, query, timeout)
      },
      whenSettled: () => store.whenIndexed(),
    }
  },
}
