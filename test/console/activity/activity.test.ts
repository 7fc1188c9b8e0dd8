// The latest changes: changed records, jobs, deleted records.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../helpers/answers.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { makeDemoCatalogue } from '../helpers/catalogue.ts'
import { assertSeen } from '../helpers/seen.ts'

const ACTIVITY = '/console/activity'
const WORDS = {
  'en-GB': {
    changed: 'Changed',
    jobs: 'Jobs',
    deleted: 'Deleted',
    restore: 'Bring it back',
    accounts: 'Accounts',
    wrong: /sign-ins? as mallory failed/,
  },
  'de-DE': {
    changed: 'Geändert',
    jobs: 'Aufträge',
    deleted: 'Gelöscht',
    restore: 'Zurückholen',
    accounts: 'Zugänge',
    wrong: /Anmeldung(en)? als mallory/,
  },
} as const

describe('Activity', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin, anonymous }) => {
    await send(anonymous, 'POST', '/api/v1/auth/login', { username: 'mallory', password: 'wrong' })
    await makeDemoCatalogue(admin)
    const selection = { query: { schemaId: 'sch-tea', criteria: [], criteriaOperator: 'and' } }
    const actions = [{ clearValues: { attributeAliases: ['brand'] } }]
    const { status, text } = await send(admin, 'POST', '/api/v1/bulk-jobs', { name: 'No brands', selection, actions })
    assert.ok(status < 300, text)
    for (const id of ['tea-gone-en-GB', 'tea-gone-de-DE']) {
      const values = { name: [{ scope: {}, value: id }] }
      await make(admin, '/api/v1/records', { id, schemaId: 'sch-tea', values })
      await send(admin, 'DELETE', `/api/v1/records/${id}`)
    }
    while (!(await send(admin, 'GET', '/api/v1/changes?entityType=account&limit=1000')).text.includes('mallory'))
      await sleep(100)
  })

  for (const locale of ['en-GB', 'de-DE'] as const)
    it(`shows what was changed last and follows it, jobs, and what was deleted: it can come back, in ${locale}`, async (t) => {
      const words = WORDS[locale]
      const { admin } = suite().server
      const { page } = await suite().visit(t, { path: ACTIVITY, locale })
      const rows = page.getByRole('table', { name: words.changed }).getByRole('row')
      await rows.nth(5).waitFor()
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('after=latest')),
      )
      const values = { name: [{ scope: {}, value: `NEW-${locale}` }] }
      await make(admin, '/api/v1/records', { id: `tea-made-${locale}`, schemaId: 'sch-tea', values })
      await rows.first().locator(`[href*=tea-made-${locale}]`).waitFor()
      await assertSeen(page, 'activity')

      await page.getByRole('tab', { name: words.jobs }).click()
      await page.getByRole('table', { name: words.jobs }).getByRole('link', { name: 'No brands' }).waitFor()
      await assertSeen(page, 'activity-jobs')

      await page.getByRole('tab', { name: words.deleted }).click()
      assert.match(page.url(), /activity\?tab=deleted$/)
      const deleted = page.getByRole('row').filter({ hasText: `tea-gone-${locale}` })
      await deleted.waitFor()
      await assertSeen(page, 'activity-deleted')
      await deleted.getByRole('button', { name: words.restore }).click()
      await deleted.waitFor({ state: 'detached' })
      const { status, body } = await send<{ values: object }>(admin, 'GET', `/api/v1/records/tea-gone-${locale}`)
      assert.equal(status, 200)
      assert.deepEqual(body.values, { name: [{ scope: {}, value: `tea-gone-${locale}` }] })
    })

  for (const locale of ['en-GB', 'de-DE'] as const)
    it(`shows who may manage users what was done to accounts, in ${locale}`, async (t) => {
      const words = WORDS[locale]
      const { admin } = suite().server
      const id = `usr-${locale}`
      const user = { id, username: `ida-${locale}`, name: `Ida ${locale}`, roleId: 'role-viewer' }
      await make(admin, '/api/v1/users', { ...user, password: 'the password of ida' })
      const changed = { roleId: 'role-editor', password: 'another one of ida', disabled: true }
      await send(admin, 'PATCH', `/api/v1/users/${id}`, changed)
      const { page } = await suite().visit(t, { path: `${ACTIVITY}?tab=accounts`, locale })
      const rows = page.getByRole('table', { name: words.accounts }).getByRole('row')
      await rows
        .filter({ hasText: `Ida ${locale}` })
        .first()
        .waitFor()
      await rows
        .filter({ hasText: /: (Viewer|Betrachter) → (Editor|Redakteur)/ })
        .first()
        .waitFor()
      await rows.filter({ hasText: words.wrong }).waitFor()
      await assertSeen(page, 'activity-accounts')
    })

  it('A1 A4 says that nothing is there, and which permission the trail takes', async (t) => {
    const { admin } = suite().server
    const reader = { username: 'reader', password: 'the password of reader', roleId: 'role-reader' }
    await make(admin, '/api/v1/roles', { id: 'role-reader', name: 'Reader', permissions: ['records.read'] })
    await make(admin, '/api/v1/users', reader)
    const { page } = await suite().visit(t, { as: reader, path: `${ACTIVITY}?tab=deleted` })
    await page.getByText('Your role lacks the permission audit.read').waitFor()
    await assertSeen(page, 'activity-no-permission')
    assert.equal(await page.getByRole('tab', { name: WORDS['en-GB'].accounts }).count(), 0)
  })

  it('shows no IDs of people to a role that may not read their names', async (t) => {
    const { admin } = suite().server
    const looker = { username: 'looker', password: 'the password of looker', roleId: 'role-looker' }
    await make(admin, '/api/v1/roles', { id: 'role-looker', name: 'Looker', permissions: ['records.read'] })
    await make(admin, '/api/v1/users', looker)
    const { page } = await suite().visit(t, { as: looker, path: ACTIVITY })
    await page.locator('.ledger time').first().waitFor()
    assert.doesNotMatch(await page.locator('.ledger').innerText(), /\b(?:usr|key)-/)
  })
})
