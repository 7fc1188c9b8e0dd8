// Setting up how messages go out, over HTTP. Contract 5 §7.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { configOf, type MessengerBody, messengerOf, openSummaries as open, SMTP_PASSWORD } from '../summing.ts'
import { makePerson, type TalkingPerson } from '../talking.ts'

describe('PUT /api/v1/messenger, GET /api/v1/messenger, DELETE /api/v1/messenger and POST /api/v1/messenger/check', () => {
  it('show no secret, keep it behind its placeholder, and send it nowhere else', async (t) => {
    const { sink, shop } = await open(t)
    const { config } = await messengerOf(shop.admin)
    assert.deepEqual(config, { ...configOf(sink), password: '********' })
    const set = (change: object, type = 'mail') =>
      send(shop.admin, 'PUT', '/api/v1/messenger', { type, config: { ...config, ...change } })
    assert.equal((await set({ from: 'other@example.com' })).status, 200)
    assertRefused(await set({ port: sink.port + 1 }), 'VALIDATION_ERROR', 'config.password must be sent again')
    assertRefused(await set({ security: 'ssl' }), 'VALIDATION_ERROR', 'config.security')
    assertRefused(await set({ hots: 'x' }), 'VALIDATION_ERROR', "'config.hots'", 'host')
    assertRefused(
      await set({ host: '169.254.169.254', password: SMTP_PASSWORD }),
      'VALIDATION_ERROR',
      'config.host',
      'refused',
    )
    assertRefused(await set({}, 'constructor'), 'VALIDATION_ERROR', 'type must be one of mail, webhook')
  })

  it('are for administrators', async (t) => {
    const { shop, anna } = await open(t)
    for (const [method, path] of [
      ['GET', '/api/v1/messenger'],
      ['PUT', '/api/v1/messenger'],
      ['DELETE', '/api/v1/messenger'],
      ['POST', '/api/v1/messenger/check'],
    ] as const) {
      const body = method === 'PUT' ? { type: 'mail', config: {} } : undefined
      assertRefused(await send(anna.client, method, path, body), 'PERMISSION_DENIED')
      assertRefused(await send(shop.viewer, method, path, body), 'PERMISSION_DENIED')
    }
  })

  it('send a trial to their administrator, and a wrong password is told to nobody', async (t) => {
    const { shop, sink } = await open(t)
    const boss = await makePerson(shop, 'Boss', 'role-admin')
    const check = () => send<{ ok: boolean; message: string }>(boss.client, 'POST', '/api/v1/messenger/check')
    assertRefused(await check(), 'VALIDATION_ERROR', 'email of your notice settings')
    assertRefused(await send(shop.admin, 'POST', '/api/v1/messenger/check'), 'PERMISSION_DENIED', 'API key')
    await send(boss.client, 'PUT', '/api/v1/notices/settings', { off: [], email: 'boss@example.com' })
    assert.deepEqual((await check()).body, { ok: true, message: 'A trial message was sent to boss@example.com' })
    assert.match(sink.mails[0]!.text, /This is a trial/)
    const wrong = 'wrong-0c1b2a3948576655'
    const config = { ...configOf(sink), password: wrong }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/messenger', { type: 'mail', config })).status, 200)
    const { body } = await check()
    assert.equal(body.ok, false)
    assert.match(body.message, /refused the username and password/)
    assert.doesNotMatch(
      JSON.stringify([body, shop.logged]),
      new RegExp(`${wrong}|${Buffer.from(wrong).toString('base64')}`),
    )
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/messenger')).status, 204)
    assertRefused(await check(), 'CONFLICT', 'No messenger is set up')
  })
})

const CHAT = `import { appendFileSync } from 'node:fs'
const validate = (value) => (typeof value?.file === 'string' ? { value } : { issues: [{ message: 'is missing', path: ['file'] }] })
export default {
  type: 'chat',
  title: 'Chat',
  config: { '~standard': { version: 1, vendor: 'acme', validate } },
  secrets: ['token'],
  async send(message, { file, token }, { signal }) {
    signal.throwIfAborted()
    if (token === 'expired') throw Object.assign(new Error('the token expired is refused'), { permanent: true })
    appendFileSync(file, JSON.stringify(message) + '\\n')
  },
}
`

describe('A messenger from the directory of plugins', () => {
  it('sends like a built-in one, in a thread of its own, and its type may be that of no other', async (t) => {
    const directory = makeTempDirectory()
    writeFileSync(path.join(directory, 'chat.mjs'), CHAT)
    const { shop, sink } = await open(t, { pluginsDir: directory })
    const file = path.join(directory, 'sent.jsonl')
    const set = (config: object) =>
      send<MessengerBody>(shop.admin, 'PUT', '/api/v1/messenger', { type: 'chat', config })
    assertRefused(await set({}), 'VALIDATION_ERROR', 'config.file')
    const { body } = await set({ file, token: 'expired' })
    assert.deepEqual(
      body.types.map(({ type }) => type),
      ['mail', 'webhook', 'chat'],
    )
    const boss = await makePerson(shop, 'Boss', 'role-admin')
    await send(boss.client, 'PUT', '/api/v1/notices/settings', { off: [], email: 'boss@example.com' })
    const check = async () =>
      (await send<{ ok: boolean; message: string }>(boss.client, 'POST', '/api/v1/messenger/check')).body
    assert.deepEqual(await check(), { ok: false, message: 'the token *** is refused' })
    await set({ file, token: 'good' })
    assert.equal((await check()).ok, true)
    const sent = JSON.parse(readFileSync(file, 'utf8')) as { to: { address: string } }
    assert.equal(sent.to.address, 'boss@example.com')
    assert.equal(sink.attempts, 0)
    const destinations = await send<{ type: string }[]>(shop.admin, 'GET', '/api/v1/export-jobs/destinations')
    assert.doesNotMatch(destinations.text, /"chat"/)
  })
})

describe('The settings of a summary', () => {
  it('are off until the person chooses them, need an address, and keep what is left out', async (t) => {
    const { anna, ben, at, shop } = await open(t)
    const path = '/api/v1/notices/settings'
    const get = async ({ client }: TalkingPerson) => (await send(client, 'GET', path)).body
    const none = { isOn: false, hour: 8, timeZone: 'UTC', language: 'en', isAvailable: true }
    assert.deepEqual(await get(anna), { off: [], email: null, summary: none })
    const put = (body: object) => send(anna.client, 'PUT', path, body)
    assertRefused(await put({ off: [], summary: at() }), 'VALIDATION_ERROR', 'email must be given')
    assertRefused(await put({ off: [], email: 'no' }), 'VALIDATION_ERROR', 'email must be an address')
    const chosen = { off: ['reply'], email: 'anna@example.com', summary: at() }
    const shown = { ...chosen, summary: { ...chosen.summary, isAvailable: true } }
    assert.deepEqual((await put(chosen)).body, shown)
    assert.deepEqual((await put({ off: ['reply'] })).body, shown)
    assert.deepEqual((await put({ email: 'anna@example.com' })).body, shown, 'kinds that are left out stay as they are')
    assertRefused(await put({ off: [], email: null }), 'VALIDATION_ERROR', 'email must be given')
    assert.deepEqual(await get(ben), { off: [], email: null, summary: none })
    assert.doesNotMatch((await send(shop.admin, 'GET', '/api/v1/users')).text, /anna@example/)
  })
})
