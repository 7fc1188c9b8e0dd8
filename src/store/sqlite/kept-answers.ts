// Answers that are kept for requests that come again, and how much room all of them take.
import { conflict } from '../../kernel/errors.ts'
import type { KeptAnswer, KeptAnswers } from '../answer-port.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

/** What a row and its index entries take beside the content, in round figures. */
const BYTES_OF_ROW = 400
const GROW = `UPDATE counter SET value = value + ? WHERE name = 'kept_answers'`

export class KeptAnswerRows implements KeptAnswers {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async get(id: string): Promise<KeptAnswer | undefined> {
    return this.#sql.get<KeptAnswer>(
      'SELECT id, request, view, kept_at AS keptAt, content FROM kept_answer WHERE id = ?',
      [id],
    )
  }

  async listAfter(last: Pick<KeptAnswer, 'keptAt' | 'id'> | undefined, limit: number): Promise<KeptAnswer[]> {
    return this.#sql.all<KeptAnswer>(
      `SELECT id, request, view, kept_at AS keptAt, content FROM kept_answer
        WHERE kept_at >= ? AND (kept_at, id) > (?, ?) ORDER BY kept_at, id LIMIT ?`,
      [last?.keptAt ?? '', last?.keptAt ?? '', last?.id ?? '', limit],
    )
  }

  async size(): Promise<number> {
    return this.#sql.get<{ value: number }>(`SELECT value FROM counter WHERE name = 'kept_answers'`, [])!.value
  }

  async insert({ id, request, view, keptAt, content }: KeptAnswer): Promise<void> {
    try {
      this.#sql.run('INSERT INTO kept_answer (id, request, view, kept_at, content) VALUES (?, ?, ?, ?, ?)', [
        id,
        request,
        view,
        keptAt,
        content,
      ])
    } catch (error) {
      throw isUniqueViolation(error) ? conflict('An answer is kept for this request already') : error
    }
    this.#sql.run(GROW, [content.length + BYTES_OF_ROW])
  }

  async delete(id: string): Promise<void> {
    this.#remove('DELETE FROM kept_answer WHERE id = ? RETURNING length(content) AS bytes', [id])
  }

  async deleteBefore(moment: string, limit: number): Promise<number> {
    return this.#remove(
      `DELETE FROM kept_answer WHERE n IN (SELECT n FROM kept_answer WHERE kept_at < ? ORDER BY kept_at LIMIT ?)
       RETURNING length(content) AS bytes`,
      [moment, limit],
    )
  }

  #remove(sql: string, parameters: readonly unknown[]): number {
    const gone = this.#sql.all<{ bytes: number }>(sql, parameters)
    const bytes = gone.reduce((sum, row) => sum + row.bytes + BYTES_OF_ROW, 0)
    if (bytes > 0) this.#sql.run(GROW, [-bytes])
    return gone.length
  }
}
