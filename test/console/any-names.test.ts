// Names of any content in every place: names of the language itself, 200 characters without a space, Hebrew and Arabic with
// marks, emoji with joiners. The layout holds, and each name is shown as it is.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { makeJob } from '../helpers/export-jobs.ts'
import { ADMIN_PASSWORD, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(6).slice(0, 200)
const RTL = 'שָׁלוֹם عَرَبِيّ'
const EMOJI = '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽'
const NAMES = ['constructor', '__proto__', LONG, RTL, EMOJI] as const
const ALIASES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'] as const
const EVE = { username: 'constructor', password: ADMIN_PASSWORD }

const named = (prefix: string) => NAMES.map((name, at) => ({ id: at === 0 ? 'constructor' : `${prefix}${at}`, name }))

async function makeModel({ admin }: TestServer): Promise<void> {
  await make(admin, '/api/v1/dimensions', { id: 'language', name: RTL, segments: named('segment') })
  const states = named('state')
  const transitions = states.slice(1).map(({ id, name }, at) => ({
    id: `to-${id}`,
    name,
    fromStateId: states[at]!.id,
    toStateId: id,
    allowedRoleIds: ['role-admin', 'role-any'],
  }))
  await make(admin, '/api/v1/workflows', { id: 'wf', name: LONG, initialStateId: 'constructor', states, transitions })
  const attributes = NAMES.map((name, at) => ({
    alias: ALIASES[at],
    name,
    ...(at === 4
      ? { dataType: 'multiSelect', options: named('option') }
      : { dataType: 'text', dimensionIds: at === 1 ? ['language'] : [], requiredInStateIds: ['state1'] }),
  }))
  await make(admin, '/api/v1/schemas', {
    id: 'constructor',
    name: EMOJI,
    workflowId: 'wf',
    labelAttribute: 'constructor',
    groups: [
      { id: 'constructor', name: LONG, attributeAliases: ALIASES.slice(0, 2) },
      { id: 'rtl', name: RTL, attributeAliases: ALIASES.slice(2) },
    ],
    attributes,
  })
}

async function makePeople({ admin }: TestServer): Promise<void> {
  const { body: roles } = await send<{ id: string; permissions: string[] }[]>(admin, 'GET', '/api/v1/roles')
  const { permissions } = roles.find(({ id }) => id === 'role-admin')!
  for (const [at, name] of NAMES.entries()) {
    const roleId = at === 0 ? 'role-any' : `role-${at}`
    await make(admin, '/api/v1/roles', { id: roleId, name, permissions, defaultAttributePermission: 'write' })
    const username = at === 0 ? EVE.username : `user${at}`
    await make(admin, '/api/v1/users', { id: username, username, name, roleId, password: ADMIN_PASSWORD })
  }
}

async function makeWork({ admin }: TestServer): Promise<void> {
  for (const [at, name] of NAMES.entries()) {
    const values = {
      constructor: [{ scope: {}, value: name }],
      valueOf: [{ scope: {}, value: name }],
      isPrototypeOf: [{ scope: {}, value: named('option').map(({ id }) => id) }],
    }
    await make(admin, '/api/v1/records', { id: `any-${at}`, schemaId: 'constructor', values })
    await make(admin, '/api/v1/records/any-0/comments', { text: `${name} @[constructor] @[user2]` })
    await make(admin, '/api/v1/assignments', { recordIds: [`any-${at}`], assigneeId: 'constructor', note: name })
    const catalog = await make<{ id: string }>(admin, '/api/v1/catalogs', { name })
    await make(admin, `/api/v1/catalogs/${catalog.id}/categories`, { name })
    await make(admin, '/api/v1/sheet-templates', {
      name,
      schemaId: 'constructor',
      heading: name,
      sections: [{ heading: name, attributeAliases: ALIASES }],
    })
    await makeJob(admin, {
      name,
      description: name,
      destinationType: 'webhook',
      destinationConfig: { url: 'https://example.com/' },
      format: 'csv',
      schemaId: 'constructor',
      includeVariants: true,
      compress: false,
      filenameTemplate: 'any.csv',
      schedule: '0 2 1 1 *',
      active: false,
    })
  }
}

const PLACES = {
  home: '',
  sheet: 'records?schema=constructor',
  record: 'records/any-2',
  comments: 'records/any-0?tab=comments',
  'for-me': 'for-me',
  work: 'for-me?tab=work',
  activity: 'activity',
  users: 'users',
  roles: 'roles',
  role: 'roles/role-any',
  categories: 'categories',
  exports: 'exports',
  'export-form': 'exports?new=1',
  sheets: 'sheets',
  template: 'sheets/new?schema=constructor',
  schemas: 'schemas',
  schema: 'schemas/constructor',
  dimensions: 'dimensions',
  workflow: 'workflows/wf',
  start: 'start',
}

describe('Names of any content', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async (server) => {
    await makePeople(server)
    await makeModel(server)
    await makeWork(server)
  })

  it('hold the layout of every place', async (t) => {
    const { page } = await suite().visit(t, { as: EVE })
    for (const [name, place] of Object.entries(PLACES)) {
      await page.goto(`${suite().server.url}/console/${place}`)
      await page.locator('main h1').first().waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      await assertSeen(page, `any-${name}`)
      assert.doesNotMatch(await page.locator('main').innerText(), /\[object |function |undefined/, place)
    }
  })

  it('hold the proposal of a schema for a file with such headers', async (t) => {
    const { page } = await suite().visit(t, { as: EVE, path: '/console/start' })
    const row = NAMES.map((name) => `"${name}"`).join(',')
    const buffer = Buffer.from(`${row}\n${row}\n`)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: `${RTL}.csv`, mimeType: 'text/csv', buffer })
    await page
      .locator('.propose-row')
      .nth(NAMES.length - 1)
      .waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    await assertSeen(page, 'any-proposal')
  })

  it('are found by typing and chosen', async (t) => {
    const { page } = await suite().visit(t, { as: EVE, path: '/console/records/any-1?scope=language:constructor' })
    const field = page.locator('[data-alias=isPrototypeOf]')
    await field.getByRole('combobox').fill('__proto')
    await page.locator('.listbox').getByRole('option', { name: '__proto__' }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${suite().server.url}/console/records?schema=constructor`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await filter.getByRole('combobox').fill('שלום')
    await page.locator('.listbox').getByRole('option', { name: RTL }).click()
    await assertSeen(page, 'any-filter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('constructor')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await assertSeen(page, 'any-commands')
  })
})
