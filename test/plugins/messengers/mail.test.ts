// The messenger `mail` against a real SMTP server. Contract 5 §7.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import mail from '../../../plugins/messengers/mail.ts'
import { createNetwork } from '../../../src/kernel/egress/network.ts'
import type { Message } from '../../../src/kernel/messenger.ts'
import { startMailSink } from '../../helpers/mail-sink.ts'
import { makeSelfSigned } from '../../helpers/self-signed.ts'

const PASSWORD = 'pass-7c9e6679f7425de9'
const NAME = 'Anna "A" <x@evil.example>\r\nBcc: eve@evil.example'
const message: Message = {
  id: 'summary-usr-1-2026-03-01',
  to: { userId: 'usr-1', name: NAME, address: 'anna@example.com' },
  language: 'de',
  subject: 'pimlet: 3 Punkte für Sie 😀',
  text: 'Grüße\n.\nEnde\n',
  html: '<!doctype html><p>Grüße</p>',
  settingsUrl: 'https://pim.example.com/console/account',
  createdAt: '2026-03-01T08:00:00.000Z',
}

async function send(raw: object, { allow = ['127.0.0.1'], signal = AbortSignal.timeout(20_000) } = {}): Promise<void> {
  const checked = await mail.config['~standard'].validate({ host: '127.0.0.1', from: 'pim@example.com', ...raw })
  if (checked.issues !== undefined) throw new Error(checked.issues.map((issue) => issue.message).join())
  await mail.send(message, checked.value, { signal, network: createNetwork({ allow }), log: () => undefined })
}

async function open(t: TestContext, options: Parameters<typeof startMailSink>[0] = {}) {
  const sink = await startMailSink(options)
  t.after(() => sink.close())
  return { sink, plain: { port: sink.port, security: 'none' } }
}

const isPermanent = (error: unknown): boolean => (error as { permanent?: unknown }).permanent === true

describe('A mail', () => {
  it('has both texts, a way to switch off, and one receiver, whatever the name of the person', async (t) => {
    const { sink, plain } = await open(t)
    await send(plain)
    const [sent] = sink.mails
    assert.deepEqual(sent?.to, ['anna@example.com'])
    assert.equal(sent.headers.get('list-unsubscribe'), '<https://pim.example.com/console/account>')
    assert.equal(sent.headers.get('message-id'), '<summary-usr-1-2026-03-01@example.com>')
    assert.equal(sent.headers.get('auto-submitted'), 'auto-generated')
    assert.equal(sent.headers.has('bcc'), false)
    assert.deepEqual([sent.text.trim().replaceAll('\r\n', '\n'), sent.html.trim()], ['Grüße\n.\nEnde', message.html])
  })

  it('goes over TLS alone, unless the settings say otherwise', async (t) => {
    const { sink } = await open(t)
    for (const security of ['starttls', 'tls', undefined])
      await assert.rejects(
        send({ port: sink.port, ...(security && { security }) }),
        (error: Error) => isPermanent(error) && /no secure connection could be made/.test(error.message),
      )
    assert.equal(sink.attempts, 0)
  })

  it('does not go to a server whose certificate nobody vouches for', async (t) => {
    for (const isImplicit of [true, false]) {
      const { sink } = await open(t, { tls: { ...makeSelfSigned('127.0.0.1'), isImplicit } })
      const security = isImplicit ? 'tls' : 'starttls'
      await assert.rejects(send({ port: sink.port, security }), isPermanent)
      assert.equal(sink.attempts, 0)
    }
  })

  it('signs in; a wrong password is a lasting fault that does not repeat it', async (t) => {
    const { sink, plain } = await open(t, { user: 'pim', password: PASSWORD })
    await send({ ...plain, username: 'pim', password: PASSWORD })
    assert.equal(sink.mails.length, 1)
    const wrong = `wrong-${PASSWORD}`
    await assert.rejects(send({ ...plain, username: 'pim', password: wrong }), (error: Error) => {
      assert.ok(isPermanent(error))
      assert.match(error.message, /refused the username and password \(SMTP 535\)/)
      return !JSON.stringify([error.message, error.stack]).includes(PASSWORD)
    })
  })

  it('fails for good where the server refuses it, and for now where the server is busy, dies or hangs', async (t) => {
    const { sink, plain } = await open(t)
    sink.behaviour = 'refuses'
    await assert.rejects(send(plain), isPermanent)
    sink.behaviour = 'busy'
    await assert.rejects(send(plain), (error) => !isPermanent(error) && /SMTP 451/.test((error as Error).message))
    sink.behaviour = 'hangs'
    await assert.rejects(send({ ...plain, timeoutSeconds: 1 }), (error) => !isPermanent(error))
    const signal = AbortSignal.timeout(300)
    await assert.rejects(send(plain, { signal }), (error) => error === signal.reason)
    await sink.close()
    const isAway = (error: unknown): boolean => /cannot be reached \(ECONNREFUSED\)/.test((error as Error).message)
    await assert.rejects(send(plain), (error) => !isPermanent(error) && isAway(error))
  })

  it('does not reach addresses that nobody permitted', async (t) => {
    const { sink, plain } = await open(t)
    await assert.rejects(send(plain, { allow: [] }), (error) => isPermanent(error) && /refused/.test(String(error)))
    assert.equal(sink.attempts, 0)
  })

  it('needs a password beside the username, and a sender', async () => {
    await assert.rejects(send({ username: 'pim' }), /must be given together with the username/)
    await assert.rejects(send({ from: 'a@b\r\nBcc: c@d' }), /must be an address/)
    await assert.rejects(send({ security: 'ssl' }), /must be tls, starttls or none/)
  })
})
