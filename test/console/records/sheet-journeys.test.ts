// Two whole journeys through the sheet: a catalogue manager groups, corrects and replaces; a translator reads the history of
// a cell, takes a value back and answers a comment.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { make } from '../../helpers/shirts.ts'
import { ADMIN_PASSWORD } from '../../helpers/server.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, SHEET_SCHEMA, sheetPath, someRecords } from '../helpers/sheet.ts'

const MANAGER = { username: 'mara', password: ADMIN_PASSWORD }
const TRANSLATOR = { username: 'tom', password: ADMIN_PASSWORD }

describe('A working day in the sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const brands = ['House of Tea', 'Leaf & Co', 'Old Harbour'].map((name, at) => ({ id: `brand-${at}`, name }))
    await makeSheetModel(admin, [{ alias: 'brand', dataType: 'select', name: 'Brand', options: brands }])
    const scoped = (value: unknown) => [{ scope: {}, value }]
    const teas = [...someRecords(60)].map(({ id, values }, at) => ({
      id,
      values: {
        ...values,
        sku: scoped(`Tea No ${at + 1}`),
        ...(at % 7 === 6 ? {} : { brand: scoped(`brand-${at % 3}`) }),
      },
    }))
    await importRecords(admin, teas)
    const permissions = ['records.read', 'records.update', 'model.read', 'audit.read', 'comments.write']
    await make(admin, '/api/v1/roles', {
      id: 'role-translator',
      name: 'Translator',
      permissions,
      defaultAttributePermission: 'read',
      attributePermissions: { [SHEET_SCHEMA]: { name: 'write', secret: 'none' } },
    })
    await make(admin, '/api/v1/users', { ...MANAGER, name: 'Mara', roleId: 'role-admin' })
    await make(admin, '/api/v1/users', { ...TRANSLATOR, name: 'Tom', roleId: 'role-translator' })
    for (const value of ['Assam stark', 'Assam, malzig'])
      await send(admin, 'PATCH', '/api/v1/records/tea-000002', {
        values: { name: [{ scope: { language: 'de' }, value }] },
      })
    await send(admin, 'POST', '/api/v1/records/tea-000004/comments', {
      text: 'Is this the right word?',
      attributeAlias: 'name',
      scope: { language: 'de' },
    })
  })

  async function open(t: TestContext, query: string, options: VisitOptions) {
    const visit = await suite().visit(t, { path: sheetPath(query), ...options })
    const sheet = new SeenSheet(visit.page, visit.page.locator('.sheet'))
    await sheet.cell(1, 0).locator('.sheet-text').waitFor()
    return { ...visit, sheet }
  }

  const valueOf = async (id: string, alias: string) => {
    const { body } = await send<{ values: Record<string, { value: unknown }[]> }>(
      suite().server.admin,
      'GET',
      `/api/v1/records/${id}`,
    )
    return body.values[alias]!.map(({ value }) => value)
  }

  it('a catalogue manager groups by brand, folds, corrects, replaces a word with a preview, and takes all back', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,brand,weight,kind', { as: MANAGER })
    await sheet.grid.getByRole('button', { name: 'Brand' }).click()
    await page.getByRole('menuitem', { name: 'Group by this' }).click()
    await sheet.head(0).getByText('House of Tea').waitFor()
    await sheet.grid.focus()
    await sheet.press('Control+Home', 'ArrowLeft')
    await sheet.head(1).getByText('Leaf & Co').waitFor()
    await sheet.shows(2, 0, 'Tea No 2')
    // By keys alone: into the second group, and a weight is corrected.
    await sheet.press('ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight')
    await sheet.type('55')
    await sheet.press('Enter')
    await sheet.shows(2, 2, '55')
    await sheet.saved()
    assert.deepEqual(await valueOf('tea-000002', 'weight'), [55])
    await assertSeen(page, 'journey-groups')
    // The group is selected by its head; then a word is replaced in it.
    await sheet.press('Control+Home', 'ArrowDown', 'Space', 'ArrowDown', 'Control+h')
    await page.getByRole('heading', { name: /^Change \d+ records$/ }).waitFor()
    await page.locator('input[name=replace]:focus').waitFor()
    await page.keyboard.type('No')
    await page.keyboard.press('Tab')
    await page.keyboard.type('№')
    assert.equal(await page.getByLabel('Find', { exact: true }).inputValue(), 'No')
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('Tea № 2').first().waitFor()
    await assertSeen(page, 'journey-replace')
    await page.getByRole('button', { name: /^Change \d+ records$/ }).click()
    await sheet.shows(2, 0, 'Tea № 2')
    assert.deepEqual(await valueOf('tea-000001', 'sku'), ['Tea No 1'])
    await page
      .getByText(/records? changed/)
      .first()
      .waitFor()
    await sheet.grid.focus()
    await sheet.press('Control+z')
    await sheet.shows(2, 0, 'Tea No 2')
    await sheet.press('Control+z')
    await sheet.shows(2, 2, '2')
    await sheet.press('Control+Shift+z')
    await sheet.shows(2, 2, '55')
    await sheet.press('Control+Shift+z')
    await sheet.shows(2, 0, 'Tea № 2')
  })

  it('a translator finds, reads the history of a cell, takes a value back, and answers a comment from the cell', async (t) => {
    const { sheet, page } = await open(t, '&cols=sku,name&scope=language:de', { as: TRANSLATOR })
    await sheet.grid.focus()
    await sheet.press('Control+f')
    await page.keyboard.type('malzig')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await sheet.shows(1, 1, 'Assam, malzig')
    await sheet.press('Escape')
    assert.equal(await sheet.cursor(), 'sheet-1-1')
    await sheet.press('Alt+h')
    const dialog = page.getByRole('dialog', { name: 'History of the value' })
    await dialog.getByText('Assam stark').first().waitFor()
    await assertSeen(page, 'cell-history')
    await dialog.getByRole('button', { name: 'Take back' }).first().focus()
    await page.keyboard.press('Enter')
    await sheet.grid.getByText('Assam stark').waitFor()
    assert.ok((await valueOf('tea-000002', 'name')).includes('Assam stark'))
    await sheet.grid.focus()
    await sheet.press('Control+z')
    await sheet.grid.getByText('Assam, malzig').waitFor()
    await sheet.shows(3, 1, 'Tee 4')
    await sheet.grid.locator('[data-row="3"] [data-threads]').waitFor()
    await sheet.cell(3, 1).click()
    await sheet.press('Alt+c')
    const comments = page.getByRole('dialog', { name: 'Comments on the value' })
    await comments.getByText('Is this the right word?').waitFor()
    await assertSeen(page, 'cell-comments')
    await comments.getByRole('button', { name: 'Reply' }).click()
    await page.keyboard.type('Yes, it is.')
    await page.keyboard.press('Control+Enter')
    await comments.getByText('Yes, it is.').waitFor()
    await comments.getByRole('button', { name: 'Resolve' }).click()
    await page.keyboard.press('Escape')
    await sheet.grid.locator('[data-threads]').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  })

  it('a filter of 200 characters takes one line, names itself whole, and the button without it fits the page', async (t) => {
    for (const text of ['x'.repeat(200), 'long words '.repeat(20).trim()]) {
      const { page } = await suite().visit(t, { path: sheetPath(`&q=${text}`) })
      const chip = page.locator('.toolbar .chip')
      await page.getByRole('button', { name: 'Without' }).waitFor()
      assert.equal(await chip.getAttribute('title'), `“${text}”`)
      assert.ok((await chip.boundingBox())!.height < 40)
      await assertSeen(page, 'sheet-long-filter')
    }
  })
})
