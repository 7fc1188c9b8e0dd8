// Journey 7: changes many records from the sheet, after a rehearsal, and undoes them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { type BulkJobBody, postJob, runJob, undoJob } from '../../helpers/bulk-jobs.ts'
import { type Client, keyClient } from '../../helpers/client.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { importRecords, makeSheetModel, SeenSheet, setLanguage, sheetPath, someRecords } from '../helpers/sheet.ts'

const COUNT = 60
const IMPORT = { name: 'teas.csv', kind: 'import', status: 'running', done: 3 }
const PATH = sheetPath('&cols=sku,stock,name@language:de')

async function stocks(admin: Parameters<typeof send>[0]): Promise<number[]> {
  const body = { criteria: [], criteriaOperator: 'and', limit: 100, sort: [{ field: 'id' }] }
  const found = await send(admin, 'POST', '/api/v1/search', body)
  const records = found.body as { values: { stock?: { value: number }[] } }[]
  return records.map(({ values }) => values.stock?.[0]?.value ?? 0)
}

/** Chooses an option in the field with this label. */
async function choose(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

async function selectAllButTwo(sheet: SeenSheet): Promise<void> {
  await sheet.cell(0, 0).waitFor()
  await sheet.grid.focus()
  await sheet.press('Control+a', ' ', 'ArrowDown', ' ')
  await sheet.page
    .getByText(`${COUNT - 2} selected`)
    .first()
    .waitFor()
}

/** The job of a key that is deleted before the job has ended. */
async function pausedJob(admin: Client, url: string): Promise<BulkJobBody> {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const made = { name: 'Old key', roleId: 'role-stock' }
    const key = await make<{ id: string; key: string }>(admin, '/api/v1/api-keys', made)
    const selection = { query: { criteria: [], criteriaOperator: 'and' } }
    const actions = [{ setValues: { stock: [{ scope: {}, value: attempt }] } }]
    const { body: job } = await postJob(keyClient(url, key.key), { selection, actions })
    await send(admin, 'DELETE', `/api/v1/api-keys/${key.id}`)
    for (;;) {
      const { body: now } = await send<BulkJobBody>(admin, 'GET', `/api/v1/bulk-jobs/${job.id}?wait=1`)
      if (now.pausedReason !== null) return now
      if (now.completedAt !== null) break
    }
  }
  throw new Error('Each job was faster than the deletion of its key')
}

