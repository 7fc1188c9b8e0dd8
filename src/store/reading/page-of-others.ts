// A page of the records that are not in a set. How many there are follows from the counts that are kept, and the page is
// reached by walking past what is in the set: all other records are not looked at.
import { type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import { find } from '../../core/search/plan/plan.ts'
import type { CountedState, SearchIndex } from '../../core/search/plan/search-index.ts'
import { isDistinct, type NotSet } from '../../core/search/plan/sets.ts'
import type { SearchQuery } from '../search-port.ts'

/** Pairs of schema and state that are walked through side by side. */
const MAX_STATES = 20
const CHUNK = 1000

export interface OthersPage {
  readonly records: Numbers
  readonly total: number
}

/** Undefined where the records are in too many states to be walked through in their order. */
export async function pageOfOthers(
  { set, schemaIds }: NotSet,
  query: SearchQuery,
  searched: number,
  index: SearchIndex,
): Promise<OthersPage | undefined> {
  const states = await index.countStates(schemaIds)
  if (states.length > MAX_STATES) return undefined
  const all = states.reduce((sum, { records }) => sum + records, 0)
  if (set.kind === 'keys' && isDistinct(set) && (await index.size(set)) === all)
    return { records: toNumbers([]), total: 0 }
  const excluded = await find(set, { schemas: searched, index })
  return { records: await walkPast(excluded, states, query, index), total: all - excluded.length }
}

/** Each state has its records in order. */
async function walkPast(
  excluded: Numbers,
  states: readonly CountedState[],
  { offset, limit, after: position }: SearchQuery,
  index: SearchIndex,
): Promise<Numbers> {
  const page: number[] = []
  let [left, at, after] = [offset, 0, position?.record ?? -1]
  for (;;) {
    const chunk = await index.nextInStates(states, after, CHUNK)
    for (const record of chunk) {
      while (at < excluded.length && excluded[at]! < record) at += 1
      if (excluded[at] === record) continue
      if (left === 0) page.push(record)
      else left -= 1
      if (page.length === limit) return toNumbers(page)
    }
    if (chunk.length < CHUNK) return toNumbers(page)
    after = chunk.at(-1)!
  }
}
