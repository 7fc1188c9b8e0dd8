// States that journeys do not reach: closed buttons below the pointer, the last row in view, names of any length, a place
// whose file did not arrive, parts of the model that another person removes, and phones with long words.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../helpers/answers.ts'
import { makeJob } from '../helpers/export-jobs.ts'
import { makeUser, PASSWORD } from '../helpers/people.ts'
import type { TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { makeDemoCatalogue } from './helpers/catalogue.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, sheetPath, someRecords } from './helpers/sheet.ts'

const PHONE = { width: 375, height: 740 }
/** Pixels of a line of text, at most. */
const LINE = 26
const [ATTRIBUTE, PASSING] = ['stays', 'passing'].map((alias) => ({ alias, name: alias, dataType: 'text' }))
const COUNT = { alias: 'count', name: 'count', dataType: 'number' }
const LONG = 'A name that never ends '.repeat(8).trim()

async function fill({ admin }: TestServer): Promise<void> {
  await makeDemoCatalogue(admin)
  await make(admin, '/api/v1/schemas', {
    id: 'sch-long',
    name: LONG,
    attributes: [{ alias: 'sku', name: 'SKU', dataType: 'text' }],
  })
  await make(admin, '/api/v1/records', {
    id: 'long-1',
    schemaId: 'sch-long',
    values: { sku: [{ scope: {}, value: LONG }] },
  })
  for (const id of ['passing', 'gone-open', 'gone-kept']) {
    await make(admin, '/api/v1/schemas', { id, name: id, attributes: [ATTRIBUTE, PASSING, COUNT] })
    await make(admin, '/api/v1/records', { id: `${id}-1`, schemaId: id, values: {} })
  }
}

describe('Rare states of the console', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)
  const visit = (t: TestContext, path: string, options: VisitOptions = {}) =>
    suite().visit(t, { path: `/console/${path}`, ...options })

  it('a closed button looks the same below the pointer', async (t) => {
    const { page } = await visit(t, 'roles/role-editor')
    const save = page.getByRole('button', { name: 'Save' })
    await save.waitFor()
    const look = () => save.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color])
    const before = await look()
    await save.hover()
    assert.deepEqual(await look(), before)
  })

  it('on a phone, the button of a new record has its name', async (t) => {
    const { page } = await visit(t, 'records?schema=sch-tea&new=1', { phone: PHONE })
    const button = page.getByRole('dialog').getByRole('button', { name: 'New record' })
    await button.waitFor()
    assert.ok((await button.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))) > 10)
    await assertSeen(page, 'phone-new-record')
  })

  it('on a phone in German, no word in the parts of a place is broken', async (t) => {
    const { page } = await visit(t, 'keys', { phone: PHONE, locale: 'de-DE' })
    const parts = page.locator('.place-nav a')
    await parts.first().waitFor()
    const heights = await parts.evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return range.getBoundingClientRect().height
      }),
    )
    assert.deepEqual(
      heights.filter((height) => height > LINE),
      [],
    )
    await assertSeen(page, 'phone-parts')
  })

  it('on a phone, variants that a person may only read have whole words', async (t) => {
    const { username } = await makeUser(suite().server)
    const { page } = await visit(t, 'records/tea-assam?tab=variants', {
      phone: PHONE,
      as: { username, password: PASSWORD },
    })
    const name = page.locator('.variants td').filter({ hasText: 'Assam Breakfast' }).first()
    await name.waitFor()
    assert.ok((await name.boundingBox())!.height < 3 * LINE)
    await assertSeen(page, 'phone-variants')
  })

  it('a name of any length takes two lines of the head', async (t) => {
    for (const path of ['schemas/sch-long', 'records/long-1']) {
      const { page } = await visit(t, path, { phone: PHONE })
      const title = page.locator('.head h1')
      const above = page.locator('.head .crumb')
      for (const part of [title, above]) await part.waitFor()
      for (const part of [title, above]) assert.ok((await part.boundingBox())!.height < 3 * LINE, path)
      await assertSeen(page, `phone-long-${path.split('/')[0]}`)
    }
  })

  it('what was typed for an attribute that another person removes is said, and all else is saved', async (t) => {
    const { admin } = suite().server
    const { page } = await visit(t, 'records/passing-1')
    await page.locator('[data-alias=stays] textarea').fill('Saved')
    await page.locator('[data-alias=passing] textarea').fill('In vain')
    await send(admin, 'PUT', '/api/v1/schemas/passing', { name: 'passing', attributes: [ATTRIBUTE, COUNT] })
    await page.locator('[data-alias=passing]').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+s')
    await page.getByText('The field is no longer here; not saved: In vain').waitFor()
    await page.locator('.save-bar').waitFor({ state: 'detached' })
    const { body } = await send<{ values: object }>(admin, 'GET', '/api/v1/records/passing-1')
    assert.deepEqual(body.values, { stays: [{ scope: {}, value: 'Saved' }] })
  })

  for (const [what, column, keys] of [
    ['open', 0, []],
    ['kept', 1, ['Enter']],
  ] as const)
    it(`a sheet whose schema another person removes says so once, gives the ${what} text back, and keeps the focus`, async (t) => {
      const { admin } = suite().server
      const { page } = await visit(t, `records?schema=gone-${what}&cols=stays,count`)
      const sheet = new SeenSheet(page)
      await sheet.cell(0, column).click()
      await sheet.type('zz')
      await sheet.press(...keys)
      await send(admin, 'DELETE', `/api/v1/records/gone-${what}-1`)
      await send(admin, 'DELETE', `/api/v1/schemas/gone-${what}`)
      await page.getByText(/^This schema no longer exists.* not saved: zz$/).waitFor()
      await page.getByRole('columnheader', { name: 'Article number' }).waitFor()
      await page.waitForFunction(() => document.activeElement?.matches('.sheet'))
      assert.equal(await page.locator('.status').count(), 1)
      await assertSeen(page, `schema-gone-${what}`)
    })

  it('the form of an export job says which texts a role does not see', async (t) => {
    const { server } = suite()
    const columns = [{ header: 'Both', template: '{kind|map:{green:Grün}} tea' }]
    const destination = { destinationType: 'webhook', destinationConfig: { url: 'https://example.com/' } }
    const file = { format: 'csv', filenameTemplate: 'a.csv', includeVariants: true, compress: false, columns }
    const when = { schedule: '0 2 1 1 *', active: false }
    await makeJob(server.admin, { id: 'masked', name: 'Masked', schemaId: 'sch-tea', ...destination, ...file, ...when })
    const permissions = ['exportJobs.write', 'exportJobs.read', 'records.read', 'model.read']
    const attributePermissions = { 'sch-tea': { kind: 'none' } }
    const role = { name: 'Clerk', permissions, defaultAttributePermission: 'read', attributePermissions }
    const { id: roleId } = await make<{ id: string }>(server.admin, '/api/v1/roles', role)
    const { username } = await makeUser(server, { roleId })
    const as = { username, password: PASSWORD }
    const { page, expectStatus } = await visit(t, 'exports/masked?edit=1', { as })
    // The preview may not tell the texts, either.
    expectStatus(403)
    await page.getByText('Your role does not see this text.').waitFor()
    await assertSeen(page, 'masked-job')
    await send(server.admin, 'DELETE', '/api/v1/export-jobs/masked')
  })

  it('an element that goes away leaves the focus to its neighbour', async (t) => {
    const { page } = await visit(t, 'records/tea-jasmine')
    const tags = page.locator('[data-alias=tags]')
    await tags.getByRole('button', { name: 'Remove' }).first().focus()
    for (const left of [1, 0]) {
      await page.keyboard.press('Enter')
      await tags.getByRole('button').nth(left).waitFor({ state: 'detached' })
      assert.equal(await tags.locator(':focus').count(), 1, `${left} left`)
    }
  })

  it('a place whose file did not arrive is read again when the server answers again', async (t) => {
    const { page, context, expectNoServer } = await visit(t, 'account')
    await page.getByText('Present password').waitFor()
    expectNoServer()
    await context.setOffline(true)
    await page.locator('.bar').getByRole('link', { name: 'Exports' }).click()
    await page.getByText('The server does not answer. Check your connection').waitFor()
    await context.setOffline(false)
    await page.getByText('No export jobs').waitFor()
  })
})

describe('The last row in view', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin)
    await importRecords(admin, someRecords(60))
  })

  it('is edited with the foot of the editor and the options in view', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath('&cols=sku,name,kind') })
    const sheet = new SeenSheet(page)
    await sheet.shows(0, 0, 'T-0001')
    const bottom = (await sheet.grid.boundingBox())!.y + (await sheet.grid.boundingBox())!.height
    const rows = await sheet.grid
      .locator('[data-row]')
      .evaluateAll(
        (all, limit) =>
          all
            .filter((one) => one.getBoundingClientRect().bottom <= limit)
            .map((one) => Number((one as HTMLElement).dataset['row'])),
        bottom,
      )
    for (const column of [1, 2]) {
      await sheet.cell(Math.max(...rows), column).click()
      await sheet.press('F2')
      const editor = page.locator('.sheet-editor')
      await editor.locator('.sheet-foot').waitFor()
      if (column === 2) await editor.getByRole('option', { name: 'Green' }).waitFor()
      const box = (await editor.boundingBox())!
      assert.ok(box.y + box.height <= bottom + 1, `column ${column}`)
      await sheet.press('Escape')
    }
  })
})
