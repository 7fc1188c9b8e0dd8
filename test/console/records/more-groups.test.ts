// Groups of categories, of several options and of many values; rows that change their group.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, setLanguage, sheetPath, someRecords } from '../helpers/sheet.ts'

const COLUMNS = '&cols=sku,name,kind,tags,.lifecycleStateId'
const LINES = 130
const TEAS = `&where=${encodeURIComponent(JSON.stringify([{ field: 'id', operator: 'startsWith', value: 'tea-' }]))}`

describe('More groups of a sheet', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const options = Array.from({ length: LINES }, (_, at) => ({ id: `line-${at}`, name: `Line ${at}` }))
    const tags = ['new', 'sale', 'gift'].map((id) => ({ id, name: id }))
    await makeSheetModel(admin, [
      { alias: 'line', dataType: 'select', name: 'Line', options },
      // Groups have a mean only where something is required.
      {
        alias: 'tags',
        dataType: 'multiSelect',
        name: 'Tags',
        options: tags,
        requiredInStateIds: ['state-draft'],
      },
    ])
    const scoped = (value: unknown) => [{ scope: {}, value }]
    await importRecords(
      admin,
      [...someRecords(12)].map(({ values, ...record }, at) => ({
        ...record,
        values: { ...values, tags: scoped([['new', 'sale'], ['sale'], []][at % 3]) },
      })),
    )
    await importRecords(
      admin,
      options.flatMap(({ id }, at) =>
        [0, 1].map((by) => ({ id: `of-${id}-${by}`, values: { sku: scoped(`L-${at}-${by}`), line: scoped(id) } })),
      ),
    )
    const make = async (path: string, body: object) => {
      const { status, text } = await send(admin, 'POST', path, body)
      assert.equal(status, 201, text)
    }
    await make('/api/v1/catalogs', { id: 'web', name: 'Web shop' })
    for (const [id, parentId] of [['leaf'], ['green-leaf', 'leaf'], ['gifts'], ['empty']])
      await make('/api/v1/catalogs/web/categories', { id, name: `The ${id}`, ...(parentId && { parentId }) })
    for (const [at, categories] of [['leaf'], ['green-leaf'], ['green-leaf', 'gifts'], ['gifts']].entries()) {
      const body = categories.map((categoryId) => ({ categoryId }))
      const path = `/api/v1/records/tea-${String(at + 1).padStart(6, '0')}/categories`
      assert.equal((await send(admin, 'PUT', path, body)).status, 200)
    }
  })

  async function open(t: TestContext, query: string) {
    await setLanguage(suite().server.url, 'en')
    const visit = await suite().visit(t, { path: sheetPath(COLUMNS + query) })
    const sheet = new SeenSheet(visit.page, visit.page.locator('.sheet'))
    await sheet.head(0).waitFor()
    const heads = async () => {
      const texts = await sheet.grid.locator('.sheet-group-cell').allTextContents()
      return texts.map((text) =>
        text
          .replace(/\s*⌀.*/, '')
          .replace(/Mean.*/, '')
          .trim(),
      )
    }
    return { ...visit, sheet, heads }
  }

  it('by the highest categories of a catalog, with the records below them, also in a view', async (t) => {
    const { sheet, page, heads } = await open(t, `&group=.catalog:web${TEAS}`)
    await sheet.head(7).waitFor()
    assert.deepEqual(await heads(), ['The leaf3 records', 'The gifts2 records', '(empty)8 records'])
    await sheet.shows(1, 0, 'T-0001')
    await sheet.shows(5, 0, 'T-0003')
    for (const row of [0, 4]) await sheet.head(row).getByText(/⌀ \d+/).waitFor()
    await assertSeen(page, 'groups-categories')
    await page.getByRole('button', { name: 'Group: Category: Web shop' }).click()
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    await page.getByRole('button', { name: 'All records' }).click()
    await page.getByLabel('Name of the view').fill('By category')
    await page.getByText('shared', { exact: true }).click()
    await page.getByRole('button', { name: 'Save as a view' }).click()
    await page.waitForURL(/view=/)
    const id = new URL(page.url()).searchParams.get('view')!
    const { body } = await send<{ view: { group: object } }>(suite().server.admin, 'GET', `/api/v1/saved-queries/${id}`)
    assert.deepEqual(body.view.group, { catalogId: 'web' })
    await page.goto(`${suite().server.url}/console/views/${id}`)
    await sheet.head(0).getByText('The leaf').waitFor()
  })

  it('by several options: a record is in the group of each', async (t) => {
    const { sheet, heads } = await open(t, `&group=tags${TEAS}`)
    await sheet.head(14).waitFor()
    assert.deepEqual(await heads(), ['new4 records', 'sale8 records', '(empty)4 records'])
    await sheet.shows(1, 0, 'T-0001')
    await sheet.shows(6, 0, 'T-0001')
  })

  it('of more than a hundred values, on request', async (t) => {
    const { sheet, page } = await open(t, '&group=line')
    await page.getByRole('button', { name: 'Group: Line' }).click()
    await page.getByRole('button', { name: 'Fold all', exact: true }).click()
    await sheet.grid.focus()
    await sheet.press('Control+End')
    await sheet.head(101).getByText('(empty)').waitFor()
    assert.match(await sheet.headText(100), /^Others\s*60 records/)
    await sheet.head(100).getByText(/⌀ \d+/).waitFor()
    await assertSeen(page, 'groups-others')
    await sheet.head(100).getByRole('button', { name: 'More groups' }).click()
    await page.locator('.sheet[aria-rowcount="132"]:focus').waitFor()
    await sheet.press('Control+End')
    await sheet.head(130).getByText('(empty)').waitFor()
    assert.match(await sheet.headText(129), /^Line 129\s*2 records/)
  })

  it('a row with another value is marked, and goes to its group when the cursor leaves it, with the counts', async (t) => {
    const { sheet, page, heads } = await open(t, `&group=kind${TEAS}`)
    await sheet.head(5).waitFor()
    assert.deepEqual(await heads(), ['Green4 records', 'Black8 records'])
    await sheet.cell(1, 2).click()
    await sheet.type('Black')
    await sheet.press('Tab')
    await sheet.grid.locator('[data-row="1"][data-state=moving]').waitFor()
    await page.locator('.cell-line').getByText('moves to another group').waitFor()
    await sheet.shows(1, 0, 'T-0003')
    await assertSeen(page, 'groups-moving')
    await sheet.press('ArrowDown')
    await sheet.shows(1, 0, 'T-0006')
    await page.locator('.sheet[aria-activedescendant=sheet-1-3]').waitFor()
    await sheet.head(4).getByText('9 records').waitFor()
    assert.deepEqual(await heads(), ['Green3 records', 'Black9 records'])
    await sheet.shows(7, 0, 'T-0003')
    await sheet.press('Control+z')
    await sheet.shows(1, 0, 'T-0003')
    // The cursor stays at its record.
    await page.locator('.sheet[aria-activedescendant=sheet-2-3]').waitFor()
    await sheet.head(5).getByText('8 records').waitFor()
    assert.deepEqual(await heads(), ['Green4 records', 'Black8 records'])
  })
})
