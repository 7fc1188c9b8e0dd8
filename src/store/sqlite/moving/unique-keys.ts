// Finds the key of a unique value by its digest: it is made of the values of the record that holds it, by the record's schema, or by what
// that is being changed to.
import { type ModelChange, uniqueKeysOfBoth } from '../../../core/model/rules/model-change.ts'
import { type Model, Schema } from '../../../core/model/rules/model.ts'
import type { Values } from '../../../core/records/rules/record.ts'
import { type UniqueKey, uniqueKeys } from '../../../core/values/values.ts'
import { digestOfKey } from '../../moving/unique-digest.ts'
import type { Connection, Statement } from '../connection.ts'
import { KeptDocuments } from '../kept-documents.ts'
import { ModelTables } from '../model.ts'

export interface NotedValue {
  readonly schemaId: string
  readonly alias: string
  readonly scope: string
  readonly digest: Buffer
}

export class UniqueKeyFinder {
  readonly #model: Model
  readonly #changes: readonly ModelChange[]
  readonly #values: Statement<string>
  /** Of the record that was asked for last: values of one record come together. */
  #last: { readonly recordId: string; readonly keys: ReadonlyMap<string, string> } | undefined

  /** Of a workspace that has its model and records already. */
  constructor(db: Connection) {
    this.#model = new ModelTables(db).modelOfSnapshot()
    const changes = new KeptDocuments(db, 'model_change', (change: ModelChange) => change)
    this.#changes = [...changes.read().values()]
    this.#values = db.prepare<unknown[], string>('SELECT "values" FROM record WHERE id = ?').pluck()
  }

  /** @throws Error where the record has no such value */
  find(recordId: string, { schemaId, alias, scope, digest }: NotedValue): string {
    if (this.#last?.recordId !== recordId) this.#last = { recordId, keys: this.#keysOf(recordId, schemaId) }
    const key = this.#last.keys.get(nameOf(alias, scope, digest))
    if (key !== undefined) return key
    throw new Error(
      `the unique value that is noted for ${recordId} at ${alias} is none of its values: see pimlet doctor`,
    )
  }

  #keysOf(recordId: string, schemaId: string): Map<string, string> {
    const json = this.#values.get(recordId)
    const schema = this.#model.schemas.get(schemaId)
    if (json === undefined || schema === undefined) return new Map()
    const values = JSON.parse(json) as Values
    const keys: UniqueKey[] = uniqueKeys(values, schema)
    for (const change of this.#changes)
      if (change.kind === 'schema' && change.before.id === schemaId)
        keys.push(...uniqueKeysOfBoth(values, new Schema(change.before), new Schema(change.after)))
    return new Map(keys.map(({ alias, scope, key }) => [nameOf(alias, scope, digestOfKey(key)), key]))
  }
}

function nameOf(alias: string, scope: string, digest: Buffer): string {
  return `${alias}\n${scope}\n${digest.toString('base64')}`
}
