// Contract 2 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { atOneServer, keyClient } from '../../../helpers/client.ts'
import { HOUR, makeClock } from '../../../helpers/clock.ts'
import { isAccepted } from '../../../helpers/people.ts'
import { ADMIN_KEY, startServer, type TestServer } from '../../../helpers/server.ts'
import { storedIn } from '../../../helpers/tested-database.ts'

interface KeyBody {
  id: string
  name: string
  roleId: string
  expiresAt: string | null
  createdAt: string
  lastUsedAt?: string | null
  key: string
}

const clock = makeClock()
let server: TestServer
before(async () => {
  server = await startServer({ testing: { system: clock } })
})
after(() => server.stop())

const post = (body: unknown) => send<KeyBody>(server.admin, 'POST', '/api/v1/api-keys', body)
const list = async (admin = server.admin) => (await send<KeyBody[]>(admin, 'GET', '/api/v1/api-keys')).body

describe('apiKeys.create: POST /api/v1/api-keys', () => {
  it('answers 201 with the key, which is shown this once', async () => {
    const { status, body } = await post({ name: 'Script', roleId: 'role-viewer' })
    assert.equal(status, 201)
    const { id, key, createdAt, ...rest } = body
    assert.match(id, /^key-[0-9a-z]{20,}$/)
    assert.equal(createdAt, clock.now().toISOString())
    assert.deepEqual(rest, { name: 'Script', roleId: 'role-viewer', expiresAt: null })
    assert.equal(await isAccepted(keyClient(server.url, key)), true)
    const listed = await send(server.admin, 'GET', '/api/v1/api-keys')
    assert.ok(!listed.text.includes(key) && !listed.text.includes('hash'))
  })

  it('only the hash of a key is stored', async () => {
    const { key } = (await post({ name: 'Hidden', roleId: 'role-viewer' })).body
    const stored = await storedIn(server.dataDir)
    assert.ok(stored.some((part) => part.includes('Hidden')))
    assert.ok(stored.every((part) => !part.includes(key) && !part.includes(ADMIN_KEY)))
  })

  it('names the field that is not as it must be', async () => {
    const wrong: [object, string][] = [
      [{ name: '' }, 'name'],
      [{ name: undefined }, 'name'],
      [{ roleId: 'role-none' }, 'roleId'],
      [{ roleId: undefined }, 'roleId'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: 5 }, 'expiresAt'],
      [{ expiresAt: '2400-02-30T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '2400-01-01T00:00:00+05' }, 'expiresAt'],
      [{ expiresAt: '9999-12-31T23:59:59-23:59' }, 'expiresAt'],
      [{ expiresAt: '0000-01-01T00:00:00+23:59' }, 'expiresAt'],
      [{ expiresAt: new Date(clock.now().getTime() - 1).toISOString() }, 'expiresAt'],
      [{ id: '' }, 'id'],
    ]
    for (const [fields, named] of wrong)
      assertRefused(await post({ name: 'K', roleId: 'role-viewer', ...fields }), 'VALIDATION_ERROR', named)
  })

  it('takes a client ID, and a duplicate is a CONFLICT', async () => {
    assert.equal((await post({ id: 'key-own', name: 'K', roleId: 'role-viewer' })).body.id, 'key-own')
    assertRefused(await post({ id: 'key-own', name: 'K', roleId: 'role-viewer' }), 'CONFLICT', 'key-own')
  })

  it('a key ends when it expires', async () => {
    const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString()
    const { body } = await post({ name: 'Short', roleId: 'role-viewer', expiresAt })
    assert.equal(body.expiresAt, expiresAt)
    assert.equal(await isAccepted(keyClient(server.url, body.key)), true)
    clock.advance(HOUR)
    assert.equal(await isAccepted(keyClient(server.url, body.key)), false)
  })

  it('an expiry with an offset is shown in UTC', async () => {
    const { body } = await post({ name: 'Far', roleId: 'role-viewer', expiresAt: '2400-01-01T00:30:00.5+01:00' })
    assert.equal(body.expiresAt, '2399-12-31T23:30:00.500Z')
  })
})

describe('apiKeys.list: GET /api/v1/api-keys', () => {
  it('shows when a key was last used, to the hour', async () => {
    const { id, key } = (await post({ name: 'Used', roleId: 'role-viewer' })).body
    // A server writes down later what it has seen.
    const admin = atOneServer(server.admin)
    const find = async () => (await list(admin)).find((candidate) => candidate.id === id)!
    assert.equal((await find()).lastUsedAt, null)
    await isAccepted({ ...keyClient(server.url, key), url: admin.url })
    const hour = clock.now()
    hour.setUTCMinutes(0, 0, 0)
    assert.equal((await find()).lastUsedAt, hour.toISOString())
    clock.advance(2 * HOUR)
    await isAccepted(keyClient(server.url, key))
    server = await server.restart()
    const [found] = (await list()).filter((candidate) => candidate.id === id)
    assert.equal(found!.lastUsedAt, new Date(hour.getTime() + 2 * HOUR).toISOString())
  })
})

describe('apiKeys.delete: DELETE /api/v1/api-keys/:id', () => {
  it('answers 204, and the key opens nothing from then on', async () => {
    const { id, key } = (await post({ name: 'Gone', roleId: 'role-viewer' })).body
    const client = keyClient(server.url, key)
    for (let round = 0; round < 3; round += 1) assert.equal(await isAccepted(client), true)
    const answer = await send(server.admin, 'DELETE', `/api/v1/api-keys/${id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(await isAccepted(client), false)
    assert.ok(!(await list()).some((candidate) => candidate.id === id))
  })

  it('takes effect at once also while the key is in use', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, key } = (await post({ name: 'Busy', roleId: 'role-viewer' })).body
      const client = keyClient(server.url, key)
      let isStopped = false
      const users = Array.from({ length: 8 }, async () => {
        while (!isStopped) await isAccepted(client)
      })
      await send(server.admin, 'DELETE', `/api/v1/api-keys/${id}`)
      assert.equal(await isAccepted(client), false)
      isStopped = true
      await Promise.all(users)
      assert.equal(await isAccepted(client), false)
    }
  })

  it('an unknown one is NOT_FOUND', async () => {
    assertRefused(await send(server.admin, 'DELETE', '/api/v1/api-keys/key-none'), 'NOT_FOUND', 'API key', 'key-none')
  })
})

describe('A key', () => {
  it('that is none is 401, whatever it looks like', async () => {
    const spelt = [`${ADMIN_KEY}=`, `${ADMIN_KEY}, ${ADMIN_KEY}`, `Bearer ${ADMIN_KEY}`, ADMIN_KEY.toUpperCase()]
    for (const key of [...spelt, '', 'x', `${ADMIN_KEY}x`, ADMIN_KEY.slice(1), 'x'.repeat(5000), 'constructor'])
      assert.equal(await isAccepted(keyClient(server.url, key)), false, key.slice(0, 50))
  })

  it('that is sent as a Bearer token is 401 and told where it belongs, whether it is one or not', async () => {
    for (const key of [ADMIN_KEY, 'pim_none', 'x'.repeat(5000)]) {
      const answer = await fetch(`${server.url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })
      assert.deepEqual(await answer.json(), {
        error: 'UNAUTHORIZED',
        message: 'The Bearer credential is not an access token. Send an API key in the header X-Service-ApiKey',
      })
    }
  })
})
