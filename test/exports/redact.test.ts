// Nothing secret survives in a text that is logged, stored or sent.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { createRedactor } from '../../src/kernel/secrets/redact.ts'

describe('a redactor', () => {
  it('blots a known secret out, also URL-encoded and in base64', () => {
    const secret = 'pä ss/w+rd&=?'
    const redact = createRedactor([secret])
    const forms = [
      secret,
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      new URLSearchParams({ key: secret }).toString().slice(4),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ]
    for (const form of forms) assert.equal(redact(`before ${form} after`), 'before *** after', form)
  })

  it('takes every character of a secret literally', () => {
    const redact = createRedactor([String.raw`.*+?^$\{}()|[]/-x`, '$&$1'])
    assert.equal(redact(String.raw`a .*+?^$\{}()|[]/-x b $&$1 c`), 'a *** b *** c')
    assert.equal(redact('nothing of the kind'), 'nothing of the kind')
  })

  it('blots the longer of two secrets when one contains the other', () => {
    assert.equal(createRedactor(['secret', 'secret-and-more'])('x secret-and-more y secret'), 'x *** y ***')
  })

  it('blots very short secrets only where they stand alone', () => {
    assert.equal(createRedactor(['ab'])('ab about (ab)'), '*** about (***)')
  })

  it('ignores empty secrets', () => {
    assert.equal(createRedactor(['', '  '])('plain text'), 'plain text')
  })

  it('blots each line of a private key and whole keys that it does not know', () => {
    const key =
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAEbm9uZQAAAAAAAAAB\n-----END OPENSSH PRIVATE KEY-----\n'
    const redact = createRedactor([key])
    assert.equal(redact('line b3BlbnNzaC1rZXktdjEAAAAABG5vbmU'), 'line ***')
    assert.equal(redact(JSON.stringify({ key })), '{"key":"***"}')
    const encrypted = '-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC,00\n\nabcd\n-----END RSA PRIVATE KEY-----'
    assert.equal(createRedactor([])(`x ${encrypted} y`), 'x *** y')
  })

  const unknown = {
    'Authorization: Bearer abc.def': 'Authorization: ***',
    '{"authorization":"Basic abc","host":"x"}': '{"authorization":***,"host":"x"}',
    "['Authorization', 'AWS4-HMAC-SHA256 Credential=a, Signature=b', 'Host']": "['Authorization', ***, 'Host']",
    'Authorization: x\nHost: y': 'Authorization: ***\nHost: y',
    'https://a.test/c/f?sv=1&sig=a%2Fb%3D&se=2': 'https://a.test/c/f?sv=1&sig=***&se=2',
    'GET /k?X-Amz-Signature=00ff&X-Amz-Security-Token=tok%3D%3D HTTP/1.1':
      'GET /k?X-Amz-Signature=***&X-Amz-Security-Token=*** HTTP/1.1',
    'AccountName=a;AccountKey=abc==;EndpointSuffix=b': 'AccountName=a;AccountKey=***;EndpointSuffix=b',
    'https://user:p%40ss@host.test/x': 'https://***@host.test/x',
    'sftp://u:p@ss@host.test:22/x': 'sftp://***@host.test:22/x',
  }
  for (const [text, expected] of Object.entries(unknown)) {
    it(`makes ${JSON.stringify(expected)} of credentials that it was not told`, () => {
      assert.equal(createRedactor([])(text), expected)
      assert.equal(createRedactor([])(expected), expected)
    })
  }

  it('leaves addresses without credentials alone', () => {
    for (const text of [
      'sftp://user@host.test:22/in/a.csv',
      'https://host.test:8443/a?b=c@d',
      'design=2',
      'authorization failed',
    ]) {
      assert.equal(createRedactor([])(text), text)
    }
  })

  it('leaves no trace of any secret of four characters or more', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(secret.trim().length >= 4 && !secret.includes('*'))
        const text = createRedactor([secret])(before + secret + after)
        assert.ok(!text.includes(secret), JSON.stringify({ secret, text }))
      }),
    )
  })

  it('stays fast on long texts made to confuse it', () => {
    const redact = createRedactor(['hunter22'])
    const started = performance.now()
    const hostile = [
      '://',
      '://a:',
      'authorization:',
      'sig=',
      '-----BEGIN RSA PRIVATE KEY-----',
      ':'.repeat(3),
      'authorization"   ',
    ]
    for (const piece of hostile) redact(piece.repeat(20_000))
    assert.ok(performance.now() - started < 15_000)
  })
})
