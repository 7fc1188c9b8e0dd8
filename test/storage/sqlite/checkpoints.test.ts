// When the write-ahead log of the records starts again, and who waits for the disk then. Real databases; the index is needed for its own log only.
import assert from 'node:assert/strict'
import { statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Connection, openReader, openWriter, sizeOfLog } from '../../../src/storage/sqlite/connection.ts'
import { Checkpoints } from '../../../src/storage/sqlite/search-index/checkpoints.ts'
import { removeIndex } from '../../../src/storage/sqlite/search-index/index-tables.ts'
import { Indexer } from '../../../src/storage/sqlite/search-index/indexer.ts'
import { openSqliteStore } from '../../../src/storage/sqlite/store.ts'
import { mountSmallDisk, NOT_PERMITTED, type SmallDisk } from '../../helpers/small-disk.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const MEBIBYTE = 1024 * 1024
const PAGE = 4096

interface Fixture {
  readonly file: string
  readonly writer: Connection
  readonly checkpoints: Checkpoints
  /** What the main thread was told. */
  readonly posted: string[]
  /** Grows the log by so many MiB. */
  readonly write: (mebibytes: number) => void
}

function open(test: TestContext, directory = makeTempDirectory()): Fixture {
  const file = path.join(directory, 'a.db')
  const writer = openWriter(file, { durable: false })
  writer.exec('CREATE TABLE filler (content BLOB)')
  const db = openWriter(file, { durable: true })
  const posted: string[] = []
  const indexer = { unmovedLog: 0, shrinkLog: () => undefined } as Partial<Indexer> as Indexer
  const checkpoints: Checkpoints = new Checkpoints({
    db,
    indexer,
    post: ({ kind }) => {
      posted.push(kind)
      if (kind === 'restartLog') setImmediate(() => checkpoints.writersWait())
    },
  })
  test.after(() => {
    db.close()
    writer.close()
  })
  const insert = writer.prepare('INSERT INTO filler (content) VALUES (zeroblob(?))')
  return { file, writer, checkpoints, posted, write: (mebibytes) => insert.run(mebibytes * MEBIBYTE) }
}

describe('SQLite: the write-ahead log of the records', () => {
  it('starts again when it has become large, while no commit begins, and not before', async (test) => {
    const { writer, checkpoints, posted, write } = open(test)
    write(10)
    await checkpoints.moveLarge()
    assert.deepEqual(posted, [])
    write(10)
    await checkpoints.moveLarge()
    assert.deepEqual(posted, ['restartLog', 'logRestarted'])
    assert.ok(sizeOfLog(writer).used < MEBIBYTE)
  })

  it('its first commit, which waits for the disk, is nobody’s who answers requests', async (test) => {
    const { writer, checkpoints, write } = open(test)
    write(20)
    await checkpoints.moveLarge()
    assert.equal(sizeOfLog(writer).used, PAGE)
    write(1)
    assert.ok(sizeOfLog(writer).used > MEBIBYTE)
  })

  it('is left alone by small commits afterwards, though its file keeps the room', async (test) => {
    const { checkpoints, posted, write } = open(test)
    write(20)
    await checkpoints.moveLarge()
    write(1)
    await checkpoints.moveLarge()
    assert.deepEqual(posted, ['restartLog', 'logRestarted'])
  })

  it('goes on where a reader needs it, and is tried again when it has grown by some more', async (test) => {
    const { file, checkpoints, posted, write } = open(test)
    const reader = openReader(file)
    test.after(() => reader.close())
    write(1)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM filler').get()
    write(20)
    await checkpoints.moveLarge()
    write(1)
    await checkpoints.moveLarge()
    assert.equal(posted.length, 2)
    reader.exec('COMMIT')
    write(4)
    await checkpoints.moveLarge()
    assert.equal(posted.length, 4)
    assert.ok(sizeOfLog(reader).used < MEBIBYTE)
  })

  it('starts again at once where the disk is full, however small it is', async (test) => {
    const { writer, checkpoints, write } = open(test)
    write(2)
    await checkpoints.makeRoom()
    assert.equal(sizeOfLog(writer).used, PAGE)
  })

  it('does not take the last room of a disk on which it could not be moved whole', async (test) => {
    const disk = mountSmallDisk('size=8m')
    if (disk === undefined) return test.skip(NOT_PERMITTED)
    test.after(() => disk.unmount())
    const { writer, checkpoints, posted, write } = open(test, disk.directory)
    write(2)
    disk.fill(MEBIBYTE)
    const left = roomOf(disk)
    await checkpoints.makeRoom()
    assert.deepEqual([roomOf(disk), posted], [left, []])
    disk.free()
    disk.fill(3 * MEBIBYTE)
    await checkpoints.makeRoom()
    assert.equal(sizeOfLog(writer).used, PAGE)
  })
})

describe('SQLite: the write-ahead log of the search index', () => {
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
    const log = (): number => statSync(`${indexFile}-wal`).size
    const left = { log: log(), room: PAGE }
    assert.ok(left.log > 8 * PAGE)
    disk.fill(left.room)
    indexer.shrinkLog()
    assert.deepEqual({ log: log(), room: roomOf(disk) }, left)
    disk.free()
    indexer.shrinkLog()
    assert.equal(log(), 0)
  })
})

/** Bytes. */
function roomOf({ directory }: SmallDisk): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
