// The cells of a record as text, and what is found in it without making values of it.
import { isWithin } from '../../../../src/core/search/rules/comparisons.ts'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { type Cell, cellTest, readCells, writeCells } from '../../../../src/core/search/plan/cells.ts'
import { EMPTY_KEY } from '../../../../src/core/search/plan/index-rows.ts'
import type { IndexKey, KeyRange, Place } from '../../../../src/core/search/plan/sets.ts'

const key: fc.Arbitrary<IndexKey> = fc.oneof(
  fc.constantFrom<IndexKey>('', '[1,1,', ']', '"', '\\', '],[1,1,5', '12', 'é', 12, 1, -1.5, 0, 1e21, 1e-7),
  fc.string({ unit: fc.constantFrom('[', ']', ',', '1', '"', '\\', 'a', '\u0000', '\ud800'), maxLength: 8 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
)
const number = fc.constantFrom<number>(1, 2, 11, 12)
const scope = fc.constantFrom<number>(1, 2, 12, -1)
const places: fc.Arbitrary<Place[]> = fc.uniqueArray(
  fc.record({ attribute: number, scopes: fc.uniqueArray(scope, { minLength: 1 }) }),
  { minLength: 1, maxLength: 3, selector: (place) => place.attribute },
)
const cells: fc.Arbitrary<Cell[]> = fc.array(fc.tuple(number, scope, key), { maxLength: 6 })

const range: fc.Arbitrary<KeyRange> = fc.oneof(
  key.map((one): KeyRange => ({ kind: 'point', key: one })),
  fc.array(key, { minLength: 1, maxLength: 2 }).map((keys): KeyRange => ({ kind: 'either', keys })),
  fc
    .record({
      from: fc.constantFrom(-Infinity, -2, 0, 1),
      to: fc.constantFrom(1, 5, 1e20, Infinity),
      isFromIncluded: fc.boolean(),
      isToIncluded: fc.boolean(),
    })
    .map((bounds): KeyRange => ({ kind: 'range', ...bounds })),
  fc.constantFrom('', 'a', '[', '"', '1').map((text): KeyRange => ({ kind: 'prefix', text })),
  fc.constantFrom<KeyRange>({ kind: 'filled' }, { kind: 'any' }),
)

function isEqual(one: IndexKey, other: IndexKey): boolean {
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return one.equals(other)
  return one === other
}

/** The range as its words say. */
function isIn(one: IndexKey, of: KeyRange): boolean {
  switch (of.kind) {
    case 'any':
      return true
    case 'filled':
      return one !== EMPTY_KEY
    case 'point':
      return isEqual(one, of.key)
    case 'either':
      return of.keys.some((wanted) => isEqual(one, wanted))
    case 'range':
      return typeof one === 'number' && isWithin(one, of)
    case 'prefix':
      return typeof one === 'string' && one.startsWith(of.text)
  }
}

it('cells are read as they were written, whatever their keys', () => {
  fc.assert(
    fc.property(cells, (written) => {
      assert.deepEqual(readCells(writeCells(written)), written)
    }),
  )
})

it('a set is told from the text of the cells as from the cells', () => {
  fc.assert(
    fc.property(cells, places, range, (written, among, wanted) => {
      const test = cellTest({ kind: 'keys', places: among, range: wanted, isMany: true, isExact: true })
      const expected = written.some(
        ([of, within, one]) =>
          among.some(({ attribute, scopes }) => of === attribute && scopes.includes(within)) && isIn(one, wanted),
      )
      assert.equal(test(writeCells(written)), expected)
    }),
    { numRuns: 2000 },
  )
})
