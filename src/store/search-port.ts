// Reads that may take long: searches, lists, completeness, previews. Part of `port.ts`.
import type { Completeness, Gate } from '../core/records/rules/completeness.ts'
import type { DraftScore, FaultyField } from '../core/records/rules/record-issues.ts'
import type { ItemView } from '../core/search/rules/item-view.ts'
import type { Criteria } from '../core/search/rules/criteria.ts'
import type { Criterion } from '../core/search/rules/criterion.ts'
import type { Facet, FacetCount } from '../core/search/rules/facets.ts'
import type { RecordImage } from '../core/records/rules/record-image.ts'
import type { Suggestion } from '../core/search/rules/record-suggestions.ts'
import type { SearchPosition, SortKey } from '../core/search/rules/sorting.ts'
import type { TextQuestion } from '../core/search/rules/text-question.ts'
import type { Dimension } from '../core/model/rules/dimension.ts'
import type { SchemaDefinition } from '../core/model/rules/model.ts'
import type { ModelEffects } from '../core/model/rules/model-preview.ts'
import type { Workflow } from '../core/model/rules/workflow.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Page, RecordFilter, CategoryPage, StoredRecord } from './record-port.ts'

export interface SearchQuery {
  readonly find:
    /** Records that match both the criteria and the text. */
    | { readonly kind: 'criteria'; readonly criteria: Criteria; readonly text?: TextQuestion | undefined }
    /** Records with a text value that the role may read and that contains the text, in any letter case. */
    | { readonly kind: 'text'; readonly text: string }
  readonly schemaId?: string | undefined
  /** Attributes that the role may not read are left out of the values, and of text searches. */
  readonly role: Role
  readonly sort?: readonly SortKey[] | undefined
  /** Only records after this position: the last record of the previous page. */
  readonly after?: SearchPosition | undefined
  readonly offset: number
  /** The most records, with which the matches are counted; null: all from the offset. */
  readonly limit: number | null
  /** The caller, who may have only some searches at once. Undefined: the server itself. */
  readonly callerId?: string | undefined
  /** The members of each item, checked by `assertItemView`. Undefined: the record. */
  readonly view?: ItemView | undefined
  /** False: the number of matches is not needed, limited or not. */
  readonly isCounted?: boolean | undefined
  /** True: the search returns the heads of the records, without values. */
  readonly withoutValues?: boolean | undefined
}

/** A record in the answer, without hidden or unselected members, and with the included members. */
export interface FoundRecord extends StoredRecord {
  /** JSON of further members, each with a comma before it. */
  readonly moreJson?: string | undefined
  /** True: continues the previous record, and only `moreJson` counts. */
  readonly isContinued?: boolean | undefined
  /** True: the next part of this record follows, because a record may lack a hundred thousand fields. */
  readonly isOpen?: boolean | undefined
}

export interface SuggestQuery {
  readonly search: SearchQuery
  /** The texts to look for, each by itself, not folded. */
  readonly needles: readonly string[]
}

export interface FoundSuggestion extends Suggestion {
  readonly id: string
  readonly schemaId: string
  /** Undefined: not requested; null: the record has no picture. */
  readonly image?: RecordImage | null | undefined
}

/** Sees every commit before the call. @throws UNAVAILABLE when the read exceeds the store's time limit */
export type SuggestReads = (query: SuggestQuery, signal: AbortSignal) => Promise<FoundSuggestion[]>

/** Requests facets over all records that a search finds; the page and the order of the search are ignored. */
export interface FacetsQuery {
  readonly search: SearchQuery
  /** The facets, checked by `assertFacets`. */
  readonly facets: readonly Facet[]
  /** The most values of each facet. */
  readonly limit: number
}

export interface FacetCounts {
  readonly total: number
  /** One for each requested facet. */
  readonly facets: readonly FacetCount[]
}

/** Sees every commit before the call. @throws UNAVAILABLE when the read exceeds the store's time limit */
export type FacetReads = (query: FacetsQuery, signal: AbortSignal) => Promise<FacetCounts>

/** Requests the places of records that match further criteria, in the order of a search. */
export interface PlacesQuery {
  readonly search: SearchQuery
  /** Each mark that a record matches gives the record a place. */
  readonly marks: readonly Criterion[]
  /** The search is cut into these lists, in this order; none: the search is one list. */
  readonly parts: readonly Criterion[]
  /** The number of the first place, or the row at which the places begin. */
  readonly start: number | { readonly part: number; readonly row: number }
  readonly limit: number
}

export interface Places {
  readonly total: number
  /** The records of the whole search that match each mark. */
  readonly counts: readonly number[]
  /** The number of the first of these places. */
  readonly offset: number
  readonly places: readonly { readonly part: number; readonly row: number; readonly mark: number }[]
}

/** Sees every commit before the call. @throws UNAVAILABLE when the read exceeds the store's time limit */
export type PlaceReads = (query: PlacesQuery, signal: AbortSignal) => Promise<Places>

export interface SearchResult {
  /** The number of all matches; null: no limit was given, or matches are not counted. */
  readonly total: number | null
  /** The position at which a full page ends; null: no further records. */
  readonly next: SearchPosition | null
  /** In the requested order, from one snapshot; a batch may be empty. Stopping the iteration ends the search. */
  readonly batches: AsyncIterable<FoundRecord[]>
}

