// What one of two servers has answered for about who may do what is known to the other at its next request, however soon that comes.
// TEST_RACES says how often.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import { type Client, keyClient, tokenClient } from '../helpers/client.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { FEW_LANES, inLanes, RACES, SLOW_RACES } from '../helpers/races.ts'
import { severalOn } from '../helpers/several-servers.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'
import { make } from '../helpers/shirts.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

const API = '/api/v1'
const PASSWORD = 'a password of somebody'

interface Made {
  readonly id: string
}

describe('A server of two', { timeout: 600_000 + RACES * 5000, skip: withoutPostgres() }, () => {
  const shared = sharedInSuite(async (suite) => {
    const { url } = await makeDatabase()
    const several = severalOn(url, suite)
    const one = await several.start('one')
    const other = await several.start('other')
    return [one.admin, other.admin] as const
  })

  it('refuses a key that was revoked at the other', () =>
    inLanes(async (n) => {
      const [giver, taker] = n % 2 === 0 ? shared() : shared().toReversed()
      const { id, key } = await make<Made & { key: string }>(giver, `${API}/api-keys`, {
        name: 'K',
        roleId: 'role-viewer',
      })
      const client = keyClient(taker.url, key)
      assert.equal((await send(client, 'GET', `${API}/me`)).status, 200)
      assert.equal((await send(giver, 'DELETE', `${API}/api-keys/${id}`)).status, 204)
      assertRefused(await send(client, 'GET', `${API}/me`), 'UNAUTHORIZED')
    }))

  it('refuses tokens from before a password was changed at the other, or its user disabled there', async () => {
    const users = await Promise.all(
      Array.from({ length: FEW_LANES }, (_, n) =>
        make<Made>(shared()[0], `${API}/users`, { username: `user-${n}`, roleId: 'role-viewer', password: PASSWORD }),
      ),
    )
    await inLanes(
      async (n, lane) => {
        const [giver, taker] = n % 2 === 0 ? shared() : shared().toReversed()
        const client = await logIn(taker, `user-${lane}`)
        assert.equal((await send(client, 'GET', `${API}/me`)).status, 200)
        const change = async (body: object): Promise<void> =>
          assert.equal((await send(giver, 'PATCH', `${API}/users/${users[lane]!.id}`, body)).status, 200)
        await change(n % 4 < 2 ? { password: PASSWORD } : { disabled: true })
        assertRefused(await send(client, 'GET', `${API}/me`), 'UNAUTHORIZED')
        if (n % 4 >= 2) await change({ disabled: false })
      },
      FEW_LANES,
      SLOW_RACES,
    )
  })

  it('lets somebody do what the role allows since it was changed at the other', () =>
    inLanes(async (n) => {
      const [giver, taker] = n % 2 === 0 ? shared() : shared().toReversed()
      const role = { name: `Role ${n}`, permissions: ['records.read'], defaultAttributePermission: 'read' }
      const { id } = await make<Made>(giver, `${API}/roles`, role)
      const { key } = await make<{ key: string }>(giver, `${API}/api-keys`, { name: 'K', roleId: id })
      const read = () => send(keyClient(taker.url, key), 'GET', `${API}/records?limit=1`)
      assert.equal((await read()).status, 200)
      const changed = await send(giver, 'PUT', `${API}/roles/${id}`, { ...role, permissions: ['model.read'] })
      assert.equal(changed.status, 200, changed.text)
      assertRefused(await read(), 'PERMISSION_DENIED')
    }))
})

async function logIn({ url }: Client, username: string): Promise<Client> {
  const login = { username, password: PASSWORD }
  const { body, status } = await send<{ accessToken: string }>(keyClient(url), 'POST', `${API}/auth/login`, login)
  assert.equal(status, 200)
  return tokenClient(url, body.accessToken)
}
