import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  alreadyExists,
  conflict,
  denied,
  invalid,
  notFound,
  PimletError,
  shorten,
  unauthorized,
} from '../../src/kernel/errors.ts'

test('each kind of error has its code', () => {
  const codes = [
    invalid('x'),
    notFound('Record', 'x'),
    conflict('x'),
    alreadyExists('Record', 'x'),
    denied('x'),
    unauthorized(),
  ]
  assert.deepEqual(
    codes.map(({ code }) => code),
    ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'CONFLICT', 'PERMISSION_DENIED', 'UNAUTHORIZED'],
  )
  assert.ok(codes.every((error) => error instanceof PimletError))
})

test('what does not exist, or already exists, is named by type and ID', () => {
  assert.equal(notFound('Record', 'ent-1').message, "Record 'ent-1' does not exist")
  assert.equal(alreadyExists('Schema', 'sch-1').message, "Schema with the ID 'sch-1' already exists")
})

test('a message never grows with what a client sends', () => {
  assert.ok(notFound('Record', 'x'.repeat(100_000)).message.length < 200)
  assert.equal(shorten('abc', 2), 'ab…')
  assert.equal(shorten('ab', 2), 'ab')
})

test('a message shows control characters escaped, whatever it is made from', () => {
  const every = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join('')
  const { message } = invalid(`'${every}' names nothing`)
  assert.doesNotMatch(message, /\p{Cc}/u)
  assert.ok(message.startsWith("'\\u0000\\u0001"), message)
  assert.ok(message.includes('\\u001f !"#'), message)
  assert.ok(message.includes('~\\u007f\\u0080') && message.endsWith("\\u009f\u00a0' names nothing"), message)
  assert.equal(notFound('Record', 'a\u001b[2Jb').message, "Record 'a\\u001b[2Jb' does not exist")
})

test('an error keeps its cause and the time to wait', () => {
  const cause = new Error('disk')
  const error = new PimletError('UNAVAILABLE', 'Later', { cause, retryAfter: 5 })
  assert.equal(error.cause, cause)
  assert.equal(error.retryAfter, 5)
  assert.equal(new PimletError('CONFLICT', 'x').retryAfter, undefined)
})
