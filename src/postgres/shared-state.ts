// State that the servers share outside of the workspace's content: failed logins, and files of imports.
import { hash } from 'node:crypto'
import type { LoginFailure, LoginFailures } from '../store/account-port.ts'
import type { Asked } from '../store/rows/session.ts'
import type { Session } from './session.ts'
import type { SharedFiles } from '../store/import-port.ts'
import { LIVING } from './lease-rows.ts'

interface Parts {
  readonly from: Asked
  /** Runs a transaction. */
  readonly transact: <Result>(work: (session: Session) => Promise<Result>) => Promise<Result>
}

export class PostgresLoginFailures implements LoginFailures {
  readonly #parts: Parts

  constructor(parts: Parts) {
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

interface PostgresFilesParts extends Parts {
  /** Names this server among all servers. */
  readonly owner: string
}

export class PostgresFiles implements SharedFiles {
  readonly #parts: PostgresFilesParts

  constructor(parts: PostgresFilesParts) {
    this.#parts = parts
  }

  add(name: string, place: number, piece: Uint8Array): Promise<number> {
    const { transact, owner } = this.#parts
    return transact(async (session) => {
      const sql = 'INSERT INTO import_piece (name, place, owner, content) VALUES ($1, $2, $3, $4)'
      session.writer.hold(sql, name, place, owner, Buffer.from(piece))
      const all = 'SELECT coalesce(sum(octet_length(content)), 0)::bigint AS bytes FROM import_piece'
      return (await session.rows<{ bytes: number }>(all))[0]!.bytes
    })
  }

  async piece(name: string, place: number): Promise<Uint8Array | undefined> {
    const sql = 'SELECT content FROM import_piece WHERE name = $1 AND place = $2'
    return (await this.#parts.from.rows<{ content: Buffer }>(sql, [name, place]))[0]?.content
  }

  async has(name: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM import_piece WHERE name = $1 LIMIT 1'
    return (await this.#parts.from.rows(sql, [name])).length > 0
  }

  async names(): Promise<ReadonlySet<string>> {
    const rows = await this.#parts.from.rows<{ name: string }>('SELECT DISTINCT name FROM import_piece')
    return new Set(rows.map(({ name }) => name))
  }

  async remove(name: string): Promise<void> {
    await this.#parts.transact((session) => session.writer.run('DELETE FROM import_piece WHERE name = $1', name))
  }

  async sweep(): Promise<void> {
    const orphaned = `FROM import_piece WHERE owner NOT IN (${LIVING})
      AND NOT EXISTS (SELECT 1 FROM import WHERE import.id = import_piece.name)`
    if ((await this.#parts.from.rows(`SELECT 1 ${orphaned} LIMIT 1`)).length > 0)
      await this.#parts.transact((session) => session.writer.run(`DELETE ${orphaned}`))
  }
}
