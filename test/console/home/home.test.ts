// Home: own work, and exports that failed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { itLong } from '../../helpers/long.ts'
import { ADMIN_PASSWORD } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const JOB = {
  destinationType: 'webhook',
  destinationConfig: { url: 'https://example.com/hook' },
  format: 'csv',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: false,
  filenameTemplate: 'export.csv',
}

describe('Home', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()

  it('names states and transitions in my language, and so does a record', async (t) => {
    const { server, visit } = suite()
    const { id: schemaId } = await make<{ id: string }>(server.admin, '/api/v1/schemas', { name: 'Stift' })
    const { id } = await make<{ id: string }>(server.admin, '/api/v1/records', { schemaId, values: {} })
    const { page } = await visit(t, { locale: 'de-DE', path: `/console/?schema=${schemaId}` })
    await page.getByRole('link', { name: '1 in Entwurf, für Sie offen: Zur Prüfung geben' }).waitFor()
    await page.goto(`${server.url}/console/records/${id}`)
    await page.getByRole('button', { name: 'Zur Prüfung geben' }).waitFor()
    await assertSeen(page, 'german-transition')
  })

  it('shows my overdue work, and a failed export behind six others, with its cause in my language', async (t) => {
    const { server, visit } = suite()
    const { admin } = server
    const { body: users } = await send<{ id: string; username: string }[]>(admin, 'GET', '/api/v1/users')
    const me = users.find(({ username }) => username === 'admin')!
    const { body: records } = await send<{ id: string }[]>(admin, 'POST', '/api/v1/search', {
      criteria: [],
      criteriaOperator: 'and',
      limit: 2,
    })
    const assign = (id: string, dueOn: string, note: string) =>
      make(admin, '/api/v1/assignments', { assigneeId: me.id, recordIds: [id], dueOn, note })
    await assign(records[0]!.id, '2099-01-01', 'Later')
    await assign(records[1]!.id, '2026-01-15', 'Translate')
    for (let at = 1; at <= 6; at += 1) await make(admin, '/api/v1/export-jobs', { ...JOB, name: `Feed ${at}` })
    const last = { ...JOB, name: 'Zebra', guards: { minRecords: 9999 } }
    const { id } = await make<{ id: string }>(admin, '/api/v1/export-jobs', last)
    await whenEnded(admin, await trigger(admin, id))
    const { page } = await visit(t, { locale: 'de-DE' })
    const mine = page.getByRole('table', { name: 'Meine Aufgaben' })
    await mine
      .getByRole('row')
      .first()
      .getByText(/überfällig seit 15\./)
      .waitFor()
    await mine.getByRole('row').first().getByText('Translate').waitFor()
    const failed = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Zebra' }) })
    await failed.getByText('Die Datei sah falsch aus und wurde zurückgehalten.').waitFor()
    await page
      .getByText(/nächster .*20\d\d/)
      .first()
      .waitFor()
    await assertSeen(page, 'home-work')
  })

  it('shows what others changed, without changes of my own', async (t) => {
    const { server, visit } = suite()
    const { admin, url } = server
    const me = { username: 'admin', password: ADMIN_PASSWORD }
    const { body } = await send<{ accessToken: string }>({ url, headers: {} }, 'POST', '/api/v1/auth/login', me)
    const mine = { url, headers: { authorization: `Bearer ${body.accessToken}` } }
    const search = { criteria: [], criteriaOperator: 'and', schemaId: 'sch-tea', limit: 3 }
    const { body: records } = await send<{ id: string }[]>(admin, 'POST', '/api/v1/search', search)
    const [one, other] = records
    const give = (client: typeof admin, id: string, name: string) =>
      send(client, 'PATCH', `/api/v1/records/${id}`, { values: { name: [{ scope: { language: 'en' }, value: name }] } })
    assert.equal((await give(admin, one!.id, 'Changed by a key')).status, 200)
    assert.equal((await give(mine, other!.id, 'Changed by myself')).status, 200)
    const { page } = await visit(t)
    const changed = page.getByRole('table', { name: 'Changed by others' })
    await changed.getByText('Changed by a key').waitFor()
    assert.equal(await changed.getByText('Changed by myself').count(), 0)
  })

  itLong('lists many languages in lines, with whole names', async (t) => {
    const { server, visit } = suite()
    const { body: language } = await send<{ segments: object[] }>(server.admin, 'GET', '/api/v1/dimensions/language')
    const more = Array.from({ length: 8 }, (_, at) => ({ id: `l${at}`, name: `Language ${at}` }))
    const segments = [...language.segments, ...more]
    const { status, text } = await send(server.admin, 'PUT', '/api/v1/dimensions/language', { ...language, segments })
    assert.equal(status, 200, text)
    const { page } = await visit(t)
    await page.getByRole('rowheader', { name: 'Language 7', exact: true }).waitFor()
    await page
      .getByText(/^\d+ incomplete$/)
      .first()
      .waitFor()
    await assertSeen(page, 'home-many-languages')
  })
})
