// API keys: random secrets, of which storage has only the hash. Contract 2 §2.
import type { ApiKey, ApiKeyInput, StoredApiKey } from './rules/account.ts'
import { preferencesId } from './rules/preferences.ts'
import { parseMoment } from '../values/dates.ts'
import { alreadyExists, invalid } from '../../kernel/errors.ts'
import type { Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import { assertHasAllOf } from './authority.ts'
import { type Credentials, hashApiKey } from './credentials.ts'
import type { Caller } from './caller.ts'
import type { KeyUsage } from './key-usage.ts'
import { deletePrivateQueries } from '../search/saved-queries.ts'
import { noteAccountChange } from './account-entries.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { findGivenRole } from './users.ts'

export function createApiKeyService(deps: {
  store: Store
  system: System
  credentials: Credentials
  keyUsage: KeyUsage
}) {
  const { store, system, credentials, keyUsage } = deps

  return {
    async list(_caller: Caller): Promise<ApiKey[]> {
      const keys = await store.read.apiKeys.list()
      return keys.map((key) => ({ ...toApiKey(key), lastUsedAt: keyUsage.lastUse(key.id) ?? key.lastUsedAt }))
    },

    /**
     * `key` in the result is shown this once.
     * @throws CONFLICT for an ID that exists
     * @throws VALIDATION_ERROR for an unknown role or an expiry that is past
     * @throws PERMISSION_DENIED for a role that has more than the caller's
     */
    async create(caller: Caller, input: ApiKeyInput): Promise<Omit<ApiKey, 'lastUsedAt'> & { key: string }> {
      const { stored, key } = makeApiKey(input, system)
      const { id, name, roleId, expiresAt, createdAt } = stored
      return credentials.change(async (tx) => {
        if ((await tx.apiKeys.get(stored.id)) !== undefined) throw alreadyExists('API key', stored.id)
        const role = await findGivenRole(tx, stored.roleId)
        await assertHasAllOf(tx, caller, role, 'You may not make this key')
        await tx.apiKeys.insert(stored)
        noteAccountChange(tx, system, caller, { entityType: 'apiKey', after: stored })
        return keepAnswer(tx, caller, { id, name, roleId, expiresAt, createdAt, key })
      })
    },

    /** Deletes a key, which is refused from now on. @throws NOT_FOUND */
    async delete(caller: Caller, id: string): Promise<void> {
      await credentials.change(async (tx) => {
        const before = await tx.apiKeys.find(id)
        await tx.apiKeys.delete(id)
        noteAccountChange(tx, system, caller, { entityType: 'apiKey', before })
        await tx.preferences.delete(preferencesId('apiKey', id))
        await deletePrivateQueries(tx, id)
      })
      keyUsage.forget(id)
    },
  }
}

/**
 * Makes a new key: the stored form, and the secret that its holder presents. @throws VALIDATION_ERROR for an expiry in
 * the past
 */
export function makeApiKey(
  input: ApiKeyInput,
  system: Pick<System, 'now' | 'newId' | 'randomBytes'>,
): { stored: StoredApiKey; key: string } {
  const now = system.now()
  const key = `pim_${system.randomBytes(32).toString('base64url')}`
  const stored = {
    id: input.id ?? system.newId('key'),
    name: input.name,
    roleId: input.roleId,
    expiresAt: readExpiry(input.expiresAt ?? null, now),
    createdAt: now.toISOString(),
    lastUsedAt: null,
    hash: hashApiKey(key),
  }
  return { stored, key }
}

function toApiKey({ id, name, roleId, expiresAt, createdAt, lastUsedAt }: StoredApiKey): ApiKey {
  return { id, name, roleId, expiresAt, createdAt, lastUsedAt }
}

function readExpiry(expiresAt: string | null, now: Date): string | null {
  if (expiresAt === null) return null
  const moment = parseMoment(expiresAt)
  if (moment === undefined) throw invalid('expiresAt must be an ISO 8601 timestamp')
  if (moment <= now.toISOString()) throw invalid('expiresAt must be in the future')
  return moment
}
