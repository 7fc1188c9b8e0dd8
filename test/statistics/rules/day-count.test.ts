// The counts of one day. Contract 5 §6.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { AUDIT_ACTIONS } from '../../../src/core/records/rules/changes.ts'
import { dayBefore, daysBetween, emptyDay, type Traffic, withTraffic } from '../../../src/statistics/rules/day-count.ts'

const state = fc.constantFrom('draft', 'constructor', '__proto__', 'a'.repeat(128))
const traffic = fc.record({
  schemaId: fc.constant('sch'),
  day: fc.constant('2026-03-01'),
  action: fc.constantFrom(...AUDIT_ACTIONS),
  stateId: fc.option(state),
  count: fc.integer({ min: 1, max: 1000 }),
})

describe('The counts of a day', () => {
  it('are sums, in whatever pieces the trail is read', () => {
    fc.assert(
      fc.property(fc.array(traffic), (list) => {
        const day = list.reduce(withTraffic, emptyDay('sch', '2026-03-01'))
        const sum = (wanted: (one: Traffic) => boolean): number =>
          list.filter(wanted).reduce((total, { count }) => total + count, 0)
        assert.deepEqual(
          [day.created, day.updated, day.deleted],
          ['create', 'update', 'delete'].map((action) => sum((one) => one.action === action)),
        )
        for (const { stateId, count } of day.entered)
          assert.equal(
            count,
            sum((one) => one.action === 'transition' && one.stateId === stateId),
          )
        const ids = day.entered.map(({ stateId }) => stateId)
        assert.equal(new Set(ids).size, ids.length)
      }),
    )
  })

  it('belong to days in UTC', () => {
    assert.equal(dayBefore(new Date('2026-03-01T23:59:59.999Z'), 0), '2026-03-01')
    assert.equal(dayBefore(new Date('2026-03-01T00:00:00.000Z'), 1), '2026-02-28')
    assert.equal(daysBetween('2026-02-28', '2026-03-01'), 2)
    assert.equal(daysBetween('2026-03-01', '2026-02-28'), 0)
  })
})
