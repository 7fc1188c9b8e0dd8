// What the main thread and a reader thread say to each other: a task is started, and each of its steps is asked for, so
// that a slow client slows its own task down and no other.
import type { Page, RecordFilter, StoredRecord } from '../record-port.ts'
import type { ModelEffects } from '../../core/model/rules/model-preview.ts'
import type { EventPage, EventQuery } from '../subscription-port.ts'
import type { ItemTask } from './item-tasks.ts'
import type { DraftScore } from '../../core/records/rules/record-issues.ts'
import type { SearchPosition } from '../../core/search/rules/sorting.ts'
import type {
  CategoryCount,
  DraftQuery,
  FacetCounts,
  FacetsQuery,
  FoundSuggestion,
  SuggestQuery,
  FoundRecord,
  GatesQuery,
  PreviewQuery,
  ScoreQuery,
  SearchQuery,
  StoredGates,
  StoredScore,
} from '../search-port.ts'

/** What a thread gets to know when it starts. */
export interface ReaderThreadData {
  /** Which storage's reader it is. */
  readonly role: string
  /** Milliseconds of work after which a task ends with UNAVAILABLE. */
  readonly timeout: number
}

export type ReaderTask =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'list'; readonly filter: RecordFilter; readonly page: Page }
  | { readonly kind: 'score'; readonly query: ScoreQuery }
  | { readonly kind: 'gates'; readonly query: GatesQuery }
  | { readonly kind: 'draft'; readonly query: DraftQuery }
  | ItemTask
  | { readonly kind: 'facets'; readonly query: FacetsQuery }
  | { readonly kind: 'suggest'; readonly query: SuggestQuery }
  | { readonly kind: 'preview'; readonly query: PreviewQuery }
  | { readonly kind: 'events'; readonly query: EventQuery }
  | { readonly kind: 'categoryCounts'; readonly catalogId: string }

/** The score first, then the pieces of JSON of what is missing. */
export type ScoreItem = Omit<StoredScore, 'missingJson'> | string

/** What the steps of a task of each kind bring. */
export interface TaskItems {
  readonly search: FoundRecord
  readonly list: StoredRecord
  readonly score: ScoreItem
  readonly gates: StoredGates
  readonly draft: DraftScore
  readonly items: FoundRecord
  readonly facets: FacetCounts
  readonly suggest: FoundSuggestion
  readonly preview: ModelEffects
  readonly events: EventPage
  readonly categoryCounts: CategoryCount
}
export type TaskItem = TaskItems[keyof TaskItems]

export interface ReaderQuestion {
  readonly task: ReaderTask
  readonly callerId: string | undefined
}

/** What a task gives in one go, and then waits to be asked again. */
export interface TaskStep {
  readonly items: TaskItem[]
  readonly total?: number | null
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

/** The same for the main thread. */
export interface ReaderPart {
  readonly items: TaskItem[]
  readonly total: number | null | undefined
  readonly next: SearchPosition | undefined
}
