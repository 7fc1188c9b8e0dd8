// How many members sets have, as far as a plan must know: which one it begins with, and which others it reads.
import { ask, type Plan } from './ask.ts'
import type { RecordSet } from './sets.ts'

/** Sizes are looked at in steps, so that of a set that is large no more is counted than of the smallest. */
const FIRST_STEP = 256
const STEP = 4
/** A set that has more members than this is read only where there is none that has fewer. */
const LAST_STEP = FIRST_STEP * STEP ** 7
/** To judge a record takes as long as to read so many of a set. */
const READS_PER_JUDGEMENT = 8

/** The set that has the fewest members, as far as it is known without reading any. */
export function* chooseSmallest(sets: readonly RecordSet[]): Plan<RecordSet> {
  for (let limit = FIRST_STEP; limit <= LAST_STEP; limit *= STEP) {
    let best: RecordSet | undefined
    let least = limit
    for (const set of sets) {
      const size = yield* sizeOf(set, least)
      if (size >= least) continue
      best = set
      least = size
    }
    if (best !== undefined) return best
  }
  const rank = (set: RecordSet): number => (set.kind === 'not' ? 2 : set.kind === 'schemas' ? 1 : 0)
  return sets.toSorted((one, other) => rank(one) - rank(other))[0]!
}

/** How many members the set has at the most, as far as that is known; what is not below `limit` need not be exact. */
function* sizeOf(set: RecordSet, limit: number): Plan<number> {
  switch (set.kind) {
    case 'nothing':
      return 0
    case 'keys':
      return yield* ask<number>({ kind: 'count', set, limit })
    case 'text':
      return yield* ask<number>({ kind: 'frequency', needles: set.needles })
    case 'schemas':
    case 'not':
      return Infinity
    case 'and': {
      let least = limit
      for (const one of set.sets) least = Math.min(least, yield* sizeOf(one, least))
      return least
    }
    case 'or': {
      let sum = 0
      for (const one of set.sets) if (sum < limit) sum += yield* sizeOf(one, limit - sum)
      return sum
    }
  }
}

/** Whether it takes less time to read the set (of a negation: what it excludes) than to judge so many records. */
export function* isWorthReading(set: RecordSet, records: number): Plan<boolean> {
  if (set.kind === 'not') return yield* isWorthReading(set.set, records)
  if (set.kind === 'keys') {
    const limit = records * READS_PER_JUDGEMENT
    return (yield* ask<number>({ kind: 'count', set, limit: limit + 1 })) <= limit
  }
  return set.kind === 'text' && (yield* ask<number>({ kind: 'frequency', needles: set.needles })) <= records
}
