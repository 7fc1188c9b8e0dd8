// What is acknowledged survives a power cut: the wal is on the disk first. The system's fdatasync is held and failed here.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PimletError } from '../../../../src/kernel/errors.ts'
import { openSqliteStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts'
import { makeTempDirectory } from '../../../helpers/temp-directory.ts'
import { insertModel, insertRecord, recordOf } from '../../contract/fixtures.ts'

type Callback = (error: NodeJS.ErrnoException | null) => void

async function open(file: string, test: TestContext): Promise<SqliteStore> {
  const onFault = (message: string, error: unknown): void => assert.fail(`${message}: ${String(error)}`)
  const store = await openSqliteStore({ file, onFault })
  test.after(() => {
    // Syncs that a failed test has left open would keep it from closing.
    test.mock.restoreAll()
    for (const sync of held.splice(0)) sync(null)
    return store.close()
  })
  return store
}

const held: Callback[] = []

/** From now on a sync ends when the test says so. */
function holdSyncs(test: TestContext): { readonly syncs: Callback[]; readonly restore: () => void } {
  const syncs: Callback[] = []
  const { mock } = test.mock.method(fs, 'fdatasync', (_handle: number, callback: Callback) => {
    syncs.push(callback)
    held.push(callback)
  })
  return { syncs, restore: () => mock.restore() }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(1)
}

const isUnavailable = (error: unknown): boolean => error instanceof PimletError && error.code === 'UNAVAILABLE'

describe('SQLite: durability', () => {
  it('a write is acknowledged, and shown to readers, only when its wal is on the disk', async (test) => {
    const store = await open(path.join(makeTempDirectory(), 'pimlet.db'), test)
    await store.transaction(insertModel)
    const { syncs, restore } = holdSyncs(test)
    let isAcknowledged = false
    const writing = store.transaction((tx) => insertRecord(tx, recordOf('ent-1'))).then(() => (isAcknowledged = true))
    await until(() => syncs.length === 1)
    await sleep(20)
    assert.equal(isAcknowledged, false)
    assert.equal(await store.read.records.get('ent-1'), undefined)
    assert.equal((await store.read.records.list({}, { limit: 10, offset: 0 }))!.total, 0)
    restore()
    syncs[0]!(null)
    await writing
    assert.equal((await store.read.records.get('ent-1'))?.id, 'ent-1')
    assert.equal((await store.read.records.list({}, { limit: 10, offset: 0 }))!.total, 1)
  })

  it('what was written while a sync was under way waits for a sync of its own', async (test) => {
    const store = await open(path.join(makeTempDirectory(), 'pimlet.db'), test)
    await store.transaction(insertModel)
    const { syncs, restore } = holdSyncs(test)
    const first = store.transaction((tx) => insertRecord(tx, recordOf('ent-1')))
    await until(() => syncs.length === 1)
    const others = ['ent-2', 'ent-3'].map((id) => store.transaction((tx) => insertRecord(tx, recordOf(id))))
    syncs[0]!(null)
    await first
    await until(() => syncs.length === 2)
    assert.equal(await store.read.records.get('ent-2'), undefined)
    restore()
    syncs[1]!(null)
    await Promise.all(others)
    assert.equal((await store.read.records.get('ent-3'))?.id, 'ent-3')
    assert.equal(syncs.length, 2)
  })

  it('where the disk may have lost a write it is refused, nothing more is written, and a new start goes on', async (test) => {
    const file = path.join(makeTempDirectory(), 'pimlet.db')
    const store = await open(file, test)
    await store.transaction(insertModel)
    const { syncs, restore } = holdSyncs(test)
    const lost = store.transaction((tx) => insertRecord(tx, recordOf('ent-1')))
    await until(() => syncs.length === 1)
    restore()
    syncs[0]!(Object.assign(new Error('i/o error'), { code: 'EIO' }))
    await assert.rejects(lost, isUnavailable)
    assert.equal(await store.read.records.get('ent-1'), undefined)
    await assert.rejects(
      store.transaction((tx) => insertRecord(tx, recordOf('ent-2'))),
      isUnavailable,
    )
    await assert.rejects(store.ping(), isUnavailable)
    assert.equal(await store.read.records.get('ent-1'), undefined)
    assert.equal((await store.read.records.list({}, { limit: 10, offset: 0 }))!.total, 0)
    await store.close()
    const next = await open(file, test)
    await next.transaction((tx) => insertRecord(tx, recordOf('ent-2')))
    assert.equal((await next.read.records.get('ent-2'))?.id, 'ent-2')
  })
})
