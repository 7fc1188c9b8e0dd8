import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserInput, UserUpdate } from '../../../src/domain/accounts/accounts.ts'
import { parse } from '../../../src/domain/input/validation.ts'

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
