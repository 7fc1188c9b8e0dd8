// The server is killed during work (`kill -9`) and started again: no typed text is lost, and a job goes on. Journey 7.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { startServerProcess } from '../helpers/server-process.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { openBrowser } from './helpers/browser.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { visit } from './helpers/console.ts'
import { importRecords, makeSheetModel, SHEET_SCHEMA, someRecords } from './helpers/sheet.ts'

const ADMIN = { username: 'admin', password: 'for this test' }
const COUNT = 3000

interface SeenJob {
  readonly id: string
  readonly status: string
  readonly done: number
  readonly changed: number
}

async function startJob(admin: Client): Promise<string> {
  const query = { schemaId: SHEET_SCHEMA, criteria: [], criteriaOperator: 'and' }
  const actions = [{ patchValues: { stock: [{ scope: {}, value: 50_000 }] } }]
  return (await send<SeenJob>(admin, 'POST', '/api/v1/bulk-jobs', { selection: { query }, actions })).body.id
}

/** Resolves in the middle of the job. */
async function untilMidway(admin: Client, id: string): Promise<void> {
  for (;;) {
    const { body } = await send<SeenJob>(admin, 'GET', `/api/v1/bulk-jobs/${id}`)
    assert.ok(body.done < COUNT, 'the job was faster than the test')
    if (body.done > 0) return
  }
}

describe('Journey 7: the server is killed', { skip: withoutBrowser }, () => {
  it('B3 in the middle of a job, which goes on; what is typed meanwhile waits, and is saved once', async (t) => {
    const browser = await openBrowser()
    const dataDir = makeTempDirectory()
    const first = await startServerProcess(dataDir)
    t.after(() => first.kill())
    const { url } = first.admin
    await makeSheetModel(first.admin)
    await importRecords(first.admin, someRecords(COUNT))
    const path = '/console/records/tea-000003?scope=language:de'
    const { page, context, expectNoServer, expectStatus } = await visit(t, browser, url, { as: ADMIN, path })
    const name = page.locator('[data-alias=name]').locator('input, textarea')
    await name.fill('Getippt')
    const id = await startJob(first.admin)
    const jobPage = await context.newPage()
    await jobPage.goto(`${url}/console/bulk/${id}`)
    await jobPage.getByText('of 3,000').first().waitFor()
    await untilMidway(first.admin, id)
    expectNoServer()
    expectStatus(503)
    await first.kill('SIGKILL')
    await page.bringToFront()
    await page.keyboard.press('Control+s')
    await page.getByText('1 change waits').waitFor()
    const second = await startServerProcess(dataDir, [], undefined, Number(new URL(url).port))
    t.after(() => second.kill())
    await page.locator('.save-bar').waitFor({ state: 'detached' })
    await page.getByText('The server does not answer').first().waitFor({ state: 'detached' })
    const { body: trail } = await send<{ changes: { newValue: unknown }[] }[]>(
      second.admin,
      'GET',
      '/api/v1/records/tea-000003/audit',
    )
    const typed = trail.filter(({ changes }) => changes.some(({ newValue }) => newValue === 'Getippt'))
    assert.equal(typed.length, 1)
    await jobPage.bringToFront()
    await jobPage.getByText(`3,000 changed, 0 stayed as they were, 0 refused`).waitFor({ timeout: 600_000 })
  })
})
