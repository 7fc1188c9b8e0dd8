// Caches the holders of credentials in memory between requests. Code of this process that changes users or keys calls
// `forget`. Storage reports changes by other servers, so the next request sees them. Roles are looked up in the model
// each time.
import { hash as digest } from 'node:crypto'
import type { StoredApiKey, StoredUser } from './rules/account.ts'
import type { Store } from '../../store/port.ts'

const MAX_REMEMBERED = 10_000

export function createCredentials(store: Store) {
  const keys = new Map<string, StoredApiKey>()
  const users = new Map<string, StoredUser>()
  /** A look-up from before a change must not be cached after it. */
  let epoch = 0
  /** The version of storage from which the remembered holders were read. */
  let version = store.credentialsVersion?.()

  /** Returns a remembered item at once, as for nearly every request. */
  function recall<Item>(
    known: Map<string, Item>,
    name: string,
    look: () => Promise<Item | undefined>,
  ): Item | Promise<Item | undefined> {
    const present = store.credentialsVersion?.()
    if (present !== version) forget()
    version = present
    return known.get(name) ?? lookUp(known, name, look)
  }

  async function lookUp<Item>(
    known: Map<string, Item>,
    name: string,
    look: () => Promise<Item | undefined>,
  ): Promise<Item | undefined> {
    const before = epoch
    const found = await look()
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
    /** @param key the key that the client sends */
    apiKey: (key: string) => recall(keys, key, () => store.read.apiKeys.findByHash(hashApiKey(key))),
    user: (id: string) => recall(users, id, () => store.read.users.get(id)),

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

/** Returns the SHA-256 of the key, hexadecimal: only this is stored. */
export function hashApiKey(key: string): string {
  return digest('sha256', key)
}

export type Credentials = ReturnType<typeof createCredentials>
