// Stores the responses kept for repeated requests, and their total size.
import { conflict } from '../../kernel/errors.ts'
import type { KeptAnswer, KeptAnswers } from '../answer-port.ts'
import { type Load, RowRepository } from './session.ts'

/** Approximate bytes of a row and its index entries, without the content. */
const BYTES_OF_ROW = 400
const KIND = 'kept answer'
const SELECTED = 'SELECT id, request, view, kept_at AS "keptAt", content FROM kept_answer'

export class KeptAnswerRows extends RowRepository implements KeptAnswers {
  readonly #byId: Load<KeptAnswer> = async (ids, from) => {
    const rows = await from.rows<KeptAnswer>(`${SELECTED} WHERE ${this.session.dialect.among('id', 1)}`, [ids])
    return new Map(rows.map((row) => [row.id, row]))
  }

  async get(id: string): Promise<KeptAnswer | undefined> {
    return (await this.session.look(KIND, [id], this.#byId)).get(id)
  }

  listAfter(last: Pick<KeptAnswer, 'keptAt' | 'id'> | undefined, limit: number): Promise<KeptAnswer[]> {
    const sql = `${SELECTED}
      WHERE kept_at >= $1 AND (kept_at, id) > ($1, $2) ORDER BY kept_at, id LIMIT $3`
    return this.session.rows<KeptAnswer>(sql, [last?.keptAt ?? '', last?.id ?? '', limit])
  }

  size(): Promise<number> {
    return this.session.counter('keptAnswerBytes')
  }

  async insert(answer: KeptAnswer): Promise<void> {
    const { id, request, view, keptAt, content } = answer
    if ((await this.get(id)) !== undefined) throw conflict('An answer is kept for this request already')
    const { writer } = this.session
    const sql = 'INSERT INTO kept_answer (id, request, view, kept_at, content) VALUES ($1, $2, $3, $4, $5)'
    writer.hold(sql, id, request, view, keptAt, Buffer.from(content))
    writer.put(KIND, id, answer)
    writer.add('keptAnswerBytes', content.length + BYTES_OF_ROW)
  }

  async delete(id: string): Promise<void> {
    const answer = await this.get(id)
    if (answer !== undefined) this.#remove([{ id, bytes: answer.content.length }])
  }

  async deleteBefore(moment: string, limit: number): Promise<number> {
    const sql = `SELECT id, length(content) AS bytes FROM kept_answer WHERE kept_at < $1 ORDER BY kept_at LIMIT $2`
    const gone = await this.session.rows<{ id: string; bytes: number }>(sql, [moment, limit])
    this.#remove(gone)
    return gone.length
  }

  #remove(gone: readonly { id: string; bytes: number }[]): void {
    const { writer, dialect } = this.session
    if (gone.length === 0) return
    writer.hold(
      `DELETE FROM kept_answer WHERE ${dialect.among('id', 1)}`,
      gone.map(({ id }) => id),
    )
    for (const { id, bytes } of gone) {
      writer.put(KIND, id, undefined)
      writer.add('keptAnswerBytes', -bytes - BYTES_OF_ROW)
    }
  }
}
