// The sheet with groups: heads with counts and completeness, folding, selection of a whole group, copy and paste across
// heads, saved views.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { itLong } from '../../helpers/long.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite, type VisitOptions } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, setLanguage, sheetPath, someRecords } from '../helpers/sheet.ts'

const COLUMNS = '&cols=sku,name,weight,kind,.lifecycleStateId,.completeness'
const MANY_BRANDS = 130

describe('The sheet with groups', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const brand = { alias: 'brand', dataType: 'reference', name: 'Brand' }
    const options = Array.from({ length: MANY_BRANDS }, (_, at) => ({ id: `line-${at}`, name: `Line ${at}` }))
    const line = { alias: 'line', dataType: 'select', name: 'Line', options }
    await makeSheetModel(admin, [brand, line, { alias: 'organic', dataType: 'boolean', name: 'Organic' }])
    const scoped = (value: unknown) => [{ scope: {}, value }]
    await importRecords(
      admin,
      [...someRecords(240)].map((record, at) => withoutKind(record, at)),
    )
    await importRecords(
      admin,
      options.map(({ id }, at) => ({ id: `of-${id}`, values: { sku: scoped(`L-${at}`), line: scoped(id) } })),
    )
    await importRecords(admin, [
      { id: 'brand-house', values: { sku: scoped('House of Tea ' + 'é'.repeat(200)), name: scoped('x') } },
      { id: 'of-house', values: { sku: scoped('B-1'), brand: scoped('brand-house') } },
    ])
  })

  /** Every tenth record has no kind. */
  function withoutKind(
    record: Parameters<typeof importRecords>[1] extends Iterable<infer One> ? One : never,
    at: number,
  ) {
    const { kind, ...values } = record.values
    return { ...record, values: at % 10 === 9 ? values : { ...values, kind } }
  }

  async function open(t: TestContext, query: string, options: VisitOptions = {}) {
    // Earlier tests have folded groups.
    await setLanguage(suite().server.url, options.locale === 'de-DE' ? 'de' : 'en')
    const visit = await suite().visit(t, { path: sheetPath(COLUMNS + query), ...options })
    const sheet = new SeenSheet(visit.page, visit.page.locator('.sheet'))
    await sheet.head(0).waitFor()
    return { ...visit, sheet }
  }

  const onlyTeas = `&where=${encodeURIComponent(JSON.stringify([{ field: 'id', operator: 'startsWith', value: 'tea-' }]))}`

  it('shows a head for each value, in the order of the options, the empty ones last, with counts, and with no mean where nothing is required', async (t) => {
    const { sheet, page } = await open(t, `&group=kind&scope=language:de${onlyTeas}`)
    await page.getByText('240 of 372').waitFor()
    assert.match(await sheet.headText(0), /^Green\s*72 records/)
    assert.equal(await sheet.head(0).getAttribute('aria-expanded'), 'true')
    assert.equal(await sheet.grid.getAttribute('role'), 'treegrid')
    assert.equal(await sheet.grid.getAttribute('aria-rowcount'), String(240 + 3 + 1))
    await sheet.shows(1, 0, 'T-0003')
    assert.equal(await sheet.grid.locator('[data-row="1"]').getAttribute('aria-level'), '2')
    await assertSeen(page, 'groups')
    // One scrollbar over all groups, to the last record of the last one.
    await sheet.grid.focus()
    await sheet.press('Control+End')
    await sheet.shows(242, 0, 'T-0240')
    await sheet.press('Control+Home')
    await sheet.head(0).waitFor()
    assert.equal(await sheet.head(0).getByText('⌀').count(), 0)
  })

  it('folds by arrows and by the arrow of the head, for this person and sheet, also after a reload', async (t) => {
    const { sheet, page } = await open(t, `&group=kind${onlyTeas}`)
    await sheet.grid.focus()
    await sheet.press('Control+Home', 'ArrowLeft')
    await sheet.head(1).waitFor()
    assert.match(await sheet.headText(1), /^Black/)
    await sheet.head(1).locator('[data-fold]').click()
    await sheet.head(2).waitFor()
    assert.match(await sheet.headText(2), /^\(empty\)/)
    await page.waitForResponse((answer) => answer.url().endsWith('/api/v1/me/preferences'))
    await page.reload()
    await sheet.head(2).waitFor()
    await assertSeen(page, 'groups-folded')
    await sheet.grid.focus()
    await sheet.press('Control+Home', 'ArrowRight', 'ArrowDown')
    await sheet.shows(1, 0, 'T-0003')
    assert.equal(await sheet.cursor(), 'sheet-1-0')
    await page.getByRole('button', { name: 'Group: Kind' }).click()
    await page.getByRole('button', { name: 'Unfold all' }).click()
    await sheet.shows(1, 0, 'T-0003')
  })

  it('groups in two steps: the button opens the list of columns, and a chosen column closes it', async (t) => {
    await setLanguage(suite().server.url, 'en')
    const { page } = await suite().visit(t, { path: sheetPath(COLUMNS) })
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    await page.getByRole('option', { name: 'Kind', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Group by' })
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Group: Kind' }).click()
    await panel.getByRole('button', { name: 'Fold all', exact: true }).waitFor()
    assert.equal(await panel.getByRole('option').count(), 0)
  })

  it('selects the records of a head, and a bulk edit gets exactly these', async (t) => {
    const { sheet, page } = await open(t, `&group=kind${onlyTeas}`)
    await sheet.grid.focus()
    await sheet.press('Control+Home', 'Space')
    await page.getByText('72 selected').waitFor()
    // A row that is not read yet has nothing to select.
    await sheet.grid.locator('[data-row="1"] [data-column="0"]').filter({ hasText: /T-/ }).waitFor()
    await sheet.grid.locator('[data-row="1"] [data-handle]').click()
    await page.getByText('71 selected').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: false }).first().click()
    await page.getByRole('heading', { name: /Change 71/ }).waitFor()
  })

  it('copies and pastes across a head, which takes nothing', async (t) => {
    const { sheet } = await open(t, `&group=kind${onlyTeas}`)
    await sheet.grid.evaluate((element) => {
      element.scrollTop = 60 * 32
    })
    // A range whose rows are not all read cannot be copied.
    await sheet.shows(72, 0, 'T-0237')
    await sheet.shows(74, 2, '1')
    await sheet.cell(72, 2).click()
    await sheet.press('Shift+ArrowDown', 'Shift+ArrowDown')
    assert.equal(await sheet.copy(), '237\n1')
    await sheet.cell(72, 2).click()
    await sheet.paste('5000\n5001')
    await sheet.shows(72, 2, '5000')
    await sheet.shows(74, 2, '5001')
    await sheet.saved()
    await sheet.press('Control+z')
    await sheet.shows(74, 2, '1')
  })

  itLong('groups by state, by person, by referenced record and by many values', async (t) => {
    const { sheet, page } = await open(t, '&group=.lifecycleStateId')
    assert.match(await sheet.headText(0), /^Draft/)
    const group = (by: string) => page.goto(`${suite().server.url}${sheetPath(`${COLUMNS}&group=${by}`)}`)
    await group('.createdBy')
    await sheet.head(0).waitFor()
    await group('brand')
    await sheet.head(0).getByText('House of Tea').waitFor()
    assert.match(await sheet.headText(0), /1 record/)
    await assertSeen(page, 'groups-long-name')
    await group('line')
    await sheet.head(0).getByText('Line 0', { exact: true }).waitFor()
    await sheet.shows(1, 0, 'L-0')
    await page.getByRole('button', { name: 'Group: Line' }).click()
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    await sheet.grid.focus()
    await sheet.press('Control+End')
    await sheet.head(101).getByText('(empty)').waitFor()
    assert.match(await sheet.headText(100), /^Others\s*30 records/)
    await sheet.press('ArrowUp', 'ArrowRight', 'ArrowDown')
    await sheet.cell(101, 0).locator('.sheet-text').filter({ hasText: /^L-/ }).waitFor()
  })

  it('is chosen in the menu of a column, and kept in a view', async (t) => {
    const { page } = await suite().visit(t, { path: sheetPath(COLUMNS) })
    const sheet = new SeenSheet(page, page.locator('.sheet'))
    await sheet.shows(0, 0, 'T-0001')
    await sheet.grid.getByRole('button', { name: 'Kind' }).click()
    await page.getByRole('menuitem', { name: 'Group by this' }).click()
    await sheet.head(0).waitFor()
    await page.getByRole('button', { name: 'All records' }).click()
    await page.getByLabel('Name of the view').fill('By kind')
    await page.getByText('shared', { exact: true }).click()
    await page.getByRole('button', { name: 'Save as a view' }).click()
    await page.waitForURL(/view=/)
    const id = new URL(page.url()).searchParams.get('view')!
    const { body } = await send<{ view: { group: object } }>(suite().server.admin, 'GET', `/api/v1/saved-queries/${id}`)
    assert.deepEqual(body.view.group, { attributeAlias: 'kind' })
    await page.goto(`${suite().server.url}/console/views/${id}`)
    await sheet.head(0).waitFor()
    await page.getByRole('button', { name: 'By kind', exact: true }).waitFor()
  })

  itLong('looks right in German', async (t) => {
    const { page } = await open(t, `&group=organic${onlyTeas}`, { locale: 'de-DE' })
    await page.getByRole('button', { name: 'Gruppe: Organic' }).click()
    await page.getByRole('button', { name: 'Alle einklappen' }).waitFor()
    await assertSeen(page, 'groups-menu')
  })
})
