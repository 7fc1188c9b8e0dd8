// Commands on a workspace in PostgreSQL, as processes: those that change accounts do so while servers go on; those that are for
// directories say what to use instead; and a start that fails says why in one line, in which no password is. Contract 2 §8.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { StartError } from '../../src/kernel/machine/start-error.ts'
import { Connection } from '../../src/postgres/connection.ts'
import { send } from '../helpers/answers.ts'
import { keyClient, tokenClient } from '../helpers/client.ts'
import { assertEnds, runCommand } from '../helpers/command.ts'
import { makeDatabase, type TestDatabase } from '../helpers/postgres.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const PASSWORD = 'not-to-be-told'
let database: TestDatabase
let server: TestServer

/** The database with something else in its address. */
function elsewhere(change: (url: URL) => void): string {
  const url = new URL(database.url)
  change(url)
  return url.href
}

async function logIn(password: string): Promise<string | undefined> {
  const body = { username: 'admin', password }
  const answer = await send<{ accessToken: string }>(server.anonymous, 'POST', '/api/v1/auth/login', body)
  return answer.status === 200 ? answer.body.accessToken : undefined
}

describe('On a workspace in PostgreSQL', { timeout: 600_000, skip: withoutPostgres() }, () => {
  before(async () => {
    database = await makeDatabase()
    server = await startServer({ databaseUrl: database.url })
  })
  after(async () => {
    await server.stop()
    await database.release()
  })

  it('pimlet key create makes a key that a server takes at its next request', async () => {
    const create = (role: string) =>
      runCommand(['key', 'create', '--name', 'shop', '--role', role], { env: { PIMLET_DATABASE_URL: database.url } })
    const { status, stdout, stderr } = await create('role-viewer')
    assert.equal(status, 0, stderr)
    const { body } = await send<{ roleId: string }>(keyClient(server.url, stdout.trim()), 'GET', '/api/v1/me')
    assert.equal(body.roleId, 'role-viewer')
    assertEnds(await create('role-none'), 2, 'no role role-none', 'role-admin, role-editor, role-viewer')
  })

  it('pimlet user set-password changes the password, and ends sessions, while a server runs', async () => {
    const token = await logIn(ADMIN_PASSWORD)
    assert.equal((await send(tokenClient(server.url, token!), 'GET', '/api/v1/me')).status, 200)
    const set = (name: string, password: string) =>
      runCommand(['user', 'set-password', name, '--database-url', database.url, '--password-stdin'], {
        input: password,
      })
    assert.deepEqual(await set('admin', 'the password of later'), {
      status: 0,
      stdout: 'admin has a new password\n',
      stderr: '',
    })
    assert.equal((await send(tokenClient(server.url, token!), 'GET', '/api/v1/me')).status, 401)
    assert.equal(await logIn(ADMIN_PASSWORD), undefined)
    assert.ok((await logIn('the password of later')) !== undefined)
    assertEnds(await set('admim', 'the password of later'), 2, 'no user admim', 'admin')
  })

  it('pimlet backup and restore name what PostgreSQL has for it, with status 2', async () => {
    const env = { PIMLET_DATABASE_URL: database.url, PIMLET_DATA_DIR: server.dataDir }
    assertEnds(await runCommand(['backup', 'x'], { env }), 2, 'pg_dump', 'pg_restore', 'signing.key and encryption.key')
    assertEnds(await runCommand(['restore', 'x'], { env }), 2, 'pg_restore', 'signing.key and encryption.key')
  })

  it('pimlet doctor looks through it, and needs the directory with keys and files of a server', async () => {
    const { status, stdout } = await runCommand(['doctor', '--data-dir', server.dataDir], {
      env: { PIMLET_DATABASE_URL: database.url },
    })
    assert.equal(status, 0, stdout)
    assert.match(stdout, /^ok       database   [\d.]+ MB without damage$/m)
    assertEnds(await runCommand(['doctor', '--database-url', database.url]), 2, '--data-dir is required')
  })

  describe('a start is refused in one line without the password', () => {
    const roles = async (sql: string): Promise<void> => {
      const connection = await Connection.open(database)
      await connection.script(sql)
      await connection.close()
    }
    const assertRefused = async (url: string, ...named: string[]): Promise<void> => {
      await assert.rejects(startServer({ databaseUrl: url }), (error: unknown) => {
        assert.ok(error instanceof StartError, String(error))
        assert.ok(!error.message.includes('\n') && !error.message.includes(PASSWORD), error.message)
        for (const name of named) assert.ok(error.message.includes(name), `'${error.message}' does not name ${name}`)
        return true
      })
    }

    it('where no database answers there, as a process prints it', async () => {
      const started = await runCommand(['--data-dir', makeTempDirectory(), '--port', '0'], {
        env: { PIMLET_DATABASE_URL: `postgres://pimlet:${PASSWORD}@127.0.0.1:9/catalogue` },
      })
      assertEnds(started, 1, 'database catalogue at 127.0.0.1', 'connection refused')
      assert.ok(!started.stderr.includes(PASSWORD))
    })

    it('where its name is unknown', () =>
      assertRefused(`postgres://pimlet:${PASSWORD}@nowhere.invalid/catalogue`, 'database catalogue at nowhere.invalid'))

    it('where the server has no such database', () =>
      assertRefused(
        elsewhere((url) => {
          url.pathname = '/missing'
          url.password = PASSWORD
        }),
        'database "missing" does not exist',
        'CREATE DATABASE',
      ))

    it('where there is no such user', () =>
      assertRefused(
        elsewhere((url) => {
          url.username = 'nobody-of-that-name'
          url.password = PASSWORD
        }),
        'role "nobody-of-that-name" does not exist',
        'user and password in --database-url',
      ))

    it('where the password is wrong, or missing', async (t) => {
      if (process.env['PIMLET_TEST_DATABASE_URL'] !== undefined) return t.skip('its rules are not ours to change')
      const connection = await Connection.open(database)
      const [rules] = await connection.rows<{ file: string }>(`SELECT current_setting('hba_file') AS file`)
      const before = readFileSync(rules!.file, 'utf8')
      await connection.script(`CREATE ROLE pimlet_secret LOGIN PASSWORD 'another'`)
      writeFileSync(rules!.file, `local all pimlet_secret scram-sha-256\n${before}`)
      await connection.script('SELECT pg_reload_conf()')
      const of = (password: string) =>
        elsewhere((url) => {
          url.username = 'pimlet_secret'
          url.password = password
        })
      // The server reads its rules soon after.
      for (;;) {
        const known = await Connection.open({ url: of(PASSWORD) }).catch(() => undefined)
        if (known === undefined) break
        await known.close()
      }
      await assertRefused(of(PASSWORD), 'password authentication failed', 'see its user and password in --database-url')
      await assertRefused(of(''), 'it asks for a password', 'PIMLET_DATABASE_URL')
      writeFileSync(rules!.file, before)
      await connection.script('SELECT pg_reload_conf()')
      await connection.script('DROP ROLE pimlet_secret')
      await connection.close()
    })

    it('where its user may make no tables', async () => {
      await roles(
        `CREATE ROLE pimlet_reader LOGIN; CREATE SCHEMA closed; GRANT USAGE ON SCHEMA closed TO pimlet_reader`,
      )
      await assertRefused(
        elsewhere((url) => {
          url.username = 'pimlet_reader'
          url.searchParams.set('options', '-c search_path=closed,public')
        }),
        'permission denied for schema closed',
        'GRANT CREATE ON SCHEMA',
      )
      await roles('DROP SCHEMA closed CASCADE; DROP ROLE pimlet_reader')
    })

    it('where pg_trgm is missing, and its user may not make it', async () => {
      await roles('CREATE DATABASE bare TEMPLATE template0')
      await roles('CREATE ROLE pimlet_maker LOGIN')
      const bare = elsewhere((url) => {
        url.pathname = '/bare'
        url.searchParams.delete('options')
      })
      const inside = await Connection.open({ url: bare })
      await inside.script('CREATE SCHEMA own AUTHORIZATION pimlet_maker; REVOKE CREATE ON DATABASE bare FROM PUBLIC')
      await inside.close()
      const url = new URL(bare)
      url.username = 'pimlet_maker'
      url.searchParams.set('options', '-c search_path=own')
      await assertRefused(url.href, 'pg_trgm', 'CREATE EXTENSION pg_trgm')
      await roles('DROP DATABASE bare WITH (FORCE)')
      await roles('DROP ROLE pimlet_maker')
    })

    it('where commits are not waited for', () =>
      assertRefused(
        elsewhere((url) =>
          url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=off`),
        ),
        'synchronous_commit = off',
      ))
  })

  it('a start warns where the locale of the database knows no letters beyond ASCII', async () => {
    const connection = await Connection.open(database)
    await connection.script(`CREATE DATABASE ascii TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`)
    const ascii = elsewhere((url) => {
      url.pathname = '/ascii'
      url.searchParams.delete('options')
    })
    const other = await startServer({ databaseUrl: ascii })
    const warned = other.logged.filter(({ level }) => level === 40).map(({ msg }) => msg)
    await other.stop()
    assert.equal(warned.length, 1)
    assert.match(warned[0]!, /database ascii at .*: Its locale C knows no letters beyond ASCII/)
    const { stdout } = await runCommand(['doctor', '--data-dir', other.dataDir, '--database-url', ascii])
    assert.match(stdout, /^warning  database .*settings[^\n]*\n +Its locale C knows no letters/m)
    await connection.script('DROP DATABASE ascii WITH (FORCE)')
    await connection.close()
  })
})
