// The caller of a request, as authentication found it. Contract 2 §2.
import type { Permission, Role } from './rules/permissions.ts'
import type { Transaction } from '../../store/port.ts'

export interface Caller {
  /** The ID of a user or an API key, as the audit trail records it. */
  readonly id: string
  readonly kind: 'user' | 'apiKey'
  readonly name: string
  /** Looked up at each request, never trusted from a token. */
  readonly role: Role
  /** The permission that the endpoint of the request needs. */
  permission?: Permission | undefined
  /** Authenticates the same credential again, after a wait. @throws UNAUTHORIZED */
  readonly again?: (() => Promise<Caller>) | undefined
  /**
   * Only with an Idempotency-Key: stores the answer in the transaction of the write. `keepAnswer` calls it each time
   * the transaction runs.
   */
  readonly keep?: ((tx: Pick<Transaction, 'keptAnswers'>, result: unknown) => Promise<void>) | undefined
}
