// PostgreSQL as the storage contract sees it.
import assert from 'node:assert/strict'
import { Connection } from '../../src/postgres/connection.ts'
import { openFoundSnapshot, openSnapshot } from '../../src/workspace/storages.ts'
import { openPostgresStore, type PostgresStore } from '../../src/postgres/store.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import type { Backend, BackendOptions } from '../store/contract/backend.ts'

/** Of which the caller has to close each. */
export function openStore(
  url: string,
  options: BackendOptions & { readonly threadsUrl?: string | undefined } = {},
): Promise<PostgresStore> {
  return openPostgresStore({
    url,
    ...options,
    onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
  })
}

export const postgresBackend: Backend = {
  name: 'PostgreSQL',
  async open(test, options) {
    const { url, release } = await makeDatabase()
    const stores: PostgresStore[] = []
    const openOne = async (): Promise<PostgresStore> => {
      const store = await openStore(url, options)
      stores.push(store)
      return store
    }
    test.after(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await release()
    })
    const store = await openOne()
    return {
      store,
      async reopen() {
        await store.close()
        return openOne()
      },
      async openAfterKill() {
        await forget(store)
        return openOne()
      },
      openSnapshot: () => openSnapshot(store.location),
      openFoundSnapshot: (query, timeout = 30_000) => openFoundSnapshot(store.location, query, timeout),
      whenSettled: () => store.whenIndexed(),
    }
  },
}

/** What others think of a server that died: its leases have run out. */
async function forget({ owner, location }: PostgresStore): Promise<void> {
  const connection = await Connection.open(location)
  await connection.run(`UPDATE lease SET until = '-infinity' WHERE holder = $1`, [owner])
  await connection.close()
}
