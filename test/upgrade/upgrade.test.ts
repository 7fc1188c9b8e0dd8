// Data directories of earlier versions: the present code brings them up to date at its start, and answers what they did.
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openReader } from '../../src/storage/sqlite/connection.ts'
import { send } from '../helpers/answers.ts'
import { keyClient } from '../helpers/client.ts'
import { runCommand } from '../helpers/command.ts'
import { untilIndexed } from '../helpers/indexed.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { type Fixture, fixtureVersions, unpackFixture } from './fixture.ts'
import { askAll, findLoss } from './questions.ts'

it('there is a data directory of each release that people may keep data in', () => {
  assert.ok(fixtureVersions().includes('0.2.0'))
})

for (const version of fixtureVersions()) {
  describe(`A data directory of ${version}`, () => {
    const dataDir = makeTempDirectory()
    let fixture: Fixture
    let server: TestServer

    before(async () => {
      fixture = unpackFixture(version, dataDir)
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
