// A phone: one journey by tapping alone, and no place whose controls are small, hidden or beside the screen.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { send } from '../helpers/answers.ts'
import { makeJob } from '../helpers/export-jobs.ts'
import { itLong } from '../helpers/long.ts'
import { eventually } from '../helpers/puppet.ts'
import { ADMIN_PASSWORD, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { makePicturedCatalogue } from './helpers/catalogue.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { pngFile } from './helpers/pictures.ts'
import { assertSeen } from './helpers/seen.ts'
import { assertTouchable } from './helpers/touchable.ts'

const PHONE = { width: 390, height: 844 }
const SMALLEST = { width: 320, height: 568 }
const SCREENS = [PHONE, SMALLEST, { width: 844, height: 390 }]
const PLACES = [
  '',
  'records?schema=sch-tea',
  'records/tea-jasmine',
  'records/tea-jasmine?tab=comments',
  'categories',
  'exports',
  'exports?runs=failed',
  'imports',
  'schemas',
  'users',
  'activity',
  'for-me',
  'account',
]

async function fill({ admin }: TestServer): Promise<void> {
  await makePicturedCatalogue(admin)
  await make(admin, '/api/v1/records/tea-sencha/comments', { text: 'Is the origin right?' })
  const hostKeySha256 = `SHA256:${'A'.repeat(43)}`
  const job = await makeJob(admin, {
    name: 'Shop feed',
    destinationType: 'sftp',
    destinationConfig: { host: '127.0.0.1', port: 9, username: 'shop', password: 'secret', hostKeySha256 },
    format: 'csv',
    schemaId: 'sch-tea',
    maxAttempts: 1,
    includeVariants: true,
    compress: false,
    filenameTemplate: 'teas.csv',
    schedule: '0 2 1 1 *',
  })
  await send(admin, 'POST', `/api/v1/export-jobs/${job.id}/trigger`)
}

interface Stored {
  readonly lifecycleStateId: string
  readonly values: Readonly<Record<string, readonly { readonly scope: object; readonly value: unknown }[]>>
}

const tab = (page: Page, name: RegExp): Locator => page.getByRole('tab', { name })

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').tap()
  await page.keyboard.type('admin')
  await page.getByLabel('Password').tap()
  await page.keyboard.type(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).tap()
}

/** Saves the record, and waits until nothing is unsaved. */
async function save(page: Page): Promise<void> {
  await page.locator('.save-bar').getByRole('button', { name: /^Save/ }).first().tap()
  await page.locator('.save-bar').waitFor({ state: 'detached' })
}

