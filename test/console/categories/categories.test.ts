// Journey 11: a catalog's tree and the order of its records, by keys and by mouse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import type { TestServer } from '../../helpers/server.ts'
import { makeDemoCatalogue } from '../helpers/catalogue.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const MANY = 200
const PLACE = '/console/categories/cat-shop'

async function fill({ admin }: TestServer): Promise<void> {
  await makeDemoCatalogue(admin)
  await send(admin, 'POST', '/api/v1/catalogs/cat-shop/categories', { id: 'ctg-many', name: 'Many', sortOrder: 9 })
  const ids = Array.from({ length: MANY }, (_, index) => `many-${String(index).padStart(3, '0')}`)
  const operations = ids.flatMap((id, index) => [
    { op: 'create', id, schemaId: 'sch-tea', values: {} },
    { op: 'setCategories', id, categories: [{ categoryId: 'ctg-many', sortOrder: index }] },
  ])
  const answer = await send(admin, 'POST', '/api/v1/records/batch', { operations })
  assert.equal(answer.status, 200, answer.text)
}

interface Category {
  readonly id: string
  readonly parentId: string | null
}

async function treeOf({ admin }: TestServer, catalogId = 'cat-shop'): Promise<Record<string, string | null>> {
  const { body } = await send(admin, 'GET', `/api/v1/catalogs/${catalogId}/categories`)
  return Object.fromEntries((body as Category[]).map(({ id, parentId }) => [id, parentId]))
}

async function orderOf({ admin }: TestServer, id: string, limit = 3): Promise<string[]> {
  const { body } = await send(admin, 'GET', `/api/v1/categories/${id}/records?limit=${limit}`)
  return (body as { items: { id: string }[] }).items.map((record) => record.id)
}

const row = (page: Page, name: string) => page.getByRole('treeitem', { name })
const moved = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'GET' && response.url().includes('?counts='))

