// Stores the facts about files, their uploads, and the moment since which no value names them.
import { fileOfTarget, targetOfFile } from '../../core/values/values.ts'
import type { FileName } from '../../core/datatypes/file.ts'
import type { AttributeOfSchema } from '../../core/records/rules/referrer.ts'
import type { FileDescription, FileReads, FileRow, FileState, FileWrites } from '../file-port.ts'
import { type Load, RowRepository, type SqlSession } from './session.ts'

const KIND = 'file'
const UPLOAD = 'file upload'
/** The most attributes of one query. */
const PLACES_AT_ONCE = 200
const SELECTED = 'SELECT sha256, state, document FROM file'

interface Row {
  readonly sha256: string
  readonly state: FileState
  readonly document: string
}

export class Files extends RowRepository implements FileReads, FileWrites {
  readonly #byHash: Load<FileRow>
  readonly #uploads: Load<string>

  constructor(session: SqlSession) {
    super(session)
    const { dialect } = session
    this.#byHash = async (hashes, from) => {
      const rows = await from.rows<Row>(`${SELECTED} WHERE ${dialect.among('sha256', 1)}`, [hashes])
      return new Map(rows.map((row) => [row.sha256, toFile(row)]))
    }
    this.#uploads = async (keys, from) => {
      const rows = await from.rows<{ key: string }>(`SELECT key FROM file_upload WHERE ${dialect.among('key', 1)}`, [
        keys,
      ])
      return new Map(rows.map(({ key }) => [key, key]))
    }
  }

  get(hashes: readonly string[]): Promise<ReadonlyMap<string, FileRow>> {
    return this.session.look(KIND, hashes, this.#byHash)
  }

  async uploadedBy(callerId: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = hashes.map((sha256) => keyOf(sha256, callerId))
    const found = await this.session.look(UPLOAD, keys, this.#uploads)
    return new Set(hashes.filter((sha256) => found.has(keyOf(sha256, callerId))))
  }

  async uploadedAs(callerId: string, fileName: string): Promise<string | undefined> {
    const begin = nameKeyOf(callerId, fileName)
    const rows = await this.session.rows<{ key: string }>(
      'SELECT key FROM file_upload WHERE key > $1 AND key < $2 ORDER BY uploaded_at DESC, key LIMIT 1',
      [begin, `${begin}g`],
    )
    return rows[0]?.key.slice(begin.length)
  }

  async namedIn(hashes: readonly string[], places: readonly AttributeOfSchema[]): Promise<ReadonlySet<string>> {
    const named = new Set<string>()
    for (let at = 0; at < places.length; at += PLACES_AT_ONCE) {
      const some = places.slice(at, at + PLACES_AT_ONCE)
      const conditions = some.map(
        (_place, index) => `EXISTS (SELECT 1 FROM record_reference WHERE target_id = asked.target
          AND schema_id = $${index * 2 + 2} AND alias = $${index * 2 + 3})`,
      )
      const sql = `SELECT asked.target FROM (SELECT value AS target FROM ${this.session.dialect.each(1)}) AS asked WHERE ${conditions.join(' OR ')}`
      const targets = hashes.filter((sha256) => !named.has(sha256)).map(targetOfFile)
      if (targets.length === 0) break
      const parameters = some.flatMap(({ schemaId, alias }) => [schemaId, alias])
      for (const { target } of await this.session.rows<{ target: string }>(sql, [targets, ...parameters]))
        named.add(fileOfTarget(target)!)
    }
    return named
  }

  async listKept(after: string, limit: number): Promise<readonly FileRow[]> {
    const sql = `${SELECTED} WHERE sha256 > $1 AND state = 'kept' ORDER BY sha256 LIMIT $2`
    return (await this.session.rows<Row>(sql, [after, limit])).map(toFile)
  }

  async put({ sha256, state, ...description }: FileRow, moment: string): Promise<void> {
    const { writer } = this.session
    writer.hold(
      `INSERT INTO file (sha256, state, document, unnamed_since, was_named) VALUES ($1, $2, $3, $4, 0)
         ON CONFLICT (sha256) DO UPDATE SET state = excluded.state, document = excluded.document,
           unnamed_since = excluded.unnamed_since`,
      sha256,
      state,
      JSON.stringify(description),
      moment,
    )
    writer.put(KIND, sha256, { sha256, state, ...description })
  }

  async noteUpload({ sha256, fileName }: FileName, callerId: string, moment: string): Promise<void> {
    const { writer } = this.session
    const key = keyOf(sha256, callerId)
    for (const noted of [key, `${nameKeyOf(callerId, fileName)}${sha256}`])
      writer.hold(
        `INSERT INTO file_upload (key, uploaded_at) VALUES ($1, $2)
           ON CONFLICT (key) DO UPDATE SET uploaded_at = excluded.uploaded_at`,
        noted,
        moment,
      )
    writer.hold('UPDATE file SET unnamed_since = $1 WHERE sha256 = $2', moment, sha256)
    writer.put(UPLOAD, key, key)
  }

  async forgetUploads(before: string, limit: number): Promise<number> {
    const { writer } = this.session
    const old = await this.session.rows<{ key: string }>(
      'SELECT key FROM file_upload WHERE uploaded_at < $1 ORDER BY uploaded_at LIMIT $2',
      [before, limit],
    )
    for (const { key } of old) {
      writer.hold('DELETE FROM file_upload WHERE key = $1', key)
      writer.put(UPLOAD, key, undefined)
    }
    return old.length
  }

  async takeUnnamed(
    before: Parameters<FileWrites['takeUnnamed']>[0],
    limit: number,
  ): Promise<{ readonly looked: number; readonly unnamed: readonly FileRow[] }> {
    const { writer } = this.session
    const dated = await writer.run(
      `UPDATE file SET unnamed_since = $1
         WHERE sha256 IN (SELECT sha256 FROM file WHERE unnamed_since = '' LIMIT $2)`,
      before.now,
      limit,
    )
    const rows = await this.session.rows<Row & { isNamed: number | boolean }>(
      `SELECT sha256, state, document,
          EXISTS (SELECT 1 FROM record_reference WHERE target_id = '#' || sha256) AS "isNamed"
        FROM file
        WHERE state <> 'leaving' AND ((unnamed_since < $1 AND was_named = 0) OR unnamed_since < $2)
        ORDER BY unnamed_since LIMIT $3`,
      [before.uploaded, before.named, limit],
    )
    for (const { sha256, isNamed } of rows)
      if (isNamed) writer.hold('UPDATE file SET unnamed_since = NULL WHERE sha256 = $1', sha256)
    return { looked: rows.length + dated, unnamed: rows.filter(({ isNamed }) => !isNamed).map(toFile) }
  }

  async listLeaving(after: string, limit: number): Promise<readonly FileRow[]> {
    const sql = `${SELECTED} WHERE state = 'leaving' AND sha256 > $1 ORDER BY sha256 LIMIT $2`
    return (await this.session.rows<Row>(sql, [after, limit])).map(toFile)
  }

  async delete(sha256: string): Promise<void> {
    const { writer } = this.session
    writer.hold('DELETE FROM file WHERE sha256 = $1', sha256)
    writer.put(KIND, sha256, undefined)
  }
}

function keyOf(sha256: string, callerId: string): string {
  return `${sha256} ${callerId}`
}

/** Prefix of keys that find uploads by name; the hash follows. No hash begins with a slash, and no name contains one. */
function nameKeyOf(callerId: string, fileName: string): string {
  return `/${callerId}/${fileName}/`
}

function toFile({ sha256, state, document }: Row): FileRow {
  return { sha256, state, ...(JSON.parse(document) as FileDescription) }
}
