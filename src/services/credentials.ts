// Who holds a credential, kept in memory between requests. One process owns the data directory, so whatever changes
// users or keys says so here (`forget`), and the next request sees it. Roles are looked up in the model each time.
import type { StoredApiKey, StoredUser } from '../domain/accounts.ts'
import type { Store } from '../storage/port.ts'

const MAX_REMEMBERED = 10_000

export function createCredentials(store: Store) {
  const keys = new Map<string, StoredApiKey>()
  const users = new Map<string, StoredUser>()
  /** What was looked up before a change must not be remembered after it. */
  let epoch = 0

  async function recall<Item>(
    known: Map<string, Item>,
    name: string,
    look: (name: string) => Promise<Item | undefined>,
  ): Promise<Item | undefined> {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const before = epoch
    const found = await look(name)
    if (found !== undefined && epoch === before) {
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(name, found)
    }
    return found
  }

  function forget(): void {
    epoch += 1
    keys.clear()
    users.clear()
  }

  return {
    /** `hash`: SHA-256 of the key, hexadecimal. */
    apiKey: (hash: string) => recall(keys, hash, (name) => store.read.apiKeys.findByHash(name)),
    user: (id: string) => recall(users, id, (name) => store.read.users.get(name)),

    /** Runs a transaction that may change users or keys. */
    async change<Result>(work: Parameters<typeof store.transaction<Result>>[0]): Promise<Result> {
      try {
        return await store.transaction(work)
      } finally {
        forget()
      }
    },
  }
}

export type Credentials = ReturnType<typeof createCredentials>
