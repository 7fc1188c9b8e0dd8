// The key of all public addresses of a workspace. It is made of the key of the data directory, which all servers have, and of
// a salt, which the database has; so neither of them alone gives addresses away. Contract 4 §3.
import type { Caller } from '../core/accounts/caller.ts'
import { noteModelChange } from '../core/model/model-entries.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'
import { PUBLIC_ADDRESSES, type PublicAddresses, publicKeyOf } from './rules/public-address.ts'

const SALT_BYTES = 16

interface PublicAddressDeps {
  readonly store: Store
  readonly system: System
  readonly encryptionKey: Buffer
  /** The address of the server, before the paths of public addresses; may be empty. */
  readonly publicUrl: string
}

export function createPublicAddressService({ store, system, encryptionKey, publicUrl }: PublicAddressDeps) {
  return {
    publicUrl,

    /** For `publicPath` and `openSignature`. */
    async key(): Promise<Buffer> {
      const stored = await store.read.publicAddresses.get(PUBLIC_ADDRESSES)
      return publicKeyOf(encryptionKey, stored?.salt ?? '')
    },

    /** Ends all addresses that were given so far. */
    rotate: (caller: Caller): Promise<{ readonly rotatedAt: string }> =>
      store.transaction(async (tx) => {
        const before = await tx.publicAddresses.get(PUBLIC_ADDRESSES)
        const rotatedAt = system.now().toISOString()
        const salt = system.randomBytes(SALT_BYTES).toString('base64url')
        const after: PublicAddresses = { id: PUBLIC_ADDRESSES, salt, rotatedAt }
        await (before === undefined ? tx.publicAddresses.insert(after) : tx.publicAddresses.update(after))
        noteModelChange(tx, system, caller, {
          entityType: 'publicAddresses',
          before: before && withoutSalt(before),
          after: withoutSalt(after),
        })
        return keepAnswer(tx, caller, { rotatedAt })
      }),
  }
}

export type PublicAddressService = ReturnType<typeof createPublicAddressService>

function withoutSalt({ salt: _salt, ...told }: PublicAddresses): Omit<PublicAddresses, 'salt'> {
  return told
}
