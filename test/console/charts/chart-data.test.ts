// The numbers of the charts of home. Contract 5 §6.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  completenessOf,
  type CountedDay,
  niceMaximum,
  piecesOf,
  throughputOf,
} from '../../../console/charts/chart-data.ts'
import { shownKeys, toggled } from '../../../console/charts/shown-scopes.ts'

const day = (name: string, fields: Partial<CountedDay> = {}): CountedDay => ({
  day: name,
  stock: null,
  created: 0,
  updated: 0,
  deleted: 0,
  entered: [],
  ...fields,
})
const stock = (count: number, stateId = 'shop') => ({
  countedAt: '2026-03-01T00:00:00.000Z',
  records: 10,
  states: [],
  stateId,
  complete: [{ scope: { language: 'de' }, count }],
})
const now = { total: 8, complete: [{ scope: { language: 'de' }, count: 6 }] }

describe('Completeness over time', () => {
  it('has a point for each counted day, a gap for each other day, and ends with the present', () => {
    const items = [day('2026-03-01', { stock: stock(4) }), day('2026-03-03', { stock: stock(5) })]
    assert.deepEqual(completenessOf(items, 'shop', now, '2026-03-04'), {
      days: ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'],
      lines: [{ scope: { language: 'de' }, points: [40, null, 50, 75] }],
    })
  })

  it('does not begin before the second day, and mixes no figures of other states or hidden ones', () => {
    assert.equal(completenessOf([day('2026-03-04', { stock: stock(4) })], 'shop', now, '2026-03-04'), undefined)
    assert.equal(completenessOf([day('2026-03-03', { stock: stock(4, 'old') })], 'shop', now, '2026-03-04'), undefined)
    const hidden = { ...stock(4), complete: null }
    assert.equal(completenessOf([day('2026-03-03', { stock: hidden })], 'shop', now, '2026-03-04'), undefined)
  })

  it('is drawn in pieces between gaps', () => {
    assert.deepEqual(piecesOf([0, null, 50, 100]), ['0,100', '66.67,50 100,0'])
    assert.deepEqual(piecesOf([null, null]), [])
    assert.deepEqual(piecesOf([100]), ['0,0'])
  })
})

describe('The scopes of a chart', () => {
  const rows = ['eu', 'us'].map((market) =>
    ['en', 'de', 'fr', 'it', 'es', 'pl'].map((one) => ({ key: `${one} ${market}` })),
  )

  it('are the first five of the first row, until a person chooses others that still count', () => {
    const first = ['en eu', 'de eu', 'fr eu', 'it eu', 'es eu']
    for (const kept of [undefined, [], 'pl us', { pl: 1 }, ['gone', 3, null]])
      assert.deepEqual(shownKeys(kept, rows), first)
    assert.deepEqual(shownKeys(['pl us', 'gone', 'en us'], rows), ['pl us', 'en us'])
    assert.deepEqual(shownKeys(undefined, []), [])
  })

  it('are five at most: a sixth takes the place of the one that was chosen first', () => {
    assert.deepEqual(toggled(['a', 'b'], 'c'), ['a', 'b', 'c'])
    assert.deepEqual(toggled(['a', 'b', 'c', 'd', 'e'], 'f'), ['b', 'c', 'd', 'e', 'f'])
    assert.deepEqual(toggled(['a', 'b'], 'a'), ['b'])
  })
})

describe('The work of the last days', () => {
  it('has thirty days up to today, and counts one state', () => {
    const entered = [
      { stateId: 'shop', count: 3 },
      { stateId: 'constructor', count: 9 },
    ]
    const days = throughputOf(
      [day('2026-03-30', { created: 2, entered }), day('2026-01-01', { updated: 99 })],
      'shop',
      '2026-03-31',
    )!
    assert.deepEqual([days.length, days[0]!.day, days.at(-1)!.day], [30, '2026-03-02', '2026-03-31'])
    assert.deepEqual(days.at(-2), { day: '2026-03-30', created: 2, updated: 0, entered: 3 })
    assert.equal(throughputOf([day('2026-03-31')], 'shop', '2026-03-31'), undefined)
  })

  it('has an axis that ends at a round number above every bar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (value) => {
        const top = niceMaximum(value)
        assert.ok(top >= value && top <= Math.max(1, value) * 5)
        assert.match(String(top), /^[125]0*$/)
      }),
    )
  })
})