describe('Bulk edit', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    await makeSheetModel(admin, [
      { alias: 'twin', dataType: 'reference', name: 'Twin' },
      { alias: 'kin', dataType: 'references', name: 'Kin' },
    ])
    await importRecords(admin, someRecords(COUNT))
  })

  it('takes the focus, gives it back by Escape, and ends with the selection', async (t) => {
    const { page } = await suite().visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    const panel = page.getByRole('complementary')
    await sheet.cell(0, 0).click()
    await sheet.press('Space', 'e')
    await panel.locator('h2:focus').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await sheet.press('e')
    await panel.locator('h2:focus').waitFor()
    await sheet.grid.focus()
    await sheet.press('Space')
    await panel.waitFor({ state: 'detached' })
    await sheet.press('Space')
    await page.getByText('1 selected').first().waitFor()
    assert.equal(await panel.count(), 0)
  })

  it('finds the record to refer to by what it is called', async (t) => {
    const { page } = await suite().visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 0).click()
    await sheet.press('Space', 'e')
    await choose(page, 'Attribute', 'Twin')
    await choose(page, 'New value', 'T-0005')
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('1 would change').waitFor()
    await page.locator('.difference ins').filter({ hasText: 'T-0005' }).waitFor()
  })

  it('adds records to a list and removes them, and a record tells which lists name it', async (t) => {
    const { page } = await suite().visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 0).click()
    await sheet.press('Space', 'e')
    await page.getByLabel('What to do', { exact: true }).selectOption({ label: 'Add records to a list' })
    await choose(page, 'Attribute', 'Kin')
    await choose(page, 'Records', 'T-0005')
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('1 would change').waitFor()
    await page.getByRole('button', { name: 'Change 1 record' }).click()
    await page.getByText('1 record changed').first().waitFor()
    await page.goto(new URL('/console/records/tea-000005', page.url()).href)
    await page.getByRole('button', { name: 'Referred to by' }).click()
    const referrers = page.getByRole('region', { name: 'Referred to by' })
    await referrers.getByRole('link').waitFor()
    await referrers.getByText('Kin').waitFor()
  })

  it('B1 what was put together is still there when its selection has ended and another one is made', async (t) => {
    const { page } = await suite().visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 0).click()
    await sheet.press('Space', 'e')
    await choose(page, 'Attribute', 'Stock')
    await page.getByLabel('New value').fill('41')
    await page.getByRole('button', { name: 'Select none' }).click()
    await page.getByLabel('New value').waitFor({ state: 'detached' })
    await sheet.cell(1, 0).click()
    await sheet.press('Space')
    await page.getByText('1 selected').first().waitFor()
    await page.getByRole('button', { name: /^Edit/ }).click()
    assert.equal(await page.getByLabel('New value').inputValue(), '41')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByLabel('New value').waitFor({ state: 'detached' })
  })

  it('B1 B3 all but two: rehearsed, run as rehearsed, and undone but for what others have changed', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    await selectAllButTwo(sheet)
    await sheet.press('e')
    const run = page.getByRole('button', { name: /^Change \d+ records$/ })
    await choose(page, 'Attribute', 'Stock')
    await page.getByLabel('New value').fill('half')
    await page.locator('.action .fault').waitFor()
    await page.getByLabel('New value').fill('40')
    assert.equal(await run.getAttribute('aria-disabled'), 'true')
    await page.getByRole('button', { name: 'Rehearse' }).click()
    // One of the records already has 40.
    await page.getByText('57 would change, 1 stay, 0 refused').waitFor()
    await page.locator('.difference ins').first().waitFor()
    assert.deepEqual(
      await stocks(server.admin),
      Array.from({ length: COUNT }, (_, index) => index + 1),
    )
    await assertSeen(page, 'bulk-rehearsed')
    // The rehearsal is valid for no other job.
    await page.getByLabel('New value').fill('41')
    await page.getByText('The actions have changed since the rehearsal').waitFor()
    assert.equal(await run.getAttribute('aria-disabled'), 'true')
    await page.getByLabel('New value').fill('40')
    await page.getByRole('button', { name: 'Change 57 records' }).click()
    await page.getByText('57 records changed').first().waitFor()
    const kept = await stocks(server.admin)
    assert.deepEqual([kept[0], kept[1], new Set(kept.slice(2))], [1, 2, new Set([40])])
    const values = { stock: [{ scope: {}, value: 7 }] }
    await send(server.admin, 'PATCH', '/api/v1/records/tea-000010', { values })
    const { body } = await send(server.admin, 'GET', '/api/v1/bulk-jobs?limit=1')
    const [job] = body as { id: string }[]
    await page.goto(`${server.url}/console/bulk/${job!.id}`)
    await page.getByText('57 changed, 1 stayed as they were, 0 refused').waitFor()
    await page.locator('.difference').filter({ hasText: 'Stock' }).first().waitFor()
    await assertSeen(page, 'bulk-job')
    await page.getByRole('button', { name: 'Undo in 57 records' }).click()
    await page.getByRole('tab', { name: /Changed by other people since/ }).waitFor()
    await page.getByRole('link', { name: 'T-0010' }).waitFor()
    await page.getByText(/left alone: 'stock'$/).waitFor()
    await assertSeen(page, 'bulk-undone')
    const back = Array.from({ length: COUNT }, (_, index) => (index === 9 ? 7 : index + 1))
    assert.deepEqual(await stocks(server.admin), back)
  })

  it('T4 values are copied to another scope for many, where none is in force there', async (t) => {
    const { server, visit } = suite()
    const price = (market: string, amount: number) => ({ scope: { market }, value: { amount, currency: 'EUR' } })
    for (const [id, prices] of [
      ['tea-000001', [price('eu', 8.9)]],
      ['tea-000002', [price('eu', 7), price('us', 9.5)]],
    ] as const)
      await send(server.admin, 'PATCH', `/api/v1/records/${id}`, { values: { price: prices } })
    const { page } = await visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 0).click()
    await sheet.press('Space', 'ArrowDown', 'Space', 'e')
    await page.getByLabel('What to do').selectOption('copy')
    await choose(page, 'Attribute; none: all that have these scopes', 'Price')
    await page.getByLabel('From: Market').selectOption('eu')
    await page.getByLabel('To: Market').selectOption('us')
    await page.getByLabel('Only where nothing is in force').check()
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('1 would change, 1 stay, 0 refused').waitFor()
    await page.getByRole('button', { name: 'Change 1 record' }).click()
    await page.getByText('1 record changed').first().waitFor()
    const amounts = await Promise.all(
      ['tea-000001', 'tea-000002'].map(async (id) => {
        const { body } = await send(server.admin, 'GET', `/api/v1/records/${id}`)
        const { price: prices } = (body as { values: { price: ReturnType<typeof price>[] } }).values
        return prices.map(({ scope, value }) => `${scope.market} ${value.amount}`).toSorted()
      }),
    )
    assert.deepEqual(amounts, [
      ['eu 8.9', 'us 8.9'],
      ['eu 7', 'us 9.5'],
    ])
  })

  it('B1 a move is rehearsed in the names of states', async (t) => {
    const { page } = await suite().visit(t, { path: PATH })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 0).click()
    await sheet.press('Space', 't')
    const transition = page.getByLabel('Transition')
    await transition.selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('1 would change').waitFor()
    const difference = page.locator('.difference').first()
    assert.deepEqual(
      [await difference.locator('del').textContent(), await difference.locator('ins').textContent()],
      ['Draft', 'Review'],
    )
  })

  it('B1 what would be refused is said, and nothing is run that changes nothing', async (t) => {
    const { server, visit } = suite()
    t.after(() => setLanguage(server.url, 'en'))
    const { page } = await visit(t, { path: PATH, locale: 'de-DE' })
    const sheet = new SeenSheet(page)
    await sheet.cell(0, 0).waitFor()
    await setLanguage(server.url, 'de')
    await page.reload()
    await sheet.cell(0, 0).waitFor()
    await sheet.grid.focus()
    await sheet.press('Control+a')
    await page.locator('.selection-bar').waitFor()
    await sheet.press('t')
    const transition = page.getByLabel('Übergang')
    await transition.waitFor()
    const [id] = await transition
      .locator('option')
      .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value).filter((value) => value !== ''))
    await transition.selectOption(id!)
    await page.getByRole('button', { name: 'Probe' }).click()
    await page.locator('.rehearsal [role=tab]').first().waitFor()
    await assertSeen(page, 'bulk-transition')
  })

  it('B3 a job whose owner is gone says so, and is taken over', async (t) => {
    const { server, visit } = suite()
    const { admin, url } = server
    const rights = { permissions: ['records.read', 'records.update'], defaultAttributePermission: 'write' }
    await make(admin, '/api/v1/roles', { id: 'role-stock', name: 'Stock', ...rights })
    const job = await pausedJob(admin, url)
    const { page } = await visit(t, { path: `/console/bulk/${job.id}` })
    await page.getByText(`the API key '${job.ownerId}', no longer exists`).waitFor()
    await page.locator('.job-facts').getByText('paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel the job' }).waitFor()
    await assertSeen(page, 'bulk-paused')
    await page.getByRole('button', { name: 'Take over' }).click()
    await assertSeen(page, 'bulk-take-over')
    await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click()
    await page.getByText('done', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Take over' }).count(), 0)
    const { body } = await send<BulkJobBody>(admin, 'GET', `/api/v1/bulk-jobs/${job.id}`)
    assert.deepEqual([body.status, body.pausedReason, body.createdBy], ['succeeded', null, job.ownerId])
    assert.notEqual(body.ownerId, job.ownerId)
  })

  it('B2 a job is in the footer of every page, and goes on without it', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: '/console/account' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const actions = [{ patchValues: { weight: [{ scope: {}, value: 5 }] } }]
    const selection = { query: { criteria: [], criteriaOperator: 'and' } }
    const job = await runJob(server.admin, { selection, actions })
    const ownerId = await page.evaluate(() => {
      return (JSON.parse(sessionStorage.getItem('pimlet-session')!) as { user: { id: string } }).user.id
    })
    await page.route(/\/bulk-jobs\?/, (route) =>
      route.fulfill({
        json: [
          { ...job, ownerId, status: 'running', done: 10 },
          // An import's rehearsal has the same name as its run.
          ...[true, false].map((dryRun) => ({ ...job, ...IMPORT, id: `job-${dryRun}`, dryRun, ownerId })),
        ],
      }),
    )
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/bulk-jobs\/[^?]+\?wait/, async (route) => {
      if (!route.request().url().includes(job.id)) return
      await released
      await route.continue()
    })
    await page.reload()
    const footer = page.locator('footer.jobs')
    await footer.getByText(`10 of ${COUNT}`).waitFor()
    const imports = footer.locator('.job > span[dir]').filter({ hasText: IMPORT.name })
    assert.deepEqual((await imports.allTextContents()).toSorted(), ['teas.csv', 'teas.csv · rehearsal'])
    release()
    await footer.getByText(`${COUNT} of ${COUNT}`).waitFor()
    await footer.getByRole('link', { name: `${COUNT} of ${COUNT}` }).click()
    await page.getByText(`${COUNT - 1} changed, 1 stayed`).waitFor()
    await undoJob(server.admin, job.id)
  })
})
