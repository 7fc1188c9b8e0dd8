// Records with what is asked of each: found, listed and read by their IDs; and what a search finds, for exports.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ItemView } from '../../../src/core/search/rules/item-view.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { Store } from '../../../src/store/port.ts'
import { type Backend, hasCode, openWithModel } from './backend.ts'
import { insertCategories, insertRecord, insertRecords, recordOf } from './fixtures.ts'
import type { FoundRecord, SearchQuery, SearchResult } from '../../../src/store/search-port.ts'

const role = BUILT_IN_ROLES[0]!
const PAGE = { offset: 0, limit: 10 }
const signal = (): AbortSignal => AbortSignal.timeout(20_000)
const EVERYTHING: SearchQuery = {
  find: { kind: 'criteria', criteria: { criteria: [], criteriaOperator: 'and' } },
  role,
  offset: 0,
  limit: null,
}

/** Each record with its members, its parts put together. */
async function itemsOf({ batches }: SearchResult): Promise<{ id: string; more: Record<string, unknown> }[]> {
  const items: { record: FoundRecord; json: string }[] = []
  for await (const batch of batches)
    for (const part of batch) {
      if (part.isContinued === true) items.at(-1)!.json += part.moreJson ?? ''
      else items.push({ record: part, json: part.moreJson ?? '' })
    }
  return items.map(({ record, json }) => ({ id: record.id, more: JSON.parse(`{${json.slice(1)}}`) as never }))
}

const idsOf = async (result: SearchResult): Promise<string> => (await itemsOf(result)).map(({ id }) => id).join(' ')

async function insertFamily(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    await insertCategories(tx)
    await insertRecord(tx, recordOf('ent-1'))
    await insertRecord(tx, recordOf('ent-2', { schemaId: 'sch-b', updatedAt: '2026-02-01T00:00:00.000Z' }))
    for (const id of ['ent-3', 'ent-4']) await insertRecord(tx, recordOf(id, { parentId: 'ent-1' }))
    for (const [id, sortOrder] of [
      ['ent-1', 2],
      ['ent-2', 1],
      ['ent-3', 3],
    ] as const)
      await tx.categories.setAssignments(id, [{ categoryId: 'ctg-1', sortOrder }])
  })
}

export function describeItems(backend: Backend): void {
  describe(`${backend.name}: records with what is asked of each`, () => {
    const view: ItemView = { include: ['version', 'variantCount', 'categories'] }

    it('are the same whether they are found, listed, in a category or read', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertFamily(store)
      const { search, items } = store.read
      const found = await itemsOf(await search({ ...EVERYTHING, view }, signal()))
      assert.deepEqual(
        found.map(({ id }) => id),
        ['ent-1', 'ent-2', 'ent-3', 'ent-4'],
      )
      assert.deepEqual(found[0]!.more, {
        version: (await store.read.records.get('ent-1'))!.version,
        variantCount: 2,
        categories: [{ entityId: 'ent-1', categoryId: 'ctg-1', sortOrder: 2 }],
      })
      const list = await items.list({ filter: {}, page: PAGE, view, role }, signal())
      assert.equal(list.total, 4)
      assert.deepEqual(await itemsOf(list), found)
      const inCategory = await items.inCategory(
        { includeChildren: false, categoryId: 'ctg-1', page: PAGE, view, role },
        signal(),
      )
      assert.equal(inCategory.total, 3)
      const wanted = ['ent-2', 'ent-1', 'ent-3'].map((id) => found.find((item) => item.id === id))
      assert.deepEqual(await itemsOf(inCategory), wanted)
      assert.deepEqual(await itemsOf(await items.get({ recordId: 'ent-1', view, role }, signal())), [found[0]])
    })

    it('are listed by filter and page', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertFamily(store)
      const list = async (filter: object, page = PAGE) => {
        const result = await store.read.items.list({ filter, page, view: {}, role }, signal())
        return [await idsOf(result), result.total]
      }
      assert.deepEqual(await list({ parentId: 'ent-1' }, { offset: 1, limit: 2 }), ['ent-4', 2])
    })

    it('have their variants behind them where they are included, and are NOT_FOUND where they are not there', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertFamily(store)
      const get = (recordId: string) =>
        store.read.items.get({ recordId, view: { include: ['variants'] }, role }, signal())
      const parts = (await Array.fromAsync((await get('ent-1')).batches)).flat()
      assert.deepEqual(
        parts.map(({ id, isOpen = false }) => [id, isOpen]),
        [
          ['ent-1', true],
          ['ent-3', false],
          ['ent-4', false],
        ],
      )
      await assert.rejects(async () => Array.fromAsync((await get('none')).batches), hasCode('NOT_FOUND'))
    })

    it('are not counted where nobody asks how many there are', async (test) => {
      const { store } = await openWithModel(backend, test)
      await insertFamily(store)
      const page = { ...EVERYTHING, limit: 2 }
      assert.equal((await store.read.search(page, signal())).total, 4)
      const result = await store.read.search({ ...page, isCounted: false }, signal())
      assert.deepEqual([result.total, await idsOf(result)], [null, 'ent-1 ent-2'])
    })
  })

  describe(`${backend.name}: what a search finds, for exports`, () => {
    it('is of one moment, as often as it is read, with what variants inherit and where they are', async (test) => {
      const { store, openFoundSnapshot } = await openWithModel(backend, test)
      await insertFamily(store)
      const snapshot = await openFoundSnapshot(EVERYTHING)
      await store.transaction(async (tx) => {
        await tx.records.delete('ent-2')
        await insertRecord(tx, recordOf('ent-9'))
      })
      for (let time = 0; time < 2; time += 1) {
        const records = (await Array.fromAsync(snapshot.batches({ withCategories: 'effective' }))).flat()
        assert.deepEqual(
          records.map(({ id, parentValuesJson, categoryIds }) => [id, parentValuesJson, categoryIds]),
          [
            ['ent-1', null, ['ctg-1']],
            ['ent-2', null, ['ctg-1']],
            ['ent-3', '{}', ['ctg-1']],
            ['ent-4', '{}', ['ctg-1']],
          ],
        )
      }
      assert.ok(snapshot.model.schemas.has('sch-b'))
      assert.deepEqual(
        (await snapshot.categoriesOf('cat-1')).map(({ id }) => id),
        (await store.read.categories.listOf('cat-1')).map(({ id }) => id),
      )
      await snapshot.close()
    })

    it('sees what was committed before, whether the search index has it or not, and the page that is asked for', async (test) => {
      const { store, openFoundSnapshot, whenSettled } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1', 'ent-2', 'ent-3'])
      for (const isSettled of [false, true]) {
        if (isSettled) await whenSettled()
        const snapshot = await openFoundSnapshot({ ...EVERYTHING, schemaId: 'sch-a', offset: 1, limit: 1 })
        const records = (await Array.fromAsync(snapshot.batches())).flat()
        assert.deepEqual(
          records.map(({ id }) => id),
          ['ent-2'],
        )
        await snapshot.close()
      }
    })

    it('is UNAVAILABLE where finding takes longer than it may', async (test) => {
      const { store, openFoundSnapshot } = await openWithModel(backend, test)
      await insertRecords(store, ['ent-1'])
      const snapshot = await openFoundSnapshot(EVERYTHING, 0)
      await assert.rejects(Array.fromAsync(snapshot.batches()), hasCode('UNAVAILABLE'))
      await snapshot.close()
    })
  })
}
