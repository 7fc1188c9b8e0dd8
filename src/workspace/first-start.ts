// The content of a new workspace: built-in roles and workflow, rendition presets, the admin, and on request a key for scripts. Contract 2 §2, 2 §3.
import type { StoredApiKey, StoredUser } from '../core/accounts/rules/account.ts'
import { ADMIN_ROLE_ID, BUILT_IN_ROLES } from '../core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../core/model/rules/workflow.ts'
import { FIRST_PRESETS } from '../files/rules/presets.ts'
import type { Log } from '../kernel/observing/log.ts'
import { underLease } from '../store/leading.ts'
import type { Store } from '../store/port.ts'
import type { System } from '../kernel/machine/system.ts'
import { hashApiKey } from '../core/accounts/credentials.ts'
import type { PasswordHasher } from '../core/accounts/passwords.ts'

const BOOTSTRAP_KEY_ID = 'key-bootstrap'
/** Username of the first user. */
const ADMIN = 'admin'

export interface FirstStartSecrets {
  /** Undefined: the server makes a random password. */
  readonly adminPassword: string | undefined
  readonly adminApiKey: string | undefined
}

interface FirstStartDeps {
  readonly store: Store
  readonly system: System
  readonly passwords: PasswordHasher
  readonly log: Log
}

/**
 * Later starts do nothing, and neither do servers that start at the same moment. A random password is announced before the
 * admin is made. If the start ends in between, there is no admin yet, and the next start announces another password.
 * @returns whether this is the first start
 */
export async function prepareFirstStart(
  deps: FirstStartDeps,
  secrets: FirstStartSecrets,
  announce: (password: string) => Promise<void>,
): Promise<boolean> {
  const { store } = deps
  if (!(await isEmpty(store))) return false
  const lease = await store.leases.hold('first-start')
  try {
    if (!(await isEmpty(store))) return false
    return await fill({ ...deps, store: underLease(store, lease) }, secrets, announce)
  } finally {
    lease.release()
  }
}

/** Resolves to whether there was nothing before. */
async function fill(
  { store, system, passwords, log }: FirstStartDeps,
  { adminPassword, adminApiKey }: FirstStartSecrets,
  announce: (password: string) => Promise<void>,
): Promise<boolean> {
  const password = adminPassword ?? system.randomBytes(18).toString('base64url')
  const passwordHash = await passwords.hash(password)
  const now = system.now()
  const admin: StoredUser = {
    id: system.newId('usr'),
    username: ADMIN,
    name: 'Admin',
    roleId: ADMIN_ROLE_ID,
    disabled: false,
    createdAt: now.toISOString(),
    passwordHash,
    tokenGeneration: now.getTime(),
  }
  if (adminPassword === undefined) await announce(password)
  const isMade = await store.transaction(async (tx) => {
    if ((await tx.roles.list()).length > 0) return false
    for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
    await tx.workflows.insert(DEFAULT_WORKFLOW)
    for (const preset of FIRST_PRESETS) await tx.renditionPresets.insert(preset)
    await tx.users.insert(admin)
    if (adminApiKey !== undefined) await tx.apiKeys.insert(bootstrapKey(adminApiKey, now))
    return true
  })
  if (!isMade && adminPassword === undefined)
    log.warn({}, 'another server created the administrator first: the password printed here is not used')
  return isMade
}

/** Whether the workspace has not had its first start yet. */
async function isEmpty(store: Store): Promise<boolean> {
  await store.fresh?.()
  return (await store.read.roles.list()).length === 0
}

/** Which of the given secrets an existing workspace does not know. They have no effect there. */
export async function findUnknownSecrets(
  { store, passwords }: Pick<FirstStartDeps, 'store' | 'passwords'>,
  { adminPassword, adminApiKey }: FirstStartSecrets,
): Promise<(keyof FirstStartSecrets)[]> {
  const unknown: (keyof FirstStartSecrets)[] = []
  const isKeyKnown = async (key: string) => (await store.read.apiKeys.findByHash(hashApiKey(key))) !== undefined
  if (adminApiKey !== undefined && !(await isKeyKnown(adminApiKey))) unknown.push('adminApiKey')
  const admin = adminPassword === undefined ? undefined : await store.read.users.findByUsername(ADMIN)
  if (adminPassword !== undefined && !(await passwords.verify(adminPassword, admin?.passwordHash)))
    unknown.push('adminPassword')
  return unknown
}

function bootstrapKey(key: string, now: Date): StoredApiKey {
  return {
    id: BOOTSTRAP_KEY_ID,
    name: 'First API key',
    roleId: ADMIN_ROLE_ID,
    expiresAt: null,
    createdAt: now.toISOString(),
    lastUsedAt: null,
    hash: hashApiKey(key),
  }
}
