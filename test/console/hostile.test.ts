// Journey 17: markup, `javascript:`, right-to-left and very long words as names everywhere: nothing runs, and the
// layout holds. The standing checks detect any script that runs.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { ADMIN_PASSWORD, type TestServer } from '../helpers/server.ts'
import { make } from '../helpers/shirts.ts'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
const RTL = '\u202Eعربي שלום\u202E'
const LONG = 'W'.repeat(180)
const VERY_LONG = 'Donaudampfschiff'.repeat(625)
const USER = { username: 'evil', password: ADMIN_PASSWORD, name: MARKUP, roleId: 'role-evil' }

async function makeHostileWorkspace({ admin }: TestServer): Promise<void> {
  const segments = [
    { id: 'a', name: MARKUP, names: { de: RTL } },
    { id: 'b', name: LONG },
    { id: 'c', name: 'javascript:document.title=3' },
  ]
  await make(admin, '/api/v1/dimensions', { id: 'language', name: LONG, segments })
  await make(admin, '/api/v1/dimensions', { id: 'market', name: RTL, segments })
  const states = [
    { id: 'one', name: MARKUP },
    { id: 'two', name: LONG },
  ]
  const transitions = [{ id: 'go', fromStateId: 'one', toStateId: 'two', name: MARKUP, allowedRoleIds: ['role-admin'] }]
  await make(admin, '/api/v1/workflows', { id: 'wf-evil', name: MARKUP, initialStateId: 'one', states, transitions })
  for (const [id, name] of Object.entries({ markup: MARKUP, long: LONG, rtl: RTL }))
    await make(admin, '/api/v1/schemas', {
      id,
      name,
      workflowId: 'wf-evil',
      labelAttribute: 'name',
      attributes: [
        { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['two'] },
        { alias: 'link', dataType: 'url' },
      ],
    })
  for (const [at, value] of [MARKUP, RTL, VERY_LONG, 'javascript:document.title=4'].entries())
    await make(admin, '/api/v1/records', {
      id: `evil-${at}`,
      schemaId: ['markup', 'long', 'rtl'][at % 3],
      values: { name: [{ scope: {}, value }] },
    })
  const { body: roles } = await send<{ id: string; permissions: string[] }[]>(admin, 'GET', '/api/v1/roles')
  const { permissions } = roles.find(({ id }) => id === 'role-admin')!
  await make(admin, '/api/v1/roles', {
    id: 'role-evil',
    name: MARKUP,
    permissions,
    defaultAttributePermission: 'write',
  })
  await make(admin, '/api/v1/users', USER)
}

describe('Journey 17: hostile words', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(makeHostileWorkspace, { workspaceName: MARKUP })

  for (const locale of ['en-GB', 'de-DE'] as const)
    it(`run nowhere and break no layout, in ${locale}`, async (t) => {
      const { page } = await suite().visit(t, { as: USER, locale })
      for (const place of ['', 'account', `records?schema=${encodeURIComponent(MARKUP)}`, encodeURIComponent(MARKUP)]) {
        await page.goto(`${suite().server.url}/console/${place}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
        const name = /^\w+/.exec(decodeURIComponent(place))?.[0] ?? (place === '' ? 'home' : 'nowhere')
        await assertSeen(page, `hostile-${name}`)
        assert.doesNotMatch(await page.title(), /^\d$/)
        assert.equal(await page.locator('img, a[href^="javascript:" i]').count(), 0)
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.type('evil')
      await page.getByRole('option').first().waitFor()
      await assertSeen(page, 'hostile-commands')
    })
})
