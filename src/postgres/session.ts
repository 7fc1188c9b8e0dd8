// The session that repositories use. A session reads committed state, or belongs to a transaction. A transaction reads
// its own writes first, and holds writes back.
import type { FeedEvent } from '../core/feed/rules/feed-entry.ts'
import type { NewAuditEntry, StoredAuditEntry } from '../store/audit-port.ts'
import type { StoredRecord } from '../store/record-port.ts'
import type { Load, RowCounter, SqlSession, SqlWriter } from '../store/rows/session.ts'
import type { ModelState, ModelTable } from './model-state.ts'

export interface Session extends SqlSession {
  /** The committed number plus the additions of the transaction. */
  counter(counter: Counter): Promise<number>
  /** The committed model, or the model that the transaction has changed. */
  model(): Promise<ModelState>
  /** The newest entries of a record's trail; undefined: they were not read ahead. */
  trailAhead?(recordId: string): TrailAhead | undefined
  readonly writer: Writer
}

/** Returns the newest `limit` entries of a record's trail, the newest first; undefined: fewer were read. */
export type TrailAhead = (limit: number) => StoredAuditEntry[] | undefined

/** A record with its place (`n`) in the order of creation. */
export interface PlacedRow {
  readonly n: number
  readonly record: StoredRecord
}

export interface UniquePlace {
  readonly schemaId: string
  readonly alias: string
  readonly scope: string
  /** SHA-256 of the key. */
  readonly key: Buffer
}

/** Numbers of the workspace that transactions add to. */
export type Counter = RowCounter | 'records' | 'model'

/** Writes other than records that change search results. `family`: a record and its variants. */
export type IndexChange = { readonly variantsOf: string } | { readonly family: string } | { readonly schemaId: string }

export interface Writer extends SqlWriter {
  /** False: the transaction runs at the same time as others of its batch. */
  readonly isAlone: boolean
  /**
   * Continues as if `look` found values that `judge` accepts. Unless it runs alone, a transaction does not wait for the
   * answer: if `judge` throws, the transaction runs again.
   */
  assume<Value>(
    kind: string,
    ids: readonly string[],
    load: Load<Value>,
    judge: (found: ReadonlyMap<string, Value>) => void,
  ): Promise<void>
  nextN(): number
  newVersion(): number
  add(counter: Counter, by: number): void
  /** Reserves room for a record. @throws LIMIT_EXCEEDED */
  reserve(max: number): Promise<void>
  putRecord(id: string, before: PlacedRow | undefined, after: PlacedRow | undefined): void
  putUnique(id: string, place: UniquePlace, before: string | undefined, after: string | undefined): void
  /** IDs of the unique values that this batch gave to a record. Another record may hold some of them now. */
  uniquesOf(recordId: string): readonly string[]
  audit(entry: NewAuditEntry): void
  event(event: FeedEvent): void
  index(change: IndexChange): void
  /** @param document JSON; undefined: the document is deleted */
  putModel(table: ModelTable, id: string, document: string | undefined): void
}
