// Users and the caller's own account. Contract 2 §2.
import {
  nextTokenGeneration,
  type StoredUser,
  type User,
  type UserInput,
  type UserUpdate,
  type Session,
} from './rules/account.ts'
import { alreadyExists, conflict, denied, invalid, PimletError, shorten } from '../../kernel/errors.ts'
import { ADMIN_ROLE_ID, type Role } from './rules/permissions.ts'
import { preferencesId } from './rules/preferences.ts'
import type { Reads, Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { assertHasAllOf } from './authority.ts'
import type { AuthenticationService } from './authentication.ts'
import type { Caller } from './caller.ts'
import type { Credentials } from './credentials.ts'
import type { PasswordHasher } from './passwords.ts'
import { deletePrivateQueries } from '../search/saved-queries.ts'
import { noteAccountChange } from './account-entries.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import type * as v from 'valibot'

export function createUserService(deps: {
  store: Store
  system: System
  credentials: Credentials
  passwords: PasswordHasher
  authentication: AuthenticationService
}) {
  const { store, system, credentials, passwords, authentication } = deps

  /** Updates a user. `judge` may refuse the change from `before` to `after`. */
  async function update(
    caller: Caller,
    id: string,
    input: v.InferOutput<typeof UserUpdate>,
    judge: (tx: Reads, before: StoredUser, after: StoredUser) => Promise<void>,
  ): Promise<User> {
    const passwordHash = input.password === undefined ? undefined : await passwords.hash(input.password)
    return credentials.change(async (tx) => {
      const before = await tx.users.find(id)
      const after = changeUser(before, input, passwordHash)
      if (after.username !== before.username) await assertUsernameIsFree(tx, after.username)
      await judge(tx, before, after)
      if (isAdmin(before) && !isAdmin(after)) await assertAnotherAdmin(tx, id)
      await tx.users.update(after)
      const hasNewPassword = passwordHash !== undefined
      noteAccountChange(tx, system, caller, { entityType: 'user', before, after, hasNewPassword })
      return toUser(after)
    })
  }

  function changeUser(
    before: StoredUser,
    input: v.InferOutput<typeof UserUpdate>,
    passwordHash: string | undefined,
  ): StoredUser {
    const disabled = input.disabled ?? before.disabled
    const endsTokens = passwordHash !== undefined || (disabled && !before.disabled)
    return {
      ...before,
      username: input.username ?? before.username,
      name: input.name ?? before.name,
      roleId: input.roleId ?? before.roleId,
      disabled,
      passwordHash: passwordHash ?? before.passwordHash,
      tokenGeneration: endsTokens ? nextTokenGeneration(before.tokenGeneration, system.now()) : before.tokenGeneration,
    }
  }

  return {
    async list(_caller: Caller): Promise<User[]> {
      return (await store.read.users.list()).map(toUser)
    },

    /** @throws NOT_FOUND */
    async get(_caller: Caller, id: string): Promise<User> {
      const user = await store.read.users.find(id)
      return toUser(user)
    },

    /**
     * @throws CONFLICT for an ID or username that exists
     * @throws VALIDATION_ERROR for an unknown role
     * @throws PERMISSION_DENIED for a role with more rights than the caller's role
     */
    async create(caller: Caller, input: v.InferOutput<typeof UserInput>): Promise<User> {
      const passwordHash = await passwords.hash(input.password)
      return credentials.change(async (tx) => {
        const user: StoredUser = {
          id: input.id ?? system.newId('usr'),
          username: input.username,
          name: input.name ?? input.username,
          roleId: input.roleId,
          disabled: input.disabled,
          createdAt: system.now().toISOString(),
          passwordHash,
          tokenGeneration: nextTokenGeneration(0, system.now()),
        }
        if ((await tx.users.get(user.id)) !== undefined) throw alreadyExists('User', user.id)
        await assertUsernameIsFree(tx, user.username)
        const role = await findGivenRole(tx, user.roleId)
        await assertHasAllOf(tx, caller, role, 'You may not make this user')
        await tx.users.insert(user)
        noteAccountChange(tx, system, caller, { entityType: 'user', after: user, hasNewPassword: true })
        return keepAnswer(tx, caller, toUser(user))
      })
    },

    /**
     * Updates a user. A new password, or disabling the user, ends the user's tokens at once. A caller cannot change a
     * user who has more rights, nor give more rights to a user.
     * @throws NOT_FOUND, PERMISSION_DENIED
     * @throws CONFLICT for a username that exists and for the last enabled admin
     * @throws VALIDATION_ERROR for an unknown role
     */
    update: (caller: Caller, id: string, input: v.InferOutput<typeof UserUpdate>): Promise<User> =>
      update(caller, id, input, async (tx, before, after) => {
        for (const { roleId } of [before, after])
          await assertHasAllOf(tx, caller, await findGivenRole(tx, roleId), 'You may not change this user')
      }),

    /**
     * @throws NOT_FOUND @throws CONFLICT for the last enabled admin @throws PERMISSION_DENIED for a user with more
     * rights than the caller
     */
    async delete(caller: Caller, id: string): Promise<void> {
      await credentials.change(async (tx) => {
        const user = await tx.users.find(id)
        const role = await findGivenRole(tx, user.roleId)
        await assertHasAllOf(tx, caller, role, 'You may not delete this user')
        if (isAdmin(user)) await assertAnotherAdmin(tx, id)
        await tx.users.delete(id)
        noteAccountChange(tx, system, caller, { entityType: 'user', before: user })
        await tx.preferences.delete(preferencesId('user', id))
        await tx.notices.deleteOf(id)
        await tx.noticeSettings.delete(id)
        await tx.summaries.delete(id)
        await deletePrivateQueries(tx, id)
      })
    },

    /**
     * @throws VALIDATION_ERROR for a wrong current password
     * @throws RATE_LIMITED after too many wrong passwords
     */
    async changeOwnPassword(
      caller: Caller,
      input: { currentPassword: string; newPassword: string },
      address: string,
    ): Promise<Session> {
      if (caller.kind !== 'user') throw denied('An API key has no password')
      const user = await store.read.users.find(caller.id)
      await authentication.checkPassword(user.username, input.currentPassword, address).catch((error: unknown) => {
        const isWrong = error instanceof PimletError && error.code === 'UNAUTHORIZED'
        throw isWrong ? invalid('currentPassword is wrong') : error
      })
      await update(caller, caller.id, { password: input.newPassword }, async () => undefined)
      const changed = await store.read.users.find(caller.id)
      return authentication.openSession(changed)
    },
  }
}

function toUser({ id, username, name, roleId, disabled, createdAt }: StoredUser): User {
  return { id, username, name, roleId, disabled, createdAt }
}

function isAdmin(user: User): boolean {
  return user.roleId === ADMIN_ROLE_ID && !user.disabled
}

async function assertAnotherAdmin(tx: Reads, id: string): Promise<void> {
  const others = (await tx.users.list()).filter((user) => user.id !== id && isAdmin(user))
  if (others.length === 0) throw conflict('The last enabled admin cannot be deleted, disabled or given another role')
}

async function assertUsernameIsFree(tx: Reads, username: string): Promise<void> {
  if ((await tx.users.findByUsername(username)) !== undefined)
    throw conflict(`A user with the username '${username}' already exists`)
}

/** @throws VALIDATION_ERROR for an unknown role */
export async function findGivenRole(tx: Reads, roleId: string): Promise<Role> {
  const role = await tx.roles.get(roleId)
  if (role === undefined) throw invalid(`roleId names the unknown role '${shorten(roleId)}'`)
  return role
}
