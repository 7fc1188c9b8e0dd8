// Subscriptions: created by the form, tested, failing, paused, resumed, and replayed from a place in the feed.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { eventually } from '../../helpers/puppet.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

interface Received {
  readonly type: string
  readonly cursor: string
  readonly header: string | undefined
}

const SECRET = 'what signs the requests'

describe('Subscriptions', { skip: withoutBrowser }, () => {
  const received: Received[] = []
  let status = 204
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += String(part)))
    request.on('end', () => {
      const events = [JSON.parse(text) as Omit<Received, 'header'>].flat()
      const header = request.headers['x-token'] as string | undefined
      if (status < 300) received.push(...events.map(({ type, cursor }) => ({ type, cursor, header })))
      response.writeHead(status).end()
    })
  })
  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const suite = consoleInSuite(undefined, { allowDestinations: ['127.0.0.1'] })
  const rename = (name: string) =>
    send(suite().server.admin, 'PATCH', '/api/v1/records/tea-jasmine', {
      values: { name: [{ scope: { language: 'en' }, value: name }] },
    })
  const types = () => received.filter(({ type }) => type !== 'ping').map(({ type }) => type)

  it('are made, tried, paused and replayed, with secrets that are not in the page', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/subscriptions' })
    await page.getByText('No subscriptions').waitFor()
    await assertSeen(page, 'subscriptions-empty')
    await page.getByRole('link', { name: 'Add a subscription' }).first().click()
    await page.getByLabel('Name *').fill('Shop')
    await page.getByLabel('Address (URL) *').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
    await page.getByLabel('a record was made').uncheck()
    await page.getByLabel('Records of these schemas').fill('Tea')
    await page.getByRole('option', { name: 'Tea', exact: true }).click()
    await page.getByLabel('Only of records that filters find').check()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await filter.getByRole('combobox').fill('Kind')
    await page.getByRole('option', { name: 'Kind' }).click()
    await filter.getByLabel('Green tea').check()
    await page.keyboard.press('Escape')
    await page.getByText('Kind: Green tea').waitFor()
    await page.getByLabel('Another name').fill('X-Token')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('textbox', { name: 'X-Token' }).fill('shop-token')
    await page.getByRole('textbox', { name: 'Signing secret' }).fill(SECRET)
    await assertSeen(page, 'subscriptions-form')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Shop', level: 1, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('The receiver took a ping: 204').waitFor()
    assert.equal(received[0]?.header, 'shop-token')
    await rename('Jasmine Pearls I')
    await eventually(() => types().length === 1)
    await page.getByText('delivered', { exact: true }).first().waitFor()
    await assertSeen(page, 'subscriptions-delivered')
    assert.deepEqual(types(), ['record.updated'])
    const [first] = received.filter(({ type }) => type !== 'ping')
    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(
      await page.getByRole('textbox', { name: 'X-Token' }).getAttribute('placeholder'),
      'set; type to replace',
    )
    for (const text of [SECRET, 'shop-token', '********']) assert.equal((await page.content()).includes(text), false)
    await page.getByLabel('Name *').fill('Web shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Web shop', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused').first().waitFor()
    await rename('Jasmine Pearls II')
    assert.deepEqual(types(), ['record.updated'])
    await page.getByRole('button', { name: 'Resume' }).click()
    await eventually(() => types().length === 2)
    assert.equal(received.at(-1)?.header, 'shop-token')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByLabel('Everything after this cursor').fill(first!.cursor)
    await assertSeen(page, 'subscriptions-replay')
    await page.getByRole('button', { name: 'Replay from there' }).click()
    await eventually(() => types().length === 3)
    assert.equal(received.at(-1)?.cursor, received.at(-2)?.cursor)
  })

  it('say in German that their owner is gone, and are taken over', async (t) => {
    const { admin, url } = suite().server
    const role = { id: 'role-telling', name: 'Telling', permissions: ['records.read', 'subscriptions.write'] }
    await make(admin, '/api/v1/roles', role)
    const key = await make<{ id: string; key: string }>(admin, '/api/v1/api-keys', { name: 'Old key', roleId: role.id })
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const body = { id: 'sub-orphan', name: 'Orphan', url: target, events: ['record.updated'] }
    await make(keyClient(url, key.key), '/api/v1/subscriptions', body)
    assert.equal((await send(admin, 'DELETE', `/api/v1/api-keys/${key.id}`)).status, 204)
    const before = types().length
    await rename('Jasmine Pearls IV')
    const { page } = await suite().visit(t, { path: '/console/subscriptions/sub-orphan', locale: 'de-DE' })
    await page.getByText(`the API key '${key.id}', no longer exists`).waitFor()
    await assertSeen(page, 'subscriptions-orphan')
    await page.getByRole('button', { name: 'Übernehmen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Übernehmen' }).click()
    await page.getByText('no longer exists').waitFor({ state: 'detached' })
    await eventually(() => types().length > before)
    assert.equal(await page.getByRole('button', { name: 'Übernehmen' }).count(), 0)
    assert.equal((await send(admin, 'DELETE', '/api/v1/subscriptions/sub-orphan')).status, 204)
  })

  it('tell in German that a receiver fails, and try it again at once', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/subscriptions', locale: 'de-DE' })
    status = 500
    await rename('Jasmine Pearls III')
    await page.getByText('gestört').waitFor()
    await assertSeen(page, 'subscriptions')
    await page.getByRole('link', { name: 'Web shop' }).click()
    await page.getByText('wird wiederholt').first().waitFor()
    await page.getByText('dann „Jetzt versuchen“; es geht nichts verloren.').waitFor()
    await assertSeen(page, 'subscriptions-failing')
    const now = page.getByRole('button', { name: 'Jetzt versuchen' })
    const button = await now.elementHandle()
    const before = types().length
    status = 204
    // At once: the next try of the server's own takes the button away.
    await button.evaluate((element) => (element as HTMLElement).click())
    await eventually(() => types().length > before)
    await page.getByRole('button', { name: 'Löschen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click()
    await page.getByText('Keine Abonnements').waitFor()
  })
})
