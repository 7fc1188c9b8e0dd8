// The cells of a record as text, and what is found in it without making values of it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { type Cell, cellTest, readCells, writeCells } from '../../../src/storage/search/cells.ts'
import { EMPTY_KEY, type IndexKey } from '../../../src/storage/search/index-rows.ts'
import type { KeyRange, Place } from '../../../src/storage/search/sets.ts'

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
    .record({ kind: fc.constantFrom('above' as const, 'below' as const), bound: fc.constantFrom(-2, 0, 1, 5, 1e20) })
    .map((made): KeyRange => made),
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
    case 'above':
      return typeof one === 'number' && one > of.bound
    case 'below':
      return typeof one === 'number' && one < of.bound
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
