// Records: one row with the values as JSON text, kept counts, unique values, and notes for searches.
import { alreadyExists } from '../../kernel/errors.ts'
import type { RecordReference, UniqueKey } from '../../core/values/values.ts'
import type { Referrer } from '../../core/records/rules/referrer.ts'
import type {
  CategoryPage,
  Page,
  PlacedRecord,
  RecordFilter,
  RecordIdentity,
  RecordList,
  RecordReads,
  RecordWrites,
  ReferrersAsked,
  StoredRecord,
} from '../../store/record-port.ts'
import { readReferrers, writeReferences } from '../../store/rows/record-references.ts'
import type { Load } from '../../store/rows/session.ts'
import type { PlacedRow, Session } from '../session.ts'
import { countRecords, listFrom, pageInCategory, pageOfRecords, placesOfRecords } from './record-lists.ts'
import { RECORD_COLUMNS, type RecordRow, toPlaced } from './record-rows.ts'
import { holdersOf, releaseUniqueKeys, setUniqueKeys } from './unique-values.ts'

const byId: Load<PlacedRow> = async (ids, from) => {
  const rows = await from.rows<RecordRow>(`SELECT ${RECORD_COLUMNS} FROM record WHERE id = ANY ($1::text[])`, [ids])
  return new Map(rows.map((row) => [row.id, toPlaced(row)]))
}

/** Loads only the schema of each record. */
const presentById: Load<string> = async (ids, from) => {
  const sql = 'SELECT id, schema_id AS "schemaId" FROM record WHERE id = ANY ($1::text[])'
  const rows = await from.rows<{ id: string; schemaId: string }>(sql, [ids])
  return new Map(rows.map(({ id, schemaId }) => [id, schemaId]))
}

export class Records implements RecordReads, RecordWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async get(id: string): Promise<StoredRecord | undefined> {
    return (await this.#placed(id))?.record
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>> {
    const found = await this.#session.look('record', ids, byId)
    return new Map([...found].map(([id, { record }]) => [id, record]))
  }

  existing(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#session.look('present record', ids, presentById)
  }

  async takenUniqueKeys({ id, schemaId }: RecordIdentity, keys: readonly UniqueKey[]): Promise<UniqueKey[]> {
    const holders = await holdersOf(this.#session, schemaId, keys)
    return keys.filter((_, index) => holders[index] !== undefined && holders[index] !== id)
  }

  async holderOf(schemaId: string, key: UniqueKey): Promise<string | undefined> {
    return (await holdersOf(this.#session, schemaId, [key]))[0]
  }

  referrers(asked: ReferrersAsked): Promise<Referrer[]> {
    return readReferrers(this.#session, asked)
  }

  list(filter: RecordFilter, page: Page): Promise<RecordList | undefined> {
    return pageOfRecords(this.#session, filter, page)
  }

  /** Lists the places of the records that `list` returns. */
  listPlaces(filter: RecordFilter, page: Page): Promise<{ places: number[]; total: number }> {
    return placesOfRecords(this.#session, filter, page)
  }

  async variantIdsOf(parentId: string): Promise<string[]> {
    const sql = 'SELECT id FROM record WHERE parent_id = $1 ORDER BY n'
    return (await this.#session.rows<{ id: string }>(sql, [parentId])).map(({ id }) => id)
  }

  count(filter: RecordFilter): Promise<number> {
    return countRecords(this.#session, filter)
  }

  listFrom(schemaId: string, place: number, limit: number): Promise<PlacedRecord[]> {
    return listFrom(this.#session, { schemaId, place, limit })
  }

  listInCategory(categoryId: string, page: CategoryPage): Promise<RecordList | undefined> {
    return pageInCategory(this.#session, categoryId, page)
  }

  reserve(max: number): Promise<void> {
    return this.#session.writer.reserve(max)
  }

  async insert(record: StoredRecord): Promise<void> {
    const { id } = record
    const { writer } = this.#session
    await writer.assume('record', [id], byId, (found) => {
      if (found.size > 0) throw alreadyExists('Record', id)
    })
    this.#put(id, undefined, { n: writer.nextN(), record })
  }

  async update(before: StoredRecord, after: StoredRecord): Promise<void> {
    const { id } = after
    const present = await this.#placed(id)
    if (present === undefined || present.record.version !== before.version)
      throw new Error(`Record ${id} to update is not of version ${before.version}`)
    const { lifecycleStateId, version, updatedAt, updatedBy, valuesJson } = after
    const record = { ...present.record, lifecycleStateId, version, updatedAt, updatedBy, valuesJson }
    this.#put(id, present, { n: present.n, record })
    // The index finds variants by their inherited values.
    if (record.parentId === null && valuesJson !== present.record.valuesJson)
      this.#session.writer.index({ variantsOf: id })
  }

  async delete(id: string): Promise<void> {
    const present = await this.#placed(id)
    if (present === undefined) return
    await releaseUniqueKeys(this.#session, id)
    this.#put(id, present, undefined)
  }

  setUniqueKeys(record: RecordIdentity, before: readonly UniqueKey[], after: readonly UniqueKey[]): Promise<void> {
    return setUniqueKeys(this.#session, record, before, after)
  }

  async setReferences(
    record: RecordIdentity,
    before: readonly RecordReference[],
    after: readonly RecordReference[],
  ): Promise<void> {
    writeReferences(this.#session, record, before, after)
  }

  async reindex(schemaId: string): Promise<void> {
    this.#session.writer.index({ schemaId })
  }

  async #placed(id: string): Promise<PlacedRow | undefined> {
    return (await this.#session.look('record', [id], byId)).get(id)
  }

  #put(id: string, before: PlacedRow | undefined, after: PlacedRow | undefined): void {
    const { writer } = this.#session
    writer.putRecord(id, before, after)
    if (before?.n !== after?.n) writer.put('present record', id, after?.record.schemaId)
  }
}
