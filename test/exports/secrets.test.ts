// Secrets at rest.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  fillPlaceholders,
  findMovedKey,
  keptFields,
  splitSecrets,
  textsIn,
  withSecrets,
} from '../../src/kernel/secrets/secret-fields.ts'
import { createSecretBox, UnreadableSecret } from '../../src/kernel/secrets/secret-box.ts'

const box = createSecretBox(randomBytes(32), randomBytes)

function flip(sealed: string, at: number): string {
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  bytes[at < 0 ? bytes.length + at : at]! ^= 1
  return `v1.${bytes.toString('base64')}`
}

describe('A sealed secret', () => {
  it('opens to what was sealed, whatever JSON that is', () => {
    for (const value of ['', 'päss wörd\n', { a: ['b', 1] }, null, 7])
      assert.deepEqual(box.open('job-1', 'password', box.seal('job-1', 'password', value)), value)
  })

  it('shows nothing of its content, and is another text each time', () => {
    const sealed = Array.from({ length: 50 }, () => box.seal('job-1', 'password', 'open sesame'))
    assert.equal(new Set(sealed.map((text) => text.slice(0, 19))).size, 50, 'a nonce was used twice')
    for (const text of sealed)
      assert.ok(!Buffer.from(text.slice(3), 'base64').includes('sesame') && !text.includes('sesame'))
  })

  it('opens for its own job and field only', () => {
    const sealed = box.seal('job-1', 'password', 'open sesame')
    assert.throws(() => box.open('job-2', 'password', sealed), UnreadableSecret)
    assert.throws(() => box.open('job-1', 'passphrase', sealed), UnreadableSecret)
    assert.throws(() => box.open('job-1\npassword', '', sealed), UnreadableSecret)
  })

  it('does not open with another key, nor when a bit of it was changed', () => {
    const sealed = box.seal('job-1', 'password', 'open sesame')
    const other = createSecretBox(randomBytes(32), randomBytes)
    for (const attempt of [
      () => other.open('job-1', 'password', sealed),
      () => box.open('job-1', 'password', flip(sealed, 0)),
      () => box.open('job-1', 'password', flip(sealed, 14)),
      () => box.open('job-1', 'password', flip(sealed, -1)),
      () => box.open('job-1', 'password', 'v1.'),
      () => box.open('job-1', 'password', `v2${sealed.slice(2)}`),
    ])
      assert.throws(attempt, (error) => error instanceof UnreadableSecret && !error.message.includes('sesame'))
  })
})

describe('The secret fields of settings', () => {
  const keys = ['password', 'headers.*']
  const config = { host: 'h', password: 'p', headers: { Authorization: 'a', 'x.y': 'b', constructor: 'c' }, port: 22 }

  it('are taken out, and put back to the same settings', () => {
    const { open, secrets } = splitSecrets(config, keys)
    assert.deepEqual(open, { host: 'h', headers: {}, port: 22 })
    assert.deepEqual(secrets, {
      password: 'p',
      'headers.Authorization': 'a',
      'headers.x.y': 'b',
      'headers.constructor': 'c',
    })
    assert.deepEqual(withSecrets(open, secrets), config)
  })

  it('keep what is stored where the placeholder is sent, and name a field that has nothing stored', () => {
    const stored = (field: string): unknown => (field === 'password' ? 'old' : undefined)
    assert.deepEqual(fillPlaceholders({ password: '********', headers: { A: 'new' } }, keys, stored), {
      password: 'old',
      headers: { A: 'new' },
    })
    assert.throws(() => fillPlaceholders({ headers: { A: '********' } }, keys, stored), /destinationConfig\.headers\.A/)
  })

  it('a placeholder that is no secret is a text like others', () => {
    assert.deepEqual(
      fillPlaceholders({ host: '********' }, keys, () => undefined),
      { host: '********' },
    )
  })

  it('that keep what is stored are those whose placeholder is sent', () => {
    const sent = { host: '********', password: '********', headers: { A: 'new', 'x.y': '********' } }
    assert.deepEqual(keptFields(sent, keys), ['password', 'headers.x.y'])
  })

  it('have moved where a key of their place says something else, comes or goes', () => {
    const place = { host: 'h', port: 22, constructor: 'c', options: { a: 1, b: [2] }, hostKey: undefined }
    assert.equal(findMovedKey(place, { ...place, options: { b: [2], a: 1 } }), undefined)
    assert.equal(findMovedKey({}, {}), undefined)
    const moves: [object, string][] = [
      [{ ...place, port: 23 }, 'port'],
      [{ ...place, port: '22' }, 'port'],
      [{ ...place, hostKey: 'k' }, 'hostKey'],
      [{ ...place, options: { a: 1, b: [3] } }, 'options'],
      [{ ...place, toString: 't' }, 'toString'],
      [{ ...place, host: undefined }, 'host'],
      [{ host: 'h' }, 'port'],
    ]
    for (const [after, key] of moves) assert.equal(findMovedKey(place, after as Record<string, unknown>), key)
  })

  it('are found as texts at any depth, to be blotted out', () => {
    assert.deepEqual(textsIn({ a: 'x', b: ['y', { c: 12 }], d: null, e: true }), ['x', 'y', '12'])
  })
})
