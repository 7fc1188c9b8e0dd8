// Reads that may be long: searches, lists, completeness, previews: part of `port.ts`.
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
    /** Both must hold. */
    | { readonly kind: 'criteria'; readonly criteria: Criteria; readonly text?: TextQuestion | undefined }
    /** Records in which a text value that the role may read contains the text, not regarding case. */
    | { readonly kind: 'text'; readonly text: string }
  readonly schemaId?: string | undefined
  /** Attributes that the role may not read are left out of the values, and are not searched for text. */
  readonly role: Role
  readonly sort?: readonly SortKey[] | undefined
  /** Only records after this one: the last record of the page before. */
  readonly after?: SearchPosition | undefined
  readonly offset: number
  /** With a limit the matches are counted; null: all from the offset on. */
  readonly limit: number | null
  /** The caller: each may have only some searches at once. Undefined: the server itself. */
  readonly callerId?: string | undefined
  /** The members of each item, already checked by `assertItemView`. Undefined: the record. */
  readonly view?: ItemView | undefined
  /** False: the number of matches is not needed, limited or not. */
  readonly isCounted?: boolean | undefined
  /** The records come without their values: only their heads are asked for. */
  readonly withoutValues?: boolean | undefined
}

/** A record in the answer: without hidden or unselected members, and with the included ones. */
export interface FoundRecord extends StoredRecord {
  /** JSON of further members, each with a comma before it. */
  readonly moreJson?: string | undefined
  /** Continues the record before: only `moreJson` counts. */
  readonly isContinued?: boolean | undefined
  /** Its next part follows: a record may lack a hundred thousand fields. */
  readonly isOpen?: boolean | undefined
}

export interface SuggestQuery {
  readonly search: SearchQuery
  /** The texts to look for, one by one, not folded. */
  readonly needles: readonly string[]
}

export interface FoundSuggestion extends Suggestion {
  readonly id: string
  readonly schemaId: string
  /** Only where it is asked for; null: none. */
  readonly image?: RecordImage | null | undefined
}

/** Sees every commit before the call. @throws UNAVAILABLE when it takes longer than the store allows */
export type SuggestReads = (query: SuggestQuery, signal: AbortSignal) => Promise<FoundSuggestion[]>

/** Asks for facets over everything that a search finds; its page and its order mean nothing. */
export interface FacetsQuery {
  readonly search: SearchQuery
  /** They must have been checked (`assertFacets`). */
  readonly facets: readonly Facet[]
  /** The most values of each facet. */
  readonly limit: number
}

export interface FacetCounts {
  readonly total: number
  /** One for each that was asked for. */
  readonly facets: readonly FacetCount[]
}

/** Sees every commit before the call. @throws UNAVAILABLE when it takes longer than the store allows */
export type FacetReads = (query: FacetsQuery, signal: AbortSignal) => Promise<FacetCounts>

