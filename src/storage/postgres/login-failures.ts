// Failed logins, as all servers have seen them. Whoever fails is kept as a digest: names have no bound here, and are no matter.
import { hash } from 'node:crypto'
import type { LoginFailures } from '../account-port.ts'
import type { Asked } from './asked.ts'
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

  async timesOf(subjects: readonly string[], since: number): Promise<number[][]> {
    const digests = subjects.map(digest)
    const rows = await this.#parts.from.rows<{ subject: string; at: number }>(
      'SELECT subject, at FROM login_failure WHERE subject = ANY ($1::text[]) AND at > $2 ORDER BY at',
      [digests, since],
    )
    return digests.map((subject) => rows.filter((row) => row.subject === subject).map(({ at }) => at))
  }

  async add(subjects: readonly string[], at: number, since: number): Promise<void> {
    await this.#parts.transact(async ({ writer }) => {
      writer.hold('DELETE FROM login_failure WHERE at <= $1', since)
      writer.hold('INSERT INTO login_failure SELECT unnest($1::text[]), $2::bigint', subjects.map(digest), at)
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
