// Two people talk about a record, each in a browser of their own: comment, mention, notice, answer, resolve, assign.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { itLong } from '../../helpers/long.ts'
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { makeTea, makeTeas } from '../record/tea.ts'

const ANNA = { username: 'anna', password: ADMIN_PASSWORD }
const BEN = { username: 'ben', password: ADMIN_PASSWORD }
const LONG = 'Maximiliane-Theodora von und zu Hohenstein-Wolkenburg, Sortiment '.repeat(3).slice(0, 200)

async function fill(server: TestServer): Promise<void> {
  await makeTeas(server)
  await makeTea(server, { id: 'assam', name: 'Assam' })
  await makeTea(server, { id: 'ceylon', name: 'Ceylon' })
  await makeTea(server, { id: 'busy', name: 'A busy tea' })
  const people = [
    { id: 'anna', username: 'anna', name: 'Anna Lee', roleId: 'role-editor', password: ADMIN_PASSWORD },
    { id: 'ben', username: 'ben', name: 'Ben עברית 😀', roleId: 'role-editor', password: ADMIN_PASSWORD },
    { id: 'long', username: 'long', name: LONG, roleId: 'role-editor', password: ADMIN_PASSWORD },
  ]
  for (const person of people) await make(server.admin, '/api/v1/users', person)
  const path = '/api/v1/records/busy/comments'
  const head = await make<{ id: string }>(server.admin, path, {
    text: 'Is this the weight without the box?\n\nThe supplier says 120 g, and the box says 150 g.',
    attributeAlias: 'description',
    scope: { language: 'de' },
  })
  await make(server.admin, path, { text: 'Without the box. @[long] knows.', threadId: head.id })
  await make(server.admin, path, { text: `A word that never ends: ${'endless'.repeat(60)}` })
  await make(server.admin, '/api/v1/assignments', {
    recordIds: ['busy'],
    assigneeId: 'long',
    dueOn: '2001-03-05',
    note: 'Please check the German texts, and ask the supplier for the missing certificate.',
  })
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'New comment' })
const bell = (page: Page) => page.getByRole('link', { name: /For me/ })

