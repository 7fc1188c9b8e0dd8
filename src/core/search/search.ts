// Finds records by criteria and by text.
import { invalid } from '../../kernel/errors.ts'
import { type Criteria, withState } from './rules/criteria.ts'
import { assertItemView, type ItemView } from './rules/item-view.ts'
import { assertSort, sortInState, type SortKey } from './rules/sorting.ts'
import { assertFacets, type Facet, facetInState, type FacetCount } from './rules/facets.ts'
import { needlesOf, type TextQuestion } from './rules/text-question.ts'
import type { Role } from '../accounts/rules/permissions.ts'
import { assertMayFind, searchedSchemas } from './rules/searched-schemas.ts'
import { questionOf, type Selection } from './rules/selection.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'
import type { FoundSuggestion, Places, PlacesQuery, SearchQuery, SearchResult } from '../../store/search-port.ts'
import { fingerprintOf, readPosition, writePosition } from './search-cursors.ts'

/** The part of the matches to return: all from the offset on, or a limited page with its number. */
export interface Excerpt {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  /** False: the total is not counted. */
  readonly total?: boolean | undefined
}

/** The found records, and the cursor of the next page if this page is full. */
export interface FoundPage extends Omit<SearchResult, 'next'> {
  readonly next: string | null
}

interface SearchFilter extends Excerpt {
  readonly schemaId?: string | undefined
  readonly view?: ItemView | undefined
  /** A text searched in addition to the criteria. */
  readonly text?: TextQuestion | undefined
  readonly sort?: readonly SortKey[] | undefined
  /** A cursor of the same search, instead of an offset. */
  readonly after?: string | undefined
}

const EVERY: Criteria = { criteria: [], criteriaOperator: 'and' }

export function createSearchService({ store }: { store: Store }) {
  async function prepare(
    caller: Caller,
    criteria: Criteria,
    filter: SearchFilter,
  ): Promise<{ query: SearchQuery; fingerprint: string }> {
    const model = await store.read.model()
    assertMayFind(model, caller.role, { ...criteria, schemaId: filter.schemaId })
    const schemas = searchedSchemas(model, filter.schemaId)
    const { view, text, after, schemaId } = filter
    const sort = sortInState(filter.sort ?? [], view?.stateId)
    assertSort(sort, schemas, model, caller.role)
    if (view !== undefined) assertItemView(view, schemas, model, caller.role)
    const asked = { criteria: withState(criteria, view?.stateId), text }
    const fingerprint = fingerprintOf({ ...asked, sort, schemaId })
    if (after !== undefined && filter.offset !== undefined) throw invalid('offset must not be given beside after')
    const position = after === undefined ? undefined : readPosition(after, fingerprint, sort.length)
    const find = { kind: 'criteria', ...asked } as const
    return { query: { find, ...common(caller, filter), sort, after: position, view }, fingerprint }
  }

  return {
    /** Returns the checked search, for callers that run the search elsewhere. @throws as `byCriteria` */
    prepare: async (caller: Caller, criteria: Criteria, filter: SearchFilter): Promise<SearchQuery> =>
      (await prepare(caller, criteria, filter)).query,

    /**
     * @throws VALIDATION_ERROR for criteria or item members that do not fit the model
     * @throws PERMISSION_DENIED if they use a hidden attribute
     * @throws UNAVAILABLE for a search that exceeds its time
     */
    async byCriteria(
      caller: Caller,
      criteria: Criteria,
      filter: SearchFilter,
      signal: AbortSignal,
    ): Promise<FoundPage> {
      const { query, fingerprint } = await prepare(caller, criteria, filter)
      const result = await store.read.search(query, signal)
      return { ...result, next: result.next && writePosition(result.next, fingerprint) }
    },

    /** Finds the oldest records that match the words, or whose ID begins with the text. @throws UNAVAILABLE */
    async suggest(
      caller: Caller,
      words: string,
      filter: Pick<SearchFilter, 'schemaId' | 'view'> & { readonly limit: number },
      signal: AbortSignal,
    ): Promise<FoundSuggestion[]> {
      const text: TextQuestion = { text: words, mode: 'words' }
      const { query } = await prepare(caller, EVERY, { ...filter, text, total: false })
      return store.read.suggest({ search: query, needles: needlesOf(text) }, signal)
    },

    /**
     * Counts over all matches.
     * @throws as `byCriteria` does, also for facets that do not fit the model or are hidden
     */
    async facets(
      caller: Caller,
      criteria: Criteria,
      filter: Pick<SearchFilter, 'schemaId' | 'text' | 'view'> & {
        readonly facets: readonly Facet[]
        readonly limit: number
      },
      signal: AbortSignal,
    ): Promise<{ total: number; facets: (Facet & FacetCount)[] }> {
      const { schemaId, text, view } = filter
      const { query } = await prepare(caller, criteria, { schemaId, text, view })
      const model = await store.read.model()
      assertFacets(filter.facets, searchedSchemas(model, filter.schemaId), model, caller.role)
      const facets = filter.facets.map((facet) => facetInState(facet, view?.stateId))
      const counted = await store.read.facets({ search: query, facets, limit: filter.limit }, signal)
      const counts = counted.facets.map((count, index) => ({ ...filter.facets[index]!, ...count }))
      return { total: counted.total, facets: counts }
    },

    /** Finds the places of records that match further criteria, in the order of a search. @throws as `byCriteria` */
    async places(
      caller: Caller,
      criteria: Criteria,
      filter: Pick<SearchFilter, 'schemaId' | 'text' | 'sort' | 'view'> & Omit<PlacesQuery, 'search'>,
      signal: AbortSignal,
    ): Promise<Places> {
      const { schemaId, text, sort, view, marks, parts, ...asked } = filter
      const { query: search } = await prepare(caller, criteria, { schemaId, text, sort, view })
      const model = await store.read.model()
      const all = { criteriaOperator: 'and', schemaId } as const
      assertMayFind(model, caller.role, { ...all, criteria: marks }, 'marks.')
      assertMayFind(model, caller.role, { ...all, criteria: parts }, 'parts.')
      return store.read.places({ ...asked, search, marks, parts }, signal)
    },

    /** Finds records with a text that contains `text` and that the caller may read. @throws UNAVAILABLE */
    byText: (
      caller: Caller,
      text: string,
      filter: Excerpt & { readonly schemaId?: string | undefined },
      signal: AbortSignal,
    ): Promise<SearchResult> => store.read.search({ find: { kind: 'text', text }, ...common(caller, filter) }, signal),
  }
}

/**
 * Finds all matches in one snapshot, in the order of creation, without their values.
 * @throws as a search by criteria does
 */
export async function findAll(
  { read }: Pick<Store, 'read'>,
  role: Role,
  selection: Selection,
  signal: AbortSignal,
): Promise<SearchResult> {
  assertMayFind(await read.model(), role, selection)
  const { schemaId, stateId } = selection
  const criteria = withState(selection, stateId)
  const find = { kind: 'criteria', criteria, text: questionOf(selection) } as const
  return read.search(
    { find, role, schemaId: schemaId ?? undefined, offset: 0, limit: null, withoutValues: true },
    signal,
  )
}

export type SearchService = ReturnType<typeof createSearchService>

function common(caller: Caller, { schemaId, offset = 0, limit, total }: Excerpt & { schemaId?: string | undefined }) {
  return { schemaId, role: caller.role, callerId: caller.id, offset, limit: limit ?? null, isCounted: total }
}
