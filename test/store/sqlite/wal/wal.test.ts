// The wal as the one who commits sees it. A real database; the other end of its thread is the test.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openReader, openWriter } from '../../../../src/store/sqlite/connection.ts'
import { ReadView } from '../../../../src/store/sqlite/wal/read-view.ts'
import { SyncedWal } from '../../../../src/store/sqlite/wal/wal.ts'
import { makeTempDirectory } from '../../../helpers/temp-directory.ts'

type Callback = (error: Error | null) => void

function open(test: TestContext) {
  const file = path.join(makeTempDirectory(), 'a.db')
  const writer = openWriter(file, { durable: false })
  writer.exec('CREATE TABLE filler (content BLOB)')
  const reader = openReader(file)
  const wal = new SyncedWal({ writer, view: new ReadView(reader), onFault: assert.fail })
  const thread = wal.connect()
  const told: string[] = []
  thread.on('message', (message: string) => told.push(message))
  test.after(() => {
    thread.close()
    reader.close()
    wal.close()
    writer.close()
  })
  const insert = writer.prepare('INSERT INTO filler (content) VALUES (zeroblob(4096))')
  const count = reader.prepare('SELECT count(*) FROM filler').pluck()
  return { wal, thread, told, insert: () => void insert.run(), count: () => count.get() }
}

/** A sync ends when the test says so. */
function holdSyncs(test: TestContext): Callback[] {
  const syncs: Callback[] = []
  test.mock.method(fs, 'fdatasync', (_handle: number, callback: Callback) => syncs.push(callback))
  return syncs
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(1)
}

/** Whether it was pending some turns later. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([promise.then(() => 'over'), sleep(20, 'pending')])) === 'pending'
}

/** Until the thread has been heard: it wants to begin again. */
async function untilNoneMayBegin(wal: SyncedWal): Promise<void> {
  while (!(await isPending(wal.whenWritable()))) await sleep(1)
}

describe('SQLite: the wal', () => {
  it('shows readers a commit when it is on the disk, and nothing of one that fails', async (test) => {
    const { wal, insert, count } = open(test)
    const syncs = holdSyncs(test)
    await assert.rejects(
      wal.commit(() => assert.fail('no room')),
      /no room/,
    )
    assert.equal(syncs.length, 0)
    const committing = wal.commit(insert)
    assert.equal(count(), 0)
    syncs[0]!(null)
    await committing
    assert.equal(count(), 1)
    assert.ok(wal.bytes() > 4096)
  })

  it('lets the thread begin it again when a transaction that takes many turns is over, and lets none begin meanwhile', async (test) => {
    const { wal, thread, told } = open(test)
    await wal.whenWritable()
    const end = wal.begin()
    thread.postMessage('restart')
    await untilNoneMayBegin(wal)
    const writable = wal.whenWritable()
    assert.equal(await isPending(writable), true)
    assert.deepEqual(told, [])
    end()
    await until(() => told.length > 0)
    assert.deepEqual(told, ['writersWait'])
    assert.equal(await isPending(writable), true)
    thread.postMessage('restarted')
    await writable
  })

  it('that may have lost a commit takes no other, and never shows it to readers', async (test) => {
    const { wal, insert, count } = open(test)
    const syncs = holdSyncs(test)
    const committing = wal.commit(insert)
    syncs[0]!(new Error('i/o error'))
    await assert.rejects(committing, { code: 'UNAVAILABLE' })
    assert.equal(wal.isBroken, true)
    await assert.rejects(wal.whenWritable(), { code: 'UNAVAILABLE' })
    await sleep(5)
    assert.equal(count(), 0)
  })

  it('starts again when no commit is on its way to the disk, and nobody begins one meanwhile', async (test) => {
    const { wal, thread, told, insert } = open(test)
    const syncs = holdSyncs(test)
    const committing = wal.commit(insert)
    thread.postMessage('restart')
    await untilNoneMayBegin(wal)
    assert.deepEqual(told, [])
    const next = wal.whenWritable()
    syncs[0]!(null)
    await committing
    await until(() => told.length === 1)
    assert.deepEqual(told, ['writersWait'])
    assert.ok(await isPending(next))
    thread.postMessage('restarted')
    await next
  })

  it('lets writers go on when its thread dies while they wait for it', async (test) => {
    const { wal, thread, told } = open(test)
    thread.postMessage('restart')
    await until(() => told.length === 1)
    const next = wal.whenWritable()
    assert.ok(await isPending(next))
    thread.close()
    await next
  })

  it('asks for room once a second at most, of the thread that there is now', async (test) => {
    const { wal, thread, told } = open(test)
    thread.close()
    const next = wal.connect()
    next.on('message', (message: string) => told.push(message))
    test.after(() => next.close())
    wal.makeRoom()
    wal.makeRoom()
    await until(() => told.length > 0)
    await sleep(5)
    assert.deepEqual(told, ['makeRoom'])
  })
})
