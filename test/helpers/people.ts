// Users and sessions for the tests of accounts.
import assert from 'node:assert/strict'
import { send } from './answers.ts'
import { type Client, tokenClient } from './client.ts'
import type { TestServer } from './server.ts'

export interface UserBody {
  id: string
  username: string
  name: string
  roleId: string
  disabled: boolean
  createdAt: string
}

export interface SessionBody {
  accessToken: string
  tokenType: string
  expiresAt: string
  user: { id: string; username: string; name: string; roleId: string }
}

export const PASSWORD = 'a password of theirs'

let count = 0

/** Makes a user with the password `PASSWORD` and a unique name. */
export async function makeUser(server: TestServer, fields: object = {}): Promise<UserBody> {
  count += 1
  const body = { username: `user${count}`, roleId: 'role-viewer', password: PASSWORD, ...fields }
  const answer = await send<UserBody>(server.admin, 'POST', '/api/v1/users', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export function logIn(server: TestServer, username: string, password = PASSWORD) {
  return send<SessionBody>(server.anonymous, 'POST', '/api/v1/auth/login', { username, password })
}

/** Returns a client with a new token of the user. */
export async function sessionOf(server: TestServer, username: string, password = PASSWORD): Promise<Client> {
  const answer = await logIn(server, username, password)
  assert.equal(answer.status, 200, answer.text)
  return tokenClient(server.url, answer.body.accessToken)
}

export async function isAccepted(client: Client): Promise<boolean> {
  const { status } = await send(client, 'GET', '/api/v1/me')
  assert.ok(status === 200 || status === 401)
  return status === 200
}
