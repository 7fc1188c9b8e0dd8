// Records by many IDs, updates of a known state, and room for new ones.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Backend, hasCode, openWithModel } from './backend.ts'
import { insertRecord, insertRecords, recordOf } from './fixtures.ts'

export function describeRecordWrites(backend: Backend): void {
  describe(`${backend.name}: records by many IDs`, () => {
    it('unknown IDs are left out, and doubled ones are there once', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'])
      const asked = ['ent-3', 'none', 'ent-1', 'ent-3', '', 'ent-1\u0000', '\ud800', '__proto__']
      for (const records of [store.read.records, await store.transaction(async (tx) => tx.records)]) {
        const found = await records.getMany(asked)
        assert.deepEqual([...found.keys()].sort(), ['ent-1', 'ent-3'])
        for (const [id, record] of found) assert.deepEqual({ ...record }, { ...(await records.get(id)) })
        assert.deepEqual([...(await records.existing(asked)).keys()].sort(), ['ent-1', 'ent-3'])
        assert.equal((await records.getMany([])).size + (await records.existing([])).size, 0)
      }
    })

    it('a transaction finds what it has inserted, and not what it has deleted', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1'])
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-1')
        await insertRecord(tx, recordOf('ent-2'))
        assert.deepEqual([...(await tx.records.existing(['ent-1', 'ent-2']))], [['ent-2', recordOf('ent-2').schemaId]])
        assert.deepEqual([...(await tx.records.getMany(['ent-1', 'ent-2'])).keys()], ['ent-2'])
      })
    })
  })

  describe(`${backend.name}: updates of records`, () => {
    it('replace state, values, version and who wrote last, and leave the rest', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1'])
      const before = (await store.read.records.get('ent-1'))!
      const head = { lifecycleStateId: 'state-review', updatedAt: '2027-01-01T00:00:00.000Z', updatedBy: 'usr-2' }
      const moved = await store.transaction(async (tx) => {
        const after = { ...before, ...head, version: tx.newVersion() }
        await tx.records.update(before, after)
        return after
      })
      assert.deepEqual({ ...(await store.read.records.get('ent-1')) }, moved)
      await store.transaction((tx) => tx.records.update(moved, { ...moved, version: 99, valuesJson: '{"a":[]}' }))
      assert.deepEqual(
        { ...(await store.read.records.get('ent-1')) },
        { ...moved, version: 99, valuesJson: '{"a":[]}' },
      )
      assert.equal(await store.read.records.count({ lifecycleStateId: 'state-review' }), 1)
    })

    it('one of a state that is no longer, or of a record that is gone, is a fault and writes nothing', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2'])
      const [before, gone] = [(await store.read.records.get('ent-1'))!, (await store.read.records.get('ent-2'))!]
      const present = { ...before, version: 50, lifecycleStateId: 'state-review' }
      await store.transaction(async (tx) => {
        await tx.records.update(before, present)
        await tx.records.delete('ent-2')
      })
      for (const stale of [before, gone]) {
        const update = store.transaction((tx) =>
          tx.records.update(stale, { ...stale, version: 60, valuesJson: '{"b":[]}' }),
        )
        await assert.rejects(update, /ent-[12]/)
      }
      assert.deepEqual({ ...(await store.read.records.get('ent-1')) }, present)
      assert.equal(await store.read.records.count({}), 1)
      assert.equal(await store.read.records.count({ lifecycleStateId: 'state-review' }), 1)
    })
  })

  describe(`${backend.name}: room for records`, () => {
    it('of 50 callers at the limit, so many get room as there is, and the others LIMIT_EXCEEDED', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-a', 'ent-b', 'ent-c'])
      const create = (id: string, isUndone: boolean) =>
        store.transaction(async (tx) => {
          await tx.records.reserve(10)
          await insertRecord(tx, recordOf(id))
          if (isUndone) throw new Error('undo')
        })
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => create(`ent-${index}`, index % 5 === 0)),
      )
      const codes = results.map((result) =>
        result.status === 'fulfilled' ? 'made' : ((result.reason as { code?: string }).code ?? 'undone'),
      )
      assert.equal(codes.filter((code) => code === 'made').length, 7)
      assert.deepEqual([...new Set(codes)].sort(), ['LIMIT_EXCEEDED', 'made', 'undone'])
      assert.equal(await store.read.records.count({}), 10)
    })

    it('room comes back with what is deleted or undone, and is there after the storage was reopened', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2'])
      const reserve = (opened: typeof store, max: number) => opened.transaction((tx) => tx.records.reserve(max))
      await assert.rejects(reserve(store, 2), hasCode('LIMIT_EXCEEDED'))
      await reserve(store, 3)
      await reserve(store, 3)
      await store.transaction(async (tx) => {
        await tx.records.reserve(4)
        await tx.records.reserve(4)
        await assert.rejects(tx.records.reserve(4), hasCode('LIMIT_EXCEEDED'))
        await insertRecord(tx, recordOf('ent-3'))
        await tx.records.delete('ent-3')
      })
      await store.transaction((tx) => tx.records.delete('ent-1'))
      await reserve(store, 2)
      const again = await reopen()
      await reserve(again, 2)
      await assert.rejects(reserve(again, 1), hasCode('LIMIT_EXCEEDED'))
      await assert.rejects(reserve(again, 0), hasCode('LIMIT_EXCEEDED'))
    })
  })
}
