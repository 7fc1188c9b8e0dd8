// Contract 1 §5, 2 §2.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { atOneServer, type Client, keyClient, tokenClient } from '../../../helpers/client.ts'
import { HOUR, makeClock, MINUTE, SECOND } from '../../../helpers/clock.ts'
import { isAccepted, logIn, makeUser, PASSWORD, type SessionBody, sessionOf } from '../../../helpers/people.ts'
import { ADMIN_PASSWORD, startServer, type TestServer } from '../../../helpers/server.ts'

const clock = makeClock()
let server: TestServer
before(async () => {
  server = await startServer({ testing: { system: clock } })
})
after(() => server.stop())

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

describe('auth.login: POST /api/v1/auth/login', () => {
  it('answers a token, its kind, when it ends, and who it is for', async () => {
    const user = await makeUser(server, { username: 'anna', name: 'Anna', roleId: 'role-editor' })
    const { status, body } = await logIn(server, 'anna')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['accessToken', 'expiresAt', 'tokenType', 'user'])
    assert.equal(body.tokenType, 'Bearer')
    assert.deepEqual(body.user, { id: user.id, username: 'anna', name: 'Anna', roleId: 'role-editor' })
    const me = await send<{ id: string; kind: string }>(tokenClient(server.url, body.accessToken), 'GET', '/api/v1/me')
    assert.deepEqual([me.body.id, me.body.kind], [user.id, 'user'])
  })

  it('the token is a JWT that expires 24 hours after it is issued', async () => {
    const { body } = await logIn(server, 'admin', ADMIN_PASSWORD)
    const [header = '', payload = ''] = body.accessToken.split('.')
    assert.equal(decode(header)['alg'], 'HS256')
    const { iat, exp } = decode(payload) as { iat: number; exp: number }
    assert.equal(exp - iat, 24 * 60 * 60)
    assert.equal(Date.parse(body.expiresAt), exp * 1000)
    const client = tokenClient(server.url, body.accessToken)
    clock.advance(24 * HOUR - 2 * SECOND)
    assert.equal(await isAccepted(client), true)
    clock.advance(2 * SECOND)
    assert.equal(await isAccepted(client), false)
  })

  it('wrong user, wrong password and disabled user are indistinguishable', async () => {
    await makeUser(server, { username: 'off', disabled: true })
    await makeUser(server, { username: 'on' })
    const answers = [await logIn(server, 'nobody-here'), await logIn(server, 'on', 'wrong'), await logIn(server, 'off')]
    for (const answer of answers) assertRefused(answer, 'UNAUTHORIZED')
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    clock.advance(20 * MINUTE)
  })

  it('names a field that is missing or no text', async () => {
    const post = (body: unknown) => send(server.anonymous, 'POST', '/api/v1/auth/login', body)
    assertRefused(await post({ password: 'x' }), 'VALIDATION_ERROR', 'username')
    assertRefused(await post({ username: 'x' }), 'VALIDATION_ERROR', 'password')
    assertRefused(await post({ username: { $ne: 1 }, password: 'x' }), 'VALIDATION_ERROR', 'username')
    assertRefused(await post({ username: 'x', password: 'x'.repeat(2000) }), 'VALIDATION_ERROR', 'password')
  })

  it('a password typed in another Unicode form is the same', async () => {
    await makeUser(server, { username: 'form', password: 'pa\u0308sswort' })
    assert.equal((await logIn(server, 'form', 'p\u00e4sswort')).status, 200)
  })
})

describe('auth.refresh: POST /api/v1/auth/refresh', () => {
  const refresh = (token: string) => send<SessionBody>(tokenClient(server.url, token), 'POST', '/api/v1/auth/refresh')

  it('gives a new token of the same shape, and the old one stays valid until its own end', async () => {
    await makeUser(server, { username: 'fresh' })
    const first = (await logIn(server, 'fresh')).body
    clock.advance(HOUR)
    const second = await refresh(first.accessToken)
    assert.equal(second.status, 200)
    assert.deepEqual(second.body.user, first.user)
    assert.notEqual(second.body.accessToken, first.accessToken)
    assert.equal(Date.parse(second.body.expiresAt) - Date.parse(first.expiresAt), HOUR)
    assert.equal(await isAccepted(tokenClient(server.url, first.accessToken)), true)
    clock.advance(23 * HOUR)
    assert.equal(await isAccepted(tokenClient(server.url, first.accessToken)), false)
    assert.equal(await isAccepted(tokenClient(server.url, second.body.accessToken)), true)
    assertRefused(await refresh(first.accessToken), 'UNAUTHORIZED')
  })

  it('needs a token: no credential, nonsense and an API key are 401', async () => {
    assertRefused(await send(server.anonymous, 'POST', '/api/v1/auth/refresh'), 'UNAUTHORIZED')
    assertRefused(await send(server.admin, 'POST', '/api/v1/auth/refresh'), 'UNAUTHORIZED')
    assertRefused(await refresh('nonsense'), 'UNAUTHORIZED')
  })
})

