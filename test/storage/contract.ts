// What every storage must do, said in tests against the port.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditEntry } from '../../src/domain/changes.ts'
import { PimletError } from '../../src/domain/errors.ts'
import type { ModelChange } from '../../src/domain/model-change.ts'
import { DEFAULT_WORKFLOW } from '../../src/domain/workflows.ts'
import type { Store, Transaction } from '../../src/storage/port.ts'
import type { PlacedRecord, StoredRecord } from '../../src/storage/record-port.ts'

export interface StoreUnderTest {
  readonly store: Store
  /** Closes it and opens it anew on what it has stored. */
  readonly reopen: () => Promise<Store>
}

const AT = '2026-01-02T03:04:05.678Z'

export function recordOf(id: string, overrides: Partial<StoredRecord> = {}): StoredRecord {
  return {
    id,
    schemaId: 'sch-a',
    parentId: null,
    lifecycleStateId: 'state-draft',
    createdAt: AT,
    updatedAt: AT,
    createdBy: 'usr-1',
    updatedBy: 'usr-1',
    version: 1,
    valuesJson: '{}',
    ...overrides,
  }
}

function entryOf(entityId: string, overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `aud-${entityId}`,
    entityId,
    userId: 'usr-1',
    timestamp: AT,
    action: 'create',
    changes: [],
    origin: { kind: 'api' },
    ...overrides,
  }
}

/** Appends an audit entry and inserts the record with its sequence as version. */
export async function insertRecord(tx: Transaction, record: StoredRecord): Promise<StoredRecord> {
  const version = await tx.audit.append(entryOf(record.id), record.schemaId)
  await tx.records.insert({ ...record, version })
  return { ...record, version }
}

export async function insertModel(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  await tx.dimensions.insert({ id: 'language', name: 'Language', segments: [{ id: 'de', name: 'German' }] })
  for (const id of ['sch-a', 'sch-b'])
    await tx.schemas.insert({
      id,
      name: id,
      workflowId: DEFAULT_WORKFLOW.id,
      attributes: [],
      combinations: null,
      createdAt: AT,
      updatedAt: AT,
    })
}

const hasCode = (code: string) => (error: unknown) => error instanceof PimletError && error.code === code

