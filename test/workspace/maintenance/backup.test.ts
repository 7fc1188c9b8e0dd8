// A backup brings back what was there, and whatever stands in the way leaves nothing half. Contract 2 §8.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { backUp, type BackupResult } from '../../../src/workspace/maintenance/backup.ts'
import { restore, type RestoreResult } from '../../../src/workspace/maintenance/restore.ts'
import { StartError } from '../../../src/kernel/machine/start-error.ts'
import { openWriter } from '../../../src/store/sqlite/connection.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import { send } from '../../helpers/answers.ts'
import { lookAt, openFiles, search, startShop } from '../../helpers/restored.ts'
import { keyClient } from '../../helpers/client.ts'
import { sessionOf } from '../../helpers/people.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../../helpers/server.ts'
import { make, makeShirt, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const KEYS = ['signing.key', 'encryption.key']
const directory = makeTempDirectory()
const backupFile = path.join(directory, 'whole.pimlet')
const show = () => ({ advance: () => undefined, stop: () => undefined })
let shop: Workspace
before(async () => {
  shop = await startShop()
  await backup(backupFile)
})
after(() => shop.stop())

function backup(
  file: string,
  { dataDir = shop.dataDir, withKeys = true, mayReplace = false } = {},
): Promise<BackupResult> {
  return backUp({ dataDir, file, withKeys, mayReplace, version: '1.2.3', system, show })
}
function bringBack(file: string, dataDir: string, withNewKeys = false): Promise<RestoreResult> {
  return restore({ file, dataDir, withNewKeys, system, show })
}

async function serve(t: TestContext, dataDir: string): Promise<TestServer> {
  const server = await startServer({ dataDir, maxRecords: 0 })
  t.after(() => server.stop())
  return server
}

async function assertRefused(work: Promise<unknown>, ...named: string[]): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof StartError, String(error))
    for (const name of named) assert.ok(error.message.includes(name), `'${error.message}' does not name ${name}`)
    return !error.message.includes('\n')
  })
}

/** The file of a workspace's database, with all that is in it. */
async function wholeDatabase(): Promise<Buffer> {
  const dataDir = fresh()
  await bringBack(backupFile, dataDir)
  return readFileSync(path.join(dataDir, 'pimlet.db'))
}

interface Changes {
  readonly items: readonly { readonly entityId: string }[]
  readonly cursor: string
}

const fresh = (): string => path.join(makeTempDirectory(), 'data')
const keyIn = (dataDir: string, name: string): Buffer => readFileSync(path.join(dataDir, name))

