// The search index as a file that can be lost, damaged or too new: answers stay right, and it is rebuilt.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import { foldText } from '../../../src/kernel/text.ts'
import { openReader, openWriter } from '../../../src/store/sqlite/connection.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import { attribute } from '../../helpers/domain-model.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { DEFAULT_WORKFLOW } from '../../../src/core/model/rules/workflow.ts'
import { insertRecord, recordOf } from '../contract/fixtures.ts'
import type { SearchQuery } from '../../../src/store/search-port.ts'

const role = BUILT_IN_ROLES[0]!
const schema = {
  id: 'sch-a',
  name: 'A',
  workflowId: DEFAULT_WORKFLOW.id,
  combinations: null,
  createdAt: '',
  updatedAt: '',
}
const valuesOf = (text: string): string => JSON.stringify({ name: [{ scope: {}, value: text }] })

/** A store with three records called `shirt`, and the file of its index. */
async function openFilled(test: TestContext, faults: string[] = []) {
  const directory = makeTempDirectory()
  const open = async (): Promise<SqliteStore> => {
    const store = await openSqliteStore({
      file: path.join(directory, 'pimlet.db'),
      onFault: (message) => faults.push(message),
    })
    test.after(() => store.close())
    return store
  }
  const store = await open()
  await store.transaction(async (tx) => {
    await tx.workflows.insert(DEFAULT_WORKFLOW)
    await tx.schemas.insert({ ...schema, attributes: [attribute('name')] })
    for (const id of ['ent-1', 'ent-2', 'ent-3'])
      await insertRecord(tx, recordOf(id, { valuesJson: valuesOf('shirt') }))
  })
  await store.whenIndexed()
  return { store, open, directory, indexFile: path.join(directory, 'search-index.db') }
}

async function find(store: SqliteStore, value: string, limit: number | null = 10): Promise<string[]> {
  const criteria = [{ attributeAlias: 'name', operator: 'equals', value }] as const
  const query: SearchQuery = {
    find: { kind: 'criteria', criteria: { criteria, criteriaOperator: 'and' } },
    role,
    offset: 0,
    limit,
  }
  const { batches } = await store.read.search(query, AbortSignal.timeout(10_000))
  return (await Array.fromAsync(batches)).flat().map((record) => record.id)
}

async function findText(store: SqliteStore, text: string): Promise<string[]> {
  const query: SearchQuery = { find: { kind: 'text', text }, role, offset: 0, limit: 10 }
  const { batches } = await store.read.search(query, AbortSignal.timeout(10_000))
  return (await Array.fromAsync(batches)).flat().map((record) => record.id)
}

const all = ['ent-1', 'ent-2', 'ent-3']

