// Categories, and which records are assigned to them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Backend, openWithModel, says } from './backend.ts'
import { insertCategories, insertRecord, recordOf } from './fixtures.ts'

export function describeCategories(backend: Backend): void {
  describe(`${backend.name}: categories`, () => {
    it('assignments are ordered within the category and end with the record or the category', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await tx.catalogs.insert({ id: 'cat-1', name: 'Web' })
        for (const id of ['ctg-1', 'ctg-2'])
          await tx.categories.insert({ id, catalogId: 'cat-1', parentId: null, name: id, sortOrder: 0 })
        for (const [index, id] of ['ent-1', 'ent-2', 'ent-3'].entries()) {
          await insertRecord(tx, recordOf(id))
          await tx.categories.setAssignments(id, [
            { categoryId: 'ctg-1', sortOrder: 3 - index },
            { categoryId: 'ctg-2', sortOrder: 0 },
          ])
        }
      })
      const inCategory = async (id: string) => {
        const { items, total } = (await store.read.records.listInCategory(id, { offset: 0, limit: 10 }))!
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

    it('are listed by sort order and creation, and replaced in place', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        for (const id of ['cat-1', 'cat-2']) await tx.catalogs.insert({ id, name: id })
        for (const [id, sortOrder] of [
          ['ctg-b', 2],
          ['ctg-c', -0.5],
          ['ctg-a', 2],
        ] as const)
          await tx.categories.insert({ id, catalogId: 'cat-1', parentId: null, name: id, sortOrder })
      })
      const listed = async () => (await store.read.categories.listOf('cat-1')).map(({ id }) => id).join(' ')
      assert.equal(await listed(), 'ctg-c ctg-b ctg-a')
      const twice = store.transaction((tx) =>
        tx.categories.insert({ id: 'ctg-a', catalogId: 'cat-2', parentId: null, name: '', sortOrder: 0 }),
      )
      await assert.rejects(twice, says('CONFLICT', /ctg-a/))
      const after = { id: 'ctg-c', catalogId: 'cat-1', parentId: 'ctg-b', name: 'New', sortOrder: 3 }
      await store.transaction((tx) => tx.categories.update(after))
      assert.deepEqual({ ...(await store.read.categories.get('ctg-c')) }, after)
      assert.equal(await listed(), 'ctg-b ctg-a ctg-c')
      assert.deepEqual(await store.read.categories.listOf('cat-2'), [])
      assert.equal(await store.read.categories.get('none'), undefined)
      const existing = await store.read.categories.existing(['ctg-b', 'none', 'ctg-b', 'ctg-a'])
      assert.deepEqual([...existing].sort(), ['ctg-a', 'ctg-b'])
    })

    it('are found by their name and what they are right below', async (test) => {
      const { store } = await openWithModel(backend, test)
      const paths = { a: null, b: 'a', c: 'a', d: null, e: 'd' } as const
      await store.transaction(async (tx) => {
        for (const id of ['cat-1', 'cat-2']) await tx.catalogs.insert({ id, name: 'Web' })
        for (const [id, parentId] of Object.entries(paths)) {
          const catalogId = id < 'd' ? 'cat-1' : 'cat-2'
          await tx.categories.insert({
            id,
            catalogId,
            parentId,
            name: parentId === null ? 'Men' : 'Shirts',
            sortOrder: 0,
          })
        }
      })
      const { categories } = store.read
      assert.deepEqual(await categories.named('Men', { parentId: null }, 10), ['a', 'd'])
      assert.deepEqual(await categories.named('Men', { parentId: null }, 1), ['a'])
      assert.deepEqual(await categories.named('Shirts', { parentId: 'a' }, 10), ['b', 'c'])
      assert.deepEqual(await categories.named('Shirts', { parentId: null }, 10), [])
      assert.deepEqual(await categories.named('shirts', { parentId: 'a' }, 10), [])
      const [web, none] = ['cat-2', 'cat-3']
      assert.deepEqual(await categories.named('Men', { parentId: null, catalogId: web }, 10), ['d'])
      assert.deepEqual(await categories.named('Men', { parentId: null, catalogId: none }, 10), [])
    })

    it('a category has its names in other languages, or none', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(insertCategories)
      const plain = (await store.read.categories.get('ctg-1'))!
      assert.ok(!('names' in plain))
      const named = { ...plain, names: { de: 'Hemden', constructor: 'x' } }
      await store.transaction((tx) => tx.categories.update(named))
      assert.deepEqual({ ...(await store.read.categories.get('ctg-1')) }, { ...named })
      await store.transaction((tx) => tx.categories.insert({ ...named, id: 'ctg-n', parentId: null }))
      const listed = await store.read.categories.listOf(plain.catalogId)
      assert.deepEqual(listed.find(({ id }) => id === 'ctg-n')?.names, named.names)
      await store.transaction((tx) => tx.categories.update(plain))
      assert.ok(!('names' in (await store.read.categories.get('ctg-1'))!))
    })

    it("a record's assignments are replaced as a whole, and read by the creation of catalogs and categories", async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertCategories(tx)
        await insertRecord(tx, recordOf('ent-1'))
        await tx.categories.setAssignments('ent-1', [
          { categoryId: 'ctg-2', sortOrder: 1 },
          { categoryId: 'ctg-1', sortOrder: 2.5 },
        ])
      })
      const assigned = async () =>
        (await store.read.categories.assignmentsOf('ent-1')).map((assignment) => ({ ...assignment }))
      assert.deepEqual(await assigned(), [
        { entityId: 'ent-1', categoryId: 'ctg-1', sortOrder: 2.5 },
        { entityId: 'ent-1', categoryId: 'ctg-2', sortOrder: 1 },
      ])
      await store.transaction((tx) => tx.categories.setAssignments('ent-1', [{ categoryId: 'ctg-2', sortOrder: 7 }]))
      assert.deepEqual(await assigned(), [{ entityId: 'ent-1', categoryId: 'ctg-2', sortOrder: 7 }])
      await store.transaction((tx) => tx.categories.setAssignments('ent-1', []))
      assert.deepEqual(await assigned(), [])
    })
  })

  describe(`${backend.name}: records in the order of a category`, () => {
    it('are told around one of them, with those at the same number', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertCategories(tx)
        for (const [index, sortOrder] of [5, 0, 5, 5, 9].entries()) {
          await insertRecord(tx, recordOf(`ent-${index}`))
          await tx.categories.setAssignments(`ent-${index}`, [{ categoryId: 'ctg-1', sortOrder }])
        }
      })
      await store.transaction(async ({ categories }) => {
        const ids = (places: readonly { readonly id: string }[]) => places.map(({ id }) => id.slice(4)).join('')
        assert.equal(ids(await categories.places('ctg-1', 9)), '10234')
        assert.equal(ids(await categories.places('ctg-1', 2)), '10')
        const middle = (await categories.placeOf('ctg-1', 'ent-2'))!
        assert.equal(middle.sortOrder, 5)
        assert.equal(await categories.placeOf('ctg-2', 'ent-2'), undefined)
        assert.equal(ids(await categories.placesBefore('ctg-1', middle, 9)), '01')
        assert.equal(ids(await categories.placesBefore('ctg-1', undefined, 2)), '43')
        assert.equal(ids(await categories.placesFrom('ctg-1', middle, 9)), '234')
        assert.equal(ids(await categories.placesFrom('ctg-1', middle, 1)), '24')
      })
    })

    it('are counted and listed with those of the categories below, each once', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertCategories(tx)
        for (const id of ['ent-1', 'ent-2']) {
          await insertRecord(tx, recordOf(id))
          await tx.categories.setAssignments(id, [{ categoryId: 'ctg-2', sortOrder: 0 }])
        }
        await tx.categories.setAssignments('ent-2', [
          { categoryId: 'ctg-1', sortOrder: 0 },
          { categoryId: 'ctg-2', sortOrder: 0 },
        ])
      })
      const { categoryTrees } = store.read
      const { signal } = new AbortController()
      const counts = await categoryTrees.counts('cat-1', 'usr-1', signal)
      assert.deepEqual(
        counts.filter(({ id }) => id === 'ctg-1' || id === 'ctg-2').toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        [
          { id: 'ctg-1', direct: 1, total: 2 },
          { id: 'ctg-2', direct: 2, total: 2 },
        ],
      )
    })
  })

  describe(`${backend.name}: categories in steps`, () => {
    it('tells of some records in a category, and of a category below another', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(async (tx) => {
        await insertCategories(tx)
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

    it('lists the categories right below one, or at the top, and the way from one to the top', async (test) => {
      const { store } = await openWithModel(backend, test)
      await store.transaction(insertCategories)
      const { categories } = store.read
      const all = await categories.listOf('cat-1')
      for (const parentId of [null, 'ctg-1', 'ctg-2'])
        assert.deepEqual(
          await categories.childrenOf('cat-1', parentId),
          all.filter((one) => one.parentId === parentId),
        )
      assert.deepEqual(await categories.childrenOf('none', null), [])
      const path = [
        { id: 'ctg-2', catalogId: 'cat-1', parentId: 'ctg-1' },
        { id: 'ctg-1', catalogId: 'cat-1', parentId: null },
      ]
      assert.deepEqual(await categories.pathOf('ctg-2'), path)
      assert.deepEqual(await categories.pathOf('none'), [])
    })
  })
}