describe('Categories', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('C1 Alt and arrows move a category of 200 records, and undo brings it back', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: `${PLACE}?at=ctg-many` })
    await row(page, 'Many').waitFor()
    await assertSeen(page, 'categories')
    await row(page, 'Many').focus()
    for (const key of ['ArrowUp', 'ArrowRight']) {
      const answer = moved(page)
      await page.keyboard.press(`Alt+${key}`)
      await answer
    }
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-level') === '2')
    assert.deepEqual((await treeOf(server))['ctg-many'], 'ctg-tea')
    await row(page, 'Tea').getByText('/ 206').or(row(page, 'Tea').getByText('/ 205')).waitFor()
    for (const _ of ['right', 'up']) {
      const answer = moved(page)
      await page.keyboard.press('Control+z')
      await answer
      await page.getByText('Undone: move Many').first().waitFor()
    }
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-posinset') === '3')
    assert.equal((await treeOf(server))['ctg-many'], null)
  })

  it('C1 a category is dropped into and between others; C2 none below itself', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: PLACE })
    const drop = async (from: string, to: string, y: number) =>
      row(page, from).dragTo(row(page, to), { targetPosition: { x: 60, y } })
    await row(page, 'Pots').waitFor()
    let answer = moved(page)
    await drop('Pots', 'Classics', 16)
    await answer
    assert.equal((await treeOf(server))['ctg-pots'], 'ctg-classics')
    // A move that is impossible sends no request.
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()))
    await drop('Tea', 'Pots', 16)
    await drop('Tea', 'Classics', 2)
    assert.deepEqual(
      asked.filter((url) => url.includes('/move')),
      [],
    )
    answer = moved(page)
    await drop('Pots', 'Many', 2)
    await answer
    assert.deepEqual(
      Object.entries(await treeOf(server)).filter(([, parent]) => parent === null),
      [
        ['ctg-tea', null],
        ['ctg-pots', null],
        ['ctg-many', null],
      ],
    )
  })

  it('C2 two who move at once end in a valid tree, and who was second is told', async (t) => {
    const { server, visit } = suite()
    const { page, expectStatus } = await visit(t, { path: `${PLACE}?at=ctg-pots` })
    await row(page, 'Pots').focus()
    expectStatus(400)
    // The page does not see the other change before the server refuses its own.
    const refused = page.waitForResponse((response) => response.status() === 400)
    await page.route('**/api/v1/catalogs/*/categories?*', async (route) => {
      await refused
      await route.continue()
    })
    await send(server.admin, 'POST', '/api/v1/categories/ctg-tea/move', { parentId: 'ctg-pots' })
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByText('must not name the category itself or one below it').waitFor()
    assert.equal((await treeOf(server))['ctg-tea'], 'ctg-pots')
    await send(server.admin, 'POST', '/api/v1/categories/ctg-tea/move', { parentId: null, before: 'ctg-pots' })
  })

  it('C3 what is in no category is counted and listed', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: PLACE })
    const button = page.getByRole('button', { name: /Unassigned/ })
    await button.locator('.counts').waitFor()
    const said = Number(await button.locator('.counts').innerText())
    const found = await send(server.admin, 'POST', '/api/v1/search', {
      criteria: [],
      criteriaOperator: 'and',
      include: ['categories'],
      limit: 500,
    })
    const records = found.body as { id: string; parentId: string | null; categories: object[] }[]
    const inNone = ({ categories }: { categories: object[] }) => categories.length === 0
    const byId = new Map(records.map((record) => [record.id, record]))
    const unassigned = records.filter((record) => inNone(record) && inNone(byId.get(record.parentId ?? '') ?? record))
    assert.equal(said, unassigned.length)
    await button.click()
    await page.locator('.record-rows li').first().waitFor()
    assert.equal(await page.locator('.record-rows li').count(), said)
    await assertSeen(page, 'categories-unassigned')
  })

  it('C4 records are ordered by hand, by keys and by dragging, page by page, and by name', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: `${PLACE}?at=ctg-many` })
    const handle = (id: string) => page.getByRole('button', { name: `Move ${id}` })
    const sent = () => page.waitForResponse((response) => response.url().endsWith('/records/move'))
    await handle('many-000').focus()
    for (let step = 0; step < 2; step += 1) {
      const answer = sent()
      await page.keyboard.press('Alt+ArrowDown')
      await answer
    }
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Move many-000')
    assert.deepEqual(await orderOf(server, 'ctg-many'), ['many-001', 'many-002', 'many-000'])
    let answer = sent()
    await page.locator('[data-id=many-002]').dragTo(page.locator('[data-id=many-001]'))
    await answer
    assert.deepEqual(await orderOf(server, 'ctg-many'), ['many-002', 'many-001', 'many-000'])
    assert.equal(await page.locator('.record-rows li').count(), 100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await handle('many-199').focus()
    assert.equal(await page.locator('.record-rows li').count(), MANY)
    answer = page.waitForResponse((response) => response.url().endsWith('/records/order'))
    await page.getByRole('button', { name: 'Order by name' }).click()
    await answer
    assert.deepEqual(await orderOf(server, 'ctg-many'), ['many-000', 'many-001', 'many-002'])
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: order by name').waitFor()
    assert.deepEqual(await orderOf(server, 'ctg-many'), ['many-002', 'many-001', 'many-000'])
  })

  it('catalogs and categories are made, named by language and deleted, in German', async (t) => {
    const { server, visit } = suite()
    const { page, expectStatus } = await visit(t, { path: '/console/categories', locale: 'de-DE' })
    // The tree of the catalog may be read while the catalog is deleted.
    expectStatus(404)
    await page.getByRole('link', { name: 'Web shop' }).waitFor()
    await assertSeen(page, 'catalogs')
    await page.getByRole('button', { name: 'Katalog anlegen' }).click()
    const save = page.getByRole('dialog').getByRole('button', { name: 'Speichern' })
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await page.keyboard.type('Buch')
    assert.equal(await save.getAttribute('aria-disabled'), null)
    await page.keyboard.press('Enter')
    await page.getByText('Noch keine Kategorie.').waitFor()
    await page.getByRole('button', { name: 'Kategorie anlegen' }).click()
    await page.getByLabel('Name *').fill('Teas')
    await page.getByLabel('Deutsch').fill('Tees')
    await assertSeen(page, 'category-names')
    await page.keyboard.press('Enter')
    await row(page, 'Tees').waitFor()
    await page.getByRole('combobox', { name: 'Datensatz aufnehmen' }).fill('sencha')
    await page.getByRole('option').first().click()
    await page.locator('.record-rows li').waitFor()
    await assertSeen(page, 'category')
    await page.getByRole('button', { name: /herausnehmen/ }).click()
    await page.getByText('Kein Datensatz in dieser Kategorie').waitFor()
    for (const thing of ['Kategorie', 'Katalog']) {
      await page.getByRole('button', { name: 'Mehr' }).click()
      await page.getByRole('menuitem', { name: `${thing} löschen` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Web shop' }).waitFor()
    const { body } = await send(server.admin, 'GET', '/api/v1/catalogs')
    assert.equal((body as object[]).length, 1)
  })

  it('who may not write categories moves and makes none', async (t) => {
    const { server, visit } = suite()
    const as = { username: 'viewer', password: 'viewer-password' }
    await send(server.admin, 'POST', '/api/v1/users', { ...as, name: 'Vera', roleId: 'role-viewer' })
    const { page } = await visit(t, { as, path: `${PLACE}?at=ctg-many` })
    await page.locator('.record-rows li').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a category' }).count(), 0)
    assert.equal(await page.locator('[draggable=true], .drag, .category-tools').count(), 0)
  })
})
