// Journey 10 and the other parts of a record: variants, translation, categories, history, feeds, and the cost of a
// keystroke.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import type { TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { DE_EU, makeTea, makeTeas } from './tea.ts'

type Values = Record<string, { scope: Record<string, string>; value: unknown }[]>
const price = (market: string, amount: number) => ({ scope: { market }, value: { amount, currency: 'EUR' } })
const LONG = 'Green tea leaves, rolled by hand and scented with jasmine blossoms for six nights.'

async function fill(server: TestServer): Promise<void> {
  const { admin } = server
  await makeTeas(server)
  await makeTea(server, { id: 'jasmine', name: 'Jasmine', values: { price: [price('eu', 8.9)] } })
  await makeTea(server, { id: 'jasmine-50', parentId: 'jasmine', values: { sku: [{ scope: {}, value: 'JP-50' }] } })
  await makeTea(server, { id: 'oolong', name: 'Oolong' })
  await makeTea(server, { id: 'oolong-1', parentId: 'oolong', values: { kind: [{ scope: {}, value: 'black' }] } })
  await makeTea(server, { id: 'told', name: 'Told', description: LONG })
  await makeTea(server, { id: 'typed', name: 'Typed' })
  const description = [
    { scope: { language: 'de' }, value: 'Von Hand gerollt' },
    { scope: { language: 'en' }, value: 'Rolled' },
  ]
  await makeTea(server, { id: 'translated', name: 'Tea', values: { description } })
  const patch = async (id: string, values: object) => {
    assert.equal((await send(admin, 'PATCH', `/api/v1/records/${id}`, { values })).status, 200)
  }
  await patch('translated', { description: [{ scope: { language: 'en' }, value: 'Rolled by hand' }] })
  const now = LONG.replace('jasmine', 'many')
  await patch('told', {
    description: [{ scope: { language: 'en' }, value: now }],
    kind: [{ scope: {}, value: 'green' }],
  })
  await make(admin, '/api/v1/catalogs', { id: 'shop', name: 'Web shop' })
  await make(admin, '/api/v1/catalogs/shop/categories', { id: 'ctg-tea', name: 'Tea' })
  await make(admin, '/api/v1/catalogs/shop/categories', { id: 'ctg-green', name: 'Green', parentId: 'ctg-tea' })
  await send(admin, 'PUT', '/api/v1/records/jasmine/categories', [{ categoryId: 'ctg-green' }])
}

async function valuesOf({ admin }: TestServer, id: string): Promise<Values> {
  return (await send<{ values: Values }>(admin, 'GET', `/api/v1/records/${id}`)).body.values
}

const cell = (page: Page, row: string, name: string) => page.getByRole('textbox', { name: `${row}, ${name}` })
const borrowed = (page: Page, row: string) => page.locator(`tr[data-variant="${row}"] td.borrowed`)

/** Waits until the page has not changed for so many milliseconds: its requests are then answered. */
function untilStill(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      watcher.disconnect()
      resolve()
    }
    let timer = setTimeout(end, milliseconds)
    const watcher = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(end, milliseconds)
    })
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  })
}

