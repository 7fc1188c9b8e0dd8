// The focus of new forms, so that a person can type at once.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { make } from '../helpers/shirts.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'

/** Where each form is opened, by which button or link, and its first field. */
const FORMS = [
  ['roles', 'Add a role', 'Name'],
  ['users', 'Add a user', 'Username'],
  ['keys', 'Add an API key', 'Name'],
  ['schemas', 'Add a schema', 'Name'],
  ['workflows', 'Add a workflow', 'Name'],
  ['dimensions', 'Add a dimension', 'Name'],
  ['categories', 'Add a catalog', 'Name'],
  ['exports', 'Add an export', 'Name'],
  ['sheets', 'Add a template', 'Name'],
  ['records', 'New record', 'Name'],
  ['records', 'All records', 'Name of the view'],
] as const

describe('A new form', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async ({ admin }) => {
    const attributes = [{ alias: 'name', name: 'Name', dataType: 'text' }]
    await make(admin, '/api/v1/schemas', { id: 'tea', name: 'Tea', labelAttribute: 'name', attributes })
  })

  for (const [place, opener, field] of FORMS)
    it(`of ${place} has the focus in “${field}” after “${opener}”, and typing replaces its text`, async (t) => {
      const { page } = await suite().visit(t, { path: `/console/${place}` })
      await page.locator('main').locator('a, button').filter({ hasText: opener }).first().click()
      await page
        .getByLabel(new RegExp(`^${field}( \\*)?$`))
        .and(page.locator(':focus'))
        .waitFor()
      await page.keyboard.type('Typed')
      assert.equal(await page.locator(':focus').inputValue(), 'Typed')
    })
})
