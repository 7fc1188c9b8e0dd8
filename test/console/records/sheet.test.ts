// The sheet of records in a browser, in typical work: edits, fill, paste, undo, selection, filters, views.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { eventually } from '../../helpers/puppet.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import {
  importRecords,
  makeSheetModel,
  SeenSheet,
  setLanguage,
  SHEET_SCHEMA,
  sheetPath,
  someRecords,
} from '../helpers/sheet.ts'

const GREEN = { attributeAlias: 'kind', operator: 'in', value: ['green'] }
const COLUMNS = '&cols=sku,name,price,weight,stock,kind'

describe('The sheet of records', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin)
    await importRecords(admin, someRecords(60))
    const parent = { id: 'tea-parent', values: { sku: [{ scope: {}, value: 'X-PARENT' }] } }
    await importRecords(admin, [parent, { id: 'tea-variant', parentId: 'tea-parent', values: {} }])
  })

  async function valuesOf(id: string): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await send(suite().server.admin, 'GET', `/api/v1/records/${id}`)
    return (body as { values: Readonly<Record<string, unknown>> }).values
  }

  async function open(t: TestContext, query = COLUMNS, options: VisitOptions = {}) {
    const visit = await suite().visit(t, { path: sheetPath(query), ...options })
    const sheet = new SeenSheet(visit.page)
    await sheet.cell(0, 0).locator('.sheet-text').waitFor()
    return { ...visit, sheet }
  }

  it('journey 5: edit, Tab, fill, paste 3 × 20 with two bad numbers: 58 are saved, 2 marked; Ctrl+Z brings all back', async (t) => {
    const { sheet, page } = await open(t)
    const before = await Promise.all([1, 9, 24].map((at) => valuesOf(`tea-${String(at).padStart(6, '0')}`)))
    await sheet.cell(0, 3).click()
    await sheet.type('7')
    await sheet.press('Tab')
    await sheet.type('8')
    await sheet.press('Enter')
    await sheet.saved()
    assert.deepEqual([await sheet.text(0, 3), await sheet.text(0, 4)], ['7', '8'])
    await sheet.cell(0, 3).click()
    await sheet.press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d')
    // The first filling loads its code.
    await sheet.shows(2, 3, '7')
    await sheet.saved()
    assert.deepEqual((await valuesOf('tea-000003'))['weight'], [{ scope: {}, value: 7 }])
    const rows = Array.from({ length: 20 }, (_, at) => [
      `N-${at}`,
      at === 4 ? 'many' : `${at}.5`,
      at === 9 ? '1.5' : `${at}`,
    ])
    await sheet.cell(4, 0).click()
    await sheet.paste(rows.map(([sku, weight, stock]) => [sku, 'kept', '5 EUR', weight, stock].join('\t')).join('\n'))
    await sheet.saved()
    await page.getByText('2 cells were refused').first().waitFor()
    assert.equal(await sheet.grid.locator('[data-mark=refused]').count(), 2)
    assert.equal(await sheet.text(8, 3), 'many')
    assert.equal(await sheet.text(13, 4), '1.5')
    const pasted = await valuesOf('tea-000009')
    assert.deepEqual(pasted['sku'], [{ scope: {}, value: 'N-4' }])
    assert.deepEqual(pasted['weight'], [{ scope: {}, value: 9 }])
    assert.deepEqual(pasted['stock'], [{ scope: {}, value: 4 }])
    await sheet.cell(8, 3).click()
    await sheet.press('Escape')
    assert.equal(await sheet.text(8, 3), '9')
    await sheet.press('Control+z', 'Control+z', 'Control+z', 'Control+z')
    await sheet.shows(0, 3, '1')
    await sheet.shows(4, 0, 'T-0005')
    await sheet.saved()
    const after = await Promise.all([1, 9, 24].map((at) => valuesOf(`tea-${String(at).padStart(6, '0')}`)))
    assert.deepEqual(after, before)
    // Undo right after an edit waits for the save.
    await sheet.cell(0, 3).click()
    await sheet.type('5')
    await sheet.press('Enter', 'Control+z')
    await sheet.shows(0, 3, '1')
    await sheet.saved()
    assert.deepEqual(await valuesOf('tea-000001'), before[0])
  })

  it('G2: shows what is borrowed quietly, and says how many narrower values are different', async (t) => {
    const { sheet, page } = await open(t, `${COLUMNS}&scope=-`)
    assert.equal(await sheet.cell(1, 1).locator('.sheet-more').textContent(), '+1')
    await page.getByLabel('Language').selectOption('de')
    await sheet.shows(1, 1, 'Tee 2')
    assert.equal(await sheet.cell(1, 1).getAttribute('data-ink'), 'full')
    assert.equal(await sheet.text(0, 1), 'Tea 1')
    assert.equal(await sheet.cell(0, 1).getAttribute('data-ink'), 'quiet')
    assert.equal(await sheet.cell(0, 1).getAttribute('aria-description'), 'from all scopes')
  })

  it('G3: the beginning of an option is that option, where it is the only one that begins so', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,kind')
    await sheet.cell(29, 1).click()
    await sheet.type('gr')
    await page.getByRole('option', { name: 'Green' }).waitFor()
    await sheet.press('Tab')
    await sheet.shows(29, 1, 'Green')
  })

  it('G3: writes to the scope of the bar with that of the column, says so, and widens it by Ctrl+.', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,name,name@language:en&scope=language:de,market:eu')
    await sheet.cell(20, 1).click()
    await sheet.type('Grüner Tee')
    await page.getByText('Deutsch', { exact: true }).and(page.getByRole('status')).waitFor()
    await sheet.press('Enter')
    await sheet.cell(20, 2).click()
    await sheet.type('Green tea')
    await sheet.press('Enter')
    await sheet.cell(21, 1).click()
    await sheet.type('For all')
    await sheet.press('Control+.', 'Enter')
    await sheet.saved()
    assert.deepEqual((await valuesOf('tea-000021'))['name'], [
      { scope: {}, value: 'Tea 21' },
      { scope: { language: 'de' }, value: 'Grüner Tee' },
      { scope: { language: 'en' }, value: 'Green tea' },
    ])
    const widened = (await valuesOf('tea-000022'))['name'] as { scope: object; value: string }[]
    assert.deepEqual(widened.find(({ scope }) => Object.keys(scope).length === 0)?.value, 'For all')
    assert.equal(widened.length, 2)
  })

  it('G4: a record that matches no more stays where it is, marked, until the sheet is renewed', async (t) => {
    const where = [{ attributeAlias: 'stock', operator: 'between', value: ['50', '52'] }]
    const { sheet, page } = await open(t, `${COLUMNS}&where=${encodeURIComponent(JSON.stringify(where))}`)
    await sheet.cell(0, 4).click()
    await sheet.type('5000')
    await sheet.press('Enter')
    await sheet.grid.locator('[data-state=gone]').waitFor()
    assert.equal(await sheet.text(0, 4), '5000')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Reload')
    await page.keyboard.press('Enter')
    await sheet.grid.locator('[data-state=gone]').waitFor({ state: 'detached' })
    assert.equal(await sheet.text(0, 0), 'T-0051')
    await page.keyboard.press('Control+z')
    await page.getByText('Undone').waitFor()
  })

  it('G5: the command line assigns and deletes what is selected', async (t) => {
    const { sheet, page } = await open(t)
    await sheet.cell(1, 0).click()
    await sheet.press('Space')
    await page.getByText('1 selected').waitFor()
    for (const [typed, dialog] of [
      ['assign', /Assign/],
      ['delete', /Delete/],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      const opened = page.getByRole('dialog', { name: dialog })
      await opened.waitFor()
      await page.keyboard.press('Escape')
      await opened.waitFor({ state: 'detached' })
    }
  })

  it('G5: what is selected is these, or all that match except; it is counted, and ends with the question', async (t) => {
    const { sheet, page } = await open(t)
    await sheet.cell(1, 0).click()
    await sheet.press('Space', 'ArrowDown', 'Space')
    await page.getByText('2 selected').waitFor()
    await sheet.press('Control+a')
    await page.getByText('61 selected').waitFor()
    await sheet.press('Space')
    await page.getByText('60 selected').waitFor()
    assert.equal(await sheet.grid.locator('[data-row="2"]').getAttribute('aria-selected'), 'false')
    await page.getByRole('searchbox', { name: 'Search records' }).fill('T-000')
    await page.getByText('The selection has ended').waitFor()
    assert.equal(await page.locator('.selection-bar').count(), 0)
  })

  it('G6: copies as spreadsheets do, in the writing of the locale', async (t) => {
    const { url } = suite().server
    await setLanguage(url, 'de')
    const { sheet } = await open(t, '&cols=sku,weight,kind', { locale: 'de-DE' })
    // The page is closed by then, so that it does not write its language again.
    t.after(() => setLanguage(url, 'en'))
    await sheet.shows(2, 2, 'Grün')
    await sheet.cell(2, 0).click()
    await sheet.press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown')
    assert.equal(await sheet.copy(), 'T-0003\t3\tGrün\nT-0004\t4\tSchwarz')
  })

  it('G6: a cell that the server refuses keeps what was typed, and says why, until Escape', async (t) => {
    const { sheet } = await open(t)
    await sheet.cell(5, 0).click()
    await sheet.type('T-0001')
    await sheet.press('Enter')
    const cell = sheet.grid.locator('[data-mark=refused]')
    await cell.waitFor()
    assert.equal(await sheet.text(5, 0), 'T-0001')
    assert.match((await cell.getAttribute('title')) ?? '', /unique/)
    assert.deepEqual((await valuesOf('tea-000006'))['sku'], [{ scope: {}, value: 'T-0006' }])
    await sheet.press('ArrowUp', 'F2')
    assert.equal(await sheet.page.locator('.sheet-editor textarea').inputValue(), 'T-0001')
    await sheet.press('Escape', 'Escape')
    await sheet.shows(5, 0, 'T-0006')
  })

  it('G6: more cells than go at once are neither pasted nor filled, which is said', async (t) => {
    const { sheet, page } = await open(t)
    const before = await sheet.text(0, 0)
    await sheet.cell(0, 0).click()
    await sheet.paste(Array.from({ length: 20_001 }, (_, at) => `P-${at}`).join('\n'))
    await page.getByText('At most 20,000 cells at once.').first().waitFor()
    assert.equal(await sheet.text(0, 0), before)
    assert.deepEqual((await valuesOf('tea-000001'))['sku'], [{ scope: {}, value: before }])
  })

  it('G7: a head sorts and repeats its column in another scope; filters are chips with counts', async (t) => {
    const { sheet, page } = await open(t)
    await page.getByRole('button', { name: 'Column Weight' }).click()
    await page.getByRole('menuitem', { name: 'Sort falling' }).click()
    await sheet.shows(0, 0, 'T-0060')
    assert.match(page.url(), /sort=-weight/)
    await page.getByRole('button', { name: 'Column Name' }).click()
    const focused = () => page.locator(':focus').innerText()
    assert.equal(await focused(), 'Sort rising')
    await page.keyboard.press('f')
    assert.equal(await focused(), 'Filter by this')
    // A model may have many languages: one is found by typing, by keys alone.
    await page.getByRole('menuitem', { name: 'Sort rising' }).press('ArrowUp')
    assert.equal(await page.locator(':focus').getAttribute('placeholder'), 'Repeat in …')
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.locator('.listbox').innerText(), 'Deutsch\nEnglish')
    await assertSeen(page, 'column-menu')
    await page.keyboard.type('deu')
    await page.keyboard.press('Enter')
    await page.getByRole('columnheader', { name: /Name\s*Deutsch/ }).waitFor()
    await page.getByRole('button', { name: 'Column Kind' }).click()
    await page.getByRole('menuitem', { name: 'Filter by this' }).click()
    await page.getByLabel(/Green\s*20/).check()
    await page.getByRole('button', { name: 'Remove Kind: Green' }).waitFor()
    await page.getByText('20 of 61').waitFor()
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.getByText('61 records').waitFor()
  })

  it('G8: where nothing is found, it names the filter whose removal brings most', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath(`${COLUMNS}&q=nowhere&state=state-draft`) })
    await page.getByRole('button', { name: 'Without “nowhere”: 61' }).click()
    await page.getByText('61 of 61').waitFor()
  })

  it('G10: a view is saved and opened, and says by a star that it was changed', async (t) => {
    const { page } = await open(t, `${COLUMNS}&state=state-draft&sort=-weight`)
    await page.getByRole('button', { name: 'All records' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Heavy first')
    await page.getByRole('button', { name: 'Save as a view …' }).click()
    await page.getByRole('button', { name: 'Heavy first', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove State: Draft' }).click()
    await page.getByRole('button', { name: 'Heavy first*' }).click()
    await page.getByRole('button', { name: 'As saved' }).click()
    await page.getByRole('button', { name: 'Heavy first', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove State: Draft' }).waitFor()
    assert.match(page.url(), /sort=-weight/)
    // A view that was replaced or deleted comes back.
    await page.getByRole('button', { name: 'Remove State: Draft' }).click()
    await page.getByRole('button', { name: 'Heavy first*' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Heavy first', exact: true }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Heavy first*' }).click()
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await page.getByRole('button', { name: 'All records' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Heavy first*' }).waitFor()
  })

  it('G10: a shared view is deleted by another person with the right, and offers nothing to those without', async (t) => {
    const { admin } = suite().server
    const view = { id: 'qry-shared', name: 'For all', schemaId: SHEET_SCHEMA, criteria: [], criteriaOperator: 'and' }
    await send(admin, 'POST', '/api/v1/saved-queries', view)
    const [editor, viewer] = ['editor', 'viewer'].map((name) => ({
      username: `${name}-of-views`,
      password: 'a long password',
    }))
    await send(admin, 'POST', '/api/v1/users', { ...editor, roleId: 'role-editor' })
    await send(admin, 'POST', '/api/v1/users', { ...viewer, roleId: 'role-viewer' })
    const reader = await suite().visit(t, { as: viewer!, path: '/console/views/qry-shared' })
    await reader.page.getByRole('button', { name: /^For all/ }).click()
    await reader.page.getByRole('button', { name: 'For all shared' }).waitFor()
    assert.equal(await reader.page.getByRole('textbox', { name: 'Name of the view' }).count(), 0)
    const other = await suite().visit(t, { as: editor!, path: '/console/views/qry-shared' })
    await other.page.getByRole('button', { name: /^For all/ }).click()
    await other.page.getByRole('button', { name: 'Delete the view' }).click()
    await eventually(async () => (await send(admin, 'GET', '/api/v1/saved-queries/qry-shared')).status === 404)
  })

  it('G11: variants are hidden, shown or alone, and it is always said', async (t) => {
    const { page, sheet } = await open(t)
    await page.getByRole('button', { name: 'variants hidden' }).click()
    await page.getByRole('menuitemradio', { name: 'variants alone' }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    await sheet.shows(0, 0, 'X-PARENT')
    assert.equal(await sheet.cell(0, 0).getAttribute('data-ink'), 'quiet')
    assert.match(page.url(), /variants=alone/)
  })

  it('a new record needs no more than what it is called, and opens beside the sheet', async (t) => {
    const { page } = await open(t, COLUMNS)
    await page.getByRole('button', { name: 'New record' }).click()
    await page.getByRole('textbox', { name: 'SKU' }).fill('Z-NEW')
    await page.keyboard.press('Enter')
    await page.getByText('Created: Z-NEW').waitFor()
    await page.waitForURL(/open=ent-/)
    await page.getByText('62 records').waitFor()
  })

  it('deleting is asked about, and undo brings variants back, too', async (t) => {
    const { sheet, page } = await open(t, `${COLUMNS}&q=X-PARENT&variants=shown`)
    await page.getByText('2 of').waitFor()
    await sheet.cell(0, 0).click()
    await sheet.press('Space')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 record deleted').waitFor()
    await page.getByText('No record matches').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('2 of').waitFor()
    assert.deepEqual((await valuesOf('tea-parent'))['sku'], [{ scope: {}, value: 'X-PARENT' }])
    assert.deepEqual(await valuesOf('tea-variant'), {})
  })

  it('A5: what others change in rows that are shown comes by itself', async (t) => {
    const { sheet, page } = await open(t, COLUMNS)
    const changes = page.waitForResponse((response) => response.url().includes('/changes?after=latest'))
    await page.reload()
    await changes
    await sheet.shows(9, 0, 'T-0010')
    const values = { stock: [{ scope: {}, value: 4711 }] }
    await send(suite().server.admin, 'PATCH', '/api/v1/records/tea-000010', { values })
    await sheet.shows(9, 4, '4711')
  })

  it('views have an address of their own', async (t) => {
    const saved = { name: 'Green', schemaId: SHEET_SCHEMA, criteria: [GREEN], criteriaOperator: 'and' }
    const { body } = await send(suite().server.admin, 'POST', '/api/v1/saved-queries', saved)
    const { page } = await suite().visit(t, { path: `/console/views/${(body as { id: string }).id}` })
    await page.getByRole('button', { name: 'Remove Kind: Green' }).waitFor()
    await page
      .getByRole('button', { name: 'Green', exact: true })
      .or(page.getByRole('button', { name: 'Green*' }))
      .waitFor()
    assert.match(page.url(), /\/console\/records\?/)
  })

  it('a view that is gone leads to all records', async (t) => {
    const { page, expectStatus } = await suite().visit(t)
    expectStatus(404)
    await page.goto(`${suite().server.url}/console/views/none`)
    await page.getByRole('heading', { name: 'This view does not exist' }).waitFor()
    await assertSeen(page, 'view-gone')
    await page.getByRole('link', { name: 'All records' }).click()
    await page.getByRole('grid').waitFor()
  })
})
