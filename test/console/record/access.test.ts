// Journeys 9 and 15 in a record's form: attributes that a role may not see or write, and a session that ends during
// typing.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { tokenClient } from '../../helpers/client.ts'
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { readAudit } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { DE_EU, makeTea, makeTeas, TRANSLATOR } from './tea.ts'

type Values = Record<string, { scope: Record<string, string>; value: unknown }[]>

async function fill(server: TestServer): Promise<void> {
  await makeTeas(server)
  const price = [{ scope: { market: 'eu' }, value: { amount: 777.5, currency: 'EUR' } }]
  await makeTea(server, { id: 'hidden', name: 'Hidden', values: { sku: [{ scope: {}, value: 'OX-77' }], price } })
  await makeTea(server, { id: 'session', name: 'Typed into' })
}

async function valuesOf({ admin }: TestServer, id: string): Promise<Values> {
  return (await send<{ values: Values }>(admin, 'GET', `/api/v1/records/${id}`)).body.values
}

const field = (page: Page, alias: string) =>
  page.locator(`[data-alias=${alias}]`).locator('input, textarea, [contenteditable]')

describe('A record’s form', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('R8 journey 9: attributes that a role may not see are in no part of a record, what it may only read is no input, and a forged change is refused', async (t) => {
    const { server } = suite()
    const { page, expectStatus } = await suite().visit(t, {
      path: `/console/records/hidden?${DE_EU}`,
      as: TRANSLATOR,
    })
    const texts: string[] = []
    page.on('response', (answer) => {
      if (answer.url().includes('/api/'))
        void answer.text().then(
          (text) => texts.push(text),
          () => undefined,
        )
    })
    await page.reload()
    await field(page, 'name').waitFor()
    await page.getByText('OX-77').waitFor()
    assert.equal(await page.locator('[data-alias=sku]').locator('input, textarea, select').count(), 0)
    for (const tab of ['Variants', 'Categories', 'History']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.doesNotMatch(await page.locator('body').innerHTML(), /777\.5|777,5|>Price/, tab)
    }
    assert.equal(
      texts.some((text) => text.includes('777.5')),
      false,
    )
    // A form that is made to write a forbidden attribute: the server refuses, the page says so, and keeps the typed
    // text.
    await page.getByRole('tab', { name: 'Values' }).click()
    await field(page, 'name').fill('Toms Tee')
    await page.route('**/api/v1/records/hidden', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      return route.continue({ postData: JSON.stringify({ values: { sku: [{ scope: {}, value: 'OX-78' }] } }) })
    })
    expectStatus(403)
    await page.keyboard.press('Control+s')
    await page.getByText('Your role may not do this.').first().waitFor()
    assert.equal(await field(page, 'name').inputValue(), 'Toms Tee')
    assert.deepEqual((await valuesOf(server, 'hidden'))['sku'], [{ scope: {}, value: 'OX-77' }])
  })

  it('journey 15: what is typed while the session ends is saved once, after signing in over the page', async (t) => {
    const { server } = suite()
    const { page, expectStatus } = await suite().visit(t, { path: '/console/records/session?scope=language:de' })
    await field(page, 'name').fill('Getippt')
    const token = await page.evaluate(
      () => (JSON.parse(sessionStorage.getItem('pimlet-session')!) as { accessToken: string }).accessToken,
    )
    expectStatus(401)
    // Other requests of the page wait: otherwise the sign-in would cover the field before the test has typed.
    const typed = Promise.withResolvers<void>()
    await page.route('**/api/**', async (route) => {
      await typed.promise
      await route.continue()
    })
    await send(tokenClient(server.url, token), 'POST', '/api/v1/auth/logout')
    await field(page, 'description').fill('Auch das')
    await page.keyboard.press('Control+s')
    typed.resolve()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('nothing that you typed is lost').waitFor()
    await dialog.getByLabel('Password').fill(ADMIN_PASSWORD)
    await page.keyboard.press('Enter')
    await page.locator('.save-bar').waitFor({ state: 'detached' })
    const values = await valuesOf(server, 'session')
    assert.deepEqual([values['name']?.at(-1)?.value, values['description']?.at(-1)?.value], ['Getippt', 'Auch das'])
    assert.equal((await readAudit(server.admin, 'session')).length, 2)
  })
})
