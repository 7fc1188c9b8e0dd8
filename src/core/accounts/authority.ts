// Who may give, or take, what: nobody more than they have themselves. Contract 3 §9.6.
import { denied, shorten, unauthorized } from '../../kernel/errors.ts'
import type { Role } from './rules/permissions.ts'
import { findExcess } from './rules/role-excess.ts'
import type { Reads } from '../../store/port.ts'
import type { Caller } from './caller.ts'

/**
 * That the caller's role, as it is at this moment, has all that `role` has. `what` is refused otherwise, as the beginning of
 * a message.
 * @throws PERMISSION_DENIED naming what the caller lacks
 */
export async function assertHasAllOf(tx: Reads, caller: Caller, role: Role, what: string): Promise<void> {
  // Hashing a password takes its time: the request may have begun under another role.
  const own = await tx.roles.get(caller.role.id)
  if (own === undefined) throw unauthorized()
  const excess = findExcess(role, own)
  if (excess === undefined) return
  throw denied(`${what}: the role '${shorten(role.id)}' has permissions that yours lacks: ${excess}`)
}
