// Records: reading, listing, counting, and going through all of a schema.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { Store } from '../../../src/store/port.ts'
import type { PlacedRecord, StoredRecord } from '../../../src/store/record-port.ts'
import { type Backend, openWithModel, says } from './backend.ts'
import { insertCategories, insertRecord, insertRecords, recordOf } from './fixtures.ts'

const largeValues = (characters: number): string =>
  JSON.stringify({ a: [{ scope: {}, value: 'x'.repeat(characters) }] })

export function describeRecords(backend: Backend): void {
  describe(`${backend.name}: records`, () => {
    it('lists are in the order of creation, filtered, with the total of all pages', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        for (const [index, schemaId] of ['sch-b', 'sch-a', 'sch-b', 'sch-a', 'sch-b'].entries())
          await insertRecord(tx, recordOf(`ent-${9 - index}`, { schemaId }))
        await insertRecord(tx, recordOf('ent-v', { schemaId: 'sch-b', parentId: 'ent-9' }))
        const moved = (await tx.records.get('ent-5'))!
        await tx.records.update(moved, { ...moved, lifecycleStateId: 'state-review', version: 99 })
      })
      const ids = async (...args: Parameters<Store['read']['records']['list']>) => {
        const { items, total } = (await store.read.records.list(...args))!
        return [items.map((item) => item.id).join(' '), total]
      }
      const all = { offset: 0, limit: 50 }
      assert.deepEqual(await ids({}, all), ['ent-9 ent-8 ent-7 ent-6 ent-5 ent-v', 6])
      assert.deepEqual(await ids({}, { offset: 2, limit: 2 }), ['ent-7 ent-6', 6])
      assert.deepEqual(await ids({ schemaId: 'sch-b' }, all), ['ent-9 ent-7 ent-5 ent-v', 4])
      assert.deepEqual(await ids({ schemaId: 'sch-b' }, { offset: 1, limit: 2 }), ['ent-7 ent-5', 4])
      assert.deepEqual(await ids({ lifecycleStateId: 'state-review' }, all), ['ent-5', 1])
      assert.deepEqual(await ids({ schemaId: 'sch-b', lifecycleStateId: 'state-draft' }, all), ['ent-9 ent-7 ent-v', 3])
      assert.deepEqual(await ids({ parentId: 'ent-9' }, all), ['ent-v', 1])
      assert.deepEqual(await ids({ parentId: null }, all), ['ent-9 ent-8 ent-7 ent-6 ent-5', 5])
      assert.deepEqual(await ids({ parentId: null, schemaId: 'sch-b' }, all), ['ent-9 ent-7 ent-5', 3])
      assert.deepEqual(await ids({ schemaId: 'none' }, all), ['', 0])
      await store.transaction((tx) => tx.records.delete('ent-v'))
      assert.deepEqual(await ids({ schemaId: 'sch-b' }, all), ['ent-9 ent-7 ent-5', 3])
    })

    it('a record comes behind the place of one that was the last and is gone, also after a restart', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'])
      const { next } = (await store.read.records.list({}, { offset: 0, limit: 3 }))!
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-3')
        await insertRecord(tx, recordOf('ent-4'))
        await tx.records.delete('ent-4')
      })
      const reopened = await reopen()
      await insertRecords(reopened, ['ent-5'])
      const { next: later } = (await reopened.read.records.list({}, { offset: 0, limit: 3 }))!
      assert.ok(later!.record > next!.record + 1, `${next!.record}, then ${later!.record}`)
    })

    it('a list far behind its beginning is the same as one near it', async (test) => {
      const { store } = await openWithModel(backend, test)
      const ids = Array.from({ length: 1105 }, (_, index) => `ent-${index}`)
      await insertRecords(store, ids)
      const list = async (offset: number) => {
        const asked = { filter: {}, page: { offset, limit: 10 }, view: {}, role: BUILT_IN_ROLES[0]! }
        const { total, next, batches } = await store.read.items.list(asked, AbortSignal.timeout(30_000))
        return { ids: (await Array.fromAsync(batches)).flat().map(({ id }) => id), total, isFull: next !== null }
      }
      assert.deepEqual(await list(1090), { ids: ids.slice(1090, 1100), total: 1105, isFull: true })
      assert.deepEqual(await list(1100), { ids: ids.slice(1100), total: 1105, isFull: false })
      assert.deepEqual(await list(2000), { ids: [], total: 1105, isFull: false })
    })

    it('counts are kept through every change of schema, state, parent and number', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await insertRecord(tx, recordOf('ent-2', { schemaId: 'sch-b' }))
        await insertRecord(tx, recordOf('ent-3', { parentId: 'ent-1' }))
        await insertRecord(tx, recordOf('ent-4', { parentId: 'ent-1', lifecycleStateId: 'state-review' }))
      })
      const counts = async (reads = store.read) =>
        Promise.all([
          reads.records.count({}),
          reads.records.count({ schemaId: 'sch-a' }),
          reads.records.count({ lifecycleStateId: 'state-review' }),
          reads.records.count({ parentId: null }),
          reads.records.count({ parentId: 'ent-1' }),
          reads.records.count({ parentId: 'ent-1', lifecycleStateId: 'state-review', schemaId: 'sch-a' }),
          reads.records.count({ schemaId: 'none' }),
        ])
      assert.deepEqual(await counts(), [4, 3, 1, 2, 2, 1, 0])
      await store.transaction(async (tx) => {
        const before = (await tx.records.get('ent-3'))!
        await tx.records.update(before, { ...before, lifecycleStateId: 'state-review', version: 50 })
        await tx.records.delete('ent-2')
      })
      assert.deepEqual(await counts(), [3, 3, 2, 1, 2, 2, 0])
      const undone = store.transaction(async (tx) => {
        await tx.records.delete('ent-3')
        throw new Error('undo')
      })
      await assert.rejects(undone, /undo/)
      assert.deepEqual(await counts((await reopen()).read), [3, 3, 2, 1, 2, 2, 0])
    })

    it('a record with an ID that exists is a CONFLICT, and changes nothing', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1'])
      await assert.rejects(insertRecords(store, ['ent-2', 'ent-1']), says('CONFLICT', /ent-1/))
      assert.equal(await store.read.records.count({}), 1)
      assert.equal((await store.read.audit.listAfter(0, 10)).length, 1)
    })

    it('the text of values is kept to the letter', async (test) => {
      const { store, reopen } = await openWithModel(backend, test)
      const texts = ['{"a":[1e21,-0,0.1000]}', '{"b":"\\u0000 \\ud800 😀 \u2028"}', '{ "__proto__" : [] }']
      await store.transaction(async (tx) => {
        for (const [index, valuesJson] of texts.entries())
          await insertRecord(tx, recordOf(`ent-${index}`, { valuesJson }))
      })
      const again = await reopen()
      const { items } = (await again.read.records.list({}, { offset: 0, limit: 5 }))!
      assert.deepEqual(
        items.map((item) => item.valuesJson),
        texts,
      )
    })

    it('what a record had besides goes with it: assignments, unique values, its place in lists', async (test) => {
      const { store } = await openWithModel(backend, test)
      const key = { alias: 'sku', scope: '', key: '"1"' }
      await store.transaction(async (tx) => {
        await insertCategories(tx)
        await insertRecord(tx, recordOf('ent-1'))
        await insertRecord(tx, recordOf('ent-2'))
        await tx.categories.setAssignments('ent-1', [{ categoryId: 'ctg-1', sortOrder: 0 }])
        await tx.records.setUniqueKeys(recordOf('ent-1'), [], [key])
      })
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-1')
        await tx.records.delete('none')
      })
      assert.equal((await store.read.records.listInCategory('ctg-1', { offset: 0, limit: 5 }))!.total, 0)
      assert.deepEqual(await store.read.categories.assignmentsOf('ent-1'), [])
      await store.transaction((tx) => tx.records.setUniqueKeys(recordOf('ent-2'), [], [key]))
      await insertRecords(store, ['ent-1'])
      const { items } = (await store.read.records.list({}, { offset: 0, limit: 5 }))!
      assert.deepEqual(
        items.map(({ id }) => id),
        ['ent-2', 'ent-1'],
      )
    })

    it('variants are found by their record, in the order of creation', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2'])
      await insertRecords(store, ['ent-9', 'ent-3'], { parentId: 'ent-1' })
      assert.deepEqual(await store.read.records.variantIdsOf('ent-1'), ['ent-9', 'ent-3'])
      assert.deepEqual(await store.read.records.variantIdsOf('ent-2'), [])
    })
  })

  describe(`${backend.name}: going through records`, () => {
    it('goes through the records of a schema in the order of creation, whatever their state and whatever comes in between', async (test) => {
      const { store } = await openWithModel(backend, test)
      const ids = ['ent-9', 'ent-1', 'ent-5', 'ent-3', 'ent-7']
      await store.transaction(async (tx) => {
        for (const [index, id] of ids.entries()) {
          const lifecycleStateId = index % 2 === 0 ? 'state-review' : 'state-draft'
          await insertRecord(tx, recordOf(id, { lifecycleStateId }))
          await insertRecord(tx, recordOf(`${id}-b`, { schemaId: 'sch-b' }))
        }
      })
      const from = (place: number, limit: number) => store.read.records.listFrom('sch-a', place, limit)
      const idsOf = (page: readonly PlacedRecord[]): string => page.map(({ record }) => record.id).join(' ')
      assert.equal(idsOf(await from(0, 10)), ids.join(' '))
      const first = await from(0, 2)
      assert.equal(idsOf(first), 'ent-9 ent-1')
      await store.transaction(async (tx) => {
        const moved = (await tx.records.get('ent-7')) as StoredRecord
        await tx.records.update(moved, { ...moved, lifecycleStateId: 'state-draft' })
        await tx.records.delete('ent-5')
        await insertRecord(tx, recordOf('ent-0'))
        assert.equal(idsOf(await tx.records.listFrom('sch-a', first.at(-1)!.place, 10)), 'ent-3 ent-7 ent-0')
      })
      assert.equal(idsOf(await from(first.at(-1)!.place, 10)), 'ent-3 ent-7 ent-0')
      assert.deepEqual(await from(0, 1).then((page) => ({ ...page[0]!.record })), {
        ...(await store.read.records.get('ent-9')),
      })
      assert.deepEqual(await store.read.records.listFrom('none', 0, 10), [])
    })

    it('going through large records, takes fewer of them at a time', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'], { valuesJson: largeValues(200_000) })
      const page = await store.read.records.listFrom('sch-a', 0, 10)
      assert.equal(page.length, 1)
      assert.equal((await store.read.records.listFrom('sch-a', page[0]!.place, 10))[0]!.record.id, 'ent-2')
    })

    it('comes to an end while the records that it shows are deleted', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertRecords(
        store,
        Array.from({ length: 25 }, (_, index) => `ent-${index}`),
      )
      const seen: string[] = []
      for (let place = 0; ;) {
        const page = await store.read.records.listFrom('sch-a', place, 4)
        if (page.length === 0) break
        place = page.at(-1)!.place
        seen.push(...page.map(({ record }) => record.id))
        await store.transaction(async (tx) => {
          for (const { record } of page) await tx.records.delete(record.id)
        })
      }
      assert.equal(seen.length, 25)
      assert.equal(await store.read.records.count({}), 0)
    })
  })
}
