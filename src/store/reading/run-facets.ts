// Counts the facets of a search, on one snapshot.
import { type Facet, facetKeysOf } from '../../core/search/rules/facets.ts'
import { scoreWithin } from '../../core/search/rules/scoped-score.ts'
import type { SearchWorld } from '../../core/search/rules/searched-record.ts'
import { countFacets, type FacetQuestion } from '../../core/search/plan/facet-counts.ts'
import type { FacetCounts, FacetsQuery } from '../search-port.ts'
import { askedOf, type Ground, idsOf } from './search-snapshot.ts'
import { findMembers } from './run-search.ts'
import { searchedRecord } from './searched-row.ts'
import { countRecords } from './sorted-finds.ts'

export async function runFacets({ search, facets, limit }: FacetsQuery, ground: Ground): Promise<FacetCounts> {
  const { schemas, members, others } = await findMembers(search, ground)
  const { model, categories, categoriesOf } = ground
  const world: SearchWorld = { model, role: search.role, categories }
  const schemaIds = idsOf(schemas)
  const records = await countRecords(schemaIds, ground.index)
  const question: FacetQuestion = {
    facets,
    asked: askedOf({ query: search, ground, schemas }),
    isIndexed: !ground.pending.isAll,
    look: (row) => {
      const record = searchedRecord(row, model.schemas.get(row.schemaId)!, categoriesOf)
      return (facet: Facet) => ({
        keys: facetKeysOf(facet, record, world),
        percentage: facet.completeness && scoreWithin(record, facet.completeness, world)?.percentage,
      })
    },
    schemaIds,
    records,
  }
  const tallies = await countFacets(question, members, others)
  const total = members === 'all' ? records : members.length + others.length
  return { total, facets: tallies.map((tally) => tally.result(total, limit)) }
}
