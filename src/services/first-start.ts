// What an empty workspace gets at its first start: built-in roles and workflow, the admin, and on request a key for
// scripts. Decisions §2 and §3.
import type { StoredApiKey, StoredUser } from '../domain/accounts.ts'
import { ADMIN_ROLE_ID, BUILT_IN_ROLES } from '../domain/permissions.ts'
import { DEFAULT_WORKFLOW } from '../domain/workflows.ts'
import type { Store } from '../storage/port.ts'
import type { System } from '../system.ts'
import { hashApiKey } from './credentials.ts'
import type { PasswordHasher } from './passwords.ts'

export const BOOTSTRAP_KEY_ID = 'key-bootstrap'

export interface FirstStartSecrets {
  /** A random one is made where it is not given. */
  readonly adminPassword: string | undefined
  readonly adminApiKey: string | undefined
}

/** Resolves to the admin's random password, where one was made: nobody else knows it. Later starts do nothing. */
export async function prepareFirstStart(
  deps: { store: Store; system: System; passwords: PasswordHasher },
  secrets: FirstStartSecrets,
): Promise<string | undefined> {
  const { store, system, passwords } = deps
  if ((await store.read.roles.list()).length > 0) return undefined
  const randomPassword = secrets.adminPassword === undefined ? system.randomBytes(18).toString('base64url') : undefined
  const passwordHash = await passwords.hash(secrets.adminPassword ?? randomPassword ?? '')
  const now = system.now()
  const admin: StoredUser = {
    id: system.newId('usr'),
    username: 'admin',
    name: 'Admin',
    roleId: ADMIN_ROLE_ID,
    disabled: false,
    createdAt: now.toISOString(),
    passwordHash,
    tokenGeneration: now.getTime(),
  }
  const { adminApiKey } = secrets
  await store.transaction(async (tx) => {
    for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
    await tx.workflows.insert(DEFAULT_WORKFLOW)
    await tx.users.insert(admin)
    if (adminApiKey !== undefined) await tx.apiKeys.insert(bootstrapKey(adminApiKey, now))
  })
  return randomPassword
}

function bootstrapKey(key: string, now: Date): StoredApiKey {
  return {
    id: BOOTSTRAP_KEY_ID,
    name: 'Bootstrap',
    roleId: ADMIN_ROLE_ID,
    expiresAt: null,
    createdAt: now.toISOString(),
    lastUsedAt: null,
    hash: hashApiKey(key),
  }
}
