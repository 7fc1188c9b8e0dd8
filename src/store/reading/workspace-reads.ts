// What the tasks of reader threads read besides the index, at the moment of the task. An engine answers at once or later.
import type { AuditReads, TrailPiece } from '../audit-port.ts'
import type { FeedEntry, FeedKind } from '../feed-port.ts'
import type { CategoryPage, Page, PlacedRecord, RecordFilter, StoredRecord } from '../record-port.ts'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import type { Numbers } from '../../core/search/plan/record-numbers.ts'

export interface PageOfPlaces {
  readonly places: readonly number[]
  /** On all pages. */
  readonly total: number
  /** Where the page ends, where it is full. */
  readonly next: SearchPosition | undefined
}

export interface Assignment {
  readonly place: number
  readonly categoryId: string
}

type Soon<Value> = Value | Promise<Value>

export interface WorkspaceReads {
  record(id: string): Soon<StoredRecord | undefined>
  /** Where the record stands in the order of creation. */
  placeOf(id: string): Soon<number | undefined>
  modelVersion(): Soon<number>
  /** A page of records in the order of creation. */
  list(filter: RecordFilter, page: Page): Soon<PageOfPlaces>
  inCategory(categoryId: string, page: CategoryPage): Soon<PageOfPlaces>
  /** In the category, or in one below it: each record once, in the order of creation. */
  belowCategory(categoryId: string, page: CategoryPage): Soon<PageOfPlaces>
  /** The next variants of a record in the order of creation. */
  variantsOf(id: string, after: number, limit: number): Soon<Numbers>
  /** As of `RecordReads.listFrom`. */
  listFrom(schemaId: string, place: number, limit: number): Soon<PlacedRecord[]>
  /** Categories of a catalog. */
  categoriesOf(catalogId: string): Soon<{ readonly id: string; readonly parentId: string | null }[]>
  /** The next assignments in the order of records and the IDs of categories. */
  assignmentsAfter(last: Assignment, limit: number): Soon<Assignment[]>
  /** Of a record, by itself. */
  assignmentsOf(recordId: string): Soon<{ categoryId: string; sortOrder: number }[]>
  /** As of `FeedReads.listAfter`. */
  feedAfter(sequence: number, kinds: ReadonlySet<FeedKind>, limit: number): Soon<FeedEntry[]>
  /** As of `AuditReads`. */
  trailOf(...asked: Parameters<AuditReads['readTrail']>): Soon<TrailPiece>
}
