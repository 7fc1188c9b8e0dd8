// The regular work: days that come and pass, what is old, and what has lost its record. Contract 5 §3.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startHousekeeping } from '../../src/collaboration/housekeeping.ts'
import type { Assignment } from '../../src/collaboration/rules/assignment.ts'
import { noticeOf } from '../../src/collaboration/rules/notice.ts'
import type { StoredUser } from '../../src/core/accounts/rules/account.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import { createLog } from '../../src/kernel/observing/log.ts'
import { system } from '../../src/kernel/machine/system.ts'
import type { Store } from '../../src/store/port.ts'
import { HOUR, makeClock } from '../helpers/clock.ts'
import { eventually } from '../helpers/puppet.ts'
import { openTestedStore } from '../helpers/tested-database.ts'
import { insertModel, insertRecord, recordOf } from '../store/contract/fixtures.ts'

const DAY = 24 * HOUR
const log = createLog({ level: 'error', format: 'json', system, write: (line) => assert.fail(line) })

const userOf = (id: string, disabled = false): StoredUser => ({
  id,
  username: id,
  name: id,
  roleId: 'role-viewer',
  disabled,
  createdAt: '2026-03-01T00:00:00.000Z',
  passwordHash: '',
  tokenGeneration: 0,
})

const viewer = BUILT_IN_ROLES.find(({ id }) => id === 'role-viewer')!

async function open(t: TestContext) {
  const store = await openTestedStore()
  t.after(() => store.close())
  const clock = makeClock()
  const day = (days: number): string => new Date(clock.now().getTime() + days * DAY).toISOString().slice(0, 10)
  await store.transaction(async (tx) => {
    await insertModel(tx)
    await tx.roles.insert(viewer)
    await insertRecord(tx, recordOf('ent-1'))
    for (const user of [userOf('anna'), userOf('ben'), userOf('gone', true)]) await tx.users.insert(user)
  })
  const start = () => startHousekeeping({ store, system: clock, log })
  return { store, clock, day, start }
}

let count = 0
function assign(store: Store, assigneeId: string, dueOn: string | null, more: Partial<Assignment> = {}): Promise<void> {
  const by = { id: 'ben', kind: 'user' } as const
  const at = '2026-03-01T09:30:00.000Z'
  const moments = { createdAt: at, changedAt: at, changedBy: by }
  count += 1
  const id = `asg-${count}`
  const made = {
    id,
    recordId: 'ent-1',
    assigneeId,
    assignedBy: by,
    dueOn,
    note: '',
    state: 'open',
    ...moments,
  } as const
  return store.transaction((tx) => tx.workAssignments.insert({ ...made, ...more }))
}

const toldTo = async (store: Store, userId: string) =>
  (await store.read.notices.list(userId, { isUnread: false, limit: 100 })).map(
    ({ notice: { kind, count: number } }) => `${kind} ${number}`,
  )

describe('The regular work', () => {
  it('tells each person once of the day before and of the day after, whatever number of servers work', async (t) => {
    const { store, clock, day, start } = await open(t)
    await assign(store, 'anna', day(1))
    await assign(store, 'anna', day(1))
    await assign(store, 'anna', day(5))
    await assign(store, 'anna', null)
    await assign(store, 'ben', day(-3))
    await assign(store, 'gone', day(1))
    const [one, other] = [start(), start()]
    t.after(() => Promise.all([one.stop(), other.stop()]))
    await eventually(async () => (await toldTo(store, 'anna')).length === 1)
    for (const worker of [one, other, one]) await worker.work()
    assert.deepEqual(await toldTo(store, 'anna'), ['dueTomorrow 2'])
    assert.deepEqual(await toldTo(store, 'ben'), ['overdue 1'])
    assert.deepEqual(await toldTo(store, 'gone'), [])
    clock.advance(2 * DAY)
    for (const worker of [one, other]) await worker.work()
    assert.deepEqual(await toldTo(store, 'anna'), ['overdue 2', 'dueTomorrow 2'])
    assert.deepEqual(await toldTo(store, 'ben'), ['overdue 1'])
  })

  it('tells nobody on the very day that the day is tomorrow, also after a stop over the day before', async (t) => {
    const { store, clock, day, start } = await open(t)
    await assign(store, 'anna', day(0))
    await assign(store, 'ben', day(1))
    const worker = start()
    t.after(() => worker.stop())
    await eventually(async () => (await toldTo(store, 'ben')).length === 1)
    await worker.work()
    assert.deepEqual(await toldTo(store, 'anna'), [])
    clock.advance(DAY)
    await worker.work()
    assert.deepEqual(await toldTo(store, 'anna'), ['overdue 1'])
  })

  it('tells nobody of work on records that the person may not read any more', async (t) => {
    const { store, day, start } = await open(t)
    await store.transaction(async (tx) => {
      await tx.roles.insert({ ...viewer, id: 'role-blind', permissions: [] })
      await tx.users.update({ ...userOf('anna'), roleId: 'role-blind' })
    })
    await assign(store, 'anna', day(1))
    await assign(store, 'ben', day(-1))
    const worker = start()
    t.after(() => worker.stop())
    await eventually(async () => (await toldTo(store, 'ben')).length === 1)
    await worker.work()
    assert.deepEqual(await toldTo(store, 'anna'), [])
  })

  it('forgets notices after 90 days, and ended assignments after a year', async (t) => {
    const { store, clock, start } = await open(t)
    const now = clock.now().toISOString()
    const ended = { state: 'done', changedAt: now } as const
    await assign(store, 'anna', null, { id: 'ended', ...ended })
    await assign(store, 'anna', null, { id: 'open', changedAt: now })
    await store.transaction((tx) => tx.notices.add('anna', noticeOf({ id: 'n', kind: 'mention', createdAt: now })))
    const worker = start()
    t.after(() => worker.stop())
    clock.advance(89 * DAY)
    await worker.work()
    assert.equal((await toldTo(store, 'anna')).length, 1)
    clock.advance(2 * DAY)
    await eventually(async () => {
      await worker.work()
      return (await toldTo(store, 'anna')).length === 0
    })
    assert.ok(await store.read.workAssignments.get('ended'))
    clock.advance(280 * DAY)
    await worker.work()
    assert.equal(await store.read.workAssignments.get('ended'), undefined)
    assert.ok(await store.read.workAssignments.get('open'))
  })

  it('forgets what was said of records that nobody can restore, and of no others', async (t) => {
    const { store, start } = await open(t)
    for (const id of ['never', 'ent-1']) {
      await assign(store, 'anna', null, { id: `of ${id}`, recordId: id })
      await store.transaction((tx) => tx.followers.set(id, 'anna', true))
    }
    const worker = start()
    t.after(() => worker.stop())
    await eventually(async () => (await store.read.workAssignments.get('of never')) === undefined)
    assert.deepEqual(await store.read.discussed.list('', 9), ['ent-1'])
    await store.transaction((tx) => tx.records.delete('ent-1'))
    await worker.work()
    assert.deepEqual(await store.read.discussed.list('', 9), ['ent-1'])
  })
})
