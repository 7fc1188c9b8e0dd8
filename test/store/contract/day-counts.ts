// The counts of days.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DayCount, emptyDay } from '../../../src/statistics/rules/day-count.ts'
import { type Backend, openWithModel } from './backend.ts'
import { appendEntry, entryOf } from './fixtures.ts'

const dayOf = (schemaId: string, day: string, created = 1): DayCount => ({ ...emptyDay(schemaId, day), created })
const moved = (newValue: unknown) => [{ attributeAlias: 'lifecycleState', scope: {}, oldValue: 'draft', newValue }]

export function describeDayCounts(backend: Backend): void {
  describe(`${backend.name}: counts of days`, () => {
    it('are kept by schema and day, and replaced', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      assert.equal(await store.read.dayCounts.through(), undefined)
      await store.transaction(async (tx) => {
        await tx.dayCounts.put(dayOf('sch-a', '2026-03-02'), 4)
        await tx.dayCounts.put(dayOf('sch-a', '2026-03-01'), 3)
        await tx.dayCounts.put(dayOf('sch-b', '2026-03-01'), 4)
        await tx.dayCounts.put(dayOf('sch-a', '2026-03-02', 7), 9)
        assert.deepEqual(await tx.dayCounts.get('sch-a', '2026-03-02'), dayOf('sch-a', '2026-03-02', 7))
        assert.equal(await tx.dayCounts.through(), 9)
      })
      const { dayCounts } = (await reopen()).read
      const found = await dayCounts.list('sch-a', '2026-03-01', '2026-03-02')
      assert.deepEqual(found, [dayOf('sch-a', '2026-03-01'), dayOf('sch-a', '2026-03-02', 7)])
      assert.deepEqual(await dayCounts.list('sch-a', '2026-03-02', '2026-03-01'), [])
      assert.equal(await dayCounts.get('sch-b', '2026-03-02'), undefined)
    })

    it('are deleted some at a time, while a later day says what was counted', async (test) => {
      const { store } = await openWithModel(backend, test)
      const deleteSome = () => store.transaction((tx) => tx.dayCounts.deleteBefore('2026-03-03', 2))
      await store.transaction(async (tx) => {
        for (const day of ['2026-03-01', '2026-03-02']) await tx.dayCounts.put(dayOf('sch-a', day), 3)
        await tx.dayCounts.put(dayOf('sch-b', '2026-01-01'), 8)
      })
      assert.equal(await deleteSome(), 0)
      await store.transaction((tx) => tx.dayCounts.put(dayOf('sch-b', '2026-03-03'), 8))
      assert.deepEqual([await deleteSome(), await deleteSome(), await deleteSome()], [2, 1, 0])
      assert.deepEqual(await store.read.dayCounts.list('sch-b', '2000-01-01', '2030-01-01'), [
        dayOf('sch-b', '2026-03-03'),
      ])
      assert.equal(await store.read.dayCounts.through(), 8)
    })

    it('come from pieces of the trail, by day, action and state', async (test) => {
      const { store } = await openWithModel(backend, test)
      const at = (timestamp: string, rest: Partial<Parameters<typeof entryOf>[1]> = {}) =>
        entryOf('ent-1', { id: 'aud', timestamp, ...rest })
      const last = await store.transaction(async (tx) => {
        appendEntry(tx, at('2026-03-01T00:00:00.000Z'))
        appendEntry(tx, at('2026-03-01T23:59:59.999Z', { action: 'update' }), 'sch-b')
        appendEntry(tx, at('2026-03-02T00:00:00.000Z', { action: 'transition', changes: moved('constructor') }))
        appendEntry(tx, at('2026-03-02T00:00:00.000Z', { action: 'transition', changes: moved('constructor') }))
        return appendEntry(tx, at('2026-03-02T00:00:00.000Z', { action: 'transition', changes: moved('shop') }))
      })
      const { dayCounts } = store.read
      const whole = await dayCounts.trafficAfter(0, 100)
      const lines = whole.traffic.map(({ day, schemaId, action, stateId, count }) =>
        [day, schemaId, action, stateId, count].join(' '),
      )
      assert.deepEqual(lines.toSorted(), [
        '2026-03-01 sch-a create  1',
        '2026-03-01 sch-b update  1',
        '2026-03-02 sch-a transition constructor 2',
        '2026-03-02 sch-a transition shop 1',
      ])
      assert.equal(whole.through, last)
      const piece = await dayCounts.trafficAfter(0, 2)
      assert.deepEqual([piece.through, piece.traffic.length], [last - 3, 2])
      assert.deepEqual(await dayCounts.trafficAfter(last, 100), { traffic: [], through: undefined })
      assert.deepEqual(await dayCounts.entryFrom(last), { sequence: last, timestamp: '2026-03-02T00:00:00.000Z' })
      assert.equal(await dayCounts.entryFrom(last + 1), undefined)
    })
  })
}
