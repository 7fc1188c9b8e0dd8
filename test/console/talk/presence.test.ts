// Others in the row: two people at one record see each other, in the sheet and at the head of the record.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { makeTea, makeTeas } from '../record/tea.ts'

const ANNA = { username: 'anna', password: ADMIN_PASSWORD }
const BEN = { username: 'ben', password: ADMIN_PASSWORD }
const EVE = { username: 'eve', password: ADMIN_PASSWORD }

async function fill(server: TestServer): Promise<void> {
  await makeTeas(server)
  for (const id of ['assam', 'ceylon', 'darjeeling']) await makeTea(server, { id, name: `The tea of ${id}` })
  for (const [id, name] of [
    ['anna', 'Anna Lee'],
    ['ben', 'Ben עברית 😀'],
    ['eve', 'constructor'],
  ])
    await make(server.admin, '/api/v1/users', {
      id,
      username: id,
      name,
      roleId: 'role-editor',
      password: ADMIN_PASSWORD,
    })
}

describe('Presence', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)

  it('shows the initials of others at their row and at the head of their record', async (t) => {
    const anna = await suite().visit(t, { as: ANNA, path: '/console/records/ceylon' })
    await anna.page.waitForResponse((answer) => answer.url().endsWith('/api/v1/presence'))
    const ben = await suite().visit(t, { as: BEN, path: '/console/records?schema=tea&cols=name,sku' })
    const mark = ben.page.getByRole('img', { name: 'Anna Lee is here' })
    await mark.waitFor()
    const row = ben.page.getByRole('row', { name: /ceylon/ })
    const [markBox, rowBox] = [await mark.boundingBox(), await row.boundingBox()]
    assert.ok(Math.abs(markBox!.y + markBox!.height / 2 - rowBox!.y - rowBox!.height / 2) < 6)
    await assertSeen(ben.page, 'presence-sheet')
    const eve = await suite().visit(t, { as: EVE, path: '/console/records/ceylon' })
    await eve.page.getByRole('img', { name: 'Anna Lee is here' }).waitFor()
    assert.equal(await eve.page.getByRole('img', { name: /constructor is here/ }).count(), 0)
    await assertSeen(eve.page, 'presence-record')
  })

  it('tells nobody of a person who has switched it off', async (t) => {
    const { page } = await suite().visit(t, { as: EVE, path: '/console/account' })
    const asked = page.waitForResponse(
      (answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'PUT',
    )
    await page.getByLabel('Show others at which record I am').uncheck()
    await asked
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith('/api/v1/presence')),
      page.goto(`${suite().server.url}/console/records/darjeeling`),
    ])
    assert.deepEqual(request.postDataJSON(), { recordIds: ['darjeeling'] })
  })
})
