// Stores the database's part of imported files.
import type { ImportDetails, ImportUpload } from '../../imports/rules/import-upload.ts'
import { alreadyExists } from '../../kernel/errors.ts'
import type { ImportReads, ImportWrites } from '../import-port.ts'
import type { Page } from '../record-port.ts'
import { RowRepository } from './session.ts'

interface Row {
  readonly document: string
}

export class Imports extends RowRepository implements ImportReads, ImportWrites {
  async get(id: string): Promise<ImportUpload | undefined> {
    const [row] = await this.session.rows<Row>('SELECT document FROM import WHERE id = $1', [id])
    return row && toUpload(row)
  }

  async detailsOf(id: string): Promise<ImportDetails> {
    const [row] = await this.session.rows<{ details: string }>('SELECT details FROM import WHERE id = $1', [id])
    return JSON.parse(row!.details) as ImportDetails
  }

  async list(ownerId: string | undefined, { limit, offset }: Page): Promise<ImportUpload[]> {
    const [which, values] = ownerId === undefined ? ['', []] : ['WHERE owner_id = $3', [ownerId]]
    const sql = `SELECT document FROM import ${which} ORDER BY n DESC LIMIT $1 OFFSET $2`
    return (await this.session.rows<Row>(sql, [limit, offset, ...values])).map(toUpload)
  }

  async count(): Promise<number> {
    const [row] = await this.session.rows<{ number: number }>('SELECT count(*) AS number FROM import')
    return row!.number
  }

  async ids(): Promise<string[]> {
    return (await this.session.rows<{ id: string }>('SELECT id FROM import ORDER BY n')).map(({ id }) => id)
  }

  async listEndingBefore(moment: string, limit: number): Promise<ImportUpload[]> {
    const sql = 'SELECT document FROM import WHERE expires_at < $1 ORDER BY expires_at LIMIT $2'
    return (await this.session.rows<Row>(sql, [moment, limit])).map(toUpload)
  }

  async insert(upload: ImportUpload, details: ImportDetails): Promise<void> {
    const { id, ownerId, expiresAt } = upload
    if ((await this.get(id)) !== undefined) throw alreadyExists('Import', id)
    const { writer } = this.session
    const sql = 'INSERT INTO import (n, id, owner_id, expires_at, document, details) VALUES ($1, $2, $3, $4, $5, $6)'
    writer.hold(sql, writer.nextN(), id, ownerId, expiresAt, JSON.stringify(upload), JSON.stringify(details))
  }

  async update(upload: ImportUpload, details?: ImportDetails): Promise<void> {
    const { writer } = this.session
    const sql = 'UPDATE import SET owner_id = $1, document = $2 WHERE id = $3'
    writer.hold(sql, upload.ownerId, JSON.stringify(upload), upload.id)
    if (details !== undefined)
      writer.hold('UPDATE import SET details = $1 WHERE id = $2', JSON.stringify(details), upload.id)
  }

  async delete(id: string): Promise<void> {
    this.session.writer.hold('DELETE FROM import WHERE id = $1', id)
  }
}

function toUpload({ document }: Row): ImportUpload {
  return JSON.parse(document) as ImportUpload
}
