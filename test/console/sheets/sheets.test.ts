// Product sheets in a browser: printing, links for people without an account, and templates. Contract 5 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { makePictureModel } from '../helpers/pictures.ts'
import { make } from '../../helpers/shirts.ts'
import { assertSeen } from '../helpers/seen.ts'

const SHOTS = process.env['PIMLET_SHOTS']

describe('Product sheets in the console', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async (server) => {
    await makePictureModel(server, ['red', 'teal'])
    for (const at of [1, 2, 3])
      await make(server.admin, '/api/v1/records', {
        id: `shirt-${at}`,
        schemaId: 'shirt',
        values: {
          name: [{ scope: {}, value: `Shirt ${at} <b>` }],
          pictures: [{ scope: {}, value: ['pic-red', 'pic-teal'] }],
        },
      })
  })

  const openDialog = async (page: Page) => {
    await page.getByRole('button', { name: 'Print or share' }).click()
    const dialog = page.getByRole('dialog', { name: 'Print or share' })
    await dialog.getByRole('button', { name: 'Print', exact: true }).waitFor()
    return dialog
  }

  it('a link to a record is made, and opened by somebody without an account, until it is ended', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/shirt-1' })
    const dialog = await openDialog(page)
    await assertSeen(page, 'sheets-share')
    await dialog.getByLabel('Name, for the list of links').fill('Fair')
    await dialog.getByLabel('Ends after').selectOption({ label: '7 days' })
    await dialog.getByRole('button', { name: 'Make a link' }).click()
    const address = await dialog.locator('code').innerText()
    assert.match(address, /^http:\/\/[^/]+\/public\/sheets\/[\w-]{43}$/)
    await assertSeen(page, 'sheets-link-made')

    const stranger = await suite().browser.newContext()
    t.after(() => stranger.close())
    const seen = await stranger.newPage()
    const faults: string[] = []
    seen.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await seen.goto(address)
    await seen.getByRole('heading', { name: 'Shirt 1 <b>', level: 1 }).waitFor()
    const widths = await seen
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))
    assert.deepEqual(widths, [300, 300])
    assert.equal(
      await seen.locator('article').evaluate((one) => getComputedStyle(one).backgroundColor),
      'rgb(255, 255, 255)',
    )
    if (SHOTS !== undefined) await seen.screenshot({ path: `${SHOTS}/sheets-page.png`, fullPage: true })
    await seen.setViewportSize({ width: 390, height: 844 })
    if (SHOTS !== undefined) await seen.screenshot({ path: `${SHOTS}/sheets-page-390.png`, fullPage: true })
    assert.deepEqual(faults, [])

    await dialog.getByRole('link', { name: 'Product sheets' }).click()
    await page.getByText('Fair').waitFor()
    await assertSeen(page, 'sheets-place')
    await page.getByRole('button', { name: 'End the link Fair' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No links').waitFor()
    const gone = await seen.goto(address)
    assert.equal(gone!.status(), 404)
  })

  it('several records are printed as one page, each on paper of its own', async (t) => {
    const { page, context } = await suite().visit(t, { path: '/console/records?schema=shirt' })
    await page.getByText('Shirt 1 <b>').first().waitFor()
    await page.getByRole('button', { name: 'Select all that match' }).click()
    const dialog = await openDialog(page)
    const opened = context.waitForEvent('page')
    await dialog.getByRole('button', { name: 'Open the page' }).click()
    const sheet = await opened
    await sheet.locator('article').nth(2).waitFor()
    await sheet.emulateMedia({ media: 'print' })
    if (SHOTS !== undefined) await sheet.screenshot({ path: `${SHOTS}/sheets-print.png`, fullPage: true })
    const pdf = (await sheet.pdf({ preferCSSPageSize: true })).toString('latin1')
    assert.equal([...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length, 3)
    assert.match(pdf, /\/MediaBox \[0 0 59[45][\d.]* 84[12]/)
    await sheet.close()
  })

  it('a template is made, used and changed by keyboard alone', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/sheets' })
    await page.getByText('No templates').waitFor()
    // No line of an empty list stands below the sentence.
    assert.equal(await page.locator('.sheet-ledger').first().isVisible(), false)
    await page.getByRole('link', { name: 'Add a template' }).press('Enter')
    await page.getByLabel('Name', { exact: false }).first().fill('For buyers')
    await page.getByLabel('Schema').selectOption({ label: 'Shirt' })
    await page.getByLabel('Line above the title').fill('Spring')
    await page.getByLabel('Preset of pictures').selectOption('thumb')
    await page.getByLabel('Language of the page').fill('de')
    const attributes = page.getByLabel('Attributes of section 1, in order')
    await attributes.fill('Name')
    await attributes.press('ArrowDown')
    await attributes.press('Enter')
    await assertSeen(page, 'sheets-template')
    await page.keyboard.press('Control+s')
    await page.getByRole('link', { name: 'For buyers' }).waitFor()
    const { body } = await send<{ sections: object[]; heading: string; preset: string; language: string }[]>(
      suite().server.admin,
      'GET',
      '/api/v1/sheet-templates',
    )
    assert.deepEqual([body[0]!.heading, body[0]!.sections], ['Spring', [{ heading: '', attributeAliases: ['name'] }]])
    assert.deepEqual([body[0]!.preset, body[0]!.language], ['thumb', 'de'])
    await page.goto(`${suite().server.url}/console/records/shirt-1`)
    const dialog = await openDialog(page)
    await dialog.getByLabel('Template').selectOption({ label: 'For buyers' })
  })
})
