// Completeness of a record from its cells in the index, for facets that score the records of each value.
import type { Schema } from '../../model/rules/model.ts'
import type { Facet, ScoredFacet } from '../rules/facets.ts'
import { scoredState, scoresOfPrints } from '../rules/scoped-score.ts'
import type { Asked } from './asked.ts'
import { keyIn } from './cells.ts'
import { FIELD_ALIASES, PRINT_ALIAS, requiresAny } from './field-rows.ts'
import type { IndexKey, Place } from './sets.ts'
import { isScoreIndexed } from '../../records/rules/score-cost.ts'

/** Returns the percentage of the record with these cells; undefined: the record has no score. */
export type CellScore = (cells: string) => number | undefined

/** The most cached scores of different prints. */
const MAX_KNOWN = 20_000

/** Returns the scores of cells; undefined: the facet scores no records, or the index does not cover the scores. */
export function scoresOfCells({ completeness }: Facet, asked: Asked): CellScore | undefined {
  if (completeness === undefined) return undefined
  if (!asked.schemas.every((schema) => isScoreIndexed(schema, asked.model))) return undefined
  const scores = asked.schemas.map((schema) => scoreOfSchema(completeness, schema, asked))
  return (cells) => {
    for (const scoreOf of scores) {
      const percentage = scoreOf(cells)
      if (percentage !== undefined) return percentage
    }
    return undefined
  }
}

function scoreOfSchema({ scope, stateId }: ScoredFacet, schema: Schema, asked: Asked): CellScore {
  const workflow = asked.model.workflows.get(schema.workflowId)
  const stateOf = keyReader(FIELD_ALIASES.lifecycleStateId, schema, asked)
  const printOf = keyReader(PRINT_ALIAS, schema, asked)
  const isRequiring = requiresAny(schema)
  const known = new Map<string, Map<string, number>>()
  return (cells) => {
    const current = stateOf(cells)
    const state = current === undefined ? undefined : scoredState(workflow, String(current), stateId)
    if (state === undefined) return undefined
    if (!isRequiring) return 100
    const print = String(printOf(cells))
    let ofState = known.get(state)
    if (ofState === undefined) known.set(state, (ofState = new Map()))
    const before = ofState.get(print)
    if (before !== undefined) return before
    const { percentage } = scoresOfPrints(schema, { scope, stateId: state }, asked)(print)
    if (ofState.size >= MAX_KNOWN) ofState.clear()
    ofState.set(print, percentage)
    return percentage
  }
}

/** Returns a function that reads the record's key of an alias. Records of other schemas have no key in this place. */
function keyReader(alias: string, schema: Schema, { lookUp }: Asked): (cells: string) => IndexKey | undefined {
  const place: Place<number> | undefined = placeOf(lookUp(alias).get(schema.id))
  return (cells) => (place === undefined ? undefined : keyIn(cells, place.attribute, place.scopes))
}

function placeOf(
  indexed: { readonly n: number; readonly scopes: readonly { readonly n: number }[] } | undefined,
): Place<number> | undefined {
  return indexed && { attribute: indexed.n, scopes: indexed.scopes[0]!.n }
}
