// Precomputes the rows of a record, and stores them by the same SQL on the same tables as pimlet, without anything
// else.
import { readDatabaseSchema } from '../../../src/kernel/executable/assets.ts'
import { diffValues } from '../../../src/core/records/rules/changes.ts'
import type { Model, Schema, SchemaDefinition } from '../../../src/core/model/rules/model.ts'
import type { Connection, Statement } from '../../../src/store/sqlite/connection.ts'
import { indexEntry } from '../../../src/core/search/plan/index-rows.ts'
import type { IndexKey } from '../../../src/core/search/plan/sets.ts'
import { openIndex } from '../../../src/store/sqlite/search-index/index-tables.ts'
import { type Catalogue, type RecordValues, SCHEMA_ID } from '../catalogue.ts'
import { buildModel } from '../../../test/helpers/build-model.ts'

export type Part = 'document' | 'audit' | 'values' | 'back' | 'text'

export interface BareRecord {
  readonly document: readonly unknown[]
  readonly audit: readonly unknown[]
  /** Rows of the table "value", without the record's number. */
  readonly values: readonly (readonly [attribute: number, scope: number, key: IndexKey])[]
  readonly back: string
  readonly text: string
}

const NOW = '2026-01-01T00:00:00.000Z'
const DRAFT = 'state-draft'

export function bareModel(catalogue: Catalogue): Model {
  return buildModel({
    dimensions: [],
    workflows: [],
    schemas: [{ workflowId: 'wf-default', combinations: null, ...catalogue.schema } as unknown as SchemaDefinition],
    roles: [],
  })
}

/** @param values of the record; undefined: the catalogue's values for the number */
export function prepareRecord(
  catalogue: Catalogue,
  model: Model,
  number: number,
  values: RecordValues = catalogue.valuesOf(number),
): BareRecord {
  const schema: Schema = model.schemas.get(SCHEMA_ID)!
  const entry = indexEntry({ own: values, inherited: null }, schema, model)
  const id = `ent-${String(number).padStart(26, '0')}`
  const attributeNumbers = new Map(schema.attributes.map(({ alias }, index) => [alias, index + 1]))
  const rows = entry.rows.map(
    ({ alias, scope, key }) => [attributeNumbers.get(alias)!, scope === '' ? 1 : scope.length, key] as const,
  )
  return {
    document: [id, SCHEMA_ID, null, DRAFT, number, NOW, NOW, 'key-bootstrap', 'key-bootstrap', JSON.stringify(values)],
    audit: [`aud-${id}`, id, SCHEMA_ID, 'key-bootstrap', NOW, 'create', 'api', JSON.stringify(diffValues({}, values))],
    values: rows,
    back: JSON.stringify(rows),
    text: entry.texts.map(({ text }) => text).join('\n'),
  }
}

/** Opens one file with every table of pimlet's two files. */
export function openBareFile(file: string, { durable }: { durable: boolean }): Connection {
  const { db } = openIndex(file, 0, () => true)
  db.exec(readDatabaseSchema())
  db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  db.pragma('wal_autocheckpoint = 1000')
  db.prepare('INSERT INTO schema (id, document) VALUES (?, ?)').run(SCHEMA_ID, '{}')
  return db
}

export class BareInserts {
  readonly #statements: Record<Part, Statement>

  constructor(db: Connection) {
    this.#statements = {
      document: db.prepare(
        `INSERT INTO record (id, schema_id, parent_id, state_id, version, created_at, updated_at, created_by, updated_by, "values")
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      audit: db.prepare(
        'INSERT INTO audit (id, record_id, schema_id, user_id, timestamp, action, origin, changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ),
      values: db.prepare('INSERT INTO value (attribute, scope, key, record) VALUES (?, ?, ?, ?)'),
      back: db.prepare('INSERT INTO indexed (record, rows) VALUES (?, ?)'),
      text: db.prepare('INSERT INTO text (rowid, folded) VALUES (?, ?)'),
    }
  }

  insert(record: BareRecord, number: number, parts: readonly Part[]): void {
    const { document, audit, values, back, text } = this.#statements
    for (const part of parts) {
      if (part === 'document') document.run(...record.document)
      else if (part === 'audit') audit.run(...record.audit)
      else if (part === 'back') back.run(number, record.back)
      else if (part === 'text') text.run(number, record.text)
      else for (const [attribute, scope, key] of record.values) values.run(attribute, scope, key, number)
    }
  }
}
