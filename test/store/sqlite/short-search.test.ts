// Which searches are answered on the main thread, and that they answer what the reader threads do.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { QueryCriterion } from '../../../src/core/search/rules/criterion.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import { attribute } from '../../helpers/domain-model.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { AT, insertRecord, insertRecords, recordOf } from '../contract/fixtures.ts'

const PAGE = { offset: 5, limit: 10 }
const sizeIs = (value: number): QueryCriterion => ({ attributeAlias: 'size', operator: 'equals', value: String(value) })
const valuesOf = (size: number, name = `Shirt of ${size}`) =>
  JSON.stringify({ size: [{ scope: {}, value: size }], name: [{ scope: {}, value: name }] })

describe('A search by one criterion', () => {
  let store: SqliteStore
  before(async () => {
    store = await openSqliteStore({
      file: path.join(makeTempDirectory(), 'pimlet.db'),
      onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
    })
    const attributes = [attribute('size', { dataType: 'number' }), attribute('name')]
    await store.transaction(async (tx) => {
      await tx.workflows.insert(DEFAULT_WORKFLOW)
      const schema = { name: 'S', workflowId: DEFAULT_WORKFLOW.id, combinations: null, createdAt: AT, updatedAt: AT }
      await tx.schemas.insert({ ...schema, id: 'sch-a', attributes })
      for (let n = 0; n < 90; n += 1)
        await insertRecord(tx, recordOf(`ent-${n}`, { schemaId: 'sch-a', valuesJson: valuesOf(n % 3) }))
      await insertRecord(tx, recordOf('large', { schemaId: 'sch-a', valuesJson: valuesOf(9, 'x'.repeat(1_100_000)) }))
      for (let n = 0; n < 20; n += 1)
        await insertRecord(tx, recordOf(`far-${n}`, { schemaId: 'sch-a', valuesJson: valuesOf(8) }))
    })
    await store.whenIndexed()
  })
  after(() => store.close())

  async function ask(criterion: QueryCriterion, more: Partial<SearchQuery> = {}) {
    const criteria = { criteria: [criterion], criteriaOperator: 'and' } as const
    const query = {
      find: { kind: 'criteria', criteria },
      role: BUILT_IN_ROLES[0]!,
      schemaId: 'sch-a',
      ...PAGE,
      ...more,
    }
    const { total, next, batches } = await store.read.search(query as SearchQuery, AbortSignal.timeout(20_000))
    const tasks = store.gauges().find(({ name }) => name === 'pimlet_reader_tasks')!.value
    const records = (await Array.fromAsync(batches)).flat()
    return { ids: records.map(({ id }) => id), records, total, next, isShort: tasks === 0 }
  }

  it('of a short page is answered without a thread, and the same', async () => {
    const all = await ask(sizeIs(1), { offset: 0, limit: null })
    assert.equal(all.isShort, false)
    for (const offset of [0, 5, 25, 40]) {
      const { isShort, ids, records, total, next } = await ask(sizeIs(1), { offset })
      assert.deepEqual(ids, all.ids.slice(offset, offset + 10))
      assert.deepEqual(records, all.records.slice(offset, offset + 10))
      assert.deepEqual([isShort, total, next === null], [true, 30, ids.length < 10])
    }
    const first = await ask(sizeIs(1), { offset: 0 })
    const second = await ask(sizeIs(1), { offset: 0, after: first.next! })
    assert.deepEqual([second.isShort, second.ids], [true, all.ids.slice(10, 20)])
    assert.equal((await ask(sizeIs(1), { isCounted: false })).total, null)
  })

  it('sees what was written before it, and after the index has followed', async () => {
    assert.deepEqual((await ask(sizeIs(20), { offset: 0 })).ids, [])
    const wereShort: boolean[] = []
    for (let round = 20; round < 30; round += 1) {
      await insertRecords(store, [`new-${round}`], { schemaId: 'sch-a', valuesJson: valuesOf(round) })
      const unseen = await ask(sizeIs(round), { offset: 0 })
      assert.deepEqual([unseen.ids, unseen.total], [[`new-${round}`], 1])
      wereShort.push(unseen.isShort)
    }
    // The index may follow between the two snapshots of a search: threads answer this search.
    assert.ok(wereShort.includes(true))
    await store.whenIndexed()
    const { isShort, ids } = await ask(sizeIs(25), { offset: 0 })
    assert.deepEqual([isShort, ids], [true, ['new-25']])
  })

  it('is left to the threads where records are large, or more is asked for than a short page', async () => {
    const sort = [{ attributeAlias: 'size', direction: 'asc' }] as unknown as SearchQuery['sort']
    const view = { include: ['completeness'] } as const
    for (const more of [{ limit: 201 }, { offset: 191 }, { sort }, { view }])
      assert.equal((await ask(sizeIs(1), { offset: 0, ...more })).isShort, false, JSON.stringify(more))
    const { isShort, ids } = await ask(sizeIs(9), { offset: 0 })
    assert.deepEqual([isShort, ids], [false, ['large']])
    const inName: QueryCriterion = { attributeAlias: 'name', operator: 'contains', value: 'of 8' }
    assert.equal((await ask(inName)).isShort, false)
  })

  it('of a value that thousands have is counted and read from their rows; a range of thousands is left to the threads', async () => {
    const ids = Array.from({ length: 5200 }, (_, n) => `many-${n}`)
    await insertRecords(store, ids, { schemaId: 'sch-a', valuesJson: valuesOf(40) })
    await store.whenIndexed()
    for (const offset of [0, 190]) {
      const { isShort, total, ids: found } = await ask(sizeIs(40), { offset })
      assert.deepEqual([isShort, total, found], [true, 5200, ids.slice(offset, offset + 10)])
    }
    const range: QueryCriterion = { attributeAlias: 'size', operator: 'gt', value: '39' }
    for (const offset of [0, 0, 10]) {
      const { isShort, total, ids: found } = await ask(range, { offset })
      assert.deepEqual([isShort, total, found], [false, 5200, ids.slice(offset, offset + 10)])
    }
    await store.transaction(async (tx) => tx.records.delete(ids[0]!))
    const { total, ids: left } = await ask(sizeIs(40), { offset: 0 })
    assert.deepEqual([total, left], [5199, ids.slice(1, 11)])
  })
})