describe('The search index', () => {
  it('has large texts as it has others, from their first character to their last, and follows their changes', async (test) => {
    const { store } = await openFilled(test)
    const large = (word: string, times = 10_000): string =>
      `Begin${'Σ 漢字 😀 ab'.repeat(times)}${word}${'İ'.repeat(40_000)}End`
    /** More than the full-text index takes. */
    const huge = (word: string): string => large(word, 100_000)
    const change = async (text: string): Promise<void> => {
      await store.transaction(async (tx) => {
        const record = (await tx.records.get('ent-2'))!
        const entry = {
          id: `aud-${text.length}`,
          entityId: 'ent-2',
          userId: 'u',
          timestamp: '',
          action: 'update',
        } as const
        const version = tx.newVersion()
        tx.audit.append({ ...entry, changes: [], origin: { kind: 'api' }, schemaId: 'sch-a', version })
        await tx.records.update(record, { ...record, version, valuesJson: valuesOf(text) })
      })
      await store.whenIndexed()
    }
    const texts = [
      large('Needle'),
      large('Needle'),
      huge('Other'),
      huge('Needle'),
      large('Other'),
      'small',
      huge('Last'),
    ]
    for (const text of texts) {
      await change(text)
      for (const word of ['begin', 'needle', 'other', 'σ 漢字 😀', 'small', 'i\u0307end'])
        assert.deepEqual(await findText(store, word), foldText(text).includes(word) ? ['ent-2'] : [], word)
      assert.deepEqual(await find(store, text), ['ent-2'])
    }
  })

  it('that is lost is rebuilt at the next start, and answers are right meanwhile', async (test) => {
    const { store, open, indexFile } = await openFilled(test)
    await store.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(indexFile + suffix, { force: true })
    const again = await open()
    assert.deepEqual(await find(again, 'shirt'), all)
    await again.whenIndexed()
    assert.deepEqual(await find(again, 'shirt'), all)
  })

  it('that is no database is rebuilt at the next start', async (test) => {
    const { store, open, indexFile } = await openFilled(test)
    await store.close()
    writeFileSync(indexFile, 'This is not a database. '.repeat(1000))
    const again = await open()
    assert.deepEqual(await find(again, 'shirt'), all)
    await again.whenIndexed()
    assert.deepEqual(await find(again, 'shirt'), all)
  })

  it('that knows more than the records do, as after a restored backup, is rebuilt', async (test) => {
    const { store, open, directory } = await openFilled(test)
    const backup = makeTempDirectory()
    await store.close()
    cpSync(path.join(directory, 'pimlet.db'), path.join(backup, 'pimlet.db'))
    const later = await open()
    await later.transaction(async (tx) => {
      const [first] = (await tx.records.list({}, { offset: 0, limit: 1 }))!.items
      await tx.records.update(first!, { ...first!, valuesJson: valuesOf('trousers') })
    })
    await later.whenIndexed()
    await later.close()
    cpSync(path.join(backup, 'pimlet.db'), path.join(directory, 'pimlet.db'))
    for (const suffix of ['-wal', '-shm']) rmSync(path.join(directory, `pimlet.db${suffix}`), { force: true })
    const restored = await open()
    assert.deepEqual(await find(restored, 'shirt'), all)
    await restored.whenIndexed()
    assert.deepEqual(await find(restored, 'shirt'), all)
    assert.deepEqual(await find(restored, 'trousers'), [])
  })

  it('that is so old that the changes since are forgotten is rebuilt', async (test) => {
    const { store, open, directory, indexFile } = await openFilled(test)
    await store.close()
    const old = path.join(makeTempDirectory(), 'search-index.db')
    cpSync(indexFile, old)
    const later = await open()
    const many = Array.from({ length: 2500 }, (_, n) => `new-${n}`)
    await later.transaction(async (tx) => {
      for (const id of many) await insertRecord(tx, recordOf(id, { valuesJson: valuesOf('coat') }))
    })
    await later.whenIndexed()
    // What is indexed is forgotten some time after; the next transaction comes behind that.
    await later.transaction((tx) => tx.records.count({}))
    await later.close()
    const db = openReader(path.join(directory, 'pimlet.db'))
    assert.ok((db.prepare('SELECT min(sequence) FROM index_pending').pluck().get() as number) > 1000)
    db.close()
    cpSync(old, indexFile)
    const again = await open()
    assert.equal((await find(again, 'coat', null)).length, many.length)
    await again.whenIndexed()
    assert.deepEqual(await find(again, 'coat', null), many)
    assert.deepEqual(await find(again, 'shirt'), all)
  })

  it('that is found damaged while it is kept is rebuilt at once', async (test) => {
    const faults: string[] = []
    const { store, indexFile } = await openFilled(test, faults)
    assert.deepEqual(await find(store, 'shirt'), all)
    const damage = openWriter(indexFile, { durable: false })
    damage.exec('DROP TABLE indexed')
    damage.close()
    await store.transaction((tx) => insertRecord(tx, recordOf('ent-4', { valuesJson: valuesOf('shirt') })))
    await store.whenIndexed()
    assert.equal(faults.length, 1, faults.join())
    for (const limit of [10, null]) assert.deepEqual(await find(store, 'shirt', limit), [...all, 'ent-4'])
  })

  it('a search that is under way when its thread ends is UNAVAILABLE, and waits for nothing', async (test) => {
    const { store } = await openFilled(test)
    const long = 'x'.repeat(300_000)
    await store.transaction(async (tx) => {
      for (let n = 0; n < 5; n += 1) await insertRecord(tx, recordOf(`long-${n}`, { valuesJson: valuesOf(long) }))
    })
    const criteria = { criteria: [], criteriaOperator: 'and' } as const
    const query: SearchQuery = { find: { kind: 'criteria', criteria }, role, offset: 0, limit: null }
    const { batches } = await store.read.search(query, AbortSignal.timeout(10_000))
    const iterator = batches[Symbol.asyncIterator]()
    assert.equal((await iterator.next()).done, false)
    await store.close()
    await assert.rejects(iterator.next(), { code: 'UNAVAILABLE' })
  })
})
