// What the form of the messenger does with wrong input.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'

const PLUGIN = `export default {
  type: 'pigeon',
  title: 'Pigeon',
  config: { '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value }) } },
  async send() {},
}
`

describe('The form of the messenger', { skip: withoutBrowser }, () => {
  const pluginsDir = makeTempDirectory()
  writeFileSync(path.join(pluginsDir, 'pigeon.mjs'), PLUGIN, { mode: 0o600 })
  const suite = consoleInSuite(undefined, { pluginsDir, allowDestinations: ['127.0.0.1'] })
  const stored = async () => {
    const { admin } = suite().server
    return (await send<{ messenger: { config: object } | null }>(admin, 'GET', '/api/v1/messenger')).body.messenger
  }

  it('does not save settings that are no JSON object, nor those before them', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/messenger' })
    await page.getByLabel('Way', { exact: true }).selectOption('pigeon')
    const text = page.locator('form textarea')
    const save = page.getByRole('button', { name: 'Save' })
    await text.fill('{ "loft": "north" ')
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await page.locator('.form-foot').getByText('check braces, quotes and commas').waitFor()
    assert.equal(await stored(), null)
    await text.fill('{ "loft": "north" }')
    await save.click()
    await page.getByText('The settings of messages are saved.').waitFor()
    assert.deepEqual((await stored())?.config, { loft: 'north' })
  })

  it('does not drop the value of a header without a name', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/messenger' })
    await page.locator('form select').first().selectOption('webhook')
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hook')
    const headers = page.getByRole('group', { name: 'Headers' }).getByRole('textbox')
    await headers.nth(1).fill('Bearer 1234')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal(await headers.nth(0).evaluate((input: Element) => (input as HTMLInputElement).checkValidity()), false)
    await headers.nth(0).fill('Authorization')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings of messages are saved.').waitFor()
    assert.deepEqual(Object.keys((await stored())?.config ?? {}).toSorted(), ['headers', 'url'])
  })
})
