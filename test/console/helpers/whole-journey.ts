// One journey for every built program in a browser: sign-in, the sheet, a saved edit, the record of that edit.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { tokenClient } from '../../helpers/client.ts'
import { openBrowser } from './browser.ts'
import { visit } from './console.ts'
import { SeenSheet } from './sheet.ts'

export interface Journey {
  readonly url: string
  readonly username: string
  readonly password: string
  /** A record whose text `name` is `before`. */
  readonly recordId: string
  readonly schemaId: string
  readonly before: string
}

export async function makeWholeJourney(t: TestContext, journey: Journey): Promise<void> {
  const { url, username, password, recordId, schemaId, before } = journey
  const browser = await openBrowser()
  const { page } = await visit(t, browser, url, { as: null, path: `/console/records?schema=${schemaId}&cols=name` })
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  const sheet = new SeenSheet(page)
  await sheet.shows(0, 0, before)
  await sheet.cell(0, 0).click()
  const typed = `${before}, by hand`
  await sheet.type(typed)
  await sheet.press('Enter')
  await sheet.shows(0, 0, typed)
  await sheet.saved()
  await page.getByRole('navigation').getByTitle('Exports').click()
  await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor()
  await page.goto(`${url}/console/records/${recordId}`)
  await page.getByRole('heading', { level: 1, name: typed }).waitFor()
  const { body } = await send<{ accessToken: string }>({ url, headers: {} }, 'POST', '/api/v1/auth/login', {
    username,
    password,
  })
  const record = await send<{ values: { name: { value: string }[] } }>(
    tokenClient(url, body.accessToken),
    'GET',
    `/api/v1/records/${recordId}`,
  )
  assert.equal(record.body.values.name[0]!.value, typed)
}
