// Counts the facets of a search, on one snapshot, in steps of some milliseconds.
import { type Facet, facetKeysOf } from '../../../domain/search/facets.ts'
import type { SearchWorld } from '../../../domain/search/searched-record.ts'
import type { FacetCounts, FacetsQuery } from '../../search-port.ts'
import { countFacets, type FacetQuestion } from '../../search/facets.ts'
import { followPlan } from './answer-plan.ts'
import { categoryTree } from './category-tree.ts'
import { quietly } from './read-found.ts'
import { type Found, findMembers } from './run-search.ts'
import { searchedRecord } from './searched-row.ts'
import type { Searcher, SearchSnapshot } from './searcher.ts'
import { askedOf, countRecords } from './sorting.ts'

interface FacetStep {
  readonly items: FacetCounts[]
  readonly total?: null
  readonly isLast?: boolean
}

/** @throws SnapshotMissed */
export function* runFacets(
  { search, facets, limit }: FacetsQuery,
  { sql }: Searcher,
  snapshot: SearchSnapshot,
): Generator<FacetStep, void> {
  const found: Found = yield* silently(findMembers(search, sql, snapshot))
  const { schemas, members, others } = found
  const { model } = snapshot
  const world: SearchWorld = { model, role: search.role, categories: categoryTree(sql) }
  const schemaIds = schemas.map(({ id }) => id)
  const records = countRecords(schemaIds, sql)
  const question: FacetQuestion = {
    facets,
    asked: askedOf({ query: search, model, schemas }, sql),
    keysOf: (row, facet: Facet) =>
      facetKeysOf(facet, searchedRecord(row, model.schemas.get(row.schemaId)!, sql), world),
    schemaIds,
    records,
  }
  const tallies = yield* silently(quietly(followPlan(countFacets(question, members, others), sql)))
  const total = members === 'all' ? records : members.length + others.length
  const counts = tallies.map((tally) => tally.result(total, limit))
  yield { items: [{ total, facets: counts }], total: null, isLast: true }
}

function* silently<Result>(steps: Generator<unknown, Result>): Generator<FacetStep, Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    yield { items: [] }
  }
}
