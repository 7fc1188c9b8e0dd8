// An administrator sets up mail, a person chooses an hour, gets the summary, follows its link and switches it off.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { HOUR, makeClock } from '../../helpers/clock.ts'
import { type MailSink, startMailSink } from '../../helpers/mail-sink.ts'
import { sharedInSuite } from '../../helpers/shared-in-suite.ts'
import { eventually } from '../../helpers/puppet.ts'
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'
import { makeTea, makeTeas } from '../record/tea.ts'

const ANNA = { username: 'anna', password: ADMIN_PASSWORD }
const SMTP = { user: 'pim', password: 'pass-7c9e6679f7425de9' }
const PUBLIC = 'https://pim.example.com'
const skip =
  withoutBrowser !== false
    ? withoutBrowser
    : process.env['TEST_PROGRAM'] !== undefined && 'it moves the clock of the server'

async function fill(server: TestServer): Promise<void> {
  await makeTeas(server)
  await makeTea(server, { id: 'assam', name: 'Assam' })
  const anna = { id: 'anna', username: 'anna', name: 'Anna Lee', roleId: 'role-editor', password: ADMIN_PASSWORD }
  await make(server.admin, '/api/v1/users', anna)
}

describe('The daily summary', { skip }, () => {
  const clock = makeClock()
  const suite = consoleInSuite(fill, {
    allowDestinations: ['127.0.0.1'],
    publicUrl: PUBLIC,
    testing: { system: clock, summaryInterval: 50 },
  })
  const mail = sharedInSuite(async (ended): Promise<MailSink> => {
    const sink = await startMailSink(SMTP)
    ended.after(() => sink.close())
    return sink
  })

  it('is set up, chosen, received, followed and switched off', async (t) => {
    const sink = mail()
    const { page } = await suite().visit(t, { path: '/console/messenger' })
    await page.getByLabel('Mail server').fill('127.0.0.1')
    await page.getByLabel('Connection').selectOption('none')
    await page.getByLabel('Port').fill(String(sink.port))
    await page.getByLabel('Username').fill(SMTP.user)
    await page.getByLabel('Password').fill('wrong')
    await page.getByLabel('Sender').fill('pim@example.com')
    await assertSeen(page, 'messenger-new')
    await page.getByLabel('Sender').focus()
    await page.keyboard.press('Enter')
    await page.getByText('The settings of messages are saved.').waitFor()
    assert.equal(await page.getByLabel('Password').inputValue(), '********')
    await page.getByRole('link', { name: 'Add your own address' }).click()
    await page.getByLabel('E-mail address').fill('boss@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('The daily summary is saved.').waitFor()

    await page.goto(`${suite().server.url}/console/messenger`)
    await page.getByRole('button', { name: 'Send me a trial' }).click()
    await page.getByText(/The last message could not be sent .* refused the username and password/).waitFor()
    await assertSeen(page, 'messenger-refused')
    await page.getByLabel('Password').fill(SMTP.password)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Send me a trial' }).click()
    await page.getByText('Last message sent').waitFor()
    assert.match(sink.mails.at(-1)!.text, /This is a trial/)

    const anna = await suite().visit(t, { as: ANNA, path: '/console/account' })
    await anna.page.getByLabel('Send me a daily summary').check()
    await anna.page.getByLabel('E-mail address').fill('anna@example.com')
    const zone = anna.page.getByRole('combobox', { name: 'Time zone' })
    assert.equal(await zone.inputValue(), 'Europe/Berlin')
    await zone.fill('UTC')
    await anna.page.getByRole('option', { name: 'UTC', exact: true }).waitFor()
    await anna.page.keyboard.press('Enter')
    assert.equal(await zone.inputValue(), 'UTC')
    const hour = new Date(clock.now().getTime() + HOUR).getUTCHours()
    await anna.page.getByLabel('Hour', { exact: true }).selectOption(String(hour))
    await assertSeen(anna.page, 'summary-settings')
    await anna.page.getByLabel('E-mail address').focus()
    await anna.page.keyboard.press('Enter')
    await anna.page.getByText('The daily summary is saved.').waitFor()

    const { admin } = suite().server
    await make(admin, '/api/v1/records/assam/comments', { text: 'Is @[anna] there?' })
    clock.advance(HOUR)
    await eventually(async () => sink.mails.at(-1)?.to[0] === 'anna@example.com')
    const { text, headers } = sink.mails.at(-1)!
    assert.match(text, /mentioned you: \S*Assam/)
    const [link] = /https:\S+\/console\/account/.exec(text)!
    assert.equal(headers.get('list-unsubscribe'), `<${link}>`)
    await anna.page.goto(suite().server.url + link.slice(PUBLIC.length))
    await anna.page.getByLabel('Send me a daily summary').uncheck()
    await anna.page.getByRole('button', { name: 'Save' }).click()
    await anna.page.getByText('The daily summary is saved.').waitFor()
    const count = sink.attempts
    clock.advance(20 * HOUR)
    const { body } = await send<{ messenger: { lastSentAt: string | null } }>(admin, 'GET', '/api/v1/messenger')
    assert.notEqual(body.messenger.lastSentAt, null)
    assert.equal(sink.attempts, count)
  })

  for (const locale of ['de-DE', 'fr-FR'] as const)
    it(`has its forms in ${locale}`, async (t) => {
      const { page } = await suite().visit(t, { path: '/console/messenger', locale })
      await page.locator('form').waitFor()
      await assertSeen(page, 'messenger-named')
      await page.locator('form select').first().selectOption('webhook')
      await assertSeen(page, 'messenger-webhook')
      await page.goto(`${suite().server.url}/console/account`)
      await page.locator('.combobox').scrollIntoViewIfNeeded()
      await assertSeen(page, 'summary-named')
    })

  it('a webhook has headers, whose values are not shown again', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/messenger' })
    await page.locator('form select').first().selectOption('webhook')
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hook')
    const headers = page.getByRole('group', { name: 'Headers' })
    await headers.getByRole('textbox').nth(0).fill('X-Team')
    await headers.getByRole('textbox').nth(1).fill('tea')
    await headers.getByRole('textbox').nth(2).fill('Authorization')
    await headers.getByRole('textbox').nth(3).fill('Bearer 1234')
    await assertSeen(page, 'messenger-headers')
    const stored = async () => {
      const answer = await send<{ messenger: { config: { headers?: object } } }>(
        suite().server.admin,
        'GET',
        '/api/v1/messenger',
      )
      return answer.body.messenger.config.headers
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings of messages are saved.').first().waitFor()
    assert.equal(await headers.getByRole('textbox').nth(3).inputValue(), '********')
    assert.deepEqual(await stored(), { 'X-Team': '********', Authorization: '********' })
    await headers.getByRole('button', { name: 'X-Team' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await eventually(async () => Object.keys((await stored()) ?? {}).join() === 'Authorization')
  })
})