describe('The parts of a record', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('V1 V2 journey 10: a variant’s quiet price is made own, and given back; completeness follows', async (t) => {
    const { server } = suite()
    const { page } = await suite().visit(t, { path: '/console/records/jasmine?tab=variants&scope=market:us' })
    const score = page.locator('tr[data-variant=jasmine-50] .complete')
    assert.match((await score.textContent()) ?? '', /2\/6/)
    await page.getByRole('rowheader', { name: 'JP-50', exact: true }).waitFor()
    await cell(page, 'jasmine-50', 'Price').fill('9.50 USD')
    await page.keyboard.press('Enter')
    await score.getByText('3/6').waitFor()
    assert.deepEqual((await valuesOf(server, 'jasmine-50'))['price'], [
      { scope: { market: 'us' }, value: { amount: 9.5, currency: 'USD' } },
    ])
    await page.getByRole('combobox', { name: 'Market' }).selectOption('eu')
    assert.equal(await cell(page, 'jasmine-50', 'Price').inputValue(), '8.9 EUR')
    assert.equal(await borrowed(page, 'jasmine-50').count(), 1)
    await assertSeen(page, 'record-variants')
    await page.getByRole('combobox', { name: 'Market' }).selectOption('us')
    await cell(page, 'jasmine-50', 'Price').focus()
    await page.keyboard.press('Delete')
    await score.getByText('2/6').waitFor()
    assert.equal((await valuesOf(server, 'jasmine-50'))['price'], undefined)
    // V2: variants inherit a new value of the parent at once.
    await cell(page, 'Parent', 'Price').fill('9.9 USD')
    await page.keyboard.press('Enter')
    await score.getByText('3/6').waitFor()
    assert.equal(await cell(page, 'jasmine-50', 'Price').inputValue(), '9.9 USD')
    await page.getByRole('button', { name: 'Variant', exact: true }).click()
    await page.locator('tr[data-variant]').nth(2).waitFor()
    await page.locator('tr[data-variant]').nth(2).locator('input:focus').waitFor()
  })

  it('V3 variants have columns for what the schema names and for what differs, each in the scope of the bar', async (t) => {
    const { server } = suite()
    const { page } = await suite().visit(t, { path: '/console/records/oolong?tab=variants&scope=language:en' })
    await page.getByRole('combobox', { name: 'oolong-1, Kind' }).waitFor()
    assert.deepEqual(await page.locator('.variants thead th').allTextContents(), [
      'Record',
      'Article number',
      'Weight',
      'Price',
      'Kind',
      'Name',
      'Complete',
    ])
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
    const own = cell(page, 'oolong-1', 'Name')
    await own.fill('Oolong, klein')
    const written = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.keyboard.press('Enter')
    await written
    const inGerman = { scope: { language: 'de' }, value: 'Oolong, klein' }
    assert.deepEqual((await valuesOf(server, 'oolong-1'))['name'], [inGerman])
    await page.getByRole('combobox', { name: 'Language' }).selectOption('en')
    await borrowed(page, 'oolong-1').filter({ has: own }).waitFor()
    assert.equal(await own.inputValue(), 'Oolong')
  })

  it('T1 translates from another language: F8 to what is not translated, Ctrl+D takes it over; T3 says what is older', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/translated?scope=language:de&with=language:en' })
    await page.getByText('changed after the translation').waitFor()
    await page.getByText('6 attributes are not shown').waitFor()
    await page.keyboard.press('F8')
    await page.locator('[data-alias=name] textarea:focus').waitFor()
    await page.keyboard.press('Control+d')
    await page.getByText('3 of 60').waitFor()
    await assertSeen(page, 'record-translation')
    await page.keyboard.press('Control+s')
    await page.locator('.save-bar').waitFor({ state: 'detached' })
    assert.deepEqual((await valuesOf(suite().server, 'translated'))['name']?.at(-1), {
      scope: { language: 'de' },
      value: 'Tea',
    })
  })

  it('assigns categories in the tree; those of the parent are quiet, and its own', async (t) => {
    const { server } = suite()
    const { page } = await suite().visit(t, { path: '/console/records/jasmine-50?tab=categories' })
    await page.locator('.chip.borrowed').getByText('Tea › Green').waitFor()
    await page.getByRole('treeitem', { name: 'Tea' }).first().click()
    await page.getByRole('button', { name: 'Assign to Tea' }).click()
    await page.getByRole('button', { name: 'Remove Tea' }).waitFor()
    const own = async () => (await send<object[]>(server.admin, 'GET', '/api/v1/records/jasmine-50/categories')).body
    assert.equal((await own()).length, 1)
    await assertSeen(page, 'record-categories')
    await page.keyboard.press('Control+z')
    await page.getByText('in no category').or(page.getByText('Undone: categories')).first().waitFor()
    assert.equal((await own()).length, 0)
  })

  it('Y1 shows long texts as a difference by words, Y2 restores a value and a whole record', async (t) => {
    const { server } = suite()
    // The page has already read the list of people.
    const { page } = await suite().visit(t, { path: '/console/activity' })
    await page.locator('a[href*="records/told"]').click()
    await page.getByRole('tab', { name: 'History' }).click()
    const change = page.locator('.entry-change').filter({ hasText: 'Description' }).first()
    await change.waitFor()
    assert.deepEqual(await change.locator('del, ins').allTextContents(), ['jasmine', 'many'])
    await assertSeen(page, 'record-history')
    await change.getByRole('button', { name: 'Restore the value of before' }).click()
    await page.getByText('restored', { exact: true }).waitFor()
    const values = await valuesOf(server, 'told')
    assert.deepEqual([values['description']?.[0]?.value, values['kind']?.length], [LONG, 1])
    await page.getByRole('button', { name: 'Back to this moment' }).last().click()
    await page.getByText('1 value would change').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.locator('.entry').nth(3).waitFor()
    assert.equal((await valuesOf(server, 'told'))['kind'], undefined)
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: restored values').waitFor()
    assert.equal((await valuesOf(server, 'told'))['kind']?.length, 1)
  })

  it('Y2 erases the earlier values of a record for good, and says who did it', async (t) => {
    const { server } = suite()
    const { page } = await suite().visit(t, { path: '/console/records/typed?tab=history' })
    await page.getByText('created the record').waitFor()
    await page.getByRole('button', { name: 'Erases earlier values of a record for good.' }).click()
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor()
    await assertSeen(page, 'record-erase')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('has erased the earlier values').waitFor()
    await page.getByRole('button', { name: 'Back to this moment' }).waitFor({ state: 'detached' })
    const { body } = await send<{ action: string; erased?: boolean }[]>(
      server.admin,
      'GET',
      '/api/v1/records/typed/audit',
    )
    assert.equal(body[0]!.action, 'erase')
    assert.deepEqual(new Set(body.slice(1).map(({ erased }) => erased)), new Set([true]))
  })

  it('a new record and a transition with a way back are undone, and done again', async (t) => {
    const { server } = suite()
    const role = { allowedRoleIds: ['role-admin'], requiresCompleteness: false }
    const states = ['new', 'tasted'].map((id) => ({ id, name: `Is ${id}` }))
    const transitions = [
      { id: 'taste', name: 'Taste', fromStateId: 'new', toStateId: 'tasted', ...role },
      { id: 'again', name: 'Again', fromStateId: 'tasted', toStateId: 'new', ...role },
    ]
    await make(server.admin, '/api/v1/workflows', {
      id: 'to-and-fro',
      name: 'W',
      initialStateId: 'new',
      states,
      transitions,
    })
    const attributes = [{ alias: 'name', dataType: 'text', name: 'Name' }]
    await make(server.admin, '/api/v1/schemas', { id: 'pot', name: 'Pot', workflowId: 'to-and-fro', attributes })
    const { page, expectStatus } = await suite().visit(t, { path: '/console/records?schema=pot&new=1' })
    // The open record is read until the page knows that the undo has deleted it.
    expectStatus(404)
    await page.getByLabel('Name').fill('Teapot')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Taste' }).click()
    await page.getByRole('button', { name: 'Again' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Taste' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: new record Teapot').waitFor()
    const count = async () =>
      (await send<{ total: number }>(server.admin, 'GET', '/api/v1/records?schemaId=pot')).body.total
    assert.equal(await count(), 0)
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('Done again: new record Teapot').waitFor()
    assert.equal(await count(), 1)
  })

  it('Y2 brings a deleted record back', async (t) => {
    const { server } = suite()
    await makeTea(server, { id: 'gone', name: 'Gone' })
    await send(server.admin, 'DELETE', '/api/v1/records/gone')
    const { page, expectStatus } = await suite().visit(t)
    expectStatus(404)
    await page.goto(`${server.url}/console/records/gone`)
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await page.locator('[data-alias=name]').waitFor()
    assert.equal((await valuesOf(server, 'gone'))['name']?.[0]?.value, 'Gone')
  })

  it('R1 a key renews the nodes of one field', async (t) => {
    const { page } = await suite().visit(t, { path: `/console/records/typed?${DE_EU}` })
    const name = page.locator('[data-alias=name] textarea')
    await name.pressSequentially('Ein ')
    await page.evaluate(untilStill, 1500)
    const elsewhere = await page.evaluateHandle(() => {
      const found: string[] = []
      const watcher = new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement
          if (element?.closest('[data-alias=name]') === null) found.push(element.outerHTML.slice(0, 100))
        }
      })
      watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
      return found
    })
    await name.pressSequentially('T')
    await page.waitForTimeout(600)
    assert.deepEqual(await elsewhere.jsonValue(), [])
  })

  it('R9 says in which feeds the record is, and why not', async (t) => {
    const { server } = suite()
    await make(server.admin, '/api/v1/export-jobs', {
      name: 'Shop feed',
      destinationType: 'webhook',
      destinationConfig: { url: 'https://example.com/hook', signingSecret: 'a secret of this test alone' },
      format: 'csv',
      schedule: '0 3 1 1 *',
      schemaId: 'tea',
      includeLifecycleStateIds: ['published'],
      includeVariants: true,
      compress: false,
      filenameTemplate: 'export.csv',
    })
    const { page } = await suite().visit(t, { path: `/console/records/jasmine?${DE_EU}` })
    await page.getByRole('button', { name: 'Which feeds' }).click()
    await page.getByText('It takes the states').waitFor()
  })
})
