// Reads a place of the index as lists of records, one for each key.
import type { SearchIndex, Walk } from './search-index.ts'
import type { IndexKey, KeySet, Place } from './sets.ts'

/** Reading the list of one key takes as long as walking past this many rows. */
const ROWS_PER_LIST = 32
/** Rows walked before the event loop gets a turn. */
const WALKED_AT_ONCE = 4096

/** Keys judged before the event loop gets a turn. */
const JUDGED_AT_ONCE = 500

type Look = (key: IndexKey, records: Iterable<number>) => void

/**
 * Calls back for each filled key with records that have the key. Records of one key may come in several calls. All different
 * keys are in memory together: `eachRow` is for places that may have a key for each record.
 */
export async function eachList(place: Place<number>, index: SearchIndex, look: Look): Promise<void> {
  const { attribute, scopes: scope } = place
  const counts = await index.tally({ attribute, scopes: [scope] })
  const rows = counts.reduce((sum, [, count]) => sum + count, 0)
  if (counts.length * ROWS_PER_LIST > rows) return eachRow(place, index, look)
  for (const [key] of counts) look(key, await index.read(listOfKeys(place, [key])))
}

/** Groups keys by a computed value. */
export async function groupKeys(
  keys: readonly string[],
  valueOf: (key: string) => number,
  index: Pick<SearchIndex, 'breathe'>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const groups = new Map<number, string[]>()
  for (const [at, key] of keys.entries()) {
    if (at % JUDGED_AT_ONCE === 0) await index.breathe()
    const value = valueOf(key)
    const same = groups.get(value)
    if (same === undefined) groups.set(value, [key])
    else same.push(key)
  }
  return groups
}

/** Returns the set of records with one of the keys. */
export function listOfKeys({ attribute, scopes: scope }: Place<number>, keys: readonly IndexKey[]): KeySet {
  return {
    kind: 'keys',
    places: [{ attribute, scopes: [scope] }],
    range: keys.length === 1 ? { kind: 'point', key: keys[0]! } : { kind: 'either', keys },
    isMany: keys.length > 1,
    isExact: true,
  }
}

/** Calls back for each row of a filled key, in the order of the keys. */
export async function eachRow(
  { attribute, scopes: scope }: Place<number>,
  index: SearchIndex,
  look: Look,
): Promise<void> {
  const list = { attribute, scope, direction: 'asc', limit: WALKED_AT_ONCE } as const
  for (let from: Walk['from']; ;) {
    const rows = await index.walk({ ...list, from })
    for (const [key, record] of rows) look(key, [record])
    if (rows.length < WALKED_AT_ONCE) return
    const [key, record] = rows.at(-1)!
    from = { key, record }
  }
}
