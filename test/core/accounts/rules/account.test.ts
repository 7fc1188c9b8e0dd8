import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  hasEnded,
  type StoredUser,
  UserInput,
  UserUpdate,
  withoutToken,
} from '../../../../src/core/accounts/rules/account.ts'
import { parse } from '../../../../src/kernel/input/parse.ts'

const good = { username: 'anna', roleId: 'role-editor', password: '12345678' }

test('a user needs a username, a role and a password', () => {
  assert.deepEqual(parse(UserInput, good), { ...good, disabled: false })
  for (const field of ['username', 'roleId', 'password'])
    assert.throws(() => parse(UserInput, { ...good, [field]: undefined }), { message: `${field} is required` })
})

test('a password has 8 to 200 characters and is never shown in the message', () => {
  for (const password of ['1234567', 'x'.repeat(201)])
    assert.throws(
      () => parse(UserInput, { ...good, password }),
      (error: Error) => error.message.startsWith('password must be at') && !error.message.includes(password),
    )
  assert.equal(parse(UserInput, { ...good, password: 'x'.repeat(200) }).password.length, 200)
})

test('a username has no spaces and no control characters', () => {
  for (const username of ['', 'a b', 'a\tb', 'a\u0000', 'a\u200bb', 'x'.repeat(101), 5])
    assert.throws(() => parse(UserInput, { ...good, username }), { message: /^username must be/ })
  for (const username of ['anna@example.com', 'Ärger', 'constructor', '__proto__'])
    assert.equal(parse(UserInput, { ...good, username }).username, username)
})

test('an update may name any field alone', () => {
  assert.deepEqual(parse(UserUpdate, {}), {})
  assert.deepEqual(parse(UserUpdate, { disabled: true, createdAt: 'x' }), { disabled: true })
  assert.throws(() => parse(UserUpdate, { disabled: 'yes' }), { message: 'disabled must be true or false' })
})

describe('withoutToken', () => {
  const user: StoredUser = {
    id: 'usr-1',
    username: 'anna',
    name: 'Anna',
    roleId: 'role-editor',
    disabled: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    passwordHash: 'hash',
    tokenGeneration: 5,
  }
  const now = new Date(10_000_000)
  const token = (n: number, expiresAt = 20_000) => ({ id: `t${n}`, expiresAt })

  it('ends this token, and remembers it until it expires', () => {
    const after = withoutToken(user, token(1), now)
    assert.deepEqual([hasEnded(user, 't1'), hasEnded(after, 't1'), hasEnded(after, 't2')], [false, true, false])
    const later = withoutToken(after, token(2, 90_000), new Date(20_000_000))
    assert.deepEqual(later.endedTokens, [token(2, 90_000)])
    assert.equal(later.tokenGeneration, user.tokenGeneration)
  })

  it('the 101st ends all tokens of the user, so that no user remembers more', () => {
    let after: StoredUser = user
    for (let n = 0; n < 100; n += 1) after = withoutToken(after, token(n), now)
    assert.equal(after.endedTokens!.length, 100)
    assert.equal(after.tokenGeneration, user.tokenGeneration)
    after = withoutToken(after, token(100), now)
    assert.deepEqual(after.endedTokens, [])
    assert.ok(after.tokenGeneration > user.tokenGeneration)
  })
})