describe('A backup', () => {
  it('of a workspace that is served brings back everything: its keys too, and search is right at once', async (t) => {
    const file = path.join(directory, 'a.pimlet')
    assert.deepEqual(await backup(file), { records: 3, bytes: statSync(file).size, leftOut: [] })
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const dataDir = fresh()
    const { records, missingKeys } = await bringBack(file, dataDir)
    assert.deepEqual([records, missingKeys], [3, []])
    assert.deepEqual(readdirSync(dataDir).sort(), ['encryption.key', 'lock.db', 'pimlet.db', 'signing.key'])
    assert.deepEqual(openFiles(dataDir), [])

    const restored = await serve(t, dataDir)
    assert.deepEqual(await search(restored.admin, 'blau'), ['shirt-2'])
    assert.deepEqual(await search(restored.admin, 'gone'), [])
    assert.deepEqual(await lookAt(restored.admin), await lookAt(shop.admin))
    // The secret opens with the key that was in the backup: a PUT may keep it.
    const job = await send<object>(restored.admin, 'GET', '/api/v1/export-jobs/job-1')
    assert.equal((await send(restored.admin, 'PUT', '/api/v1/export-jobs/job-1', job.body)).status, 200)
    assert.deepEqual(openFiles(dataDir), [])
  })

  it('is a moment: its cursors, sessions and keys go on, those revoked since work again, and later cursors are of other changes', async (t) => {
    const original = await startShop()
    t.after(() => original.stop())
    const changesAfter = async ({ admin }: TestServer, cursor: string) => {
      const { body } = await send<Changes>(admin, 'GET', `/api/v1/changes?after=${cursor}`)
      return { cursor: body.cursor, ids: body.items.map(({ entityId }) => entityId) }
    }
    const key = await make<{ id: string; key: string }>(original.admin, '/api/v1/api-keys', {
      name: 'Key',
      roleId: 'role-viewer',
    })
    const session = await sessionOf(original, 'admin', ADMIN_PASSWORD)
    const { cursor } = await changesAfter(original, 'latest')
    const file = path.join(directory, 'moment.pimlet')
    await backup(file, { dataDir: original.dataDir })
    for (const id of ['late-1', 'late-2']) await makeShirt(original.admin, {}, { id })
    const later = await changesAfter(original, cursor)
    assert.deepEqual(later.ids, ['late-1', 'late-2'])
    assert.equal((await send(original.admin, 'DELETE', `/api/v1/api-keys/${key.id}`)).status, 204)

    const dataDir = fresh()
    await bringBack(file, dataDir)
    const restored = await serve(t, dataDir)
    for (const { headers } of [session, keyClient(restored.url, key.key)])
      assert.equal((await send({ url: restored.url, headers }, 'GET', '/api/v1/records')).status, 200)
    assert.deepEqual(await changesAfter(restored, cursor), { cursor, ids: [] })
    for (const id of ['new-1', 'new-2', 'new-3']) await makeShirt(restored.admin, {}, { id })
    assert.deepEqual((await changesAfter(restored, cursor)).ids, ['new-1', 'new-2', 'new-3'])
    assert.deepEqual((await changesAfter(restored, later.cursor)).ids, ['new-3'])
  })

  it('of a workspace whose server was killed has what only the log holds', async (t) => {
    const other = await startServer()
    const made = await send(other.admin, 'POST', '/api/v1/catalogs', { id: 'cat-kept', name: 'Kept' })
    assert.equal(made.status, 201)
    const killed = makeTempDirectory()
    for (const name of ['pimlet.db', 'pimlet.db-wal', ...KEYS])
      writeFileSync(path.join(killed, name), keyIn(other.dataDir, name), { mode: 0o600 })
    await other.stop()
    const copy = path.join(directory, 'killed.pimlet')
    await backup(copy, { dataDir: killed })
    const dataDir = fresh()
    await bringBack(copy, dataDir)
    const restored = await serve(t, dataDir)
    assert.equal((await send(restored.admin, 'GET', '/api/v1/catalogs/cat-kept')).status, 200)
  })

  it('without keys says so, and a server starts only with the old keys or with new ones', async (t) => {
    const file = path.join(directory, 'keyless.pimlet')
    const { leftOut } = await backup(file, { withKeys: false })
    assert.deepEqual(
      leftOut,
      KEYS.map((name) => path.join(shop.dataDir, name)),
    )
    for (const name of KEYS) {
      assert.ok(readFileSync(backupFile).includes(keyIn(shop.dataDir, name)))
      assert.ok(!readFileSync(file).includes(keyIn(shop.dataDir, name)))
    }
    const dataDir = fresh()
    const { missingKeys } = await bringBack(file, dataDir)
    assert.deepEqual(
      missingKeys,
      KEYS.map((name) => path.join(dataDir, name)),
    )
    await assertRefused(startServer({ dataDir }), 'signing.key is missing', 'docs/operate.md')
    for (const name of KEYS) writeFileSync(path.join(dataDir, name), keyIn(shop.dataDir, name), { mode: 0o600 })
    assert.deepEqual(await lookAt((await serve(t, dataDir)).admin), await lookAt(shop.admin))

    const renewed = fresh()
    assert.deepEqual((await bringBack(file, renewed, true)).missingKeys, [])
    const server = await serve(t, renewed)
    const job = await send<object>(server.admin, 'GET', '/api/v1/export-jobs/job-1')
    assert.equal((await send(server.admin, 'PUT', '/api/v1/export-jobs/job-1', job.body)).status, 400)
  })

  it('leaves plugins out, and says so', async () => {
    const plugins = path.join(shop.dataDir, 'plugins')
    mkdirSync(plugins)
    writeFileSync(path.join(plugins, 'mine.mjs'), '')
    assert.deepEqual((await backup(path.join(directory, 'p'))).leftOut, [plugins])
  })

  it('does not take the place of a file unless it may', async () => {
    const file = path.join(directory, 'mine.txt')
    writeFileSync(file, 'mine')
    await assertRefused(backup(file), file, '--force')
    assert.equal(readFileSync(file, 'utf8'), 'mine')
    await backup(file, { mayReplace: true })
    assert.equal((await bringBack(file, fresh())).records, 3)
    await assertRefused(backup(directory, { mayReplace: true }), 'is a directory')
    await assertRefused(backup('/dev/null', { mayReplace: true }), '/dev/null', 'is not a file')
    await assertRefused(backup(path.join(directory, 'no', 'where')), 'no such file or directory')
    await assertRefused(backup(path.join(file, 'below')), 'not a directory')
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  it('is not made of what is no workspace, half of one, or damaged', async () => {
    const file = path.join(directory, 'never')
    const dataDir = makeTempDirectory()
    const withKeys = false
    await assertRefused(backup(file, { dataDir }), dataDir, 'no workspace')
    await assertRefused(backup(file, { dataDir: '/nowhere' }), '/nowhere')
    writeFileSync(path.join(dataDir, 'pimlet.db'), 'no database at all'.repeat(1000))
    await assertRefused(backup(file, { dataDir, withKeys }), 'pimlet.db is damaged')
    await assertRefused(backup(file, { dataDir }), 'signing.key is missing', '--without-keys')
    const sound = await wholeDatabase()
    writeFileSync(path.join(dataDir, 'pimlet.db'), sound.fill('garbage', sound.length / 2))
    await assertRefused(backup(file, { dataDir, withKeys }), 'pimlet.db is damaged')
    writeFileSync(path.join(dataDir, 'pimlet.db'), await wholeDatabase())
    const wal = path.join(dataDir, 'pimlet.db-wal')
    writeFileSync(wal, 'no wal '.repeat(100))
    await assertRefused(backup(file, { dataDir, withKeys }), 'pimlet.db-wal is damaged')
    rmSync(wal)
    const inconsistent = openWriter(path.join(dataDir, 'pimlet.db'), { durable: false })
    inconsistent.pragma('foreign_keys = OFF')
    inconsistent.exec("INSERT INTO export_leftover (job_id, name) VALUES ('gone', 'x')")
    inconsistent.close()
    await assertRefused(backup(file, { dataDir, withKeys }), 'export_leftover → export_job', 'pimlet doctor')
    const foreign = openWriter(path.join(dataDir, 'foreign.db'), { durable: false })
    foreign.exec('CREATE TABLE notes (text)')
    foreign.close()
    writeFileSync(path.join(dataDir, 'pimlet.db'), readFileSync(path.join(dataDir, 'foreign.db')))
    await assertRefused(backup(file, { dataDir, withKeys }), 'not pimlet’s')
    assert.ok(!existsSync(file))
  })

  it('that is damaged, cut off, of a newer pimlet or none at all is refused, and nothing is made', async () => {
    const whole = readFileSync(backupFile)
    const files: [string, Buffer, string][] = [
      ['damaged', Buffer.from(whole).fill('garbage', 40_000, 60_000), 'damaged'],
      ['cut', whole.subarray(0, whole.length - 8192), 'damaged'],
      ['empty', Buffer.alloc(0), 'not a backup'],
      ['text', Buffer.from('not a database at all'.repeat(100)), 'not a backup that pimlet made'],
      ['live', await wholeDatabase(), 'not a backup'],
    ]
    for (const [name, content, why] of files) {
      const file = path.join(directory, name)
      writeFileSync(file, content)
      const dataDir = fresh()
      await assertRefused(bringBack(file, dataDir), file, why)
      assert.ok(!existsSync(dataDir), name)
    }
    const newer = path.join(directory, 'newer')
    writeFileSync(newer, whole)
    const db = openWriter(newer, { durable: false })
    db.pragma('user_version = 999')
    db.close()
    await assertRefused(bringBack(newer, fresh()), 'newer pimlet')
    await assertRefused(bringBack(path.join(directory, 'nowhere'), fresh()), 'nowhere', 'no such file')
  })

  it('with anything in it that pimlet does not make is refused, naming it, before any of it runs', async () => {
    const spy = `INSERT INTO catalog (id, document) VALUES ('spied', '{}')`
    const hostile: [string, string][] = [
      [`CREATE TRIGGER spy AFTER INSERT ON record BEGIN ${spy}; END`, 'trigger spy on record'],
      [`CREATE TRIGGER spy AFTER UPDATE ON counter BEGIN ${spy}; END`, 'trigger spy on counter'],
      ['CREATE VIEW all_keys AS SELECT * FROM api_key', 'view all_keys'],
      ['CREATE TABLE notes (text)', 'table notes'],
      ['CREATE VIRTUAL TABLE words USING fts5 (text)', 'table words'],
      ['CREATE INDEX mine ON record (abs(version))', 'index mine on record'],
      ['ALTER TABLE record ADD COLUMN more TEXT', 'table record, which is not as pimlet makes it'],
      ['DROP TABLE unique_value', 'table unique_value, which is missing'],
      ['DROP TABLE backup_fact; CREATE VIEW backup_fact AS SELECT 1 AS name, 2 AS value', 'view backup_fact'],
    ]
    for (const [index, [sql, named]] of hostile.entries()) {
      const file = path.join(directory, `hostile-${index}`)
      writeFileSync(file, readFileSync(backupFile))
      const db = openWriter(file, { durable: false })
      db.unsafeMode(true)
      db.exec(sql)
      db.pragma('journal_mode = DELETE')
      db.close()
      const dataDir = fresh()
      await assertRefused(bringBack(file, dataDir), file, named)
      assert.ok(!existsSync(dataDir), sql)
    }
  })

  it('of a workspace with anything in it that pimlet does not make is not made', async () => {
    const dataDir = fresh()
    await bringBack(backupFile, dataDir)
    const db = openWriter(path.join(dataDir, 'pimlet.db'), { durable: false })
    db.exec('CREATE VIEW all_keys AS SELECT * FROM api_key')
    db.close()
    const file = path.join(directory, 'with-view')
    await assertRefused(backup(file, { dataDir }), 'view all_keys', 'pimlet doctor')
    assert.ok(!existsSync(file))
  })

  it('is not brought back into a directory that holds anything, which stays as it is', async () => {
    const dataDir = makeTempDirectory()
    writeFileSync(path.join(dataDir, 'letter.txt'), 'dear')
    chmodSync(dataDir, 0o755)
    await assertRefused(bringBack(backupFile, dataDir), dataDir, 'letter.txt')
    assert.deepEqual(readdirSync(dataDir), ['letter.txt'])
    assert.equal(statSync(dataDir).mode & 0o777, 0o755)
    await assertRefused(bringBack(backupFile, shop.dataDir), 'not empty')
    assert.equal((await bringBack(backupFile, makeTempDirectory())).records, 3)
  })

  it('that was brought back in part is never served, and the next restore finishes', async (t) => {
    const dataDir = makeTempDirectory()
    writeFileSync(path.join(dataDir, 'pimlet.db.restoring'), readFileSync(backupFile).subarray(0, 10_000))
    writeFileSync(path.join(dataDir, 'signing.key'), keyIn(shop.dataDir, 'signing.key'))
    await assertRefused(startServer({ dataDir }), dataDir, 'did not finish')
    await assertRefused(backup(path.join(directory, 'half'), { dataDir }), dataDir, 'did not finish')
    await bringBack(backupFile, dataDir)
    assert.deepEqual(await lookAt((await serve(t, dataDir)).admin), await lookAt(shop.admin))
  })

  it('is not brought back over a key that is not its own', async () => {
    const dataDir = makeTempDirectory()
    writeFileSync(path.join(dataDir, 'pimlet.db.restoring'), '')
    writeFileSync(path.join(dataDir, 'encryption.key'), 'mine')
    await assertRefused(bringBack(backupFile, dataDir), 'encryption.key is another key')
    assert.deepEqual(readdirSync(dataDir).sort(), ['encryption.key', 'lock.db'])
    assert.equal(keyIn(dataDir, 'encryption.key').toString(), 'mine')
  })
})
