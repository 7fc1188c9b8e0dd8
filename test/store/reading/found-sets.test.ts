// What a connection keeps of its latest searches.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toNumbers } from '../../../src/core/search/plan/record-numbers.ts'
import type { RecordSet } from '../../../src/core/search/plan/sets.ts'
import { FoundSets } from '../../../src/store/reading/found-sets.ts'

const above = (from: number, to = Infinity): RecordSet => ({
  kind: 'keys',
  places: [{ attribute: 1, scopes: [1] }],
  range: { kind: 'range', from, to, isFromIncluded: false, isToIncluded: false },
  isMany: false,
  isExact: true,
})

describe('Found sets', () => {
  let finds = 0
  const find = (sets: FoundSets, set: RecordSet, records = [1, 2], schemas = 1): Promise<number[]> =>
    sets.find(set, schemas, async () => (finds++, toNumbers(records))).then((numbers) => [...numbers])

  it('are found once, until a record or the index changes', async () => {
    const sets = new FoundSets().at('1 1')
    finds = 0
    assert.deepEqual(await find(sets, above(5)), [1, 2])
    assert.deepEqual(await find(sets.at('1 1'), above(5), [3]), [1, 2])
    assert.equal(finds, 1)
    assert.deepEqual(await find(sets.at('2 1'), above(5), [3]), [3])
    assert.deepEqual(await find(sets.at('2 2'), above(5), [4]), [4])
  })

  it('differ by their bounds, also infinite ones, and by the number of schemas', async () => {
    const sets = new FoundSets().at('1 1')
    for (const [at, set] of [above(5), above(Infinity), above(-Infinity), above(5, 6)].entries())
      assert.deepEqual(await find(sets, set, [at]), [at])
    assert.deepEqual(await find(sets, above(5), [9], 2), [9])
    assert.deepEqual(await find(sets, above(5), [8]), [0])
  })

  it('are kept up to a limit, and larger ones not at all', async () => {
    const sets = new FoundSets().at('1 1')
    const [many, tooMany] = [60_000, 100_000].map((length) => Array.from({ length }, (_, at) => at))
    finds = 0
    for (const set of [above(1), above(1)]) await find(sets, set, tooMany)
    assert.equal(finds, 2)
    for (const set of [above(2), above(2), above(3), above(2)]) await find(sets, set, many)
    assert.equal(finds, 5)
  })
})
