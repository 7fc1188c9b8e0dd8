// `pimlet user set-password`: a new password for a user, without the old one. It takes the workspace alone: a server keeps
// users in memory, and would go on with the old password and the tokens. Decisions §2 and §8.
import { withPassword } from '../domain/accounts.ts'
import { findWorkspace } from '../data-directory.ts'
import type { PasswordHasher } from '../services/passwords.ts'
import { StartError } from '../start-error.ts'
import { DataDirectoryLocked } from '../storage/sqlite/data-directory-lock.ts'
import { UserFile } from '../storage/sqlite/maintenance/change-user.ts'
import type { System } from '../system.ts'
import { asStartError } from './faults.ts'
import { lockWorkspace } from './lock.ts'

export interface SetPasswordOptions {
  readonly dataDir: string
  readonly username: string
  /** Asked for when nothing else can go wrong. */
  readonly readPassword: () => Promise<string>
  readonly passwords: Pick<PasswordHasher, 'hash'>
  readonly system: Pick<System, 'now'>
}

/** Resolves when the password holds, and all tokens of the user have ended. @throws StartError */
export async function setPassword(options: SetPasswordOptions): Promise<{ isDisabled: boolean }> {
  const { dataDir } = options
  const databaseFile = findWorkspace(dataDir)
  process.umask(0o077)
  const unlock = lock(dataDir)
  try {
    const users = new UserFile(databaseFile)
    try {
      return await change(users, options)
    } finally {
      users.close()
    }
  } catch (error) {
    throw asStartError(error, { failure: `Cannot set the password in ${databaseFile}`, database: 'it' })
  } finally {
    unlock()
  }
}

async function change(
  users: UserFile,
  { username, readPassword, passwords, system }: SetPasswordOptions,
): Promise<{ isDisabled: boolean }> {
  const user = await users.find(username)
  if (user === undefined) {
    const some = (await users.usernames()).slice(0, 10)
    throw new StartError(`There is no user ${username}; there are ${some.join(', ')}`)
  }
  const passwordHash = await passwords.hash(await readPassword())
  await users.update(withPassword(user, passwordHash, system.now()))
  return { isDisabled: user.disabled }
}

function lock(dataDir: string): () => void {
  try {
    return lockWorkspace(dataDir)
  } catch (error) {
    if (!(error instanceof StartError) || !(error.cause instanceof DataDirectoryLocked)) throw error
    const how = 'stop it first, or change the password through it (PATCH /api/v1/users/:id)'
    throw new StartError(`${error.message}: ${how}`, { cause: error })
  }
}
