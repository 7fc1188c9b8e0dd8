// Subscriptions, what was delivered of them, and the events that are read for them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newState, type Subscription, type SubscriptionDelivery } from '../../../src/events/rules/subscription.ts'
import { EVENT_TYPES } from '../../../src/events/rules/event-type.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { type Backend, openWithModel, says } from './backend.ts'
import { appendEntry, AT, entryOf, insertRecord, recordOf } from './fixtures.ts'

const subscriptionOf = (id: string): Subscription => ({
  id,
  name: 'S',
  url: 'https://example.org/',
  events: ['record.created'],
  schemaIds: null,
  selection: null,
  secrets: {},
  ownerId: 'usr-1',
  ownerKind: 'user',
  active: true,
  batchSize: 1,
  createdAt: AT,
  updatedAt: AT,
  createdBy: 'usr-1',
})
const deliveryOf = (id: string, attempts = 1): SubscriptionDelivery => ({
  id,
  sequence: 1,
  status: 'succeeded',
  attempts,
  responseStatus: 200,
  durationMs: 1,
  error: null,
  at: AT,
})

export function describeSubscriptions(backend: Backend): void {
  describe(`${backend.name}: subscriptions`, () => {
    it('are kept in the order of creation, each with its state, until they are removed', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const [one, two] = ['sub-2', 'sub-1'].map((id) => ({ subscription: subscriptionOf(id), state: newState(7) }))
      await store.transaction(async (tx) => {
        await tx.subscriptions.add(one!)
        await tx.subscriptions.add(two!)
      })
      const twice = store.transaction((tx) => tx.subscriptions.add(one!))
      await assert.rejects(twice, says('CONFLICT', /sub-2/))
      const moved = { ...two!, state: { ...newState(9), pending: { id: 'dlv-1', through: 12, attempts: 3 } } }
      await store.transaction((tx) => tx.subscriptions.save(moved))
      const again = await reopen()
      assert.deepEqual(await again.read.subscriptions.list(), [one, moved])
      await again.transaction((tx) => tx.subscriptions.remove('sub-2'))
      assert.equal(await again.read.subscriptions.get('sub-2'), undefined)
    })

    it('deliveries are noted once each, the latest first, and so many are kept of each subscription', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        for (const id of ['sub-1', 'sub-2']) {
          await tx.subscriptions.add({ subscription: subscriptionOf(id), state: newState(0) })
          for (const n of [1, 2, 3, 4, 5]) await tx.subscriptions.noteDelivery(id, deliveryOf(`${id}-${n}`), 3)
        }
        await tx.subscriptions.noteDelivery('sub-1', deliveryOf('sub-1-4', 2), 3)
      })
      const { subscriptions } = store.read
      const expected = [deliveryOf('sub-1-5'), deliveryOf('sub-1-4', 2), deliveryOf('sub-1-3')]
      assert.deepEqual(await subscriptions.deliveriesOf('sub-1', 10), expected)
      assert.equal((await subscriptions.deliveriesOf('sub-2', 2)).length, 2)
      await store.transaction((tx) => tx.subscriptions.remove('sub-1'))
      assert.deepEqual(await subscriptions.deliveriesOf('sub-1', 10), [])
    })

    it('heads say of entries what they are about, in the order of the feed', async (test) => {
      const { store } = await openWithModel(backend, test)
      const run = { id: 'run-1', jobId: 'job-1', status: 'failed' as const, startedAt: AT, completedAt: AT }
      const file = {
        recordCount: null,
        fileSize: null,
        destinationPath: null,
        sha256: null,
        keptUntil: null,
        files: null,
      }
      const nothing = { ...file, kind: 'full' as const, attempts: 1, redelivers: null, error: 'e' }
      await store.transaction(async (tx) => {
        appendEntry(tx, entryOf('ent-1', { action: 'delete' }))
        tx.feed.append({ kind: 'run', timestamp: AT, run: { ...run, ...nothing } })
        appendEntry(tx, entryOf('ent-1', { id: 'aud-2' }))
      })
      const heads = await store.read.feed.headsAfter(0, 10)
      assert.deepEqual(
        heads.map(({ sequence: _sequence, ...head }) => head),
        [
          { kind: 'record', action: 'delete', schemaId: 'sch-a' },
          { kind: 'run', isSuccess: false },
          { kind: 'record', action: 'create', schemaId: 'sch-a' },
        ],
      )
      assert.deepEqual(await store.read.feed.headsAfter(heads[0]!.sequence, 1), [heads[1]])
    })

    it('events are read in pages, up to a place, with the record as it was', async (test) => {
      const { store } = await openWithModel(backend, test)
      const record = await store.transaction((tx) => insertRecord(tx, recordOf('ent-1')))
      const query = { role: BUILT_IN_ROLES[0]!, events: EVENT_TYPES, schemaIds: null, selection: null, limit: 10 }
      const { signal } = new AbortController()
      const page = await store.read.events({ ...query, after: record.version - 1 }, signal)
      assert.equal(page.through, record.version)
      const [event] = page.events
      const data = JSON.parse(Buffer.from(event!.data).toString()) as {
        entry: { version: number }
        record: { id: string }
      }
      assert.deepEqual([event!.type, data.entry.version, data.record.id], ['record.created', record.version, 'ent-1'])
      const none = await store.read.events({ ...query, after: 0, through: record.version - 1 }, signal)
      assert.deepEqual(none.events, [])
      assert.deepEqual(await store.read.events({ ...query, after: record.version }, signal), {
        events: [],
        through: record.version,
      })
    })
  })
}
