// Files that are imported, as far as the database knows of them.
import type { ImportDetails, ImportUpload } from '../../imports/rules/import-upload.ts'
import { alreadyExists } from '../../kernel/errors.ts'
import type { ImportReads, ImportWrites } from '../import-port.ts'
import type { Page } from '../record-port.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

interface Row {
  readonly document: string
}

export class Imports implements ImportReads, ImportWrites {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async get(id: string): Promise<ImportUpload | undefined> {
    const row = this.#sql.get<Row>('SELECT document FROM import WHERE id = ?', [id])
    return row && toUpload(row)
  }

  async detailsOf(id: string): Promise<ImportDetails> {
    const row = this.#sql.get<{ details: string }>('SELECT details FROM import WHERE id = ?', [id])
    return JSON.parse(row!.details) as ImportDetails
  }

  async list(ownerId: string | undefined, { limit, offset }: Page): Promise<ImportUpload[]> {
    const [which, values] = ownerId === undefined ? ['', []] : ['WHERE owner_id = ?', [ownerId]]
    const sql = `SELECT document FROM import ${which} ORDER BY n DESC LIMIT ? OFFSET ?`
    return this.#sql.all<Row>(sql, [...values, limit, offset]).map(toUpload)
  }

  async count(): Promise<number> {
    return this.#sql.numbers('SELECT count(*) FROM import', [])[0]!
  }

  async ids(): Promise<string[]> {
    return this.#sql.all<{ id: string }>('SELECT id FROM import', []).map(({ id }) => id)
  }

  async listEndingBefore(moment: string, limit: number): Promise<ImportUpload[]> {
    const sql = 'SELECT document FROM import WHERE expires_at < ? ORDER BY expires_at LIMIT ?'
    return this.#sql.all<Row>(sql, [moment, limit]).map(toUpload)
  }

  async insert(upload: ImportUpload, details: ImportDetails): Promise<void> {
    const { id, ownerId, expiresAt } = upload
    const sql = 'INSERT INTO import (id, owner_id, expires_at, document, details) VALUES (?, ?, ?, ?, ?)'
    try {
      this.#sql.run(sql, [id, ownerId, expiresAt, JSON.stringify(upload), JSON.stringify(details)])
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Import', id) : error
    }
  }

  async update(upload: ImportUpload, details?: ImportDetails): Promise<void> {
    const { id, ownerId } = upload
    this.#sql.run('UPDATE import SET owner_id = ?, document = ? WHERE id = ?', [ownerId, JSON.stringify(upload), id])
    if (details !== undefined)
      this.#sql.run('UPDATE import SET details = ? WHERE id = ?', [JSON.stringify(details), upload.id])
  }

  async delete(id: string): Promise<void> {
    this.#sql.run('DELETE FROM import WHERE id = ?', [id])
  }
}

function toUpload({ document }: Row): ImportUpload {
  return JSON.parse(document) as ImportUpload
}