describe('Tokens', () => {
  const signed = (header: object, payload: object, key: Buffer, hash = 'sha256') => {
    const text = `${encode(header)}.${encode(payload)}`
    return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
  }

  /** The next character of base64url: at the end of 32 bytes the last two bits mean nothing. */
  const nextOf = (character: string): string => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    return digits[digits.indexOf(character) + 1]!
  }

  it('exactly one algorithm is accepted, and nothing that another key signed', async () => {
    const { accessToken } = (await logIn(server, 'admin', ADMIN_PASSWORD)).body
    const [header = '', body = '', signature = ''] = accessToken.split('.')
    const payload = decode(body)
    const key = Buffer.from(readFileSync(path.join(server.dataDir, 'signing.key'), 'utf8'), 'base64')
    assert.equal(await isAccepted(tokenClient(server.url, signed(decode(header), payload, key))), true)
    const forged = [
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'HS512', typ: 'JWT' })}.${body}.${signature}`,
      signed({ alg: 'HS384' }, payload, key, 'sha384'),
      signed({ alg: 'HS512' }, payload, key, 'sha512'),
      signed(decode(header), payload, Buffer.alloc(32)),
      signed(decode(header), { ...payload, iss: 'other' }, key),
      signed(decode(header), { ...payload, exp: undefined }, key),
      signed(decode(header), { ...payload, gen: undefined }, key),
      signed(decode(header), { ...payload, sub: 'usr-unknown' }, key),
      `${header}.${encode({ ...payload, exp: 9_999_999_999 })}.${signature}`,
      `${accessToken}x`,
      accessToken.slice(0, -2),
      // What jose would read as the same token.
      `${accessToken}=`,
      `${accessToken}==`,
      `${header}=.${body}.${signature}`,
      `${header}.${body}=.${signature}`,
      `${header}.${body}. ${signature}`,
      `${header}.${body}.${signature.slice(0, -1)}${nextOf(signature.at(-1)!)}`,
      `${header}.${body}.${signature}.`,
      signature.includes('-') || signature.includes('_')
        ? `${header}.${body}.${signature.replaceAll('-', '+').replaceAll('_', '/')}`
        : `${accessToken}=`,
      'x'.repeat(10_000),
    ]
    for (const token of forged)
      assert.equal(await isAccepted(tokenClient(server.url, token)), false, token.slice(0, 90))
  })

  it('the role is looked up at each request, never trusted from the token', async () => {
    const user = await makeUser(server, { username: 'riser' })
    const client = await sessionOf(server, 'riser')
    assertRefused(await send(client, 'GET', '/api/v1/users'), 'PERMISSION_DENIED')
    await send(server.admin, 'PATCH', `/api/v1/users/${user.id}`, { roleId: 'role-admin' })
    assert.equal((await send(client, 'GET', '/api/v1/users')).status, 200)
    await send(server.admin, 'PATCH', `/api/v1/users/${user.id}`, { roleId: 'role-viewer' })
    assertRefused(await send(client, 'GET', '/api/v1/users'), 'PERMISSION_DENIED')
  })

  it("a password change and disabling end all of a user's tokens at once, for good", async () => {
    for (const [username, change] of [
      ['ender1', { password: 'another password' }],
      ['ender2', { disabled: true }],
    ] as const) {
      const user = await makeUser(server, { username })
      const clients = [await sessionOf(server, username), await sessionOf(server, username)]
      for (const client of clients) assert.equal(await isAccepted(client), true)
      await send(server.admin, 'PATCH', `/api/v1/users/${user.id}`, change)
      for (const client of clients) assert.equal(await isAccepted(client), false)
      await send(server.admin, 'PATCH', `/api/v1/users/${user.id}`, { disabled: false })
      for (const client of clients) assert.equal(await isAccepted(client), false)
    }
  })

  it('of a deleted user open nothing, also when somebody gets the same ID', async () => {
    const user = await makeUser(server, { id: 'usr-again', username: 'again' })
    const client = await sessionOf(server, 'again')
    assert.equal((await send(server.admin, 'DELETE', `/api/v1/users/${user.id}`)).status, 204)
    assert.equal(await isAccepted(client), false)
    clock.advance(SECOND)
    await makeUser(server, { id: 'usr-again', username: 'again' })
    assert.equal(await isAccepted(client), false)
  })

  it('outlive a restart of the server', async () => {
    await makeUser(server, { username: 'stayer' })
    const { accessToken } = (await logIn(server, 'stayer')).body
    server = await server.restart()
    assert.equal(await isAccepted(tokenClient(server.url, accessToken)), true)
  })
})

describe('auth.logout: POST /api/v1/auth/logout', () => {
  const logOut = (client: Client) => send(client, 'POST', '/api/v1/auth/logout')

  it('ends this token at once, and no other, also after a restart', async () => {
    await makeUser(server, { username: 'leaver' })
    const [one, other] = [await sessionOf(server, 'leaver'), await sessionOf(server, 'leaver')]
    const refreshed = await send<SessionBody>(one, 'POST', '/api/v1/auth/refresh')
    const answer = await logOut(one)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(await isAccepted(one), false)
    assertRefused(await logOut(one), 'UNAUTHORIZED')
    assertRefused(await send(one, 'POST', '/api/v1/auth/refresh'), 'UNAUTHORIZED')
    server = await server.restart()
    assert.equal(await isAccepted({ ...one, url: server.url }), false)
    for (const client of [{ ...other, url: server.url }, tokenClient(server.url, refreshed.body.accessToken)])
      assert.equal(await isAccepted(client), true)
  })

  it('is refused without a token: an API key is none', async () => {
    for (const client of [server.anonymous, server.admin, tokenClient(server.url, 'x.y.z')])
      assertRefused(await logOut(client), 'UNAUTHORIZED')
    assert.equal(await isAccepted(server.admin), true)
  })
})

describe('Failed logins', () => {
  const from = (address: string, username: string, password = 'wrong password', client = keyClient(proxied.url)) =>
    send<SessionBody>(client, 'POST', '/api/v1/auth/login', { username, password }, { 'x-forwarded-for': address })
  let proxied: TestServer
  before(async () => {
    proxied = await startServer({ trustedProxies: ['127.0.0.1'], testing: { system: clock } })
    for (const username of ['victim', 'other', 'third']) await makeUser(proxied, { username })
  })
  after(() => proxied.stop())

  it('after 10 in 15 minutes a username gets 429 with Retry-After from there, with the right password too', async () => {
    for (let n = 0; n < 10; n += 1) assertRefused(await from('10.0.0.1', 'victim'), 'UNAUTHORIZED')
    const refused = await from('10.0.0.1', 'victim', PASSWORD)
    assertRefused(refused, 'RATE_LIMITED', '15 minutes')
    assert.equal(refused.headers.get('retry-after'), '900')
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  })

  it('the same username from another address, and another username from there, still work meanwhile', async () => {
    assert.equal((await from('10.0.9.9', 'victim', PASSWORD)).status, 200)
    assert.equal((await from('10.0.0.1', 'other', PASSWORD)).status, 200)
    assertRefused(await from('10.0.0.1', 'victim', PASSWORD), 'RATE_LIMITED')
    for (let n = 0; n < 20; n += 1) assertRefused(await from('10.1.1.1', `guess${n}`), 'UNAUTHORIZED')
    assert.equal((await from('10.1.1.1', 'third', PASSWORD)).status, 200)
  })

  it('a username under attack from many addresses is slowed, and never closed', async () => {
    await makeUser(proxied, { username: 'target' })
    const timed = async (address: string) => {
      const started = performance.now()
      assert.equal((await from(address, 'target', PASSWORD)).status, 200)
      return performance.now() - started
    }
    for (let n = 0; n < 16; n += 1) assertRefused(await from(`10.6.0.${n}`, 'target'), 'UNAUTHORIZED')
    assert.ok((await timed('10.6.1.1')) >= 590)
  })

  it('many at once count as many', async () => {
    // Of what is under way each server knows its own.
    const one = atOneServer(keyClient(proxied.url))
    const answers = await Promise.all(Array.from({ length: 30 }, () => from('10.2.2.2', 'many', undefined, one)))
    assert.equal(answers.filter((answer) => answer.status === 401).length, 10)
    assert.equal(answers.filter((answer) => answer.status === 429).length, 20)
  })

  it('passwords that are right are no failures, however many come at once', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, n) => makeUser(proxied, { username: `busy${n}` })))
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => from('10.5.5.5', `busy${n}`, PASSWORD)))
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
  })

  it('an IPv6 address counts as its network', async () => {
    for (let n = 0; n < 10; n += 1) await from(`2001:db8:1:2::${n + 1}`, 'six')
    assertRefused(await from('2001:db8:1:2:ffff::1', 'six'), 'RATE_LIMITED')
    assertRefused(await from('2001:db8:1:3::1', 'six'), 'UNAUTHORIZED')
  })

  it('are forgotten after 15 minutes, and those of a username and address when the password was right', async () => {
    clock.advance(15 * MINUTE - SECOND)
    assertRefused(await from('10.0.0.1', 'victim', PASSWORD), 'RATE_LIMITED')
    clock.advance(SECOND)
    for (const round of [1, 2]) {
      for (let n = 0; n < 9; n += 1) assertRefused(await from('10.0.0.1', 'victim'), 'UNAUTHORIZED')
      assert.equal((await from('10.0.0.1', 'victim', PASSWORD)).status, 200, `round ${round}`)
    }
  })

  it('no other rate limit is enforced', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(proxied.admin, 'GET', '/api/v1/me')))
    assert.ok(answers.every((answer) => answer.status === 200))
  })
})