describe('Working together', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('names the keys of a Mac on a Mac', async (t) => {
    const { page } = await suite().visit(t, { as: BEN, path: '/console/account' })
    await page.addInitScript(() => Object.defineProperty(navigator, 'userAgent', { get: () => 'Macintosh' }))
    await page.goto(`${suite().server.url}/console/records/assam?tab=comments`)
    await page.getByRole('button', { name: /^Send ?⌘↵/ }).waitFor()
    await page.goto(`${suite().server.url}/console/records/assam`)
    await page.getByRole('textbox', { name: /^Name/ }).first().fill('Assam 2')
    await page.getByRole('button', { name: /^Save ?⌘S/ }).waitFor()
  })

  it('one comments and mentions; the other sees the notice, answers and resolves, by keyboard', async (t) => {
    const ben = await suite().visit(t, { as: BEN })
    await bell(ben.page).waitFor()
    const anna = await suite().visit(t, { as: ANNA, path: '/console/records/assam?tab=comments' })
    await composer(anna.page).focus()
    await anna.page.keyboard.type('Look, @be')
    await anna.page.getByRole('option', { name: /Ben/ }).waitFor()
    await anna.page.keyboard.press('Enter')
    await anna.page.keyboard.type('is this right?')
    await anna.page.keyboard.press('Control+Enter')
    await anna.page.getByText('is this right?').waitFor()
    assert.equal(await composer(anna.page).inputValue(), '')

    await ben.page.getByLabel('1 new notice').first().waitFor()
    await ben.page.keyboard.press('g')
    await ben.page.keyboard.press('f')
    const notice = ben.page.getByRole('link', { name: 'Anna Lee mentioned you' })
    await notice.waitFor()
    await ben.page.getByText('Assam').waitFor()
    await assertSeen(ben.page, 'talk-notices')
    await notice.focus()
    await ben.page.keyboard.press('Enter')
    await ben.page.getByText('is this right?').waitFor()
    await ben.page.getByLabel('1 new notice').waitFor({ state: 'detached' })
    await ben.page.getByRole('button', { name: 'Reply' }).focus()
    await ben.page.keyboard.press('Enter')
    await ben.page.keyboard.type('Yes, it is.')
    await ben.page.keyboard.press('Control+Enter')
    await ben.page.getByText('Yes, it is.').waitFor()
    // The open page of the other person shows the answer.
    await anna.page.getByText('Yes, it is.').waitFor()
    await anna.page.getByLabel('1 new notice').waitFor()
    await ben.page.getByRole('button', { name: 'Resolve' }).focus()
    await ben.page.keyboard.press('Enter')
    await ben.page.getByText('There are no open comments.').waitFor()
    await ben.page.getByRole('radio', { name: 'All' }).check()
    await ben.page.getByText(/Resolved by \u2068Ben/).waitFor()
    const { server } = suite()
    const { body } = await send<{ items: { text: string; resolvedAt: string | null }[] }>(
      server.admin,
      'GET',
      '/api/v1/records/assam/comments',
    )
    assert.equal(body.items[0]!.text, 'Look, @[ben] is this right?')
    assert.notEqual(body.items[0]!.resolvedAt, null)
  })

  it('a comment about a value says which, is edited and deleted by its author', async (t) => {
    const { page } = await suite().visit(t, {
      as: ANNA,
      path: '/console/records/ceylon?tab=comments&scope=language:de',
    })
    await page.getByRole('combobox', { name: 'About' }).fill('Descr')
    await page.getByRole('option', { name: 'Description' }).click()
    await composer(page).fill('To long')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.thread-about', { hasText: 'Description' }).waitFor()
    assert.match((await page.locator('.thread-about').textContent()) ?? '', /Description · (German|Deutsch)/)
    await page.getByRole('tab', { name: /^Comments\s*1$/ }).waitFor()
    await page.getByRole('button', { name: 'More for this comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit' }).fill('Too long')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Too long').waitFor()
    await page.getByText('edited').waitFor()
    await page.getByRole('button', { name: 'More for this comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no open comments.').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Too long').waitFor()
    await page.locator('.thread-about', { hasText: 'Description' }).waitFor()
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('There are no open comments.').waitFor()
  })

  it('Ctrl+Z takes back an assignment, its end, and a resolved thread', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/records/busy?tab=comments' })
    const work = page.getByRole('region', { name: 'Assigned to' })
    const undone = async (name: string) => {
      await page.keyboard.press('Control+z')
      await page.getByText(`Undone: ${name}`).waitFor()
    }
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('anna')
    await page.getByRole('option', { name: /Anna/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await work.getByText('Anna Lee').waitFor()
    await undone('Assign')
    await work.getByText('Anna Lee').waitFor({ state: 'detached' })
    const long = work.locator('.work-line', { hasText: 'Please check the German texts' })
    await long.getByRole('button', { name: 'Done' }).click()
    await long.waitFor({ state: 'detached' })
    await undone('Done')
    await long.getByRole('button', { name: 'Done' }).waitFor()
    await page.getByRole('button', { name: 'Resolve' }).first().click()
    await page
      .getByText('Is this the weight')
      .or(page.getByText('A word that never ends'))
      .nth(1)
      .waitFor({ state: 'detached' })
    await undone('Resolve')
    await page.getByRole('button', { name: 'Resolve' }).nth(1).waitFor()
  })

  it('a record and a selection are assigned; the person finds the work, and finishes it', async (t) => {
    const anna = await suite().visit(t, { as: ANNA, path: '/console/records?schema=tea' })
    await anna.page.getByRole('gridcell', { name: 'Ceylon' }).waitFor()
    await anna.page.getByRole('gridcell', { name: 'Assam' }).click()
    await anna.page.keyboard.press('Space')
    await anna.page.keyboard.press('ArrowDown')
    await anna.page.keyboard.press('Space')
    await anna.page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Assign' }).click()
    const dialog = anna.page.getByRole('dialog', { name: 'Assign 2 records' })
    await dialog.getByRole('combobox').fill('ben')
    await anna.page.getByRole('option', { name: /Ben/ }).click()
    await dialog.getByLabel('Due on').fill('2020-03-05')
    await dialog.getByText('Choose today or a later day.').first().waitFor()
    await dialog.getByLabel('Due on').fill('2030-03-05')
    await dialog.getByLabel('Note').fill('By Friday, please')
    await assertSeen(anna.page, 'talk-assign')
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await anna.page.getByText(/2 records are assigned to \u2068Ben/).waitFor()

    const ben = await suite().visit(t, { as: BEN, path: '/console/for-me?tab=mine' })
    await ben.page.getByText('By Friday, please').first().waitFor()
    await assertSeen(ben.page, 'talk-work')
    await ben.page.getByRole('button', { name: 'Done' }).first().click()
    const lines = ben.page.locator('.work-line')
    await lines.nth(1).waitFor({ state: 'detached' })
    assert.equal(await lines.count(), 1)
    await anna.page.goto(`${suite().server.url}/console/for-me?tab=given`)
    await anna.page.getByRole('button', { name: 'Take back' }).click()
    await anna.page.getByText('There is no such work.').waitFor()
  })

  itLong('the records of a group are assigned without those that are left out of it', async (t) => {
    const { page } = await suite().visit(t, { as: ANNA, path: '/console/records?schema=tea&group=.lifecycleStateId' })
    await page.getByRole('gridcell', { name: 'Ceylon' }).waitFor()
    await page.locator('.sheet').focus()
    for (const key of ['Control+Home', 'Space']) await page.keyboard.press(key)
    await page.getByText('3 selected').waitFor()
    await page
      .getByRole('row', { name: /Ceylon/ })
      .locator('[data-handle]')
      .click()
    await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Assign' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign 2 records' })
    await dialog.getByRole('combobox').fill('anna')
    await page.getByRole('option', { name: /Anna/ }).click()
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await page.getByText('2 records are assigned to Anna Lee').waitFor()
    await page.goto(`${suite().server.url}/console/for-me?tab=mine`)
    await page.locator('.work-line').nth(1).waitFor()
    assert.doesNotMatch((await page.locator('.work-line').allTextContents()).join(), /Ceylon/)
  })

  itLong('a busy conversation is readable at all sizes, also in German', async (t) => {
    for (const locale of ['en-GB', 'de-DE'] as const) {
      const { page } = await suite().visit(t, { as: ANNA, path: '/console/records/busy?tab=comments', locale })
      await page.getByText('Without the box.').waitFor()
      await page.getByText(/(overdue since|überfällig seit)/).waitFor()
      await assertSeen(page, 'talk-comments')
    }
  })

  it('a field with open comments leads to them', async (t) => {
    const { page } = await suite().visit(t, { as: ANNA, path: '/console/records/busy' })
    const mark = page.locator('[data-alias=description]').getByRole('button', { name: '1 comment' })
    await mark.waitFor()
    assert.equal(await page.getByRole('button', { name: /\d comment/ }).count(), 1)
    await assertSeen(page, 'talk-field')
    await mark.click()
    await page.getByText('Without the box.').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'About' }).inputValue(), 'Description')
  })

  it('kinds of notices are switched off in the account', async (t) => {
    const { page } = await suite().visit(t, { as: BEN, path: '/console/account' })
    const box = page.getByRole('checkbox', { name: 'somebody mentions me' })
    await box.uncheck()
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
    await assertSeen(page, 'talk-settings')
    await page.reload()
    await box.waitFor()
    assert.equal(await box.isChecked(), false)
    await box.check()
  })

  it('who may not comment reads, and sees no composer', async (t) => {
    const { server } = suite()
    const role = { id: 'role-reader', name: 'Reader', permissions: ['records.read', 'model.read'] }
    await make(server.admin, '/api/v1/roles', { ...role, defaultAttributePermission: 'read' })
    const reader = { username: 'reader', name: 'Reader', roleId: role.id, password: ADMIN_PASSWORD }
    await make(server.admin, '/api/v1/users', reader)
    const { page } = await suite().visit(t, { as: reader, path: '/console/records/busy?tab=comments' })
    await page.getByText('Without the box.').waitFor()
    assert.equal(await composer(page).count(), 0)
    assert.equal(await page.getByRole('button', { name: /Reply|Resolve|Assign/ }).count(), 0)
  })
})
