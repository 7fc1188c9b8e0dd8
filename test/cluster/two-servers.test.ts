// Two servers on one database in PostgreSQL: each a whole server, with one workspace between them.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { KEY_FILES } from '../../src/kernel/machine/data-directory.ts'
import { send } from '../helpers/answers.ts'
import { keyClient, tokenClient } from '../helpers/client.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { ADMIN_PASSWORD, startServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

describe('Two servers on one database', { skip: withoutPostgres() }, async () => {
  const database = await makeDatabase()
  const databaseUrl = database.url
  const one = await startServer({ databaseUrl })
  const directoryWithKeys = (): string => {
    const directory = makeTempDirectory()
    for (const name of KEY_FILES) cpSync(path.join(one.dataDir, name), path.join(directory, name))
    return directory
  }
  const other = await startServer({ databaseUrl, dataDir: directoryWithKeys() })
  after(async () => {
    await Promise.all([one.stop(), other.stop()])
    await database.release()
  })

  it('what one has answered for is known to the other at its next request', async () => {
    for (const number of Array(20).keys()) {
      const dimension = { id: `market-${number}`, name: 'Market', segments: [{ id: 'eu', name: 'Europe' }] }
      const [writer, reader] = number % 2 === 0 ? [one, other] : [other, one]
      assert.equal((await send(writer.admin, 'POST', '/api/v1/dimensions', dimension)).status, 201)
      assert.equal((await send(reader.admin, 'GET', `/api/v1/dimensions/${dimension.id}`)).status, 200)
    }
  })

  it('a key that one has revoked is refused by the other at its next request, and so is who was disabled', async () => {
    for (const number of Array(20).keys()) {
      const [writer, reader] = number % 2 === 0 ? [one, other] : [other, one]
      const body = { name: `Key ${number}`, roleId: 'role-admin' }
      const made = await send<{ id: string; key: string }>(writer.admin, 'POST', '/api/v1/api-keys', body)
      assert.equal(made.status, 201, made.text)
      const client = keyClient(reader.url, made.body.key)
      assert.equal((await send(client, 'GET', '/api/v1/roles')).status, 200)
      assert.equal((await send(writer.admin, 'DELETE', `/api/v1/api-keys/${made.body.id}`)).status, 204)
      assert.equal((await send(client, 'GET', '/api/v1/roles')).status, 401)
    }
    const person = { username: 'paula', name: 'Paula', password: 'the password of paula', roleId: 'role-admin' }
    const { body: user } = await send<{ id: string }>(one.admin, 'POST', '/api/v1/users', person)
    const { username, password } = person
    const login = await send<{ accessToken: string }>(other.anonymous, 'POST', '/api/v1/auth/login', {
      username,
      password,
    })
    assert.equal(login.status, 200, login.text)
    const paula = tokenClient(one.url, login.body.accessToken)
    assert.equal((await send(paula, 'GET', '/api/v1/roles')).status, 200)
    assert.equal((await send(other.admin, 'PATCH', `/api/v1/users/${user.id}`, { disabled: true })).status, 200)
    assert.equal((await send(paula, 'GET', '/api/v1/roles')).status, 401)
  })

  it('failed logins are counted together, whichever was asked', async () => {
    const login = (index: number, password: string) => {
      const { anonymous } = index % 2 === 0 ? one : other
      return send(anonymous, 'POST', '/api/v1/auth/login', { username: 'admin', password })
    }
    for (let index = 0; index < 9; index += 1) assert.equal((await login(index, 'wrong')).status, 401)
    assert.equal((await login(0, ADMIN_PASSWORD)).status, 200)
    for (let index = 0; index < 10; index += 1) assert.equal((await login(index, 'wrong')).status, 401)
    for (const index of [0, 1]) assert.equal((await login(index, ADMIN_PASSWORD)).status, 429)
  })

  it('a server with other keys is told which ones it needs', async () => {
    await assert.rejects(
      startServer({ databaseUrl }),
      /The keys in .* are not those of the workspace: copy signing\.key and encryption\.key/,
    )
  })
})
