// Who makes a request, as authentication found out. Contract 2 §2.
import type { Role } from '../../domain/accounts/permissions.ts'

export interface Caller {
  /** A user's or an API key's ID: what the audit trail records. */
  readonly id: string
  readonly kind: 'user' | 'apiKey'
  readonly name: string
  /** Looked up at each request, never trusted from a token. */
  readonly role: Role
}
