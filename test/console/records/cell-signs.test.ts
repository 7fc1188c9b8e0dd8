// Signs in the cells of the sheet: the reason of a refusal, missing values, the corner of open threads.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, sheetPath, someRecords } from '../helpers/sheet.ts'

describe('A cell of the sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const origin = {
      alias: 'origin',
      dataType: 'text',
      name: 'Origin',
      requiredInStateIds: ['state-draft', 'state-review'],
    }
    const guard = {
      criteria: [{ attributeAlias: 'secret', operator: 'equals', value: 'nobody' }],
      criteriaOperator: 'and',
    }
    const guarded = { ...origin, alias: 'guarded', name: 'Guarded', guard }
    const related = { alias: 'related', dataType: 'references', name: 'Related' }
    const parentTea = { alias: 'like', dataType: 'reference', name: 'Like' }
    await makeSheetModel(admin, [origin, guarded, related, parentTea])
    const records = [...someRecords(20)].map(({ id, values }, at) => ({
      id,
      values: at % 2 === 0 ? values : { ...values, origin: [{ scope: {}, value: 'Darjeeling' }] },
    }))
    await importRecords(admin, records)
    const referring = {
      related: [{ scope: {}, value: ['tea-000002', 'tea-000003'] }],
      like: [{ scope: {}, value: 'tea-000004' }],
    }
    const patched = await send(admin, 'PATCH', '/api/v1/records/tea-000001', { values: referring })
    assert.equal(patched.status, 200, patched.text)
    const { status, text } = await send(admin, 'POST', '/api/v1/records/tea-000005/comments', {
      text: 'Too heavy?',
      attributeAlias: 'weight',
      scope: {},
    })
    assert.equal(status, 201, text)
  })

  it('says why it is refused, what is missing, and opens its comments by its corner', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath('&cols=sku,origin,weight,stock,.completeness') })
    const sheet = new SeenSheet(page)
    await sheet.shows(0, 0, 'T-0001')
    assert.equal(await sheet.cell(0, 1).getAttribute('data-missing'), '')
    assert.match((await sheet.cell(0, 1).getAttribute('aria-description')) ?? '', /^missing for /)
    assert.equal(await sheet.cell(1, 1).getAttribute('data-missing'), null)
    await sheet.cell(2, 2).click()
    await sheet.type('heavy')
    await sheet.press('Enter', 'ArrowUp')
    const reason = page.getByRole('tooltip')
    await reason.waitFor()
    assert.equal(await sheet.cell(2, 2).getAttribute('aria-describedby'), await reason.getAttribute('id'))
    const fault = page.locator('.cell-line .fault')
    assert.equal(await fault.evaluate((one) => getComputedStyle(one).maxWidth), 'none')
    await sheet.grid.locator('[data-row="4"] [data-threads]').waitFor()
    await assertSeen(page, 'cell-signs')
    await sheet.press('Escape')
    await reason.waitFor({ state: 'detached' })
    const { width } = (await sheet.cell(4, 2).boundingBox())!
    await sheet.cell(4, 2).click({ position: { x: width - 4, y: 4 } })
    await page.getByRole('dialog', { name: 'Comments on the value' }).getByText('Too heavy?').waitFor()
  })

  it('names people and other records', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath('&cols=sku,related,like,.createdBy,.updatedBy') })
    const sheet = new SeenSheet(page)
    await sheet.shows(0, 1, 'T-0002, T-0003')
    await sheet.shows(0, 2, 'T-0004')
    await sheet.shows(0, 3, 'First API key')
    // An editor has the ID, which is the value.
    await sheet.cell(0, 2).dblclick()
    assert.equal(await page.getByRole('combobox').last().inputValue(), 'tea-000004')
    await sheet.press('Escape', 'Alt+h')
    const history = page.getByRole('dialog', { name: 'History of the value' })
    await history.getByText('T-0004', { exact: true }).waitFor()
    assert.equal(await history.getByText('tea-000004').count(), 0)
  })

  it('is marked as missing without the column Complete, too, unless a guard decides or the state requires nothing', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath('&cols=sku,origin,guarded,name') })
    const sheet = new SeenSheet(page)
    await sheet.shows(0, 0, 'T-0001')
    assert.equal(await sheet.cell(0, 1).getAttribute('data-missing'), '')
    assert.match((await sheet.cell(0, 1).getAttribute('aria-description')) ?? '', /^missing for /)
    assert.equal(await sheet.cell(1, 1).getAttribute('data-missing'), null)
    assert.equal(await sheet.cell(0, 2).getAttribute('data-missing'), null)
    await sheet.cell(0, 1).click()
    await sheet.type('Assam')
    await sheet.press('Enter')
    await sheet.grid.locator('[data-row="0"] [data-column="1"]:not([data-missing])').waitFor()
    await sheet.saved()
    await sheet.press('Control+z')
    await sheet.grid.locator('[data-row="0"] [data-column="1"][data-missing]').waitFor()
  })
})