/** Asks where in the order of a search records stand that match further criteria. */
export interface PlacesQuery {
  readonly search: SearchQuery
  /** A record has a place for each of these that it matches. */
  readonly marks: readonly Criterion[]
  /** The search is cut into these lists, one after another; none: it is one list. */
  readonly parts: readonly Criterion[]
  /** The number of the first place, or the row from which places are looked for. */
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

/** Sees every commit before the call. @throws UNAVAILABLE when it takes longer than the store allows */
export type PlaceReads = (query: PlacesQuery, signal: AbortSignal) => Promise<Places>

export interface SearchResult {
  /** All matches; null where no limit was given, or they are not counted. */
  readonly total: number | null
  /** Where the page ends, where it is full. */
  readonly next: SearchPosition | null
  /** In the requested order, from one snapshot; a batch may be empty. Stopping the iteration ends the search. */
  readonly batches: AsyncIterable<FoundRecord[]>
}

/** The members of records that are listed or read by their IDs. */
export interface ItemQuery {
  /** As of a search. */
  readonly view: ItemView
  /** As of a search. */
  readonly role: Role
  /** As of a search. */
  readonly callerId?: string | undefined
}

/** Each read is of one snapshot, and sees every commit before the call. @throws UNAVAILABLE, also while iterating */
export interface ItemReads {
  /** A page of records in the order of creation. */
  list(
    query: ItemQuery & { readonly filter: RecordFilter; readonly page: Page },
    signal: AbortSignal,
  ): Promise<SearchResult>
  /**
   * A page of the records of an existing category, in their sort order, then in the order of creation. With children, it
   * also has records of categories below, each once, all in the order of creation.
   */
  inCategory(
    query: ItemQuery & { readonly categoryId: string; readonly includeChildren: boolean; readonly page: CategoryPage },
    signal: AbortSignal,
  ): Promise<SearchResult>
  /**
   * One record; where the view includes `variants`, its last part is open, and they follow it as records, in the order of
   * creation. @throws NOT_FOUND
   */
  get(query: ItemQuery & { readonly recordId: string }, signal: AbortSignal): Promise<SearchResult>
}

/**
 * Sees everything that was committed before the call. The criteria must have been checked (`assertCriteria`).
 * @throws UNAVAILABLE, here or while iterating, when the search takes longer than the store allows,
 * or when too many run at once
 */
export type SearchReads = (query: SearchQuery, signal: AbortSignal) => Promise<SearchResult>

export interface ScoreQuery {
  readonly recordId: string
  readonly stateId: string
  /** It must have been checked that they are few (`assertFewCombinations`). */
  readonly byCombination?: boolean | undefined
  /** Only attributes that the role may know count. */
  readonly role: Role
  /** As of a search. */
  readonly callerId?: string | undefined
}

export interface StoredScore {
  readonly score: Omit<Completeness, 'missing'>
  /** JSON of the list of `CombinationScore`s, where they were asked for. */
  readonly combinationsJson: string | undefined
  /** JSON of the missing fields, separated by commas, in pieces. Stopping the iteration ends the reading. */
  readonly missingJson: AsyncIterable<string[]>
}

export interface GatesQuery {
  readonly recordId: string
  readonly stateIds: readonly string[]
  /** Missing fields are named as far as the role may know them; all of them count. */
  readonly role: Role
  /** The most missing fields that are named for each state. */
  readonly limit: number
  /** As of a search. */
  readonly callerId?: string | undefined
}

export interface StoredGates {
  readonly basis: ScoreBasis
  readonly gates: readonly (Gate & { readonly stateId: string })[]
}

/** The inputs of a score: while they are the same, so is the score. */
export interface ScoreBasis {
  readonly recordVersion: number
  /** The version of a variant's parent. */
  readonly parentVersion: number | null
  readonly modelVersion: number
}

/** A record that is not stored, or not so. */
export interface DraftQuery {
  readonly schemaId: string
  /** The parent of the variant. */
  readonly parentId: string | null
  /** JSON of `Values`. */
  readonly valuesJson: string
  readonly stateId: string
  /** As in `scoreDraft`. */
  readonly faulty: readonly FaultyField[]
  /** Only attributes that the role may know count. */
  readonly role: Role
  /** As of a search. */
  readonly callerId?: string | undefined
}

/** Sees every commit before the call. @throws NOT_FOUND; UNAVAILABLE when it takes longer than the store allows */
export interface CompletenessReads {
  score(query: ScoreQuery, signal: AbortSignal): Promise<StoredScore>
  gates(query: GatesQuery, signal: AbortSignal): Promise<StoredGates>
  draft(query: DraftQuery, signal: AbortSignal): Promise<DraftScore>
}

/** A change of the model that is not made: one of its parts as it would be. */
export interface PreviewQuery {
  readonly schema?: SchemaDefinition | undefined
  readonly dimension?: Dimension | undefined
  readonly workflow?: Workflow | undefined
  /** Whose records are looked at. */
  readonly schemaIds: readonly string[]
  /**
   * The role of the caller. Completeness counts only attributes that the role may read, and records with hidden values are
   * not named.
   */
  readonly role: Role
  /** As of a search. */
  readonly callerId: string
}

/** Looks at every record of the schemas. @throws UNAVAILABLE when it takes longer than the store allows */
export type PreviewReads = (query: PreviewQuery, signal: AbortSignal) => Promise<ModelEffects>

/** Records of a category: in itself, and in it or one below it. Each record counts once. */
export interface CategoryCount {
  readonly id: string
  readonly direct: number
  readonly total: number
}

/**
 * Sees every commit before the call. `callerId`: as of a search. @throws UNAVAILABLE when it takes longer than the
 * store allows
 */
export interface CategoryTreeReads {
  /** The counts of all categories of a catalog. */
  counts(catalogId: string, callerId: string, signal: AbortSignal): Promise<CategoryCount[]>
}
