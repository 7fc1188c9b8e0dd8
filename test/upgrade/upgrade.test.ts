// Data directories of earlier versions: the present code brings them up to date at its start, and answers what they did.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { FIRST_PRESETS } from '../../src/files/rules/presets.ts'
import { openReader, openWriter } from '../../src/store/sqlite/connection.ts'
import { PERMISSIONS } from '../../src/core/accounts/rules/permissions.ts'
import { send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { type JobBody, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { bareEnvironment, runCommand } from '../helpers/command.ts'
import { untilIndexed } from '../helpers/indexed.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { PROGRAM } from '../helpers/program.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { type Fixture, fixtureVersions, unpackFixture } from './fixture.ts'
import { askAll, findLoss } from './questions.ts'

it('there is a data directory of each release that people may keep data in', () => {
  assert.ok(fixtureVersions().includes('0.2.0'))
})

it('a start that upgrades a data directory says what it does and how long that took', async (t) => {
  const dataDir = makeTempDirectory()
  unpackFixture('0.2.0', dataDir)
  const start = async (): Promise<string> => {
    const child = spawn(process.execPath, [PROGRAM, '--data-dir', dataDir, '--port', '0', '--log-format', 'json'], {
      env: bareEnvironment(),
    })
    t.after(() => child.kill('SIGKILL'))
    const said = text(child.stderr)
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    return said
  }
  const first = await start()
  assert.match(first, /"msg":"upgrading the database from version 1 to version \d+: do not stop the server meanwhile"/)
  assert.match(first, /"msg":"the database is upgraded: it took \d+\.\d s"/)
  assert.doesNotMatch(await start(), /upgrad/)
})

for (const version of fixtureVersions()) {
  describe(`A data directory of ${version}`, () => {
    const dataDir = makeTempDirectory()
    let fixture: Fixture
    let server: TestServer

    before(async () => {
      fixture = unpackFixture(version, dataDir)
      writeWithRole(dataDir, 'job-paused', 'role-clerk')
      server = await startServer({ dataDir })
    })
    after(() => server.stop())

    it('answers every question as that version did, to each role', async () => {
      await untilIndexed(server.admin)
      assert.ok(Object.keys(fixture.answers.admin).length > 50)
      assert.equal(findLoss(fixture.answers.admin, await askAll(server.admin)), undefined)
      const clerk = keyClient(server.url, fixture.clerkKey)
      assert.equal(findLoss(fixture.answers.clerk, await askAll(clerk)), undefined)
    })

    it('lets its users sign in', async () => {
      const body = { username: 'anna', password: 'the password of anna' }
      assert.equal((await send(server.anonymous, 'POST', '/api/v1/auth/login', body)).status, 200)
    })

    it('opens the secrets of its destinations', async () => {
      const answer = await send<{ ok: boolean; message: string }>(
        server.admin,
        'POST',
        '/api/v1/export-jobs/job-shop/check',
      )
      assert.equal(answer.status, 200)
      assert.doesNotMatch(answer.body.message, /secret|cannot be read/i)
    })

    it('takes new records, numbered after the old ones, and changes of old ones', async () => {
      const values = { name: [{ scope: { language: 'en' }, value: 'New' }] }
      const made = await send(server.admin, 'POST', '/api/v1/records', { id: 'tea-new', schemaId: 'sch-tea', values })
      assert.equal(made.status, 201, made.text)
      const feed = await send<{ items: { entityId: string }[] }>(server.admin, 'GET', '/api/v1/changes?limit=1000')
      assert.equal(feed.body.items.at(-1)?.entityId, 'tea-new')
      const changed = await send(server.admin, 'PUT', '/api/v1/records/tea-empty', { values })
      assert.equal(changed.status, 200, changed.text)
    })

    it('runs a job that its creator wrote last, and no other before somebody takes it over', async () => {
      const path = '/api/v1/export-jobs'
      const { body: own } = await send<JobBody>(server.admin, 'GET', `${path}/job-shop`)
      assert.deepEqual([own.ownerId, own.pausedReason], [own.createdBy, null])
      const other = await trigger(server.admin, 'job-paused')
      assert.match((await whenEnded(server.admin, other)).error!, /role 'role-clerk'/)
      const { body: paused } = await send<JobBody>(server.admin, 'GET', `${path}/job-paused`)
      assert.equal(paused.pausedReason!.code, 'OWNER')
      const taken = await send<JobBody>(server.admin, 'POST', `${path}/job-paused/take-over`)
      assert.deepEqual([taken.body.pausedReason, taken.body.active], [null, false])
      const again = await whenEnded(server.admin, await trigger(server.admin, 'job-paused'))
      assert.doesNotMatch(String(again.error), /role/)
    })

    it('has the rendition presets of a new one', async () => {
      const { body } = await send(server.admin, 'GET', '/api/v1/rendition-presets')
      assert.deepEqual(body, FIRST_PRESETS)
    })

    it('lets its administrators do everything', async () => {
      const { body } = await send<{ permissions: string[] }>(server.admin, 'GET', '/api/v1/roles/role-admin')
      assert.deepEqual(new Set(body.permissions), new Set(PERMISSIONS))
    })

    it('has the tables of a new one', async () => {
      const fresh = await startServer()
      await fresh.stop()
      assert.deepEqual(readTables(dataDir), readTables(fresh.dataDir))
    })

    it('is sound by the doctor', async () => {
      const { status, stdout } = await runCommand(['doctor', '--data-dir', dataDir])
      assert.equal(status, 0, stdout)
    })
  })
}

/** As if somebody of another role than its creator's had written the job last. */
function writeWithRole(dataDir: string, jobId: string, roleId: string): void {
  const db = openWriter(path.join(dataDir, 'pimlet.db'), { durable: true })
  const sql = "UPDATE export_job SET document = json_set(document, '$.roleId', ?) WHERE id = ?"
  db.prepare(sql).run(roleId, jobId)
  db.close()
}

/** Which tables, indexes and the like a workspace has, as SQL but for white space. */
function readTables(dataDir: string): unknown[] {
  const db = openReader(path.join(dataDir, 'pimlet.db'))
  try {
    const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all() as {
      sql: string | null
    }[]
    return rows.map((row) => ({ ...row, sql: row.sql?.replaceAll(/\s+/g, ' ') }))
  } finally {
    db.close()
  }
}
