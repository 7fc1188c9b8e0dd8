// The audit trail and change feed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Backend, openWithModel } from './backend.ts'
import { appendEntry, AT, entryOf, insertRecord, insertRecords, recordOf } from './fixtures.ts'

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
      const { entries } = await store.read.audit.readTrail('ent-1', { limit: 10 })
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

    it('changes of entries before one are erased in pieces, and the entries stay', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const text = 'x'.repeat(100_000)
      const sequences = await store.transaction(async (tx) =>
        Array.from({ length: 12 }, (_, n) => {
          const changes = [{ attributeAlias: 'a', scope: {}, oldValue: null, newValue: text }]
          return appendEntry(
            tx,
            entryOf(n % 2 === 0 ? 'ent-1' : 'ent-2', { id: `aud-${n}`, action: 'update', changes }),
          )
        }),
      )
      let pieces = 0
      for (let before: number | undefined = sequences[10]; before !== undefined; pieces += 1) {
        const from: number = before
        before = (await store.transaction((tx) => tx.audit.eraseChanges('ent-1', from))).next
      }
      assert.ok(pieces > 1, 'entries are large')
      const read = (await reopen()).read.audit
      const { entries } = await read.readTrail('ent-1', { limit: 10 })
      const erased = entries.map(({ changes, ...entry }) => [changes.length, entry.erased === true])
      assert.deepEqual(erased, [[1, false], ...Array.from({ length: 5 }, () => [0, true])])
      const others = await read.listAfter(0, 100)
      assert.ok(others.every((entry) => entry.entityId === 'ent-1' || entry.changes.length === 1))
    })

    it('a trail is read in pieces, each entry once, however few a piece has', async (test) => {
      const { store } = await openWithModel(backend, test)
      const text = 'x'.repeat(100_000)
      await store.transaction(async (tx) => {
        for (let n = 0; n < 40; n += 1) {
          const changes = [{ attributeAlias: 'a', scope: {}, oldValue: null, newValue: n % 10 === 0 ? text : n }]
          appendEntry(tx, entryOf(n % 2 === 0 ? 'ent-1' : 'ent-2', { id: `aud-${n}`, changes }))
        }
      })
      for (const limit of [1, 3, 100]) {
        const seen: string[] = []
        let pieces = 0
        for (let before: number | undefined; ; pieces += 1) {
          const piece = await store.read.audit.readTrail('ent-1', { limit, before })
          assert.ok(piece.entries.length <= limit)
          seen.push(...piece.entries.map(({ id }) => id))
          if (piece.next === undefined) break
          before = piece.next
        }
        assert.deepEqual(
          seen,
          Array.from({ length: 20 }, (_, n) => `aud-${38 - 2 * n}`),
        )
        assert.ok(pieces > 0, 'large entries are not read together')
      }
      assert.deepEqual(await store.read.audit.readTrail('gone', { limit: 5 }), { entries: [], next: undefined })
    })

    it('a trail is asked for who did what, and for an attribute, which its text alone does not match', async (test) => {
      const { store } = await openWithModel(backend, test)
      const changed = (attributeAlias: string, newValue: unknown) => [
        { attributeAlias, scope: {}, oldValue: null, newValue },
      ]
      await store.transaction(async (tx) => {
        appendEntry(tx, entryOf('ent-1', { id: 'aud-1', changes: changed('a', 1) }))
        const json = { attributeAlias: 'a' }
        appendEntry(tx, entryOf('ent-1', { id: 'aud-2', action: 'update', changes: changed('b', json) }))
        appendEntry(tx, entryOf('ent-1', { id: 'aud-3', action: 'update', userId: 'usr-2', changes: changed('a', 2) }))
        appendEntry(tx, entryOf('ent-1', { id: 'aud-4', action: 'update', changes: changed('ab', '"a"') }))
      })
      const find = async (filter: object) =>
        (await store.read.audit.readTrail('ent-1', { ...filter, limit: 9 })).entries.map(({ id }) => id)
      assert.deepEqual(await find({ attributeAlias: 'a' }), ['aud-3', 'aud-1'])
      assert.deepEqual(await find({ userId: 'usr-1' }), ['aud-4', 'aud-2', 'aud-1'])
      assert.deepEqual(await find({ action: 'update', userId: 'usr-1' }), ['aud-4', 'aud-2'])
      assert.deepEqual(await find({ action: 'update', attributeAlias: 'a' }), ['aud-3'])
      assert.deepEqual(await find({ attributeAlias: "'" }), [])
    })

    it('an entry is found in the trail of its record, and in no other', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2'])
      const [first] = await store.read.audit.listAfter(0, 1)
      assert.equal((await store.read.audit.findInTrail('ent-1', first!.id)).found, first!.sequence)
      for (const [recordId, before] of [['ent-2'], ['ent-1', first!.sequence], ['gone']] as const)
        assert.deepEqual(await store.read.audit.findInTrail(recordId, first!.id, before), {
          found: undefined,
          next: undefined,
        })
    })

    it('deletions are listed while their record is gone, the newest first, in pieces', async (test) => {
      const { store } = await openWithModel(backend, test)
      const head = { parentId: null, lifecycleStateId: 'state-draft', createdAt: AT, createdBy: 'usr-1' }
      const versions: number[] = []
      await store.transaction(async (tx) => {
        versions.length = 0
        for (const id of ['ent-1', 'ent-2', 'ent-3', 'ent-1', 'ent-4']) {
          const version = appendEntry(tx, entryOf(id))
          versions.push(version)
          appendEntry(tx, { ...entryOf(id, { action: 'delete' }), removed: { ...head, version } })
        }
        appendEntry(tx, entryOf('ent-5', { action: 'delete' }))
        appendEntry(tx, entryOf('ent-2'))
      })
      const { items, next } = await store.read.audit.listDeletions({ limit: 10 })
      assert.deepEqual(
        items.map(({ recordId, schemaId, userId, timestamp, removed }) => [
          recordId,
          schemaId,
          userId,
          timestamp,
          removed,
        ]),
        [
          ['ent-4', 4],
          ['ent-1', 3],
          ['ent-3', 2],
        ].map(([id, n]) => [id, 'sch-a', 'usr-1', AT, { ...head, version: versions[n as number] }]),
      )
      assert.equal(next, undefined)
      const seen: string[] = []
      for (let before: number | undefined; ;) {
        const piece = await store.read.audit.listDeletions({ limit: 1, before })
        seen.push(...piece.items.map(({ recordId }) => recordId))
        if (piece.next === undefined) break
        before = piece.next
      }
      assert.deepEqual(seen, ['ent-4', 'ent-1', 'ent-3'])
    })

    it('the feed goes back from a number, too, and knows the newest', async (test) => {
      const { store } = await openWithModel(backend, test)
      assert.equal(await store.read.audit.newest(), 0)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'])
      const { audit } = store.read
      const all = await audit.listAfter(0, 10)
      assert.equal(await audit.newest(), all.at(-1)!.sequence)
      assert.deepEqual(await audit.listBefore(all[2]!.sequence + 1, 2), [all[2], all[1]])
      assert.deepEqual(await audit.listBefore(all[1]!.sequence, 9), [all[0]])
      assert.deepEqual(await audit.listBefore(0, 9), [])
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

    it('numbers rise with every entry, also after old ones were deleted and the storage was reopened', async (test) => {
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
      const { entries } = await store.read.audit.readTrail('ent-1', { limit: 10 })
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
