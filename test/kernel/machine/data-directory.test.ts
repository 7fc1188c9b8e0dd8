// The data directory is private, its keys are made once, and one process owns it. Contract 2 §8.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { openDataDirectory, prepareDataDirectory, unusable } from '../../../src/kernel/machine/data-directory.ts'
import { backUp } from '../../../src/workspace/maintenance/backup.ts'
import { examine } from '../../../src/workspace/maintenance/doctor.ts'
import { setPassword } from '../../../src/workspace/maintenance/offline-accounts.ts'
import { createPasswordHasher } from '../../../src/core/accounts/passwords.ts'
import { StartError } from '../../../src/kernel/machine/start-error.ts'
import { openReader } from '../../../src/store/sqlite/connection.ts'
import { isDataDirectoryLocked, lockDataDirectory } from '../../../src/store/sqlite/data-directory-lock.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import { startServer } from '../../helpers/server.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('The data directory', () => {
  it('is made with its parents, readable for nobody else, and so are its files', () => {
    const directory = path.join(makeTempDirectory(), 'a', 'b')
    prepareDataDirectory(directory)
    openDataDirectory(directory, system)
    writeFileSync(path.join(directory, 'later'), '')
    assert.equal(modeOf(directory), '700')
    for (const name of ['signing.key', 'encryption.key', 'later'])
      assert.equal(modeOf(path.join(directory, name)), '600')
  })

  it('one that others could read is closed to them', () => {
    const directory = makeTempDirectory()
    chmodSync(directory, 0o755)
    prepareDataDirectory(directory)
    assert.equal(modeOf(directory), '700')
  })

  it('keeps its keys, which are 32 random bytes each', () => {
    const directory = makeTempDirectory()
    const first = openDataDirectory(directory, system)
    assert.equal(first.signingKey.length, 32)
    assert.notDeepEqual(first.signingKey, first.encryptionKey)
    assert.deepEqual(openDataDirectory(directory, system), first)
    assert.ok(!existsSync(path.join(directory, 'signing.key.new')))
    assert.notDeepEqual(openDataDirectory(makeTempDirectory(), system).signingKey, first.signingKey)
  })

  it('a key that was begun and not finished is created again, a damaged one is refused, naming the file', () => {
    const directory = makeTempDirectory()
    writeFileSync(path.join(directory, 'signing.key.new'), 'half')
    openDataDirectory(directory, system)
    writeFileSync(path.join(directory, 'encryption.key'), 'c2hvcnQ=\n')
    assert.throws(() => openDataDirectory(directory, system), /encryption\.key is damaged/)
    assert.equal(readFileSync(path.join(directory, 'encryption.key'), 'utf8'), 'c2hvcnQ=\n')
  })

  it('without a key beside its database is refused, naming the key, and no other is made', () => {
    for (const name of ['signing.key', 'encryption.key']) {
      const directory = makeTempDirectory()
      openDataDirectory(directory, system)
      writeFileSync(path.join(directory, 'pimlet.db'), 'a database')
      openDataDirectory(directory, system)
      rmSync(path.join(directory, name))
      assert.throws(() => openDataDirectory(directory, system), new RegExp(`${name} is missing beside .*pimlet\\.db`))
      assert.ok(!existsSync(path.join(directory, name)))
    }
  })

  it('one that cannot be used is refused in one line that names it', () => {
    const file = path.join(makeTempDirectory(), 'file')
    writeFileSync(file, '')
    for (const directory of [file, path.join(file, 'below'), '/proc/pimlet-test'])
      assert.throws(
        () => prepareDataDirectory(directory),
        (error: unknown) =>
          error instanceof StartError && error.message.includes(directory) && !error.message.includes('\n'),
      )
    assert.throws(() => prepareDataDirectory(file), /cannot be used: it is a file: name a directory/)
    assert.throws(() => prepareDataDirectory(path.join(file, 'below')), /a part of the path .* is a file/)
  })

  it('of somebody else is refused naming it, its owner and who runs', { skip: process.getuid?.() !== 0 }, () => {
    const directory = makeTempDirectory()
    chownSync(directory, 1234, 1234)
    const error = Object.assign(new Error('EPERM'), { code: 'EPERM', errno: -1, path: directory })
    const { message } = unusable(directory, error)
    assert.ok(message.includes(`${directory} cannot be used: operation not permitted`), message)
    assert.match(message, /belongs to the user with the ID 1234, and pimlet runs as 0: run it as that user/)
  })
})

describe('The lock on the data directory', () => {
  it('is held by one only, and the refusal knows the process', () => {
    const directory = makeTempDirectory()
    const unlock = lockDataDirectory(directory)
    assert.throws(() => lockDataDirectory(directory), { name: 'DataDirectoryLocked', processId: process.pid })
    unlock()
    lockDataDirectory(directory)()
  })

  it('can be looked at without taking it', () => {
    const directory = makeTempDirectory()
    assert.equal(isDataDirectoryLocked(directory), false)
    const unlock = lockDataDirectory(directory)
    assert.equal(isDataDirectoryLocked(directory), true)
    assert.throws(() => lockDataDirectory(directory), { name: 'DataDirectoryLocked' })
    unlock()
    assert.equal(isDataDirectoryLocked(directory), false)
    lockDataDirectory(directory)()
  })

  it('outlives its file: a second server is refused, naming the process, and nothing else is', async (t) => {
    const first = await startServer()
    t.after(() => first.stop())
    const { dataDir } = first
    for (const lost of [['lock.db'], ['lock.db', 'lock.pid'], []]) {
      for (const name of lost) rmSync(path.join(dataDir, name), { force: true })
      await assert.rejects(startServer({ dataDir }), (error: unknown) => {
        assert.ok(error instanceof StartError)
        assert.match(error.message, new RegExp(`in use by process ${process.pid}.*lock\\.db was deleted`))
        return error.message.includes(dataDir)
      })
    }
    const setting = { workspace: { dataDir }, username: 'admin', readPassword: async () => 'never asked for', system }
    await assert.rejects(setPassword({ ...setting, passwords: createPasswordHasher(system, 4) }), /in use by process/)
    const show = () => ({ advance: () => undefined, stop: () => undefined })
    await assert.rejects(examine({ dataDir, repairIndex: true, show }), /in use by process/)
    const file = path.join(makeTempDirectory(), 'backup')
    await backUp({ dataDir, file, withKeys: true, mayReplace: false, version: '1', system, show })
    assert.ok((await examine({ dataDir, repairIndex: false, show })).every(({ status }) => status === 'ok'))
    await first.stop()
    const second = await startServer({ dataDir })
    await second.stop()
  })

  it('a start beside a backup or a doctor is not taken for a second server', async () => {
    const server = await startServer()
    await server.stop()
    const looking = openReader(path.join(server.dataDir, 'pimlet.db'))
    looking.exec('BEGIN; SELECT * FROM record')
    const again = await server.restart()
    await again.stop()
    looking.close()
  })

  it('what a dead process left behind is none', () => {
    const directory = makeTempDirectory()
    mkdirSync(directory, { recursive: true })
    writeFileSync(path.join(directory, 'lock.pid'), '1\n')
    writeFileSync(path.join(directory, 'lock.db'), '')
    lockDataDirectory(directory)()
  })
})
