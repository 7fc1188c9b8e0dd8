// A formatted text on the page of a record: by keys and buttons, as its source, and HTML that the page only shows.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import type { TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const SIMPLE = '<p>The <strong>Jaguar</strong></p>'
const TABLE = '<table><tbody><tr><td>12</td></tr></tbody></table>'

async function fill({ admin }: TestServer): Promise<void> {
  const attributes = [{ alias: 'text', name: 'Text', dataType: 'richText' }]
  await make(admin, '/api/v1/schemas', { id: 'shirt', name: 'Shirt', attributes })
  for (const [id, value] of [
    ['keys', SIMPLE],
    ['cell', SIMPLE],
    ['source', SIMPLE],
    ['table', TABLE],
  ] as const)
    await make(admin, '/api/v1/records', { id, schemaId: 'shirt', values: { text: [{ scope: {}, value }] } })
}

describe('A formatted text', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)
  const stored = async (id: string) => {
    const { body } = await send<{ values: Record<string, { value: string }[]> }>(
      suite().server.admin,
      'GET',
      `/api/v1/records/${id}`,
    )
    return body.values['text']![0]!.value
  }
  const save = async (page: Page) => {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.keyboard.press('Control+s')
    assert.equal((await saved).status(), 200)
  }

  it('is shown formatted, changed by keys and buttons, and pasted as plain text', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/keys' })
    const field = page.getByRole('textbox', { name: 'Text' })
    await field.locator('strong', { hasText: 'Jaguar' }).waitFor()
    await field.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Control+i')
    await page.keyboard.type(' & fast')
    await page.keyboard.press('Control+i')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.keyboard.type('loud')
    await assertSeen(page, 'record-rich-text')
    await save(page)
    const html = await stored('keys')
    assert.match(
      html,
      /^<p>The <strong>Jaguar<em>(?: |&nbsp;)&amp; fast<\/em><\/strong><\/p><ul><li>.*loud.*<\/li><\/ul>$/,
    )
    await page.reload()
    await field.locator('li', { hasText: 'loud' }).waitFor()
    assert.equal(await page.getByText('unsaved').count(), 0)
  })

  it('of a cell of the sheet is edited formatted; Escape gives up, going elsewhere saves, and Ctrl+Z takes back', async (t) => {
    const { page } = await suite().visit(t, {
      path: '/console/records?schema=shirt&where=%5B%7B%22field%22%3A%22id%22%2C%22operator%22%3A%22equals%22%2C%22value%22%3A%22cell%22%7D%5D&cols=.id,text',
    })
    const cell = page.locator('.sheet [data-row="0"] [data-column="1"]')
    await cell.getByText('The Jaguar').click()
    await page.locator('.sheet:focus [data-row="0"] [data-cursor]').waitFor()
    const field = page.getByRole('dialog', { name: 'Text' }).getByRole('textbox', { name: 'Text' })
    const type = async (text: string) => {
      await page.keyboard.press('Enter')
      await field.locator('strong', { hasText: 'Jaguar' }).waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(text)
    }
    await type(' no')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await type(' yes')
    await assertSeen(page, 'sheet-rich-text')
    await page.keyboard.press('Control+Enter')
    await cell.getByText('The Jaguar yes').waitFor()
    await page.waitForFunction(() => document.querySelector('[data-mark=saving]') === null)
    assert.match(await stored('cell'), /^<p>The <strong>Jaguar(?: |&nbsp;)yes<\/strong><\/p>$/)
    await page.keyboard.press('Control+z')
    await cell.getByText('The Jaguar', { exact: true }).waitFor()
    await page.waitForFunction(() => document.querySelector('[data-mark=saving]') === null)
    assert.equal(await stored('cell'), SIMPLE)
  })

  it('is changed as its source, which runs nothing', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/source' })
    await page.getByRole('textbox', { name: 'Text' }).hover()
    await page.getByRole('button', { name: 'HTML' }).click()
    const source = page.locator('.rich-field textarea')
    assert.equal(await source.inputValue(), SIMPLE)
    await source.fill('<p>x</p><img src=x onerror=alert(1)>')
    await save(page)
    assert.equal(await stored('source'), '<p>x</p><img src=x onerror=alert(1)>')
    await page.reload()
    await page.locator('.rich-field textarea').waitFor()
    assert.equal(await page.locator('.rich-field img').count(), 0)
  })

  it('with more than simple markup stays as it is', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/table' })
    assert.equal(await page.locator('.rich-field textarea').inputValue(), TABLE)
    assert.equal(await page.getByRole('button', { name: 'HTML' }).isDisabled(), true)
  })
})
