// Journeys 2, 3, 4 and 8: filling missing values, two users at once, two scopes, closed transitions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import type { TestServer } from '../../helpers/server.ts'
import { eventually } from '../../helpers/puppet.ts'
import { readAudit } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { DE_EU, makeTea, makeTeas, TRANSLATOR, VIEWER } from './tea.ts'

type Values = Record<string, { scope: Record<string, string>; value: unknown }[]>
const TEAS = Array.from({ length: 12 }, (_, at) => `tea-${String(at).padStart(2, '0')}`)

async function fill(server: TestServer): Promise<void> {
  await makeTeas(server)
  const name = [
    { scope: { language: 'en' }, value: 'Tea' },
    { scope: { language: 'de' }, value: 'Tee' },
  ]
  for (const id of TEAS) await makeTea(server, { id, description: 'A tea', values: { name } })
  for (const id of ['two-at-once', 'two-scopes', 'closed', 'draft'])
    await makeTea(server, { id, name: `The tea of ${id}`, description: 'Rolled by hand' })
}

async function valuesOf({ admin }: TestServer, id: string): Promise<Values> {
  const { body } = await send<{ values: Values }>(admin, 'GET', `/api/v1/records/${id}`)
  return body.values
}

async function countChanges({ admin }: TestServer, id: string): Promise<number> {
  return (await readAudit(admin, id)).length
}

const save = (page: Page) => page.getByRole('button', { name: /^Save Ctrl/ })

const ALIASES = {
  Name: 'name',
  Description: 'description',
  Price: 'price',
  Organic: 'organic',
  Certificate: 'certificate',
  'Article number': 'sku',
}
const field = (page: Page, name: keyof typeof ALIASES) =>
  page.locator(`[data-alias=${ALIASES[name]}]`).locator('input, textarea, [contenteditable]')

/** Waits until everything is saved. */
async function saved(page: Page): Promise<void> {
  await page.locator('.save-bar').waitFor({ state: 'detached' })
}

/** Waits until the field has the text. */
async function hasText(page: Page, name: keyof typeof ALIASES, text: string): Promise<void> {
  await eventually(async () => (await field(page, name).inputValue()) === text)
}

