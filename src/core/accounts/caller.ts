// Who makes a request, as authentication found out. Contract 2 §2.
import type { Role } from './rules/permissions.ts'
import type { Transaction } from '../../store/port.ts'

export interface Caller {
  /** A user's or an API key's ID: what the audit trail records. */
  readonly id: string
  readonly kind: 'user' | 'apiKey'
  readonly name: string
  /** Looked up at each request, never trusted from a token. */
  readonly role: Role
  /**
   * Of a request with an Idempotency-Key: keeps what it is answered with, in the transaction of its write. Called by way of
   * `keepAnswer`, as often as the transaction runs.
   */
  readonly keep?: ((tx: Pick<Transaction, 'keptAnswers'>, result: unknown) => Promise<void>) | undefined
}
