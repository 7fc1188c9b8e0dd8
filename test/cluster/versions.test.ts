// A server beside one of a newer version, which has changed the database: it writes nothing any more, and says so.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Connection } from '../../src/postgres/connection.ts'
import { assertRefused, send } from '../helpers/answers.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { eventually } from '../helpers/puppet.ts'
import { makeModel, SCHEMA, severalOn } from '../helpers/several-servers.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

it(
  'a server stops writing when a newer one has changed the database, and goes on when that is undone',
  { skip: withoutPostgres() },
  async (t) => {
    const { url } = await makeDatabase()
    const several = severalOn(url, { after: (work) => t.after(work) })
    const old = await several.start()
    await makeModel(old.admin)
    const newer = await Connection.open({ url })
    t.after(() => newer.close())
    const body = { id: 'rec-1', schemaId: SCHEMA, values: {} }
    await newer.run('UPDATE workspace SET schema_version = schema_version + 1')
    assertRefused(await send(old.admin, 'POST', '/api/v1/records', body), 'UNAVAILABLE', 'newer')
    assert.equal((await send(old.admin, 'GET', `/api/v1/schemas/${SCHEMA}`)).status, 200)
    await assert.rejects(several.start(), /written by a newer pimlet/)
    assert.ok(old.isRunning())
    await newer.run('UPDATE workspace SET schema_version = schema_version - 1')
    await eventually(async () => (await send(old.admin, 'POST', '/api/v1/records', body)).status === 201)
  },
)
