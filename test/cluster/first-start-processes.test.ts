// Processes that start at the same moment on a database with nothing in it.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { severalOn } from '../helpers/several-servers.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

/** Those that have to be told of their keys take as long, and end. */
const WITHOUT_KEYS = process.env['TEST_KILL_ROUNDS'] === undefined ? 3 : 6

describe('Processes that start at once on an empty database', { timeout: 600_000, skip: withoutPostgres() }, () => {
  it('six with the same keys all serve, with one admin', async (t) => {
    const { url } = await makeDatabase()
    const several = severalOn(url, { after: (work) => t.after(work) })
    const servers = await Promise.all(Array.from({ length: 6 }, () => several.start()))
    for (const { admin } of servers)
      for (const kind of ['users', 'api-keys'])
        assert.equal((await send<object[]>(admin, 'GET', `/api/v1/${kind}`)).body.length, 1)
  })

  it('of several without keys one serves, and the others say which keys they need', async (t) => {
    const { url } = await makeDatabase()
    const starting = Array.from({ length: WITHOUT_KEYS }, async () => {
      const server = await startServerProcess(makeTempDirectory(), ['--database-url', url])
      t.after(() => server.kill())
    })
    const ended = await Promise.allSettled(starting)
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    assert.equal(refused.length, WITHOUT_KEYS - 1)
    for (const reason of refused) assert.match(reason, /copy signing\.key and encryption\.key from the data directory/)
  })
})
