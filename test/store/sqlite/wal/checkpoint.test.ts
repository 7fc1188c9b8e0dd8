// When the wal of the records starts again, and who waits for the disk then. Real databases; the index is needed for its own wal only.
import assert from 'node:assert/strict'
import { statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { type Connection, openReader, openWriter } from '../../../../src/store/sqlite/connection.ts'
import { removeIndex } from '../../../../src/store/sqlite/search-index/index-tables.ts'
import { Indexer } from '../../../../src/store/sqlite/search-index/indexer.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts'
import { Checkpoints, type FromCheckpoints } from '../../../../src/store/sqlite/wal/checkpoint.ts'
import { sizeOfWal } from '../../../../src/store/sqlite/wal/wal-file.ts'
import { mountSmallDisk, NOT_PERMITTED, type SmallDisk } from '../../../helpers/small-disk.ts'
import { makeTempDirectory } from '../../../helpers/temp-directory.ts'

const MEBIBYTE = 1024 * 1024
const PAGE = 4096

interface Fixture {
  readonly file: string
  readonly writer: Connection
  readonly checkpoints: Checkpoints
  /** What the main thread was told so far. */
  readonly told: () => Promise<string[]>
  /** Grows the wal by so many MiB. */
  readonly write: (mebibytes: number) => void
}

function open(test: TestContext, directory = makeTempDirectory()): Fixture {
  const file = path.join(directory, 'a.db')
  const writer = openWriter(file, { durable: false })
  writer.exec('CREATE TABLE filler (content BLOB)')
  const posted: string[] = []
  let onEnd = (): void => undefined
  const { port1, port2 } = new MessageChannel()
  port1.on('message', (message: FromCheckpoints | 'end') => {
    if (message === 'end') return onEnd()
    posted.push(message)
    if (message === 'restart') port1.postMessage('writersWait')
  })
  const told = async (): Promise<string[]> => {
    const isTold = new Promise<void>((resolve) => (onEnd = resolve))
    port2.postMessage('end')
    await isTold
    return posted
  }
  const index = { unmovedWal: 0, moveWal: () => undefined, shrinkWal: () => true }
  const checkpoints = new Checkpoints({ databaseFile: file, port: port2, index, onNeed: () => undefined })
  test.after(() => {
    checkpoints.close()
    writer.close()
  })
  const insert = writer.prepare('INSERT INTO filler (content) VALUES (zeroblob(?))')
  return { file, writer, checkpoints, told, write: (mebibytes) => insert.run(mebibytes * MEBIBYTE) }
}

describe('SQLite: the wal of the records', () => {
  it('starts again when it has become large, while no commit begins, and not before', async (test) => {
    const { writer, checkpoints, told, write } = open(test)
    write(10)
    await checkpoints.moveLarge()
    assert.deepEqual(await told(), [])
    write(10)
    await checkpoints.moveLarge()
    assert.deepEqual(await told(), ['restart', 'restarted'])
    assert.ok(sizeOfWal(writer).used < MEBIBYTE)
  })

  it('its first commit, which waits for the disk, is nobody’s who answers requests', async (test) => {
    const { writer, checkpoints, write } = open(test)
    write(20)
    await checkpoints.moveLarge()
    assert.equal(sizeOfWal(writer).used, PAGE)
    write(1)
    assert.ok(sizeOfWal(writer).used > MEBIBYTE)
  })

  it('is left alone by small commits afterwards, though its file keeps the room', async (test) => {
    const { checkpoints, told, write } = open(test)
    write(20)
    await checkpoints.moveLarge()
    write(1)
    await checkpoints.moveLarge()
    assert.deepEqual(await told(), ['restart', 'restarted'])
  })

  it('goes on where a reader needs it, and is tried again when it has grown by some more', async (test) => {
    const { file, checkpoints, told, write } = open(test)
    const reader = openReader(file)
    test.after(() => reader.close())
    write(1)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM filler').get()
    write(20)
    await checkpoints.moveLarge()
    write(1)
    await checkpoints.moveLarge()
    assert.equal((await told()).length, 2)
    reader.exec('COMMIT')
    write(4)
    await checkpoints.moveLarge()
    assert.equal((await told()).length, 4)
    assert.ok(sizeOfWal(reader).used < MEBIBYTE)
  })

  it('starts again at once where the disk is full, however small it is', async (test) => {
    const { writer, checkpoints, write } = open(test)
    write(2)
    await checkpoints.makeRoom()
    assert.equal(sizeOfWal(writer).used, PAGE)
  })

  it('does not take the last room of a disk on which it could not be moved whole', async (test) => {
    const disk = mountSmallDisk('size=8m')
    if (disk === undefined) return test.skip(NOT_PERMITTED)
    test.after(() => disk.unmount())
    const { writer, checkpoints, told, write } = open(test, disk.directory)
    write(2)
    disk.fill(MEBIBYTE)
    const left = roomOf(disk)
    await checkpoints.makeRoom()
    assert.deepEqual([roomOf(disk), await told()], [left, []])
    disk.free()
    disk.fill(3 * MEBIBYTE)
    await checkpoints.makeRoom()
    assert.equal(sizeOfWal(writer).used, PAGE)
  })
})

describe('SQLite: the wal of the search index', () => {
  it('gives its room back, and does not take the last of a disk on which it could not be moved whole', async (test) => {
    const disk = mountSmallDisk('size=8m')
    if (disk === undefined) return test.skip(NOT_PERMITTED)
    test.after(() => disk.unmount())
    const file = path.join(disk.directory, 'pimlet.db')
    await (await openSqliteStore({ file, onFault: assert.fail })).close()
    const indexFile = path.join(disk.directory, 'search-index.db')
    removeIndex(indexFile)
    const reader = openReader(file)
    const indexer = new Indexer(reader, indexFile, false)
    test.after(() => {
      indexer.close()
      reader.close()
    })
    while (indexer.step());
    const wal = (): number => statSync(`${indexFile}-wal`).size
    const left = { wal: wal(), room: PAGE }
    assert.ok(left.wal > 8 * PAGE)
    disk.fill(left.room)
    indexer.shrinkWal()
    assert.deepEqual({ wal: wal(), room: roomOf(disk) }, left)
    disk.free()
    indexer.shrinkWal()
    assert.equal(wal(), 0)
  })
})

/** Bytes. */
function roomOf({ directory }: SmallDisk): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
