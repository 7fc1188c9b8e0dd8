// `pimlet user set-password` and `pimlet key create`: changes of accounts without a server. No server may run on the directory,
// because it keeps accounts in memory. Servers on a database notice the change. Contract 2 §2, 2 §8, 3 §8.
import { StartError, UsageError } from '../../kernel/machine/start-error.ts'
import type { Accounts } from '../../store/maintenance-port.ts'
import { storageFaultOf, type WorkspacePlace } from '../storages.ts'
import { asStartError } from './start-faults.ts'
import { holdAlone, maintain } from './workspace.ts'
import { type StoredApiKey, withPassword } from '../../core/accounts/rules/account.ts'
import { defineAccountEntry, NOBODY } from '../../core/feed/rules/account-entry.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { PasswordHasher } from '../../core/accounts/passwords.ts'

interface AccountWork {
  readonly workspace: WorkspacePlace
  /** The task for messages: `set the password`. */
  readonly task: string
  /** The way to do it while a server runs. */
  readonly otherwise: string
}

/** Names that a message lists. */
const NAMED = 10

/** Resolves to the result of `work` when the changes are on disk. @throws StartError */
async function changeAccounts<Result>(
  { workspace, task, otherwise }: AccountWork,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const maintenance = await maintain(workspace)
  process.umask(0o077)
  let unlock = (): void => undefined
  try {
    unlock = holdAlone(workspace)
    const accounts = await maintenance.openAccounts()
    try {
      return await work(accounts)
    } finally {
      await accounts.close()
    }
  } catch (error) {
    const told = asStartError(error, { failure: `Cannot ${task} in ${maintenance.place}`, database: 'it' })
    if (storageFaultOf(told.cause) !== 'locked') throw told
    throw new StartError(`${told.message}: stop it first, or ${otherwise}`, { cause: told.cause })
  } finally {
    unlock()
  }
}

/** `There is no user bob. The users are: admin, ann` */
function noSuch(kind: 'user' | 'role', name: string, known: readonly string[]): UsageError {
  const more = known.length > NAMED ? ` and ${known.length - NAMED} more` : ''
  const rest =
    known.length === 0
      ? `The workspace has no ${kind}s yet: start a server on it once`
      : `The ${kind}s are: ${known.slice(0, NAMED).join(', ')}${more}`
  return new UsageError(`There is no ${kind} ${name}. ${rest}`)
}

/** Servers on a database know the key at their next request, a directory's server after its start. @throws StartError */
export function createKey(workspace: WorkspacePlace, key: StoredApiKey, system: Pick<System, 'newId'>): Promise<void> {
  const otherwise = 'make the key through it (--url instead of --data-dir)'
  return changeAccounts({ workspace, task: 'make a key', otherwise }, async (accounts) => {
    const head = { id: system.newId('aud'), userId: NOBODY, timestamp: key.createdAt }
    const entry = defineAccountEntry(head, { entityType: 'apiKey', after: key }, 'command')!
    if (!(await accounts.addKey(key, entry))) throw noSuch('role', key.roleId, await accounts.roleIds())
  })
}

interface SetPasswordOptions {
  readonly workspace: WorkspacePlace
  readonly username: string
  /** Called last, after all checks. */
  readonly readPassword: () => Promise<string>
  readonly passwords: Pick<PasswordHasher, 'hash'>
  readonly system: Pick<System, 'now' | 'newId'>
}

/** Sets a password without the old one; resolves when all tokens of the user are revoked. @throws StartError */
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