describe('A phone', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill, { allowDestinations: ['127.0.0.1'] })
  const phone = (t: TestContext, path: string, size = PHONE) => suite().visit(t, { path, phone: size })
  const sencha = async () => (await send<Stored>(suite().server.admin, 'GET', '/api/v1/records/tea-sencha')).body

  it('looks a record up, corrects a text, takes a picture, approves, reads a failure and answers, by tapping alone', async (t) => {
    const { page } = await suite().visit(t, { as: null, path: '/console/', phone: PHONE })
    await signIn(page)
    const bar = page.getByRole('navigation', { name: 'Places' })
    await bar.getByRole('link', { name: 'Records' }).tap()
    await page.getByRole('searchbox', { name: 'Search records' }).tap()
    await page.keyboard.type('senc')
    await page.getByRole('status').getByText('1 of 8').waitFor()
    await assertSeen(page, 'phone-look-up')
    await page.getByRole('gridcell', { name: 'Sencha' }).first().tap()
    const name = page.locator('[data-alias=name] textarea')
    await name.tap()
    await name.press('End')
    await page.keyboard.type(' of spring')
    await assertTouchable(page, 'a changed record')
    await save(page)
    await eventually(async () => {
      const texts = (await sencha()).values['name']!.map(({ value }) => value)
      return texts.includes('Sencha of spring')
    })
    const pictures = page.locator('[data-alias=pictures]')
    const camera = pictures.getByTitle('Take a picture')
    assert.equal(await camera.getAttribute('capture'), 'environment')
    const before = ((await sencha()).values['pictures']?.[0]?.value as string[] | undefined) ?? []
    await camera.setInputFiles([await pngFile('photo.png', 'olive')])
    await pictures
      .getByRole('img', { name: 'photo.png' })
      .or(pictures.locator('[aria-label*="photo.png"]'))
      .first()
      .waitFor()
    await pictures.scrollIntoViewIfNeeded()
    await assertSeen(page, 'phone-picture')
    await save(page)
    await eventually(async () => {
      const after = (await sencha()).values['pictures']![0]!.value as string[]
      return after.length === before.length + 1
    })
    await page.getByRole('button', { name: 'Sell' }).tap()
    await eventually(async () => (await sencha()).lifecycleStateId === 'tea-sold')
    await tab(page, /^Comments/).tap()
    await page.getByRole('button', { name: 'Reply' }).tap()
    await page.keyboard.type('Yes, it is.')
    await page
      .getByRole('button', { name: /^(Send|Reply)/ })
      .last()
      .tap()
    await page.getByText('Yes, it is.').waitFor()
    await assertSeen(page, 'phone-answer')
    await page.locator('.panel-head').getByRole('button', { name: 'Close' }).tap()
    await bar.getByRole('link', { name: 'Exports' }).tap()
    await page.getByRole('link', { name: 'All runs' }).tap()
    await page.getByRole('radio', { name: 'failed' }).tap()
    await page.getByText('The destination cannot be reached.').waitFor()
    await assertSeen(page, 'phone-failed-export')
  })

  it('reaches every place: the bar has the common ones, and a button opens the others', async (t) => {
    const { page } = await phone(t, '/console/')
    const bar = page.getByRole('navigation', { name: 'Places' })
    await bar.getByRole('link', { name: 'Home' }).waitFor()
    assert.equal(await bar.getByRole('link', { name: 'People' }).count(), 0)
    await bar.getByRole('button', { name: 'More' }).tap()
    await assertSeen(page, 'phone-places')
    await bar.getByRole('link', { name: 'People' }).tap()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await bar.getByRole('link', { name: 'People' }).waitFor({ state: 'hidden' })
  })

  it('a long name takes two lines in a list and as a title, and a tap on the title shows all of it', async (t) => {
    const { admin } = suite().server
    const name = 'A name as a supplier writes it, with each word that a buyer may look for. '.repeat(3).slice(0, 200)
    const { id } = await make<{ id: string }>(admin, '/api/v1/schemas', { name })
    const { page } = await phone(t, '/console/schemas')
    t.after(() => send(admin, 'DELETE', `/api/v1/schemas/${id}`))
    const heightOf = async (place: Locator) => (await place.boundingBox())!.height
    const link = page.getByRole('link', { name })
    await link.waitFor()
    assert.ok((await heightOf(link)) < 50, `${await heightOf(link)}`)
    await link.tap()
    const title = page.getByRole('heading', { level: 1, name })
    await title.waitFor()
    const short = await heightOf(title)
    assert.ok(short < 50, `${short}`)
    await title.tap()
    await eventually(async () => (await heightOf(title)) > 2 * short)
    await assertSeen(page, 'phone-long-name')
  })

  it('a role shows the access to each attribute without scrolling to the side', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/roles/role-editor', phone: PHONE, locale: 'de-DE' })
    const room = page.locator('.flow-room').first()
    await room.waitFor()
    const [shown, whole] = await room.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])
    assert.equal(shown, whole)
    await assertSeen(page, 'phone-role')
  })

  it('the bar of unsaved changes does not lie on the field in which a person types', async (t) => {
    const { page } = await phone(t, '/console/records?schema=sch-tea&open=tea-jasmine')
    const field = page.locator('.value-field textarea').last()
    // The field stands at the lower edge, where the bar appears.
    await field.evaluate((text) => text.scrollIntoView({ block: 'end' }))
    await field.pressSequentially('!')
    const bar = page.locator('.save-bar')
    await bar.waitFor()
    const isClear = async () => {
      const [typed, shown] = [(await field.boundingBox())!, (await bar.boundingBox())!]
      return typed.y + typed.height <= shown.y
    }
    await eventually(isClear)
    await assertSeen(page, 'phone-save-bar')
  })

  for (const locale of ['en-GB', 'de-DE', 'fr-FR'] as const)
    it(`the tools above the sheet take two rows in ${locale}, with a filter, too`, async (t) => {
      const path = '/console/records?schema=sch-tea&state=tea-tasted,tea-described,tea-sold&q=a'
      const { page } = await suite().visit(t, { path, phone: PHONE, locale })
      await page.locator('.count').waitFor()
      const middles = await page.locator('.toolbar').evaluate((bar) => {
        const boxes = [...bar.querySelectorAll('button, input')].map((one) => one.getBoundingClientRect())
        return boxes.map(({ top, bottom }) => Math.round((top + bottom) / 2 / 24))
      })
      assert.equal(new Set(middles).size, 2, middles.join(' '))
      const { height } = (await page.locator('.toolbar').boundingBox())!
      assert.ok(height < 120, `${height}`)
      await assertSeen(page, 'phone-tools')
    })

  for (const size of SCREENS)
    // What fits the smallest screen mostly fits the others.
    (size === SMALLEST ? it : itLong)(
      `of ${size.width} × ${size.height} pixels shows every control of every place, large enough to tap`,
      async (t) => {
        const { page } = await phone(t, '/console/', size)
        for (const place of PLACES) {
          await page.goto(`${suite().server.url}/console/${place}`)
          await page.locator('main h1').first().waitFor()
          await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
          await assertTouchable(page, `${place} at ${size.width}`)
        }
      },
    )
})
