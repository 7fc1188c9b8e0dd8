// The unsent writes of a transaction, of one of its steps or of a batch. A layer also contains the written values,
// which later reads find.
import type { FeedEvent } from '../core/feed/rules/feed-entry.ts'
import type { NewAuditEntry } from '../store/audit-port.ts'
import type { ModelState } from './model-state.ts'
import type { Counter, IndexChange, PlacedRow, UniquePlace } from './session.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** Each parameter is a column of rows; more rows may be appended. */
  readonly isOfRows?: boolean
}

/** The value in the database, and the value that replaces it. */
export interface Change<Value> {
  readonly before: Value | undefined
  readonly after: Value | undefined
}

export interface UniqueChange extends Change<string> {
  readonly place: UniquePlace
}

/** The writes that will be sent to the database. */
export class Unsent {
  readonly statements: Statement[] = []
  readonly records = new Map<string, Change<PlacedRow>>()
  readonly uniques = new Map<string, UniqueChange>()
  /** `countKey` → change of a number of records. */
  readonly counts = new Map<string, number>()
  readonly audit: NewAuditEntry[] = []
  readonly events: (readonly [sequence: number, event: FeedEvent])[] = []
  readonly indexedVariantsOf = new Set<string>()
  readonly indexedFamilies = new Set<string>()
  readonly indexedSchemas = new Set<string>()

  /** Adds a row to a statement for many rows, which has an array for each parameter. */
  holdRow(sql: string, row: readonly unknown[]): void {
    this.#add({ sql, parameters: row.map((value) => [value]), isOfRows: true })
  }

  #add(statement: Statement): void {
    const last = this.statements.at(-1)
    if (statement.isOfRows !== true || last?.isOfRows !== true || last.sql !== statement.sql)
      this.statements.push(statement)
    else
      for (const [index, column] of statement.parameters.entries())
        for (const value of column as unknown[]) (last.parameters[index] as unknown[]).push(value)
  }

  putRecord(id: string, { before, after }: Change<PlacedRow>): void {
    const known = this.records.get(id)
    this.records.set(id, { before: known === undefined ? before : known.before, after })
  }

  putUnique(id: string, { place, before, after }: UniqueChange): void {
    const known = this.uniques.get(id)
    this.uniques.set(id, { place, before: known === undefined ? before : known.before, after })
  }

  count(where: string, by: number): void {
    this.counts.set(where, (this.counts.get(where) ?? 0) + by)
  }

  index(change: IndexChange): void {
    if ('schemaId' in change) this.indexedSchemas.add(change.schemaId)
    else if ('family' in change) this.indexedFamilies.add(change.family)
    else this.indexedVariantsOf.add(change.variantsOf)
  }

  /** Appends the writes of `later`. */
  take(later: Unsent): void {
    for (const statement of later.statements) this.#add(statement)
    for (const [id, change] of later.records) this.putRecord(id, change)
    for (const [id, change] of later.uniques) this.putUnique(id, change)
    for (const [where, by] of later.counts) this.count(where, by)
    this.audit.push(...later.audit)
    this.events.push(...later.events)
    for (const id of later.indexedVariantsOf) this.indexedVariantsOf.add(id)
    for (const id of later.indexedFamilies) this.indexedFamilies.add(id)
    for (const id of later.indexedSchemas) this.indexedSchemas.add(id)
  }
}

export class Layer {
  /** Values by `keyOf`, from kind and ID; undefined: the value does not exist. */
  readonly values = new Map<string, unknown>()
  /** Record → IDs of the unique values that this layer has given the record. */
  readonly uniquesOf = new Map<string, Set<string>>()
  readonly added: Record<Counter, number> = { records: 0, keptAnswerBytes: 0, model: 0, credentials: 0, jobs: 0 }
  unsent = new Unsent()
  /** The number of records that are reserved and not inserted yet. */
  reserved = 0
  /** The model, if this layer changed it. */
  model: ModelState | undefined
  /** Whether the database has a savepoint from before the sent writes of this layer. */
  hasSavepoint = false

  /** Takes over the writes of `later`. */
  take(later: Layer): void {
    for (const [key, value] of later.values) this.values.set(key, value)
    for (const [recordId, ids] of later.uniquesOf) for (const id of ids) this.noteUnique(recordId, id)
    for (const counter of Object.keys(later.added) as Counter[]) this.added[counter] += later.added[counter]
    this.unsent.take(later.unsent)
    this.reserved += later.reserved
    this.model = later.model ?? this.model
  }

  putRecord(id: string, before: PlacedRow | undefined, after: PlacedRow | undefined): void {
    this.unsent.putRecord(id, { before, after })
    for (const [placed, by] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (placed === undefined) continue
      const { schemaId, lifecycleStateId, parentId } = placed.record
      this.unsent.count(countKey(schemaId, lifecycleStateId, parentId !== null), by)
      this.added.records += by
    }
    if (before === undefined) this.reserved = Math.max(0, this.reserved - 1)
  }

  /** Returns added records by ID, in the order in which they were written. */
  addedRecords(): Map<string, PlacedRow> {
    const added = new Map<string, PlacedRow>()
    for (const [id, { before, after }] of this.unsent.records)
      if (before === undefined && after !== undefined) added.set(id, after)
    return added
  }

  /** Gives a record another place in the order of creation. Nothing of the record has been sent yet. */
  moveRecord(id: string, n: number): void {
    const placed = { ...this.unsent.records.get(id)!.after!, n }
    this.unsent.records.set(id, { before: undefined, after: placed })
    this.values.set(keyOf('record', id), placed)
  }

  noteUnique(recordId: string, id: string): void {
    const ids = this.uniquesOf.get(recordId) ?? new Set()
    this.uniquesOf.set(recordId, ids.add(id))
  }

  /** Forgets all values of the layer: its writes are sent, so the database returns them. */
  forget(): void {
    this.values.clear()
    this.uniquesOf.clear()
  }

  /** Returns the unsent writes, and removes them from the layer. */
  release(): Unsent {
    const { unsent } = this
    this.unsent = new Unsent()
    return unsent
  }
}

export function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`
}

function countKey(schemaId: string, stateId: string, isVariant: boolean): string {
  return JSON.stringify([schemaId, stateId, isVariant])
}
