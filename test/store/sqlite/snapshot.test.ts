// The workspace as it was at one moment, for exports.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { PimletError } from '../../../src/kernel/errors.ts'
import { openRecordSnapshot, type SqliteRecordSnapshot } from '../../../src/store/sqlite/snapshot.ts'
import { AT, schemaOf } from '../../helpers/export-model.ts'
import { type ExportStore, openExportStore, storeRecords } from '../../helpers/export-store.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import type { SnapshotFilter, SnapshotRecord } from '../../../src/store/snapshot-port.ts'

const all: SnapshotFilter = { schemaId: null, catalogId: null, includeVariants: true, lifecycleStateIds: null }

const open = async ({ directory, closeFirst }: ExportStore): Promise<SqliteRecordSnapshot> =>
  closeFirst(await openRecordSnapshot(path.join(directory, 'pimlet.db')))

async function read(snapshot: SqliteRecordSnapshot, filter: Partial<SnapshotFilter> = {}): Promise<SnapshotRecord[]> {
  const records = (await Array.fromAsync(snapshot.batches({ ...all, ...filter }))).flat()
  assert.equal(await snapshot.count({ ...all, ...filter }), records.length, 'count and batches agree')
  return records
}

const ids = async (...parameters: Parameters<typeof read>): Promise<string> =>
  (await read(...parameters)).map(({ id }) => id).join(' ')

