// Updates a text and a number of a record by bare SQL, like pimlet: only changed rows are written.
import { diffValues } from '../../../src/core/records/rules/changes.ts'
import type { Model } from '../../../src/core/model/rules/model.ts'
import type { Connection, Statement } from '../../../src/store/sqlite/connection.ts'
import type { Catalogue, RecordValues } from '../catalogue.ts'
import { type BareRecord, prepareRecord } from './bare-rows.ts'

type ValueRow = BareRecord['values'][number]

export interface BareUpdate {
  readonly number: number
  readonly id: unknown
  readonly version: number
  readonly valuesJson: string
  readonly audit: readonly unknown[]
  readonly removed: readonly ValueRow[]
  readonly added: readonly ValueRow[]
  readonly back: string
  readonly text: string
}

const LATER = '2026-01-02T00:00:00.000Z'

/** Prepares the record's update of a round, after all earlier rounds. */
export function prepareUpdate(catalogue: Catalogue, model: Model, number: number, round: number): BareUpdate {
  const before = valuesIn(catalogue, number, round - 1)
  const after = { ...before, ...catalogue.changesOf(number, round) }
  const [then, now] = [prepareRecord(catalogue, model, number, before), prepareRecord(catalogue, model, number, after)]
  const changes = JSON.stringify(diffValues(before, after))
  const has = (rows: readonly ValueRow[], row: ValueRow): boolean =>
    rows.some((other) => JSON.stringify(other) === JSON.stringify(row))
  const [id, schemaId] = now.document
  return {
    number,
    id,
    version: number + round * 1_000_000,
    valuesJson: JSON.stringify(after),
    audit: [`aud-${String(id)}-${round}`, id, schemaId, 'key-bootstrap', LATER, 'update', 'api', changes],
    removed: then.values.filter((row) => !has(now.values, row)),
    added: now.values.filter((row) => !has(then.values, row)),
    back: now.back,
    text: now.text,
  }
}

/** Round 0: the values at creation. */
function valuesIn(catalogue: Catalogue, number: number, round: number): RecordValues {
  const created = catalogue.valuesOf(number)
  return round === 0 ? created : { ...created, ...catalogue.changesOf(number, round) }
}

export class BareUpdates {
  readonly #statements: Record<'document' | 'audit' | 'remove' | 'add' | 'back' | 'removeText' | 'addText', Statement>

  constructor(db: Connection) {
    this.#statements = {
      document: db.prepare('UPDATE record SET version = ?, updated_at = ?, "values" = ? WHERE id = ?'),
      audit: db.prepare(
        'INSERT INTO audit (id, record_id, schema_id, user_id, timestamp, action, origin, changes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ),
      remove: db.prepare('DELETE FROM value WHERE attribute = ? AND scope = ? AND key = ? AND record = ?'),
      add: db.prepare('INSERT INTO value (attribute, scope, key, record) VALUES (?, ?, ?, ?)'),
      back: db.prepare('INSERT OR REPLACE INTO indexed (record, rows) VALUES (?, ?)'),
      removeText: db.prepare('DELETE FROM text WHERE rowid = ?'),
      addText: db.prepare('INSERT INTO text (rowid, folded) VALUES (?, ?)'),
    }
  }

  update({ number, id, version, valuesJson, audit, removed, added, back, text }: BareUpdate): void {
    const statements = this.#statements
    statements.document.run(version, LATER, valuesJson, id)
    statements.audit.run(...audit)
    for (const row of removed) statements.remove.run(...row, number)
    for (const row of added) statements.add.run(...row, number)
    statements.back.run(number, back)
    statements.removeText.run(number)
    statements.addText.run(number, text)
  }
}
