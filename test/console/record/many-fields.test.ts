// 200 attributes in 30 groups and 50 languages: a manager finds a field by typing and folds groups, everywhere the same;
// columns, filters, templates and feeds are found by typing, too.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const GROUPS = 30
const COUNT = 200
const attributes = Array.from({ length: COUNT }, (_, at) => ({
  alias: at === 7 ? 'constructor' : `attribute${at}`,
  name: at === 150 ? 'Höhe über alles' : `Attribute ${at}`,
  dataType: 'text',
  dimensionIds: at % 3 === 0 ? ['language'] : [],
  requiredInStateIds: at === 190 ? ['state-draft'] : [],
}))

async function fill({ admin }: TestServer): Promise<void> {
  const segments = Array.from({ length: 50 }, (_, at) => ({ id: `l${at}`, name: `Language ${at}` }))
  await make(admin, '/api/v1/dimensions', { id: 'language', name: 'Language', segments })
  const groups = Array.from({ length: GROUPS }, (_, at) => ({
    id: at === 1 ? 'constructor' : `group${at}`,
    name: `Group ${at}`,
    attributeAliases: attributes.filter((_one, index) => index % GROUPS === at).map(({ alias }) => alias),
  }))
  await make(admin, '/api/v1/schemas', { id: 'wide', name: 'Wide', labelAttribute: 'attribute0', groups, attributes })
  await make(admin, '/api/v1/records', {
    id: 'wide',
    schemaId: 'wide',
    values: { attribute0: [{ scope: {}, value: 'A wide one' }] },
  })
}

const fields = (page: Page) => page.locator('.record [data-alias]')
const group = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).getByRole('button')

describe('200 attributes, 30 groups and 50 languages', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('stand before the list of missing values on a narrow page, where the list is folded', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/wide?scope=language:l0' })
    await fields(page).first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const list = page.getByRole('region', { name: 'Missing' })
    const unfold = list.getByRole('button', { name: 'Missing', exact: true })
    await unfold.waitFor()
    assert.equal(await list.getByRole('listitem').first().isVisible(), false)
    const { y } = (await fields(page).first().boundingBox())!
    assert.ok(y < 500, `the first field stands at ${y}`)
    await unfold.click()
    await list.getByRole('listitem').first().waitFor()
  })

  it('are found by typing and folded by group, and stay folded on another machine', async (t) => {
    const path = '/console/records/wide?scope=language:l0'
    const { page } = await suite().visit(t, { path })
    await fields(page)
      .nth(COUNT - 1)
      .waitFor()
    const find = page.getByRole('searchbox', { name: 'Find a field' })
    await find.focus()
    await page.keyboard.type('hohe alles')
    await fields(page).nth(1).waitFor({ state: 'detached' })
    assert.equal(await fields(page).getAttribute('data-alias'), 'attribute150')
    const [above, below] = [(await find.boundingBox())!, (await fields(page).boundingBox())!]
    assert.ok(below.y - above.y - above.height < 100, 'the found field stands right below the search')
    await find.fill('constructor')
    await page.locator('.record [data-alias=constructor]').waitFor()
    assert.equal(await fields(page).count(), 1)
    await find.fill('nothing like this')
    await page.getByText('No field has “nothing like this” in its name.').waitFor()
    await find.fill('')
    await fields(page)
      .nth(COUNT - 1)
      .waitFor()
    const stored = page.waitForResponse(
      (answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'PUT',
    )
    await group(page, 'Group 0').focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-alias=attribute0]').waitFor({ state: 'detached' })
    assert.equal(await group(page, 'Group 0 7').getAttribute('aria-expanded'), 'false')
    await group(page, 'Group 1').click()
    await stored
    await assertSeen(page, 'record-many-folded')

    const other = await suite().visit(t, { path })
    await group(other.page, 'Group 1 7').waitFor()
    assert.equal(await other.page.locator('[data-alias=attribute1]').count(), 0)
    await other.page.locator('[data-alias=attribute2]').waitFor()
    const refolded = other.page.waitForResponse(
      (answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'PUT',
    )
    await other.page.getByRole('button', { name: 'Fold all groups' }).click()
    await fields(other.page).first().waitFor({ state: 'detached' })
    await refolded
    await assertSeen(other.page, 'record-many-all-folded')
    // The next missing value opens its group.
    await other.page.keyboard.press('F8')
    await other.page.locator('[data-alias=attribute190] :focus').waitFor()
    await other.page.getByRole('button', { name: 'Fold all groups' }).click()
    await other.page.getByRole('button', { name: 'Unfold all groups' }).click()
    await fields(other.page)
      .nth(COUNT - 1)
      .waitFor()
  })

  it('are chosen by typing as columns, filters, translations and parts of a page and of a feed', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records?schema=wide' })
    await page.getByRole('grid').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('searchbox', { name: 'Find a column' }).fill('hohe')
    const chosen = page.getByRole('checkbox', { name: /Höhe über alles/ })
    await chosen.check()
    assert.equal(await page.locator('.chooser-list input').count(), 1)
    await assertSeen(page, 'many-columns')
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: /Höhe über alles/ }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await filter.getByRole('combobox').fill('hohe')
    await page.getByRole('option', { name: 'Höhe über alles' }).waitFor()
    assert.equal(await page.locator('.listbox [role=option]').count(), 1)
    await assertSeen(page, 'many-filters')
    const places = ['sheets/new?schema=wide', 'exports?new=1', 'schemas/wide']
    for (const place of places) {
      await page.goto(`${suite().server.url}/console/${place}`)
      await page.locator('main h1').first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      await assertSeen(page, `many-${place.split(/[/?]/)[0]}`)
    }
    await page.getByRole('searchbox', { name: 'Find an attribute' }).fill('constr')
    await page.locator('.attribute-list li').nth(1).waitFor({ state: 'detached' })
    await page.locator('.attribute-list', { hasText: 'constructor' }).waitFor()
  })
})
