// A page of the records that are not in a set. How many there are follows from the counts that are kept, and the page is
// reached by walking past what is in the set: all other records are not looked at.
import { ask, type CountedState, type Program } from '../../core/search/plan/ask.ts'
import { type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import { find } from '../../core/search/plan/plan.ts'
import { isDistinct, type NotSet } from '../../core/search/plan/sets.ts'
import type { SearchQuery } from '../search-port.ts'
import { REST, type SearchStep } from './read-found.ts'

/** Pairs of schema and state that are walked through side by side. */
const MAX_STATES = 20
const CHUNK = 1000

export interface OthersPage {
  readonly records: Numbers
  readonly total: number
}

/** Undefined where the records are in too many states to be walked through in their order. */
export function* pageOfOthers(
  { set, schemaIds }: NotSet,
  query: SearchQuery,
  searched: number,
): Program<SearchStep, OthersPage | undefined> {
  const states = yield* ask<readonly CountedState[]>({ kind: 'counts', schemaIds })
  if (states.length > MAX_STATES) return undefined
  const all = states.reduce((sum, { records }) => sum + records, 0)
  if (set.kind === 'keys' && isDistinct(set) && (yield* ask<number>({ kind: 'size', set })) === all)
    return { records: toNumbers([]), total: 0 }
  const excluded = yield* find(set, { schemas: searched })
  return { records: yield* walkPast(excluded, states, query), total: all - excluded.length }
}

/** Each state has its records in order. */
function* walkPast(
  excluded: Numbers,
  states: readonly CountedState[],
  { offset, limit, after: position }: SearchQuery,
): Program<SearchStep, Numbers> {
  const page: number[] = []
  let [left, at, after] = [offset, 0, position?.record ?? -1]
  for (;;) {
    const chunk = yield* ask<Numbers>({ kind: 'nextInStates', states, after, limit: CHUNK })
    for (const record of chunk) {
      while (at < excluded.length && excluded[at]! < record) at += 1
      if (excluded[at] === record) continue
      if (left === 0) page.push(record)
      else left -= 1
      if (page.length === limit) return toNumbers(page)
    }
    if (chunk.length < CHUNK) return toNumbers(page)
    after = chunk.at(-1)!
    yield REST
  }
}
