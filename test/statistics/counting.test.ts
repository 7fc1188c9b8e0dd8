// The counting of days: entries of the trail once each, records once a day, nothing invented. Contract 5 §6.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { system } from '../../src/kernel/machine/system.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { startCounting } from '../../src/statistics/counting.ts'
import { dayBefore, KEEP_DAYS } from '../../src/statistics/rules/day-count.ts'
import type { Store } from '../../src/store/port.ts'
import { HOUR, makeClock, type TestClock } from '../helpers/clock.ts'
import { eventually } from '../helpers/puppet.ts'
import { openTestedStore } from '../helpers/tested-database.ts'
import { appendEntry, entryOf, insertModel, insertRecord, recordOf } from '../store/contract/fixtures.ts'

const DAY = 24 * HOUR
const log = createLog({ level: 'error', format: 'json', system, write: (line) => assert.fail(line) })

async function open(t: TestContext, records: readonly string[] = ['ent-1']) {
  const store = await openTestedStore()
  t.after(() => store.close())
  const clock = makeClock()
  await store.transaction(async (tx) => {
    await insertModel(tx)
    for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
    for (const id of records) await insertRecord(tx, recordOf(id))
  })
  const start = () => {
    const counting = startCounting({ store, system: clock, log })
    t.after(() => counting.stop())
    return counting
  }
  return { store, clock, start }
}

function append(store: Store, clock: TestClock, action: 'create' | 'update' | 'transition', days = 0): Promise<number> {
  const timestamp = new Date(clock.now().getTime() - days * DAY).toISOString()
  const changes =
    action === 'transition'
      ? [{ attributeAlias: 'lifecycleState', scope: {}, oldValue: 'state-draft', newValue: 'state-review' }]
      : []
  return store.transaction(async (tx) => appendEntry(tx, entryOf('ent-1', { timestamp, action, changes })))
}

const daysOf = (store: Store, schemaId = 'sch-a') => store.read.dayCounts.list(schemaId, '0000-01-01', '9999-12-31')
const isCounted = async (store: Store) => (await daysOf(store, 'sch-b')).some(({ stock }) => stock !== null)

describe('The counting of days', () => {
  it('counts each entry of the trail once, whatever number of servers and rounds, also of days without a server', async (t) => {
    const { store, clock, start } = await open(t)
    for (let index = 0; index < 450; index += 1) await append(store, clock, 'update', 1)
    await append(store, clock, 'create', 3)
    await append(store, clock, 'transition')
    const [one, other] = [start(), start()]
    await eventually(() => isCounted(store))
    await append(store, clock, 'update')
    await Promise.all([one.work(), other.work(), one.work()])
    await one.work()
    await other.work()
    const days = (await daysOf(store)).map(({ day, created, updated, entered, stock }) => [
      day,
      created,
      updated,
      entered,
      stock?.records,
    ])
    assert.deepEqual(days.slice(-3), [
      [dayBefore(clock.now(), 3), 1, 0, [], undefined],
      [dayBefore(clock.now(), 1), 0, 450, [], undefined],
      [dayBefore(clock.now(), 0), 0, 1, [{ stateId: 'state-review', count: 1 }], 1],
    ])
  })

  it('counts records once a day, and leaves a gap where no server counted', async (t) => {
    const { store, clock, start } = await open(t)
    const counting = start()
    await eventually(() => isCounted(store))
    const [first] = await daysOf(store, 'sch-b')
    assert.deepEqual(first?.stock, {
      countedAt: clock.now().toISOString(),
      records: 0,
      states: first?.stock?.states.map(({ stateId }) => ({ stateId, count: 0 })),
      stateId: null,
      complete: [],
    })
    await counting.work()
    clock.advance(2 * DAY)
    await store.transaction((tx) => insertRecord(tx, recordOf('ent-2', { schemaId: 'sch-b' })))
    await counting.work()
    const stocks = (await daysOf(store, 'sch-b')).filter(({ stock }) => stock !== null)
    assert.deepEqual(
      stocks.map(({ day, stock }) => [day, stock?.records]),
      [
        [dayBefore(clock.now(), 2), 0],
        [dayBefore(clock.now(), 0), 1],
      ],
    )
  })

  it('does not read entries that are older than it keeps, and deletes days that have become so', async (t) => {
    const { store, clock, start } = await open(t, [])
    await append(store, clock, 'update', KEEP_DAYS + 10)
    await append(store, clock, 'update', KEEP_DAYS - 1)
    const counting = start()
    await eventually(() => isCounted(store))
    const first = async () => (await daysOf(store))[0]!.day
    assert.equal(await first(), dayBefore(clock.now(), KEEP_DAYS - 1))
    await counting.work()
    clock.advance(3 * DAY)
    await counting.work()
    assert.ok((await first()) >= dayBefore(clock.now(), KEEP_DAYS))
  })
})
