// Messages between the main thread and a reader thread. The main thread starts a task and requests each step, so that a
// slow client only delays its own task.
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
  Places,
  PlacesQuery,
  PreviewQuery,
  ScoreQuery,
  SearchQuery,
  StoredGates,
  StoredScore,
} from '../search-port.ts'

/** Data of a thread at its start. */
export interface ReaderThreadData {
  /** Name of the storage's reader. */
  readonly role: string
  /** Milliseconds of work after which a task ends with UNAVAILABLE. */
  readonly timeout: number
}

export type ReaderTask =
  | { readonly kind: 'search'; readonly query: SearchQuery }
  | { readonly kind: 'score'; readonly query: ScoreQuery }
  | { readonly kind: 'gates'; readonly query: GatesQuery }
  | { readonly kind: 'draft'; readonly query: DraftQuery }
  | ItemTask
  | { readonly kind: 'facets'; readonly query: FacetsQuery }
  | { readonly kind: 'places'; readonly query: PlacesQuery }
  | { readonly kind: 'suggest'; readonly query: SuggestQuery }
  | { readonly kind: 'preview'; readonly query: PreviewQuery }
  | { readonly kind: 'events'; readonly query: EventQuery }
  | { readonly kind: 'categoryCounts'; readonly catalogId: string }

/** First the score, then the pieces of the JSON of missing fields. */
export type ScoreItem = Omit<StoredScore, 'missingJson'> | string

/** Items that the steps of each kind of task yield. */
export interface TaskItems {
  readonly search: FoundRecord
  readonly score: ScoreItem
  readonly gates: StoredGates
  readonly draft: DraftScore
  readonly items: FoundRecord
  readonly facets: FacetCounts
  readonly places: Places
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

/** A step of a task. After a step, the task waits for the next request. */
export interface TaskStep {
  readonly items: TaskItem[]
  readonly total?: number | null
  readonly next?: SearchPosition | undefined
  readonly isLast?: boolean
}

/** The form of a step in the main thread. */
export interface ReaderPart {
  readonly items: TaskItem[]
  readonly total: number | null | undefined
  readonly next: SearchPosition | undefined
}
