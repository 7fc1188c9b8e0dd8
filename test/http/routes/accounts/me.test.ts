// Contract 2 §2.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS } from '../../../../src/domain/accounts/permissions.ts'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { tokenClient } from '../../../helpers/client.ts'
import { isAccepted, logIn, makeUser, PASSWORD, type SessionBody, sessionOf } from '../../../helpers/people.ts'
import { startServer, type TestServer } from '../../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

describe('me.get: GET /api/v1/me', () => {
  it('describes the user behind a token', async () => {
    const user = await makeUser(server, { username: 'me', name: 'Me Myself' })
    const { status, body } = await send(await sessionOf(server, 'me'), 'GET', '/api/v1/me')
    const permissions = ['records.read', 'audit.read', 'model.read']
    assert.equal(status, 200)
    assert.deepEqual(body, { id: user.id, kind: 'user', name: 'Me Myself', roleId: 'role-viewer', permissions })
  })

  it('describes an API key', async () => {
    const { body } = await send(server.admin, 'GET', '/api/v1/me')
    const expected = {
      id: 'key-bootstrap',
      kind: 'apiKey',
      name: 'Bootstrap',
      roleId: 'role-admin',
      permissions: PERMISSIONS,
    }
    assert.deepEqual(body, expected)
  })
})

describe('me.changePassword: PUT /api/v1/me/password', () => {
  it('changes the password, ends all tokens, and answers a new one', async () => {
    await makeUser(server, { username: 'changer' })
    const [client, other] = [await sessionOf(server, 'changer'), await sessionOf(server, 'changer')]
    const body = { currentPassword: PASSWORD, newPassword: 'the new password' }
    const answer = await send<SessionBody>(client, 'PUT', '/api/v1/me/password', body)
    assert.equal(answer.status, 200)
    assert.equal(await isAccepted(client), false)
    assert.equal(await isAccepted(other), false)
    assert.equal(await isAccepted(tokenClient(server.url, answer.body.accessToken)), true)
    assertRefused(await logIn(server, 'changer', PASSWORD), 'UNAUTHORIZED')
    assert.equal((await logIn(server, 'changer', 'the new password')).status, 200)
  })

  it('a wrong current password is 400, changes nothing, and counts as a failed login', async () => {
    await makeUser(server, { username: 'guesser' })
    const client = await sessionOf(server, 'guesser')
    const change = (currentPassword: string) =>
      send(client, 'PUT', '/api/v1/me/password', { currentPassword, newPassword: 'the new password' })
    const answers = []
    for (let n = 0; n < 12; n += 1) answers.push(await change('wrong'))
    assertRefused(answers[0]!, 'VALIDATION_ERROR', 'currentPassword')
    assertRefused(answers.at(-1)!, 'RATE_LIMITED')
    assert.equal(await isAccepted(client), true)
  })

  it('names the field that is not as it must be', async () => {
    const put = (body: unknown) => send(server.admin, 'PUT', '/api/v1/me/password', body)
    assertRefused(await put({ newPassword: 'long enough' }), 'VALIDATION_ERROR', 'currentPassword')
    assertRefused(await put({ currentPassword: 'x', newPassword: 'short' }), 'VALIDATION_ERROR', 'newPassword')
    assertRefused(await put({ currentPassword: 'x', newPassword: 'x'.repeat(201) }), 'VALIDATION_ERROR', 'newPassword')
  })

  it('is not for API keys', async () => {
    const body = { currentPassword: 'whatever', newPassword: 'long enough' }
    assertRefused(await send(server.admin, 'PUT', '/api/v1/me/password', body), 'PERMISSION_DENIED')
  })
})
