// A snapshot of the workspace, for exports: filters have the same SQL in every engine, but for a few words.
import type { Model } from '../../core/model/rules/model.ts'
import type { RecordSnapshot, SnapshotFilter, SnapshotRecord } from '../snapshot-port.ts'
import { type LinkedTexts, readLinked } from './linked-values.ts'
import type { Asked } from './session.ts'

/** One of this many records is sampled. A prime number also suits a catalogue whose kinds of records alternate. */
const SAMPLED = 17

/** Words of an engine. */
interface SnapshotTexts extends LinkedTexts {
  /** The column with the schema, for a condition. */
  readonly schemaId: string
  /** The join of assignments with their categories. */
  readonly join: string
}

export abstract class RowSnapshot implements RecordSnapshot {
  readonly model: Model
  readonly #asked: Asked
  readonly #texts: SnapshotTexts

  constructor(model: Model, asked: Asked, texts: SnapshotTexts) {
    this.model = model
    this.#asked = asked
    this.#texts = texts
  }

  /** Yields slices of the records with their parents, in the order of creation. */
  protected abstract select(where: string, values: readonly unknown[]): AsyncGenerator<SnapshotRecord[], void>

  abstract close(): Promise<void>

  async count(filter: SnapshotFilter): Promise<number> {
    const { where, values } = this.#conditionsOf(filter)
    const [row] = await this.#asked.rows<{ records: number }>(`SELECT count(*) AS records FROM record ${where}`, values)
    return row!.records
  }

  batches(filter: SnapshotFilter): AsyncGenerator<SnapshotRecord[], void> {
    const { where, values } = this.#conditionsOf(filter)
    return this.select(where, values)
  }

  sample(filter: SnapshotFilter): AsyncGenerator<SnapshotRecord[], void> {
    const { where, values } = this.#conditionsOf(filter, `record.n % ${SAMPLED} = 0`)
    return this.select(where, values)
  }

  linked(ids: readonly string[]): Promise<SnapshotRecord[]> {
    return readLinked(this.#asked, this.#texts, ids)
  }

  #conditionsOf(filter: SnapshotFilter, ...more: string[]): { where: string; values: unknown[] } {
    const { schemaId, catalogId, includeVariants, lifecycleStateIds } = filter
    const { dialect, schemaId: ofSchema, join } = this.#texts
    const values: unknown[] = []
    const place = (value: unknown): number => values.push(value)
    const conditions = [
      ...(schemaId === null ? [] : [`${ofSchema} = $${place(schemaId)}`]),
      ...(includeVariants ? [] : ['record.parent_id IS NULL']),
      ...(lifecycleStateIds === null ? [] : [dialect.among('record.state_id', place(lifecycleStateIds))]),
      ...(catalogId === null ? [] : [inCatalog(join, place(catalogId))]),
      ...more,
    ]
    return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values }
  }
}

/** True if the record, or the parent of the variant, has an assignment in the catalogue. */
function inCatalog(join: string, parameter: number): string {
  return `EXISTS (
    SELECT 1 FROM assignment ${join} category ON category.id = assignment.category_id
     WHERE assignment.record_n IN (record.n, (SELECT of_parent.n FROM record AS of_parent WHERE of_parent.id = record.parent_id))
       AND category.catalog_id = $${parameter})`
}