export function describeStore(name: string, open: (test: TestContext) => Promise<StoreUnderTest>): void {
  async function openWithModel(test: TestContext): Promise<StoreUnderTest> {
    const opened = await open(test)
    await opened.store.transaction(insertModel)
    return opened
  }

  describe(`${name}: transactions`, () => {
    it('what a transaction wrote is read after it resolved, and after the storage was opened anew', async (test) => {
      const { store, reopen } = await openWithModel(test)
      const written = await store.transaction((tx) => insertRecord(tx, recordOf('ent-1', { valuesJson: '{"a":[]}' })))
      assert.deepEqual({ ...(await store.read.records.get('ent-1')) }, written)
      const again = await reopen()
      assert.deepEqual({ ...(await again.read.records.get('ent-1')) }, written)
    })

    it('nothing is kept of a transaction that throws, and its error is passed on', async (test) => {
      const { store } = await openWithModel(test)
      const failure = new Error('no')
      const failing = store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        throw failure
      })
      await assert.rejects(failing, failure)
      assert.equal(await store.read.records.get('ent-1'), undefined)
      assert.equal(await store.read.records.count({}), 0)
      assert.deepEqual(await store.read.audit.listAfter(0, 10), [])
    })

    it('one that throws takes none of its neighbours with it', async (test) => {
      const { store } = await openWithModel(test)
      const results = await Promise.allSettled(
        Array.from({ length: 30 }, (_, index) =>
          store.transaction(async (tx) => {
            await insertRecord(tx, recordOf(`ent-${index}`))
            if (index % 3 === 0) throw new Error('no')
          }),
        ),
      )
      assert.equal(results.filter((result) => result.status === 'rejected').length, 10)
      assert.equal(await store.read.records.count({}), 20)
    })

    it('transactions run one after another: none reads what another is about to change', async (test) => {
      const { store } = await openWithModel(test)
      await Promise.all(
        Array.from({ length: 50 }, () =>
          store.transaction(async (tx) => {
            const count = await tx.records.count({})
            if (count < 10) await insertRecord(tx, recordOf(`ent-${count}`))
          }),
        ),
      )
      assert.equal(await store.read.records.count({}), 10)
    })

    it('a transaction that awaits something else than its own methods is refused', async (test) => {
      const { store } = await openWithModel(test)
      const waiting = store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await sleep(20)
      })
      await assert.rejects(waiting, /awaited something other/)
      assert.equal(await store.read.records.get('ent-1'), undefined)
      await store.transaction((tx) => insertRecord(tx, recordOf('ent-2')))
    })

    it('a transaction is of no use when it is over', async (test) => {
      const { store } = await openWithModel(test)
      let escaped: Transaction | undefined
      await store.transaction(async (tx) => {
        escaped = tx
      })
      assert.throws(() => escaped!.records, /after its end/)
    })

    it('a closed storage answers UNAVAILABLE', async (test) => {
      const { store } = await openWithModel(test)
      await store.close()
      await assert.rejects(store.ping(), hasCode('UNAVAILABLE'))
      await assert.rejects(
        store.transaction(async () => {}),
        hasCode('UNAVAILABLE'),
      )
    })
  })

  describe(`${name}: model`, () => {
    it('the model is the committed one, also after a transaction that changed it was undone', async (test) => {
      const { store } = await openWithModel(test)
      assert.deepEqual([...(await store.read.model()).schemas.keys()], ['sch-a', 'sch-b'])
      const undone = store.transaction(async (tx) => {
        await tx.schemas.delete('sch-b')
        assert.deepEqual([...(await tx.model()).schemas.keys()], ['sch-a'])
        throw new Error('undo')
      })
      await assert.rejects(undone, /undo/)
      await store.transaction(async (tx) => assert.equal((await tx.model()).schemas.size, 2))
      await store.transaction((tx) => tx.schemas.delete('sch-b'))
      assert.deepEqual([...(await store.read.model()).schemas.keys()], ['sch-a'])
    })

    it('a second resource with the same ID is a CONFLICT naming it', async (test) => {
      const { store } = await openWithModel(test)
      const twice = store.transaction((tx) => tx.workflows.insert(DEFAULT_WORKFLOW))
      await assert.rejects(twice, (error) => hasCode('CONFLICT')(error) && /wf-default/.test(String(error)))
    })
  })

  describe(`${name}: records`, () => {
    it('lists are in the order of creation, filtered, with the total of all pages', async (test) => {
      const { store } = await openWithModel(test)
      await store.transaction(async (tx) => {
        for (const [index, schemaId] of ['sch-b', 'sch-a', 'sch-b', 'sch-a', 'sch-b'].entries())
          await insertRecord(tx, recordOf(`ent-${9 - index}`, { schemaId }))
        await insertRecord(tx, recordOf('ent-v', { schemaId: 'sch-b', parentId: 'ent-9' }))
        const moved = (await tx.records.get('ent-5'))!
        await tx.records.update({ ...moved, lifecycleStateId: 'state-review', version: 99 })
      })
      const ids = async (...args: Parameters<Store['read']['records']['list']>) => {
        const { items, total } = await store.read.records.list(...args)
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

    it('a value that another record holds in the same scope is a CONFLICT naming attribute and scope', async (test) => {
      const { store } = await openWithModel(test)
      const key = { alias: 'sku', scope: 'language=de', key: '"1"' }
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await insertRecord(tx, recordOf('ent-2'))
        await tx.records.setUniqueKeys('ent-1', 'sch-a', [key])
        await tx.records.setUniqueKeys('ent-2', 'sch-a', [{ ...key, scope: '' }])
        await tx.records.setUniqueKeys('ent-2', 'sch-b', [key])
      })
      const second = store.transaction((tx) => tx.records.setUniqueKeys('ent-2', 'sch-a', [key]))
      await assert.rejects(second, (error) => hasCode('CONFLICT')(error) && /sku.*language=de/.test(String(error)))
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-1')
        await tx.records.setUniqueKeys('ent-2', 'sch-a', [key])
      })
    })

    it('goes through the records of a schema in the order of creation, whatever their state and whatever comes in between', async (test) => {
      const { store } = await openWithModel(test)
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
        const moved = await tx.records.get('ent-7')
        await tx.records.update({ ...moved!, lifecycleStateId: 'state-draft' })
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
      const { store } = await openWithModel(test)
      const valuesJson = JSON.stringify({ a: [{ scope: {}, value: 'x'.repeat(200_000) }] })
      await store.transaction(async (tx) => {
        for (const id of ['ent-1', 'ent-2', 'ent-3']) await insertRecord(tx, recordOf(id, { valuesJson }))
      })
      const page = await store.read.records.listFrom('sch-a', 0, 10)
      assert.equal(page.length, 1)
      assert.equal((await store.read.records.listFrom('sch-a', page[0]!.place, 10))[0]!.record.id, 'ent-2')
    })
  })

  describe(`${name}: changes of the model`, () => {
    it('are kept with how far they have come, and the model says what is to be regarded until they end', async (test) => {
      const { store, reopen } = await openWithModel(test)
      const before = (await store.read.schemas.get('sch-a'))!
      const after = { ...before, name: 'New' }
      const who = { callerId: 'usr-1', roleId: 'role-admin' }
      const change: ModelChange = { id: 'schema sch-a', kind: 'schema', stage: 'look', before, after, ...who }
      assert.equal((await store.read.model()).pending, undefined)
      await store.transaction(async (tx) => {
        await tx.modelChanges.insert(change)
        assert.ok((await tx.model()).pending!.schemas.has('sch-a'))
      })
      await assert.rejects(
        store.transaction((tx) => tx.modelChanges.insert(change)),
        hasCode('CONFLICT'),
      )
      const known = await store.read.model()
      assert.ok(known.pending!.schemas.has('sch-a'))
      await store.transaction((tx) => tx.modelChanges.advance(change.id, 7))
      assert.equal(await store.read.model(), known, 'the model is not read anew for each step')
      assert.equal(await store.read.modelChanges.cursorOf(change.id), 7)

      const again = await reopen()
      assert.deepEqual(await again.read.modelChanges.list(), [change])
      assert.equal(await again.read.modelChanges.cursorOf(change.id), 7)
      await again.transaction((tx) => tx.modelChanges.update({ ...change, stage: 'undo' }))
      assert.equal((await again.read.model()).pending!.schemas.size, 0)
      await again.transaction((tx) => tx.modelChanges.delete(change.id))
      assert.equal(await again.read.modelChanges.get(change.id), undefined)
      assert.equal((await again.read.model()).pending, undefined)
    })
  })

  describe(`${name}: categories`, () => {
    it('assignments are ordered within the category and end with the record or the category', async (test) => {
      const { store } = await openWithModel(test)
      await store.transaction(async (tx) => {
        await tx.catalogs.insert({ id: 'cat-1', name: 'Web' })
        for (const id of ['ctg-1', 'ctg-2'])
          await tx.categories.insert({ id, catalogId: 'cat-1', parentId: null, name: id, sortOrder: 0 })
        for (const [index, id] of ['ent-1', 'ent-2', 'ent-3'].entries()) {
          await insertRecord(tx, recordOf(id))
          await tx.records.exists(id)
          await tx.categories.setAssignments(id, [
            { categoryId: 'ctg-1', sortOrder: 3 - index },
            { categoryId: 'ctg-2', sortOrder: 0 },
          ])
        }
      })
      const inCategory = async (id: string) => {
        const { items, total } = await store.read.records.listInCategory(id, { offset: 0, limit: 10 })
        return [items.map((item) => item.id).join(' '), total]
      }
      assert.deepEqual(await inCategory('ctg-1'), ['ent-3 ent-2 ent-1', 3])
      assert.deepEqual(await inCategory('ctg-2'), ['ent-1 ent-2 ent-3', 3])
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-2')
        await tx.categories.delete('ctg-2')
      })
      assert.deepEqual(await inCategory('ctg-1'), ['ent-3 ent-1', 2])
      assert.deepEqual(
        (await store.read.categories.assignmentsOf('ent-1')).map((assignment) => assignment.categoryId),
        ['ctg-1'],
      )
    })
  })

  describe(`${name}: categories in steps`, () => {
    it('tells of some records in a category, and of a category below another', async (test) => {
      const { store } = await openWithModel(test)
      await store.transaction(async (tx) => {
        await tx.catalogs.insert({ id: 'cat-1', name: 'Web' })
        for (const [id, parentId] of [
          ['ctg-1', null],
          ['ctg-2', 'ctg-1'],
        ] as const)
          await tx.categories.insert({ id, catalogId: 'cat-1', parentId, name: id, sortOrder: 0 })
        for (const id of ['ent-1', 'ent-2', 'ent-3']) {
          await insertRecord(tx, recordOf(id))
          await tx.categories.setAssignments(id, [{ categoryId: 'ctg-1', sortOrder: 0 }])
        }
      })
      const { categories } = store.read
      assert.equal((await categories.recordIdsIn('ctg-1', 2)).length, 2)
      assert.deepEqual((await categories.recordIdsIn('ctg-1', 5)).sort(), ['ent-1', 'ent-2', 'ent-3'])
      assert.deepEqual(await categories.recordIdsIn('ctg-2', 5), [])
      assert.equal((await categories.findChild('ctg-1'))?.id, 'ctg-2')
      assert.equal(await categories.findChild('ctg-2'), undefined)
    })
  })

  describe(`${name}: audit`, () => {
    it('entries keep what made them, and changes of categories', async (test) => {
      const { store } = await openWithModel(test)
      const changes = [
        { field: 'categories' as const, oldValue: [{ categoryId: 'c', sortOrder: 1.5 }], newValue: null },
      ]
      const origins = [{ kind: 'api' }, { kind: 'bulk', id: 'blk-1' }] as const
      const versions: number[] = []
      for (const [index, origin] of origins.entries())
        await store.transaction(async (tx) => {
          versions.push(await tx.audit.append(entryOf('ent-1', { id: `aud-${index}`, origin, changes }), 'sch-a'))
        })
      const entries = await store.read.audit.listAfter(0, 5)
      assert.deepEqual(
        entries.map((entry) => [entry.sequence, entry.origin, entry.changes]),
        origins.map((origin, index) => [versions[index], origin, changes]),
      )
    })

    it('entries outlive their record, newest first by record and in commit order for the feed', async (test) => {
      const { store } = await openWithModel(test)
      const change = { attributeAlias: 'a', scope: {}, oldValue: null, newValue: 1 }
      await store.transaction(async (tx) => {
        await insertRecord(tx, recordOf('ent-1'))
        await tx.audit.append(entryOf('ent-1', { id: 'aud-2', action: 'update', changes: [change] }), 'sch-a')
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
      const { store } = await openWithModel(test)
      for (let day = 1; day <= 5; day += 1)
        await store.transaction((tx) =>
          tx.audit.append(
            { ...entryOf('ent-1', { id: `aud-${day}` }), timestamp: `2026-01-0${day}T00:00:00.000Z` },
            'sch-a',
          ),
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
  })
}