describe('A snapshot', () => {
  it('shows nothing of what is written after it was opened, however often it is read', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(store, [{ id: 'ent-1', values: { a: 1 } }, { id: 'ent-2' }])
    const snapshot = await open(opened)
    const before = await read(snapshot)
    await storeRecords(store, [{ id: 'ent-3' }])
    await store.transaction(async (tx) => {
      await tx.records.update(before[0]!, { ...before[0]!, valuesJson: '{"a":2}', version: 10 })
      await tx.records.delete('ent-2')
      await tx.schemas.insert(schemaOf('sch-late', []))
    })
    assert.deepEqual(await read(snapshot), before)
    assert.equal(before[0]!.valuesJson, '{"a":1}')
    assert.equal(snapshot.model.schemas.has('sch-late'), false)
    const later = await open(opened)
    assert.equal(await ids(later), 'ent-1 ent-3')
    assert.equal(later.model.schemas.has('sch-late'), true)
  })

  it('gives records in the order of creation, variants with the values of their parents', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(store, [
      { id: 'ent-b', values: { a: 1 } },
      { id: 'ent-c', parentId: 'ent-b', values: { a: 2 } },
      { id: 'ent-a' },
    ])
    const snapshot = await open(opened)
    const records = await read(snapshot)
    assert.deepEqual(
      records.map(({ id, parentId, valuesJson, parentValuesJson }) => [id, parentId, valuesJson, parentValuesJson]),
      [
        ['ent-b', null, '{"a":1}', null],
        ['ent-c', 'ent-b', '{"a":2}', '{"a":1}'],
        ['ent-a', null, '{}', null],
      ],
    )
    assert.equal(await ids(snapshot, { includeVariants: false }), 'ent-b ent-a')
  })

  it('selects by schema, states and catalog, each alone and all together', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(store, [
      { id: 'ent-1' },
      { id: 'ent-2', schemaId: 'sch-other', lifecycleStateId: 'state-review' },
      { id: 'ent-3', lifecycleStateId: 'state-published' },
      { id: 'ent-4', lifecycleStateId: 'state-review' },
    ])
    await store.transaction(async (tx) => {
      for (const id of ['cat-1', 'cat-2']) await tx.catalogs.insert({ id, name: id })
      const category = { parentId: null, name: 'C', sortOrder: 0 }
      await tx.categories.insert({ ...category, id: 'ctg-1', catalogId: 'cat-1' })
      await tx.categories.insert({ ...category, id: 'ctg-2', catalogId: 'cat-1' })
      await tx.categories.insert({ ...category, id: 'ctg-3', catalogId: 'cat-2' })
      const assign = (id: string, ...categoryIds: string[]) =>
        tx.categories.setAssignments(
          id,
          categoryIds.map((categoryId) => ({ categoryId, sortOrder: 0 })),
        )
      await assign('ent-2', 'ctg-1')
      await assign('ent-3', 'ctg-3')
      await assign('ent-4', 'ctg-1', 'ctg-2', 'ctg-3')
    })
    const snapshot = await open(opened)
    assert.equal(await ids(snapshot, { schemaId: 'sch-all' }), 'ent-1 ent-3 ent-4')
    assert.equal(await ids(snapshot, { lifecycleStateIds: ['state-review', 'state-published'] }), 'ent-2 ent-3 ent-4')
    assert.equal(await ids(snapshot, { lifecycleStateIds: [] }), '')
    assert.equal(await ids(snapshot, { catalogId: 'cat-1' }), 'ent-2 ent-4')
    const together = { schemaId: 'sch-all', lifecycleStateIds: ['state-review'], catalogId: 'cat-2' }
    assert.equal(await ids(snapshot, { ...together, includeVariants: false }), 'ent-4')
  })

  it('selects by catalog also the variants of what is assigned, and variants that are assigned themselves', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(store, [
      { id: 'ent-in' },
      { id: 'ent-in-v', parentId: 'ent-in' },
      { id: 'ent-out' },
      { id: 'ent-out-v1', parentId: 'ent-out' },
      { id: 'ent-out-v2', parentId: 'ent-out' },
    ])
    await store.transaction(async (tx) => {
      await tx.catalogs.insert({ id: 'cat-1', name: 'C' })
      await tx.categories.insert({ id: 'ctg-1', catalogId: 'cat-1', parentId: null, name: 'C', sortOrder: 0 })
      for (const id of ['ent-in', 'ent-out-v2'])
        await tx.categories.setAssignments(id, [{ categoryId: 'ctg-1', sortOrder: 0 }])
    })
    const snapshot = await open(opened)
    assert.equal(await ids(snapshot, { catalogId: 'cat-1' }), 'ent-in ent-in-v ent-out-v2')
    assert.equal(await ids(snapshot, { catalogId: 'cat-1', includeVariants: false }), 'ent-in')
  })

  it('selects nothing by what does not exist', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(store, [{ id: 'ent-1' }])
    const snapshot = await open(opened)
    for (const filter of [{ schemaId: 'no' }, { catalogId: 'no' }, { lifecycleStateIds: ['no'] }])
      assert.equal(await ids(snapshot, filter), '')
  })

  it('gives batches that are bounded in records and in size', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    const small = Array.from({ length: 250 }, (_, index) => ({ id: `ent-${index}` }))
    const large = Array.from({ length: 3 }, (_, index) => ({
      id: `large-${index}`,
      values: { a: 'x'.repeat(200_000) },
    }))
    await storeRecords(store, [...small, ...large])
    const snapshot = await open(opened)
    const lengths = (await Array.fromAsync(snapshot.batches(all))).map((batch) => batch.length)
    assert.deepEqual(lengths, [100, 100, 52, 1])
  })

  it('gives a sample: few of the records that are asked for, from everywhere among them', async (test) => {
    const opened = await openExportStore(test)
    const schemaIds = ['sch-all', 'sch-other']
    const records = Array.from({ length: 1000 }, (_, index) => ({ id: `${index}`, schemaId: schemaIds[index % 2]! }))
    await storeRecords(opened.store, records)
    const snapshot = await open(opened)
    for (const schemaId of [null, ...schemaIds]) {
      const sample = (await Array.fromAsync(snapshot.sample({ ...all, schemaId }))).flat()
      assert.ok(sample.every((record) => schemaId === null || record.schemaId === schemaId))
      const numbers = sample.map(({ id }) => Number(id))
      assert.ok(numbers.length > 20 && numbers.length < 60, `${numbers.length}`)
      assert.ok([...numbers, 1000].every((number, index) => number - (numbers[index - 1] ?? 0) < 50))
    }
  })

  it('may be read in part: whoever stops reading can begin again', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(
      store,
      Array.from({ length: 150 }, (_, index) => ({ id: `ent-${index}` })),
    )
    const snapshot = await open(opened)
    for await (const batch of snapshot.batches(all)) {
      assert.equal(batch[0]!.id, 'ent-0')
      break
    }
    assert.equal((await read(snapshot)).length, 150)
  })

  it('of a database that is not there is UNAVAILABLE', async () => {
    await assert.rejects(
      openRecordSnapshot(path.join(makeTempDirectory(), 'pimlet.db')),
      (error) => error instanceof PimletError && error.code === 'UNAVAILABLE',
    )
  })

  it('gives the heads of records whole', async (test) => {
    const opened = await openExportStore(test)
    const { store } = opened
    await storeRecords(store, [{ id: 'ent-1' }])
    const [record] = await read(await open(opened))
    const head = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1', version: 1 }
    const rest = { schemaId: 'sch-all', parentId: null, lifecycleStateId: 'state-draft' }
    assert.deepEqual({ ...record }, { id: 'ent-1', ...rest, ...head, valuesJson: '{}', parentValuesJson: null })
  })
})
