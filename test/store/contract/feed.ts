// The feed: what happens in the workspace, of records and besides, in one order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FeedEvent } from '../../../src/core/feed/rules/feed-entry.ts'
import type { FeedEntry, FeedKind, FeedReads } from '../../../src/store/feed-port.ts'
import { type Backend, openWithModel } from './backend.ts'
import { appendEntry, AT, entryOf } from './fixtures.ts'

const ALL = new Set(['record', 'model', 'run', 'bulk'] as const)

function modelEvent(id: string, newValue: unknown = 'b', timestamp = AT): FeedEvent {
  const changes = [{ field: 'name', oldValue: 'a', newValue }]
  const what = { entityType: 'schema', entityId: 'sch-1', action: 'update', changes } as const
  return { kind: 'model', timestamp, entry: { id, ...what, userId: 'usr-1', timestamp, origin: { kind: 'api' } } }
}

function nameOf(found: FeedEntry): string {
  return 'entry' in found ? found.entry.id : found.kind
}

/** Piece by piece. */
async function readAll(
  feed: FeedReads,
  method: 'listAfter' | 'listBefore',
  limit: number,
  kinds: ReadonlySet<FeedKind> = ALL,
): Promise<FeedEntry[]> {
  const all: FeedEntry[] = []
  let at = method === 'listAfter' ? 0 : (await feed.newest()) + 1
  for (;;) {
    const piece = await feed[method](at, kinds, limit)
    assert.ok(piece.length <= limit)
    if (piece.length === 0) return all
    all.push(...piece)
    at = piece.at(-1)!.sequence
  }
}

function roleEvent(id: string): FeedEvent {
  const event = modelEvent(id) as FeedEvent & { readonly kind: 'model' }
  return { ...event, entry: { ...event.entry, entityType: 'role', entityId: 'role-1' } }
}

function accountEvent(id: string): FeedEvent {
  const what = { entityType: 'user', entityId: 'usr-1', action: 'logout', changes: [] } as const
  return {
    kind: 'account',
    timestamp: AT,
    entry: { id, ...what, userId: 'usr-1', timestamp: AT, origin: { kind: 'api' } },
  }
}

export function describeFeed(backend: Backend): void {
  describe(`${backend.name}: feed`, () => {
    it('changes of records and of the model stand in the order in which they were written, once each', async (test) => {
      const { store } = await openWithModel(backend, test)
      const written: string[] = []
      for (let n = 0; n < 12; n += 1)
        await store.transaction(async (tx) => {
          if (n % 3 === 0) tx.feed.append(modelEvent(`event-${n}`, n === 6 ? 'x'.repeat(400_000) : 'b'))
          else appendEntry(tx, entryOf('ent-1', { id: `aud-${n}` }))
          written[n] = n % 3 === 0 ? `event-${n}` : `aud-${n}`
        })
      for (const limit of [1, 2, 5, 100]) {
        assert.deepEqual((await readAll(store.read.feed, 'listAfter', limit)).map(nameOf), written)
        assert.deepEqual((await readAll(store.read.feed, 'listBefore', limit)).map(nameOf), written.toReversed())
      }
      const models = await readAll(store.read.feed, 'listAfter', 100, new Set(['model']))
      assert.deepEqual(
        models.map(nameOf),
        written.filter((name) => name.startsWith('event')),
      )
      assert.deepEqual(models[0], { sequence: models[0]!.sequence, ...modelEvent('event-0') })
    })

    it('roles belong to the model and to the accounts, and come once where both are asked for', async (test) => {
      const { store } = await openWithModel(backend, test)
      const makers = [modelEvent, roleEvent, accountEvent]
      const written: string[] = []
      for (let n = 0; n < 9; n += 1)
        await store.transaction(async (tx) => {
          tx.feed.append(makers[n % 3]!(`event-${n}`))
          written[n] = `event-${n}`
        })
      const wanted = (...numbers: number[]) => written.filter((_, n) => numbers.includes(n % 3))
      const asked: [FeedKind[], string[]][] = [
        [['account'], wanted(1, 2)],
        [['model'], wanted(0, 1)],
        [['model', 'account'], written],
        [['record', 'account'], wanted(1, 2)],
        [['run'], []],
      ]
      for (const [kinds, names] of asked)
        for (const limit of [1, 2, 100]) {
          assert.deepEqual((await readAll(store.read.feed, 'listAfter', limit, new Set(kinds))).map(nameOf), names)
          const back = await readAll(store.read.feed, 'listBefore', limit, new Set(kinds))
          assert.deepEqual(back.map(nameOf), names.toReversed())
        }
    })

    it('what is undone leaves no entry and no gap, and versions go on where the feed ends', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const first = await store.transaction(async (tx) => appendEntry(tx, entryOf('ent-1', { id: 'aud-1' })))
      const failing = store.transaction(async (tx) => {
        tx.feed.append(modelEvent('event-1'))
        throw new Error('no')
      })
      await assert.rejects(failing)
      await store.transaction(async (tx) => tx.feed.append(modelEvent('event-2')))
      const again = await reopen()
      assert.equal(await again.read.feed.newest(), first + 1)
      const next = await again.transaction(async (tx) => appendEntry(tx, entryOf('ent-1', { id: 'aud-2' })))
      assert.equal(next, first + 2)
    })

    it('old entries go in their order, whatever they are about', async (test) => {
      const { store } = await openWithModel(backend, test)
      const [old, young] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
      await store.transaction(async (tx) => {
        appendEntry(tx, entryOf('ent-1', { id: 'aud-1', timestamp: old }))
        tx.feed.append(modelEvent('event-1', 'b', '2099-01-01T00:00:00.000Z'))
        tx.feed.append(modelEvent('event-2', 'b', old))
        appendEntry(tx, entryOf('ent-1', { id: 'aud-2', timestamp: young }))
        tx.feed.append(modelEvent('event-3', 'b', old))
      })
      assert.equal(await store.transaction((tx) => tx.audit.deleteBefore(young, 3)), 3)
      assert.deepEqual((await readAll(store.read.feed, 'listAfter', 10)).map(nameOf), ['aud-2', 'event-3'])
      assert.equal(await store.transaction((tx) => tx.audit.deleteBefore(young, 1)), 0)
    })
  })
}
