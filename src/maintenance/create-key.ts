// `pimlet key create --data-dir`: an API key of a workspace that nobody serves. Contract 2 §2, 3 §8.
import type { StoredApiKey } from '../domain/accounts/accounts.ts'
import { changeAccounts, noSuch } from './accounts.ts'

/** Resolves when the key can be used by the next server. @throws StartError */
export function createKey(dataDir: string, key: StoredApiKey): Promise<void> {
  const otherwise = 'make the key through it (--url instead of --data-dir)'
  return changeAccounts({ dataDir, task: 'make a key', otherwise }, async (accounts) => {
    const roles = await accounts.roleIds()
    if (!roles.includes(key.roleId)) throw noSuch('role', key.roleId, roles)
    await accounts.addKey(key)
  })
}
