// The model is what a fresh reading gives, whatever was written, failed or rolled back before, and keeps what did not change.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import type { Model } from '../../../src/core/model/rules/model.ts'
import { openReader } from '../../../src/store/sqlite/connection.ts'
import { ModelTables } from '../../../src/store/sqlite/stored-model.ts'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.ts'
import type { Reads, Transaction } from '../../../src/store/port.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

async function open(test: TestContext): Promise<{ store: SqliteStore; file: string }> {
  const file = path.join(makeTempDirectory(), 'pimlet.db')
  const store = await openSqliteStore({ file, onFault: (message) => assert.fail(message) })
  test.after(() => store.close())
  return { store, file }
}

const schema = (id: string, name: string) => ({
  id,
  name,
  workflowId: 'wf-default',
  attributes: [{ alias: name, dataType: 'text' } as never],
  combinations: null,
  createdAt: '',
  updatedAt: '',
})
const dimension = (id: string, name: string) => ({ id, name, segments: [] })

interface Write {
  readonly what: 'insert' | 'update' | 'delete'
  readonly table: 'schemas' | 'dimensions'
  readonly id: string
  readonly name: string
}
interface Work {
  readonly writes: readonly Write[]
  readonly fails: boolean
}

const anyWork: fc.Arbitrary<Work> = fc.record({
  writes: fc.array(
    fc.record({
      what: fc.constantFrom('insert' as const, 'update' as const, 'delete' as const),
      table: fc.constantFrom('schemas' as const, 'dimensions' as const),
      id: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('one', 'two', 'three'),
    }),
    { maxLength: 4 },
  ),
  fails: fc.boolean(),
})

const plain = ({ dimensions, schemas }: Model) =>
  JSON.stringify([[...dimensions.values()], [...schemas.values()].map(({ id, attributes }) => [id, attributes])])

/** The model, read from the tables as this transaction sees them. */
async function readAnew(tx: Pick<Reads, 'schemas' | 'dimensions'>): Promise<string> {
  const schemas = (await tx.schemas.list()).map(({ id, attributes }) => [id, attributes])
  return JSON.stringify([await tx.dimensions.list(), schemas])
}

async function write(tx: Transaction, { what, table, id, name }: Write): Promise<void> {
  const item = (table === 'schemas' ? schema(id, name) : dimension(id, name)) as never
  if (what === 'delete') await tx[table].delete(id)
  else if ((await tx[table].get(id)) === undefined) await tx[table].insert(item)
  else await tx[table].update(item)
}

describe('The model', () => {
  it('is what a fresh reading gives, in a transaction, after one that failed, and after a commit', async (test) => {
    const { store, file } = await open(test)
    const reader = openReader(file)
    test.after(() => reader.close())
    const compared = new ModelTables(reader)
    await fc.assert(
      fc.asyncProperty(fc.array(anyWork, { maxLength: 4 }), async (works) => {
        // Those that are submitted at once share a commit.
        const outcomes = works.map(({ writes, fails }) =>
          store.transaction(async (tx) => {
            for (const item of writes) {
              await write(tx, item)
              assert.equal(plain(await tx.model()), await readAnew(tx))
            }
            assert.equal(plain(await tx.model()), await readAnew(tx))
            if (fails) throw new Error('as wanted')
          }),
        )
        for (const [index, outcome] of (await Promise.allSettled(outcomes)).entries()) {
          if (works[index]!.fails) assert.match(String((outcome as PromiseRejectedResult).reason), /as wanted/)
          else assert.equal(outcome.status, 'fulfilled', String((outcome as PromiseRejectedResult).reason))
        }
        const expected = await readAnew(store.read)
        assert.equal(plain(await store.read.model()), expected)
        assert.equal(plain(compared.modelOfSnapshot()), expected)
      }),
      { numRuns: 60 },
    )
  })

  it('keeps what did not change', async (test) => {
    const { store, file } = await open(test)
    const reader = openReader(file)
    test.after(() => reader.close())
    const compared = new ModelTables(reader)
    await store.transaction(async (tx) => {
      for (const id of ['a', 'b']) await tx.schemas.insert(schema(id, 'one'))
      await tx.dimensions.insert(dimension('d', 'one'))
    })
    const looks = [
      () => store.read.model(),
      () => store.transaction((tx) => tx.model()),
      async () => compared.modelOfSnapshot(),
    ]
    const before = await Promise.all(looks.map((look) => look()))
    await store.transaction((tx) => tx.schemas.update(schema('a', 'two')))
    const after = await Promise.all(looks.map((look) => look()))
    for (const [index, was] of before.entries()) {
      const is = after[index]!
      assert.notEqual(is.schemas.get('a'), was.schemas.get('a'))
      assert.equal(is.schemas.get('b'), was.schemas.get('b'))
      assert.equal(is.dimensions, was.dimensions)
      assert.deepEqual([...was.schemas.get('a')!.attributes], [{ alias: 'one', dataType: 'text' }])
    }
  })

  it('has another version after each change, and the old one after a change that failed', async (test) => {
    const { store } = await open(test)
    const before = await store.read.modelVersion()
    const failed = store.transaction(async (tx) => {
      await tx.dimensions.insert(dimension('d', 'one'))
      assert.notEqual(await tx.modelVersion(), before)
      throw new Error('as wanted')
    })
    await assert.rejects(failed, /as wanted/)
    assert.equal(await store.read.modelVersion(), before)
    await store.transaction((tx) => tx.dimensions.insert(dimension('d', 'one')))
    assert.notEqual(await store.read.modelVersion(), before)
  })
})
