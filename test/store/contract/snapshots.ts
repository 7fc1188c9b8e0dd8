// The workspace as it was at one moment, for exports.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Backend, openWithModel } from './backend.ts'
import { insertCategories, insertRecord, insertRecords, recordOf } from './fixtures.ts'
import type { RecordSnapshot, SnapshotFilter } from '../../../src/store/snapshot-port.ts'

const ALL: SnapshotFilter = { schemaId: null, catalogId: null, includeVariants: true, lifecycleStateIds: null }

async function idsIn(snapshot: RecordSnapshot, filter: Partial<SnapshotFilter> = {}): Promise<string> {
  const records = (await Array.fromAsync(snapshot.batches({ ...ALL, ...filter }))).flat()
  assert.equal(await snapshot.count({ ...ALL, ...filter }), records.length, 'count and batches agree')
  return records.map(({ id }) => id).join(' ')
}

export function describeSnapshots(backend: Backend): void {
  describe(`${backend.name}: snapshots for exports`, () => {
    it('show one moment, whatever is written while they are read', async (test) => {
      const { store, openSnapshot } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'])
      const snapshot = await openSnapshot()
      const seen: string[] = []
      for await (const batch of snapshot.batches(ALL)) {
        seen.push(...batch.map(({ id }) => id))
        await store.transaction(async (tx) => {
          await tx.records.delete('ent-2')
          await insertRecord(tx, recordOf(`ent-${3 + seen.length}`))
          await tx.schemas.delete('sch-b')
        })
      }
      assert.deepEqual(seen, ['ent-1', 'ent-2', 'ent-3'])
      assert.equal(await idsIn(snapshot), 'ent-1 ent-2 ent-3')
      assert.ok(snapshot.model.schemas.has('sch-b'))
      await snapshot.close()
      const later = await openSnapshot()
      assert.equal(await idsIn(later), 'ent-1 ent-3 ent-6')
      assert.equal(later.model.schemas.has('sch-b'), false)
      await later.close()
    })

    it('select by schema, states, variants and catalog, where a variant is in what its parent is in', async (test) => {
      const { store, openSnapshot } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertCategories(tx)
        await insertRecord(tx, recordOf('ent-1', { valuesJson: '{"a":1}' }))
        await insertRecord(tx, recordOf('ent-2', { schemaId: 'sch-b', lifecycleStateId: 'state-review' }))
        await insertRecord(tx, recordOf('ent-3', { parentId: 'ent-1' }))
        await insertRecord(tx, recordOf('ent-4'))
        await tx.categories.setAssignments('ent-1', [
          { categoryId: 'ctg-1', sortOrder: 0 },
          { categoryId: 'ctg-2', sortOrder: 0 },
        ])
      })
      const snapshot = await openSnapshot()
      assert.equal(await idsIn(snapshot, { schemaId: 'sch-a' }), 'ent-1 ent-3 ent-4')
      assert.equal(await idsIn(snapshot, { includeVariants: false }), 'ent-1 ent-2 ent-4')
      assert.equal(await idsIn(snapshot, { catalogId: 'cat-1' }), 'ent-1 ent-3')
      assert.equal(await idsIn(snapshot, { lifecycleStateIds: ['state-review', 'none'] }), 'ent-2')
      assert.equal(await idsIn(snapshot, { lifecycleStateIds: [] }), '')
      assert.equal(await idsIn(snapshot, { catalogId: 'none' }), '')
      const [, , variant] = (await Array.fromAsync(snapshot.batches(ALL))).flat()
      assert.equal(variant!.parentValuesJson, '{"a":1}')
      await snapshot.close()
    })

    it('give a sample from everywhere among the records, and batches of bounded size', async (test) => {
      const { store, openSnapshot } = await openWithModel(backend, test)
      const ids = Array.from({ length: 340 }, (_, index) => `ent-${index}`)
      await insertRecords(store, ids)
      const snapshot = await openSnapshot()
      const sample = (await Array.fromAsync(snapshot.sample(ALL))).flat().map(({ id }) => ids.indexOf(id))
      assert.ok(sample.length > 5 && sample.length < 100, `${sample.length} sampled`)
      assert.ok(sample[0]! < 100 && sample.at(-1)! > 240)
      assert.deepEqual(
        sample,
        sample.toSorted((one, other) => one - other),
      )
      const batches = await Array.fromAsync(snapshot.batches(ALL))
      assert.ok(batches.length > 1 && batches.every((batch) => batch.length > 0))
      await snapshot.close()
    })
  })
}