describe('A record', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('R7 journey 2: ten missing German descriptions are filled by F8 and Ctrl+Enter, and nothing else changes', async (t) => {
    const { server } = suite()
    const { page } = await suite().visit(t, {
      path: `/console/records?schema=tea&scope=language:de&q=A%20tea&open=${TEAS[0]}`,
    })
    const before = await valuesOf(server, TEAS[0]!)
    for (const [at, id] of TEAS.slice(0, 10).entries()) {
      await page
        .locator('.panel')
        .getByText(`${at + 1} of 16`)
        .waitFor()
      await field(page, 'Description').waitFor()
      await page.keyboard.press('F8')
      await page.locator('[data-alias=description] [contenteditable]:focus').waitFor()
      await page.keyboard.type(`Ein Tee, ${id}`)
      await page.keyboard.press('Control+Enter')
    }
    await page.waitForURL((url) => url.searchParams.get('open') === TEAS[10])
    for (const id of TEAS.slice(0, 10)) {
      const values = await valuesOf(server, id)
      assert.deepEqual(values['description']?.at(-1), { scope: { language: 'de' }, value: `Ein Tee, ${id}` })
      assert.deepEqual({ ...values, description: undefined }, { ...before, description: undefined })
      assert.equal(await countChanges(server, id), 2)
    }
    assert.equal(await countChanges(server, TEAS[10]!), 1)
  })

  it('R7 offers no next record at the last one of a list, where Ctrl+Enter saves', async (t) => {
    const { server } = suite()
    await makeTea(server, { id: 'last', name: 'Zzz' })
    const { page } = await suite().visit(t, { path: '/console/records?schema=tea&scope=language:de&q=Zzz&open=last' })
    await page.locator('.panel').getByText('1 of 1').waitFor()
    await field(page, 'Name').fill('Der letzte Tee')
    await save(page).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save and next' }).count(), 0)
    await page.keyboard.press('Control+Enter')
    await saved(page)
    assert.match(page.url(), /open=last/)
  })

  it('R4 journey 3: two who save two languages both stand; in one scope the second chooses', async (t) => {
    const { server } = suite()
    const [anna, tom] = await Promise.all([
      suite().visit(t, { path: '/console/records/two-at-once?scope=language:de' }),
      suite().visit(t, { path: '/console/records/two-at-once?scope=language:en', as: TRANSLATOR }),
    ])
    tom.expectStatus(412)
    await field(anna.page, 'Name').fill('Annas Tee')
    await field(tom.page, 'Name').fill('Tom’s tea')
    await anna.page.keyboard.press('Control+s')
    await saved(anna.page)
    await tom.page.keyboard.press('Control+s')
    await saved(tom.page)
    const both = (await valuesOf(server, 'two-at-once'))['name']!
    assert.deepEqual(new Set(both.map(({ value }) => value)), new Set(['Annas Tee', 'Tom’s tea']))
    await tom.page.goto(`${server.url}/console/records/two-at-once?scope=language:de`)
    await field(tom.page, 'Name').fill('Toms Tee')
    await field(tom.page, 'Description').fill('Von Tom')
    await field(anna.page, 'Name').fill('Annas zweiter Tee')
    await anna.page.keyboard.press('Control+s')
    await saved(anna.page)
    await tom.page.keyboard.press('Control+s')
    const choice = tom.page.locator('.conflict')
    await choice.waitFor()
    assert.deepEqual(await choice.locator('dd').allTextContents(), ['Toms Tee', 'Annas zweiter Tee', 'Annas Tee'])
    await eventually(async () => (await valuesOf(server, 'two-at-once'))['description']?.at(-1)?.value === 'Von Tom')
    await assertSeen(tom.page, 'record-conflict')
    await tom.page.getByRole('button', { name: 'Save mine' }).click()
    await saved(tom.page)
    assert.equal(
      (await valuesOf(server, 'two-at-once'))['name']?.find(({ scope }) => scope['language'] === 'de')?.value,
      'Toms Tee',
    )
  })

  it('R3 journey 4: what was typed in two scopes with switches between is saved by one request of exactly two', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/two-scopes?scope=language:de' })
    const bodies: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') bodies.push(request.postData() ?? '')
    })
    const language = page.getByRole('combobox', { name: 'Language' })
    await field(page, 'Name').fill('Zwei')
    await language.selectOption('en')
    await field(page, 'Name').fill('Two')
    await language.selectOption('de')
    assert.equal(await field(page, 'Name').inputValue(), 'Zwei')
    await language.selectOption('')
    await page.getByText('2 unsaved').waitFor()
    await save(page).click()
    await saved(page)
    assert.equal(bodies.length, 1)
    const { values, expect } = JSON.parse(bodies[0]!) as { values: Values; expect: unknown[] }
    assert.deepEqual(values, {
      name: [
        { scope: { language: 'de' }, value: 'Zwei' },
        { scope: { language: 'en' }, value: 'Two' },
      ],
    })
    assert.deepEqual(expect, [
      { attributeAlias: 'name', scope: { language: 'de' }, value: null },
      { attributeAlias: 'name', scope: { language: 'en' }, value: 'The tea of two-scopes' },
    ])
    await page.locator('body').press('Control+z')
    await page.getByText('Undone: 2 values').waitFor()
    assert.deepEqual((await valuesOf(suite().server, 'two-scopes'))['name'], [
      { scope: { language: 'en' }, value: 'The tea of two-scopes' },
    ])
  })

  it('R6 journey 8: a closed transition says why and leads there; a viewer sees none, a translator whom it needs', async (t) => {
    const { page } = await suite().visit(t, { path: `/console/records/closed?${DE_EU}` })
    await page.getByRole('button', { name: /Publish/ }).click()
    await page.getByText('It is not complete: 4 values are missing.').waitFor()
    await assertSeen(page, 'record-closed')
    await page.locator('.why-closed').getByRole('button', { name: 'Go to Price: US' }).click()
    await page.locator('[data-alias=price] input:focus').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Market' }).inputValue(), 'us')
    const viewer = await suite().visit(t, { path: `/console/records/closed?${DE_EU}`, as: VIEWER })
    await viewer.page.getByText('Your role reads records').waitFor()
    assert.equal(await viewer.page.getByRole('button', { name: /Publish/ }).count(), 0)
    assert.equal(
      await viewer.page.locator('.value-field').locator('input, textarea').count(),
      0,
      'R8 read-only is no input',
    )
    const tom = await suite().visit(t, { path: `/console/records/closed?${DE_EU}`, as: TRANSLATOR })
    await tom.page.getByRole('button', { name: /Publish/ }).click()
    await tom.page.getByText('Needs Administrator and Editor.').waitFor()
    assert.equal(await tom.page.locator('[data-alias=price]').count(), 0)
    assert.equal(await tom.page.locator('[data-alias=sku] input').count(), 0)
  })

  it('R5 what was typed and left is offered on return, also what is no value', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/draft?scope=market:eu' })
    await field(page, 'Name').fill('A draft')
    await field(page, 'Price').fill('a lot')
    await page.getByText('1 field cannot be saved as it is').waitFor()
    await page.waitForFunction(() => Object.values(localStorage).some((kept) => String(kept).includes('a lot')))
    await page.reload()
    await page.getByText('2 values that you typed here were not saved').waitFor()
    await page.getByRole('button', { name: 'Take them up' }).click()
    await hasText(page, 'Price', 'a lot')
    await field(page, 'Price').fill('8.9')
    await save(page).click()
    await saved(page)
    await hasText(page, 'Price', '8.90 EUR')
    await page.reload()
    await field(page, 'Name').waitFor()
    assert.equal(await page.locator('.offered-draft').count(), 0)
  })

  it('R2 what is missing follows what is typed, and F8 goes through it', async (t) => {
    const { page } = await suite().visit(t, { path: `/console/records/${TEAS[11]}?${DE_EU}` })
    const missing = page.locator('.missing-list h2')
    await missing.getByText('3', { exact: true }).waitFor()
    await page.keyboard.press('F8')
    await page.locator('[data-alias=description] [contenteditable]:focus').waitFor()
    await page.keyboard.type('Ein Tee')
    await missing.getByText('2', { exact: true }).waitFor()
    await page.keyboard.press('F8')
    await page.locator('[data-alias=price] input:focus').waitFor()
    await page.keyboard.type('8,5')
    assert.equal(await page.getByText('needs').count(), 1)
    await page.keyboard.press('F8')
    await page.waitForURL((url) => url.searchParams.get('scope') === 'language:de,market:us')
    await missing.getByText('1', { exact: true }).waitFor()
    await field(page, 'Organic').fill('yes')
    await page.keyboard.press('Enter')
    await field(page, 'Certificate').waitFor()
    await missing.getByText('2', { exact: true }).waitFor()
    await field(page, 'Article number').fill('wrong')
    await page.getByText(/must match|pattern/).waitFor()
  })
})
