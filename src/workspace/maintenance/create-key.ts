// `pimlet key create`: an API key, made in the workspace itself. Contract 2 §2, 3 §8.
import type { StoredApiKey } from '../../core/accounts/rules/account.ts'
import { defineAccountEntry, NOBODY } from '../../core/feed/rules/account-entry.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { WorkspacePlace } from '../storages.ts'
import { changeAccounts, noSuch } from './offline-accounts.ts'

/** Resolves when the key can be used: at the next request of servers on a database, else by the next server. @throws StartError */
export function createKey(workspace: WorkspacePlace, key: StoredApiKey, system: Pick<System, 'newId'>): Promise<void> {
  const otherwise = 'make the key through it (--url instead of --data-dir)'
  return changeAccounts({ workspace, task: 'make a key', otherwise }, async (accounts) => {
    const head = { id: system.newId('aud'), userId: NOBODY, timestamp: key.createdAt }
    const entry = defineAccountEntry(head, { entityType: 'apiKey', after: key }, 'command')!
    if (!(await accounts.addKey(key, entry))) throw noSuch('role', key.roleId, await accounts.roleIds())
  })
}
