// `pimlet user set-password`: a new password for a user, without the old one. Contract 2 §2, 2 §8.
import { withPassword } from '../../core/accounts/rules/account.ts'
import { defineAccountEntry, NOBODY } from '../../core/feed/rules/account-entry.ts'
import type { PasswordHasher } from '../../core/accounts/passwords.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { WorkspacePlace } from '../storages.ts'
import { changeAccounts, noSuch } from './offline-accounts.ts'

interface SetPasswordOptions {
  readonly workspace: WorkspacePlace
  readonly username: string
  /** Asked for when nothing else can go wrong. */
  readonly readPassword: () => Promise<string>
  readonly passwords: Pick<PasswordHasher, 'hash'>
  readonly system: Pick<System, 'now' | 'newId'>
}

/** Resolves when the password holds, and all tokens of the user have ended. @throws StartError */
export function setPassword(options: SetPasswordOptions): Promise<{ isDisabled: boolean }> {
  const { workspace, username, readPassword, passwords, system } = options
  const otherwise = 'change the password through it (PATCH /api/v1/users/:id)'
  return changeAccounts({ workspace, task: 'set the password', otherwise }, async (accounts) => {
    const user = await accounts.findUser(username)
    if (user === undefined) throw noSuch('user', username, await accounts.usernames())
    const passwordHash = await passwords.hash(await readPassword())
    const head = { id: system.newId('aud'), userId: NOBODY, timestamp: system.now().toISOString() }
    const isThere = await accounts.changeUser(user.id, (before) => {
      const after = withPassword(before, passwordHash, system.now())
      const change = { entityType: 'user' as const, before, after, hasNewPassword: true }
      return { user: after, entry: defineAccountEntry(head, change, 'command')! }
    })
    if (!isThere) throw noSuch('user', username, await accounts.usernames())
    return { isDisabled: user.disabled }
  })
}