/** The members of records that are listed or are read by ID. */
export interface ItemQuery {
  /** As for a search. */
  readonly view: ItemView
  /** As for a search. */
  readonly role: Role
  /** As for a search. */
  readonly callerId?: string | undefined
}

/** Each read uses one snapshot, and sees every commit before the call. @throws UNAVAILABLE, also during the iteration */
export interface ItemReads {
  /** A page of records in the order of creation. */
  list(
    query: ItemQuery & { readonly filter: RecordFilter; readonly page: Page },
    signal: AbortSignal,
  ): Promise<SearchResult>
  /**
   * Returns a page of the records of an existing category, by their sort order, then in the order of creation. With
   * children, the page also contains records of categories below, each once, all in the order of creation.
   */
  inCategory(
    query: ItemQuery & { readonly categoryId: string; readonly includeChildren: boolean; readonly page: CategoryPage },
    signal: AbortSignal,
  ): Promise<SearchResult>
  /**
   * Returns one record. If the view includes `variants`, its last part is open. The variants follow as records, in the
   * order of creation. @throws NOT_FOUND
   */
  get(query: ItemQuery & { readonly recordId: string }, signal: AbortSignal): Promise<SearchResult>
}

/**
 * Sees everything that was committed before the call. The criteria must have been checked by `assertCriteria`.
 * @throws UNAVAILABLE, now or during the iteration, when the search exceeds the store's time limit, or too many
 * searches run
 */
export type SearchReads = (query: SearchQuery, signal: AbortSignal) => Promise<SearchResult>

export interface ScoreQuery {
  readonly recordId: string
  readonly stateId: string
  /** True: also a score of each combination, of which `assertFewCombinations` has checked the number. */
  readonly byCombination?: boolean | undefined
  /** The role of the caller: only attributes that the role may know count. */
  readonly role: Role
  /** As for a search. */
  readonly callerId?: string | undefined
}

export interface StoredScore {
  readonly score: Omit<Completeness, 'missing'>
  /** JSON of the list of `CombinationScore`s; undefined: not requested. */
  readonly combinationsJson: string | undefined
  /** JSON of the missing fields, separated by commas, in pieces. Stopping the iteration ends the reading. */
  readonly missingJson: AsyncIterable<string[]>
}

export interface GatesQuery {
  readonly recordId: string
  readonly stateIds: readonly string[]
  /** The answer names missing fields that the role may know, but counts all. */
  readonly role: Role
  /** The most missing fields that the answer names for each state. */
  readonly limit: number
  /** As for a search. */
  readonly callerId?: string | undefined
}

export interface StoredGates {
  readonly basis: ScoreBasis
  readonly gates: readonly (Gate & { readonly stateId: string })[]
}

/** The inputs of a score. The score stays the same while they do. */
export interface ScoreBasis {
  readonly recordVersion: number
  /** The version of a variant's parent. */
  readonly parentVersion: number | null
  readonly modelVersion: number
}

/** A record that is not stored, or not with these values. */
export interface DraftQuery {
  readonly schemaId: string
  /** The parent of the variant. */
  readonly parentId: string | null
  /** JSON of `Values`. */
  readonly valuesJson: string
  readonly stateId: string
  /** As in `scoreDraft`. */
  readonly faulty: readonly FaultyField[]
  /** The role of the caller: only attributes that the role may know count. */
  readonly role: Role
  /** As for a search. */
  readonly callerId?: string | undefined
}

/** Sees every commit before the call. @throws NOT_FOUND; UNAVAILABLE when the read exceeds the store's time limit */
export interface CompletenessReads {
  score(query: ScoreQuery, signal: AbortSignal): Promise<StoredScore>
  gates(query: GatesQuery, signal: AbortSignal): Promise<StoredGates>
  draft(query: DraftQuery, signal: AbortSignal): Promise<DraftScore>
}

/** A change of the model that is only previewed: one part of the model in its new form. */
export interface PreviewQuery {
  readonly schema?: SchemaDefinition | undefined
  readonly dimension?: Dimension | undefined
  readonly workflow?: Workflow | undefined
  /** The schemas whose records are examined. */
  readonly schemaIds: readonly string[]
  /**
   * The role of the caller. Completeness counts only attributes that the role may read. The answer does not name
   * records with hidden values.
   */
  readonly role: Role
  /** As for a search. */
  readonly callerId: string
}

/** Examines every record of the schemas. @throws UNAVAILABLE when the preview exceeds the store's time limit */
export type PreviewReads = (query: PreviewQuery, signal: AbortSignal) => Promise<ModelEffects>

/**
 * Numbers of a category's records: `direct` in the category itself, `total` also in the categories below. Each record
 * counts once.
 */
export interface CategoryCount {
  readonly id: string
  readonly direct: number
  readonly total: number
}

/**
 * Sees every commit before the call. `callerId`: as for a search. @throws UNAVAILABLE when the read exceeds the store's
 * time limit
 */
export interface CategoryTreeReads {
  /** The counts of all categories of a catalog. */
  counts(catalogId: string, callerId: string, signal: AbortSignal): Promise<CategoryCount[]>
}
