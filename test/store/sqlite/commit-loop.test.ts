// The loop that writes: who is committed with whom, and who is told what where something fails. A real database; the wal is
// the test's, and says when a commit is durable.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { PimletError } from '../../../src/kernel/errors.ts'
import { CommitLoop } from '../../../src/store/sqlite/commit-loop.ts'
import { openWriter } from '../../../src/store/sqlite/connection.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { ModelTables } from '../../../src/store/sqlite/stored-model.ts'
import { PendingChanges } from '../../../src/store/sqlite/pending-changes.ts'
import type { Wal } from '../../../src/store/sqlite/wal/wal.ts'
import { WriterNumbers } from '../../../src/store/sqlite/writer-numbers.ts'
import { WrittenModel } from '../../../src/store/sqlite/written-model.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const noRoom = new PimletError('UNAVAILABLE', 'no room')

/** What happens, in order, is in `events`. `wal` replaces parts of the one that always keeps what is committed. */
function open(test: TestContext, wal: Partial<Wal> = {}) {
  // On a busy machine a batch would otherwise be over after its first transaction.
  test.mock.method(performance, 'now', () => 0)
  const writer = openWriter(path.join(makeTempDirectory(), 'a.db'), { durable: false })
  migrate(writer)
  const events: string[] = []
  const loop = new CommitLoop({
    writer,
    wal: {
      isBroken: false,
      whenWritable: async () => undefined,
      begin: () => () => undefined,
      commit: async (write) => {
        write()
        events.push('durable')
      },
      makeRoom: () => events.push('room'),
      bytes: () => 0,
      close: () => undefined,
      ...wal,
    },
    model: new WrittenModel(writer, new ModelTables(writer)),
    numbers: new WriterNumbers(writer),
    changes: new PendingChanges(writer),
    index: { advance: (sequence) => events.push(`index ${sequence}`) },
    onCommit: [(transactions) => events.push(`${transactions} committed`)],
  })
  test.after(async () => {
    await loop.close()
    writer.close()
  })
  const insert = writer.prepare('INSERT INTO index_pending (record_n) VALUES (?)')
  const noted = writer.prepare<[], number>('SELECT record_n FROM index_pending ORDER BY record_n').pluck()
  return {
    loop,
    writer,
    events,
    /** Notes a change of a record; `fault` is thrown afterwards. */
    note: (n: number, fault?: Error) =>
      loop.queue.submit(async () => {
        insert.run(n)
        if (fault !== undefined) throw fault
        return n
      }),
    noted: () => noted.all(),
  }
}

describe('SQLite: the commit loop', () => {
  it('commits what waits at the same moment together, and tells of it when it is durable', async (test) => {
    const { note, events, noted } = open(test)
    const told = [1, 2, 3].map(async (n) => events.push(`told ${await note(n)}`))
    await Promise.all(told)
    assert.deepEqual(events, ['durable', '3 committed', 'index 3', 'told 1', 'told 2', 'told 3'])
    assert.deepEqual(noted(), [1, 2, 3])
  })

  it('a transaction that throws takes no neighbour with it, and gets its own error', async (test) => {
    const { note, noted } = open(test)
    const fault = new Error('of its own')
    const ended = await Promise.allSettled([note(1), note(2, fault), note(3)])
    assert.deepEqual(
      ended.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)),
      [1, fault, 3],
    )
    assert.deepEqual(noted(), [1, 3])
  })

  it('where a batch cannot be committed each of it is told so, room is made, and the next one goes on', async (test) => {
    let isFull = true
    const { note, events, noted } = open(test, {
      commit: async (write) => {
        if (isFull) throw noRoom
        write()
      },
    })
    const ended = await Promise.allSettled([note(1), note(2)])
    assert.deepEqual(
      ended.map((one) => one.status === 'rejected' && one.reason),
      [noRoom, noRoom],
    )
    assert.deepEqual([events, noted()], [['room'], []])
    isFull = false
    await note(3)
    assert.deepEqual(noted(), [3])
  })

  it('where the database itself takes the batch back, nobody in it is told that it was kept', async (test) => {
    const { loop, writer, note, noted } = open(test)
    // As SQLite does after SQLITE_FULL.
    const takeBack = async (): Promise<never> => {
      writer.exec('ROLLBACK')
      throw noRoom
    }
    const ended = await Promise.allSettled([note(1), loop.queue.submit(takeBack), note(3)])
    assert.deepEqual(
      ended.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as PimletError).code)),
      ['UNAVAILABLE', 'UNAVAILABLE', 3],
    )
    assert.deepEqual(noted(), [3])
  })

  it('where nothing may be written any more, all who wait are refused', async (test) => {
    const { note, noted } = open(test, {
      whenWritable: async () => {
        throw noRoom
      },
    })
    const ended = await Promise.allSettled([note(1), note(2)])
    assert.ok(ended.every((one) => one.status === 'rejected' && one.reason === noRoom))
    await assert.rejects(note(3), noRoom)
    assert.deepEqual(noted(), [])
  })

  it('ends what was submitted before it was closed, and refuses what comes later', async (test) => {
    const { loop, note, noted } = open(test)
    const submitted = note(1)
    await Promise.all([loop.close(), submitted])
    await assert.rejects(note(2), { code: 'UNAVAILABLE' })
    assert.deepEqual(noted(), [1])
  })
})
