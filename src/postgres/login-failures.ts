// Failed logins, as all servers have seen them. Whoever fails is kept as a digest: names have no bound here, and are no matter.
import { hash } from 'node:crypto'
import type { LoginFailure, LoginFailures } from '../store/account-port.ts'
import type { Asked } from '../store/rows/session.ts'
import type { Session } from './session.ts'

export interface LoginFailureParts {
  readonly from: Asked
  /** Runs a transaction. */
  readonly transact: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>
}

export class PostgresLoginFailures implements LoginFailures {
  readonly #parts: LoginFailureParts

  constructor(parts: LoginFailureParts) {
    this.#parts = parts
  }

  async of(subjects: readonly string[], since: number): Promise<LoginFailure[][]> {
    const digests = subjects.map(digest)
    const rows = await this.#parts.from.rows<LoginFailure & { subject: string }>(
      'SELECT subject, id, at FROM login_failure WHERE subject = ANY ($1::text[]) AND at > $2',
      [digests, since],
    )
    return digests.map((subject) => rows.filter((row) => row.subject === subject))
  }

  async add(subjects: readonly string[], { id, at }: LoginFailure, since: number): Promise<void> {
    await this.#parts.transact(async ({ writer }) => {
      writer.hold('DELETE FROM login_failure WHERE at <= $1', since)
      const sql = 'INSERT INTO login_failure (subject, id, at) SELECT unnest($1::text[]), $2::text, $3::bigint'
      writer.hold(sql, subjects.map(digest), id, at)
    })
  }

  async forget(subject: string): Promise<void> {
    await this.#parts.transact(async ({ writer }) =>
      writer.hold('DELETE FROM login_failure WHERE subject = $1', digest(subject)),
    )
  }
}

function digest(subject: string): string {
  return hash('sha256', subject)
}
