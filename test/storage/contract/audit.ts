// The audit trail and change feed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Backend, openWithModel } from './backend.ts'
import { appendEntry, entryOf, insertRecord, insertRecords, recordOf } from './fixtures.ts'

export function describeAudit(backend: Backend): void {
  describe(`${backend.name}: audit`, () => {
    it('entries keep what made them, and changes of categories', async (test) => {
      const { store } = await openWithModel(backend, test)
      const changes = [
        { field: 'categories' as const, oldValue: [{ categoryId: 'c', sortOrder: 1.5 }], newValue: null },
      ]
      const origins = [{ kind: 'api' }, { kind: 'bulk', id: 'blk-1' }] as const
      const versions: number[] = []
      for (const [index, origin] of origins.entries())
        await store.transaction(async (tx) => {
          versions.push(appendEntry(tx, entryOf('ent-1', { id: `aud-${index}`, origin, changes })))
        })
      const entries = await store.read.audit.listAfter(0, 5)
      assert.deepEqual(
        entries.map((entry) => [entry.version, entry.origin, entry.changes]),
        origins.map((origin, index) => [versions[index], origin, changes]),
      )
    })

    it('entries outlive their record, newest first by record and in commit order for the feed', async (test) => {
      const { store } = await openWithModel(backend, test)
      const change = { attributeAlias: 'a', scope: {}, oldValue: null, newValue: 1 }
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        appendEntry(tx, entryOf('ent-1', { id: 'aud-2', action: 'update', changes: [change] }))
        await tx.records.delete('ent-1')
      })
      const entries = await store.read.audit.listOf('ent-1', 10)
      assert.deepEqual(
        entries.map((entry) => entry.action),
        ['update', 'create'],
      )
      assert.deepEqual(entries[0]!.changes, [change])
      const [first] = await store.read.audit.listAfter(0, 1)
      assert.equal(first!.action, 'create')
      assert.deepEqual(
        (await store.read.audit.listAfter(first!.sequence, 5)).map((entry) => entry.id),
        ['aud-2'],
      )
    })

    it('old entries are deleted from the oldest on, so many at a time, and the newest one stays', async (test) => {
      const { store } = await openWithModel(backend, test)
      for (let day = 1; day <= 5; day += 1)
        await store.transaction(async (tx) =>
          appendEntry(tx, entryOf('ent-1', { id: `aud-${day}`, timestamp: `2026-01-0${day}T00:00:00.000Z` })),
        )
      const deleteBefore = (moment: string, limit: number): Promise<number> =>
        store.transaction((tx) => tx.audit.deleteBefore(moment, limit))
      const left = async (): Promise<string> =>
        (await store.read.audit.listAfter(0, 10)).map((entry) => entry.id).join(' ')

      assert.equal(await deleteBefore('2026-01-03T00:00:00.000Z', 1), 1)
      assert.equal(await left(), 'aud-2 aud-3 aud-4 aud-5')
      assert.equal(await deleteBefore('2026-01-03T00:00:00.000Z', 10), 1)
      assert.equal(await deleteBefore('2026-01-03T00:00:00.000Z', 10), 0)
      assert.equal(await left(), 'aud-3 aud-4 aud-5')
      assert.equal(await deleteBefore('2027-01-01T00:00:00.000Z', 10), 2)
      assert.equal(await left(), 'aud-5')
    })

    it('numbers rise with every entry, also after old ones were deleted and the storage was opened anew', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'])
      const newest = (await store.read.audit.listAfter(0, 10)).at(-1)!
      await store.transaction((tx) => tx.audit.deleteBefore('2030-01-01T00:00:00.000Z', 10))
      const again = await reopen()
      await insertRecords(again, ['ent-4'])
      const entries = await again.read.audit.listAfter(0, 10)
      assert.deepEqual(
        entries.map(({ entityId, sequence }) => [entityId, sequence > newest.sequence]),
        [
          ['ent-3', false],
          ['ent-4', true],
        ],
      )
    })

    it('a version is greater than any that was given, and one of an undone transaction is given again', async (test) => {
      const { store } = await openWithModel(backend, test)
      const take = (isUndone = false) =>
        store.transaction(async (tx) => {
          const versions = [appendEntry(tx, entryOf('ent-1')), appendEntry(tx, entryOf('ent-1'))]
          assert.ok(versions[0]! < versions[1]!)
          if (isUndone) throw Object.assign(new Error('undo'), { versions })
          return versions
        })
      const first = await take()
      const undone = await Promise.all([
        take(true).catch((error: { versions: number[] }) => error.versions),
        take(),
        take(true).catch((error: { versions: number[] }) => error.versions),
      ])
      assert.ok(undone[1][0]! > first[1]!)
      const entries = await store.read.audit.listOf('ent-1', 10)
      assert.deepEqual(
        entries.map(({ version }) => version),
        [...first, ...undone[1]].toReversed(),
      )
      const [next] = await take()
      assert.equal(next, undone[1][1]! + 1)
    })

    it('an undone transaction leaves no hole in the numbers', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1'])
      const failing = (id: string) =>
        store.transaction(async (tx) => {
          await insertRecord(tx, recordOf(id))
          throw new Error('undo')
        })
      await Promise.allSettled([failing('ent-2'), insertRecords(store, ['ent-3']), failing('ent-4')])
      await insertRecords(store, ['ent-5'])
      const sequences = (await store.read.audit.listAfter(0, 10)).map(({ sequence }) => sequence)
      assert.deepEqual(
        sequences,
        sequences.map((_, index) => sequences[0]! + index),
      )
      assert.equal(sequences.length, 3)
    })
  })
}
