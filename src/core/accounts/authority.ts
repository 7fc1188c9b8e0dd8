// Nobody gives or takes more permissions than they have. Contract 3 §9.6.
import { denied, shorten, unauthorized } from '../../kernel/errors.ts'
import type { Role } from './rules/permissions.ts'
import { findExcess } from './rules/role-excess.ts'
import type { Reads } from '../../store/port.ts'
import type { Caller } from './caller.ts'

/**
 * Checks that the caller's present role has every right of `role`. `what` begins the message of the refusal.
 * @throws PERMISSION_DENIED naming the rights that the caller lacks
 */
export async function assertHasAllOf(tx: Reads, caller: Caller, role: Role, what: string): Promise<void> {
  // Hashing a password takes time, so the request may have begun under another role.
  const own = await tx.roles.get(caller.role.id)
  if (own === undefined) throw unauthorized()
  const excess = findExcess(role, own)
  if (excess === undefined) return
  throw denied(`${what}: the role '${shorten(role.id)}' has permissions that yours lacks: ${excess}`)
}
