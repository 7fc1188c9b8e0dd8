// Counts the facets of a search, on one snapshot.
import { type Facet, facetKeysOf } from '../../core/search/rules/facets.ts'
import type { SearchWorld } from '../../core/search/rules/searched-record.ts'
import { type Program, within } from '../../core/search/plan/ask.ts'
import { countFacets, type FacetQuestion } from '../../core/search/plan/facet-counts.ts'
import type { FacetCounts, FacetsQuery } from '../search-port.ts'
import { askedOf, type Ground, idsOf } from './search-snapshot.ts'
import { findMembers } from './run-search.ts'
import { searchedRecord } from './searched-row.ts'
import { countRecords } from './sorted-finds.ts'

interface FacetStep {
  readonly items: FacetCounts[]
  readonly total?: null
  readonly isLast?: boolean
}

/** What the finding brings on its way is of no matter. */
const REST: FacetStep = { items: [] }

export function* runFacets({ search, facets, limit }: FacetsQuery, ground: Ground): Program<FacetStep> {
  const { schemas, members, others } = yield* within(findMembers(search, ground), (): FacetStep => REST)
  const { model, categories, categoriesOf } = ground
  const world: SearchWorld = { model, role: search.role, categories }
  const schemaIds = idsOf(schemas)
  const records = yield* countRecords(schemaIds)
  const question: FacetQuestion = {
    facets,
    asked: askedOf({ query: search, ground, schemas }),
    isIndexed: !ground.pending.isAll,
    keysOf: (row, facet: Facet) =>
      facetKeysOf(facet, searchedRecord(row, model.schemas.get(row.schemaId)!, categoriesOf), world),
    schemaIds,
    records,
  }
  const tallies = yield* countFacets(question, members, others)
  const total = members === 'all' ? records : members.length + others.length
  const counts = tallies.map((tally) => tally.result(total, limit))
  yield { items: [{ total, facets: counts }], total: null, isLast: true }
}
