// Journey 13: a job from the form, a wrong host key and its explanation. Then next runs across a clock change, progress
// and cancel.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { keyClient } from '../../helpers/client.ts'
import { type JobBody, jobFor, makeJob, TOKEN } from '../../helpers/export-jobs.ts'
import { itLong } from '../../helpers/long.ts'
import { installPuppet } from '../../helpers/puppet.ts'
import { make } from '../../helpers/shirts.ts'
import { startSftpServer, type SftpServer } from '../../helpers/sftp-server.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { makePicturedCatalogue } from '../helpers/catalogue.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const SECRET = 'the password of the sftp server'
const WRONG_KEY = `SHA256:${'A'.repeat(43)}`

async function openForm(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Add an export job' }).first().click()
  await page.getByLabel('Name *').fill(name)
}

describe('Journey 13: exports', { skip: withoutBrowser }, () => {
  const pluginsDir = makeTempDirectory()
  const puppet = installPuppet(pluginsDir)
  let sftp: SftpServer
  before(async () => {
    sftp = await startSftpServer()
  })
  after(() => sftp.close())
  const options = { pluginsDir, allowDestinations: ['127.0.0.1'] }
  const suite = consoleInSuite(({ admin }) => makePicturedCatalogue(admin), options)

  it('A1 begin with one action', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/exports' })
    await page.getByText('No export jobs').waitFor()
    await assertSeen(page, 'exports-empty')
  })

  it('E1 E4 are made by a form, whose wrong host key is explained by a check', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/exports' })
    await openForm(page, 'Shop feed')
    await page.getByLabel('Destination', { exact: true }).selectOption('sftp')
    await page.getByLabel('Host *').fill(sftp.host)
    await page.getByLabel('Port').fill(String(sftp.port))
    await page.getByLabel('Username *').fill(sftp.username)
    await page.getByLabel('Password', { exact: true }).fill(sftp.password)
    await page.getByLabel('How often').selectOption('cron')
    await page.getByLabel('Schedule').fill('0 2 31 2 *')
    expectStatus(400)
    await page.getByText('no such date exists').first().waitFor()
    await page.getByLabel('Schedule').fill('30 2 * * 1-5')
    await page.getByRole('list', { name: 'Next runs' }).waitFor()
    await assertSeen(page, 'exports-form')
    await page.getByRole('button', { name: 'Save' }).click()
    // The server names the missing value, and the field shows the message.
    await page.locator('.field.wrong', { hasText: 'Fingerprint of the host key' }).waitFor()
    await page.getByLabel('Fingerprint of the host key').fill(WRONG_KEY)
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Shop feed', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Check the destination' }).click()
    await page.getByText('The destination shows another key. Ask its operator').waitFor()
    await assertSeen(page, 'exports-check')
    await page.getByRole('button', { name: 'Preview the file' }).click()
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>('.preview')?.value.includes('pic-jasmine-tin'),
    )
    await assertSeen(page, 'exports-preview')
  })

  it('E3 have columns that are composed, shown while they are typed, with the place of a fault', async (t) => {
    const { admin } = suite().server
    const columns = [{ header: 'id', field: 'id' }]
    const selection = { criteria: [{ attributeAlias: 'sku', operator: 'isNotEmpty' }], criteriaOperator: 'and' }
    const shown = { name: 'Composed', schemaId: 'sch-tea', dimensionScope: { language: 'de', market: 'eu' } }
    const job = await makeJob(admin, { ...jobFor(puppet, 'rejects'), ...shown, selection, columns, format: 'xml' })
    const { page, expectStatus } = await suite().visit(t, { path: `/console/exports/${job.id}?edit=1` })
    await page.getByLabel('Own XML document').check()
    await page.getByLabel('Elements around the records').fill('rss/channel')
    const row = page.locator('.feed-columns > li').first()
    await row.getByLabel('XML element of id').fill('title')
    await row.getByRole('combobox').fill('composed')
    await page.getByRole('option', { name: 'composed text' }).click()
    const template = row.getByLabel('Text of')
    assert.equal(await template.inputValue(), '{id}')
    expectStatus(400)
    await template.fill('{name|cut:20} {weight.amount|fixd:1}')
    await row.getByText("has the unknown step 'fixd' at character 30: did you mean 'fixed'?").waitFor()
    assert.equal(await row.locator('.fault-place mark').textContent(), 'f')
    await assertSeen(page, 'exports-template-fault')
    await template.fill('{name|cut:20} {wait.amount|fixed:1}')
    await row.getByText("names the unknown attribute 'wait' at character 16").waitFor()
    assert.equal(await row.locator('.fault-place mark').textContent(), 'w')
    await template.fill('{name|cut:20}, {weight.amount|fixed:1} {weight.unit}')
    await row.getByText('Jasminperlen, 50.0 g').waitFor()
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>('.preview')?.value.includes('<title>Jasminperlen, 50.0 g</title>'),
    )
    await row.scrollIntoViewIfNeeded()
    await assertSeen(page, 'exports-template')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Composed', level: 1, exact: true }).waitFor()
    const { body: stored } = await send<JobBody & { xml: { root: string } }>(
      admin,
      'GET',
      `/api/v1/export-jobs/${job.id}`,
    )
    assert.equal(stored.xml.root, 'rss/channel')
    assert.equal(stored.columns?.length, 1)
    const [column] = stored.columns as { template: string; element: string }[]
    assert.deepEqual(
      [column!.template, column!.element],
      ['{name|cut:20}, {weight.amount|fixed:1} {weight.unit}', 'title'],
    )
  })

  it('E3 are feeds: chosen by filters, in columns of their own, seen before anything is saved', async (t) => {
    const { admin } = suite().server
    const job = await makeJob(admin, { ...jobFor(puppet, 'rejects'), name: 'Tea feed', schemaId: null, maxAttempts: 1 })
    const { page } = await suite().visit(t, { path: `/console/exports/${job.id}?edit=1` })
    const preview = (text: string) =>
      page.waitForFunction((expected) => {
        return document.querySelector<HTMLTextAreaElement>('.preview')?.value.startsWith(expected)
      }, text)
    await page.getByLabel('Schema', { exact: true }).selectOption('sch-tea')
    await page.getByLabel('Selection').selectOption({ label: 'those that filters find' })
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await filter.getByRole('combobox').fill('Kind')
    await page.getByRole('option', { name: 'Kind kind' }).click()
    await filter.getByLabel('Green tea').check()
    await page.keyboard.press('Escape')
    await page.getByText('Kind: Green tea').waitFor()
    await page.getByLabel('Order 1').selectOption({ label: 'Name' })
    await page.getByLabel('Columns of its own').check()
    await preview('id,Article number,Name')
    // Moved by keyboard, and by dragging.
    await page.getByRole('button', { name: 'Move the column Name' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await preview('Name,id,Article number')
    await page
      .getByRole('button', { name: 'Move the column Kind' })
      .dragTo(page.getByRole('button', { name: 'Move the column id' }))
    await preview('Name,Kind,id')
    const kind = page.locator('.feed-columns > li').nth(1)
    await kind.getByLabel('Header').fill('Sorte')
    await kind.getByRole('button', { name: 'values as they are' }).click()
    await kind.getByLabel('Pair 1: text in the file').fill('green')
    await kind.getByLabel('Pair 1: new text').fill('Grüntee')
    await page.getByLabel('Name: Language').selectOption('de')
    await preview('Name,Sorte,id')
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>('.preview')?.value.includes('Jasminperlen,Grüntee'),
    )
    await page.getByLabel('Only changes since').check()
    await page.getByLabel('Not delivered with fewer records than').fill('1')
    await page.getByLabel('A checksum beside the file').check()
    await page.getByRole('heading', { name: 'Columns' }).evaluate((heading) => heading.scrollIntoView())
    await assertSeen(page, 'exports-feed')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Tea feed', level: 1, exact: true }).waitFor()
    // A click on the message reaches the action below it.
    const message = page.locator('.status', { hasText: 'Tea feed' })
    const takesPointer = (part: Locator) =>
      part.evaluate((one) => {
        const { left, top, width, height } = one.getBoundingClientRect()
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
      })
    assert.deepEqual(
      [await takesPointer(message.locator('span')), await takesPointer(message.getByRole('button'))],
      [false, true],
    )
    const { body: stored } = await send<JobBody>(admin, 'GET', `/api/v1/export-jobs/${job.id}`)
    assert.deepEqual(stored.selection, {
      criteria: [{ attributeAlias: 'kind', operator: 'in', value: ['green'] }],
      criteriaOperator: 'and',
    })
    assert.deepEqual(stored.sort, [{ attributeAlias: 'name', direction: 'asc' }])
    assert.deepEqual(stored.columns?.slice(0, 2), [
      { header: 'Name', attributeAlias: 'name', scope: { language: 'de' } },
      { header: 'Sorte', attributeAlias: 'kind', map: { green: 'Grüntee' } },
    ])
    // The reason why a record is not in the feed, and a repeated delivery.
    await page.getByLabel('Record', { exact: true }).fill('Assam')
    await page.getByRole('option').first().click()
    await page.getByText('It is not in the feed.').waitFor()
    await page.getByText('the job’s filters do not find it').waitFor()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('button', { name: 'Send again' }).first().click()
    await page.getByText('sent again').first().waitFor()
    await assertSeen(page, 'exports-redelivered')
    await page.goto(`${admin.url}/console/exports?runs=failed`)
    await page.getByRole('link', { name: 'Tea feed' }).first().waitFor()
    await assertSeen(page, 'exports-runs')
  })

  itLong('E3 read the pictures of a product: which of them, in which size', async (t) => {
    const { admin } = suite().server
    const columns = [{ header: 'image', field: 'id' }]
    const shown = { name: 'Pictured', schemaId: 'sch-tea', dimensionScope: { language: 'de', market: 'eu' } }
    const job = await makeJob(admin, { ...jobFor(puppet, 'rejects'), ...shown, columns, format: 'csv' })
    const { page } = await suite().visit(t, { path: `/console/exports/${job.id}?edit=1` })
    const row = page.locator('.feed-columns > li').first()
    await row.getByRole('combobox').first().fill('Pictures › Picture: address')
    await page.getByRole('option', { name: 'Pictures › Picture: address' }).click()
    await row.getByLabel('Place of the record in image').fill('1')
    await row.getByLabel('Size of the pictures of image').selectOption('square')
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>('.preview')?.value.includes('/square/jasmine-tin.jpg'),
    )
    await row.scrollIntoViewIfNeeded()
    await assertSeen(page, 'exports-pictures')
    await page.getByLabel('Pictures and files go with the feed').check()
    await page.getByLabel('Form of pictures').selectOption('square')
    await page.getByLabel('Names of files').fill('{id}_{n}.{ext}')
    await page.getByText('with it in one zip').click()
    await assertSeen(page, 'exports-files')
    await page.keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Pictured', level: 1, exact: true }).waitFor()
    const { body: stored } = await send<JobBody>(admin, 'GET', `/api/v1/export-jobs/${job.id}`)
    const source = { attributeAlias: 'pictures', via: 'content', index: 1, part: 'url', preset: 'square' }
    assert.deepEqual(stored.columns, [{ header: 'image', ...source }])
    assert.deepEqual(stored.files, { attributes: ['pictures'], preset: 'square', name: '{id}_{n}.{ext}', as: 'zip' })
  })

  it('E2 have secrets that are not in the page, and stay when they are not typed over', async (t) => {
    const { admin } = suite().server
    const { host, port, username, fingerprint } = sftp
    const destinationConfig = { host, port, username, password: SECRET, hostKeySha256: fingerprint }
    const body = { ...jobFor(puppet, 'deliver'), name: 'Secret feed', destinationType: 'sftp', destinationConfig }
    const job = await makeJob(admin, body)
    const { page } = await suite().visit(t, { path: `/console/exports/${job.id}` })
    await page.getByRole('link', { name: 'Edit' }).click()
    const password = page.getByLabel('Password', { exact: true })
    assert.equal(await password.getAttribute('placeholder'), 'set; type to replace')
    assert.equal(await password.inputValue(), '')
    for (const text of [SECRET, '********']) assert.equal((await page.content()).includes(text), false)
    await page.getByLabel('Description').fill('For the shop')
    const stored = () => send<JobBody>(admin, 'GET', `/api/v1/export-jobs/${job.id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('For the shop').waitFor()
    assert.equal((await stored()).body.destinationConfig['password'], '********')
    assert.equal((await stored()).body.selection, null)
  })

  it('E4 tell when they run next over a change of clocks', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/exports?new=1' })
    await page.getByLabel('How often').selectOption('cron')
    await page.getByLabel('Schedule').fill('0 12 1 1,4,7,10 *')
    await page.getByLabel('Time zone').click()
    await page.getByLabel('Time zone').fill('Berlin')
    await page.getByRole('option', { name: 'Europe/Berlin' }).click()
    await page.getByText('clocks change: UTC+1 → UTC+2').waitFor()
  })

  it('show how far a run is, and cancel it', async (t) => {
    const { admin } = suite().server
    const job = await makeJob(admin, { ...jobFor(puppet, 'waits'), name: 'Slow feed' })
    const good = await makeJob(admin, { ...jobFor(puppet, 'deliver'), name: 'Good feed' })
    await send(admin, 'POST', `/api/v1/export-jobs/${good.id}/trigger`)
    const { page } = await suite().visit(t, { path: '/console/exports' })
    const line = page.getByRole('listitem').filter({ hasText: 'Slow feed' }).first()
    await line.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('Slow feed has begun').waitFor()
    await line.getByText('running', { exact: true }).waitFor()
    await assertSeen(page, 'exports-running')
    await line.getByRole('button', { name: 'Cancel' }).click()
    await line.getByText('The run was cancelled.').waitFor()
    await line.getByRole('button', { name: 'Pause' }).click()
    await line.getByText('Paused').waitFor()
    await assertSeen(page, 'exports')
    await line.getByRole('link', { name: 'Slow feed' }).click()
    await page.getByText('The run was cancelled.').waitFor()
    assert.equal((await page.content()).includes(TOKEN), false)
    await assertSeen(page, 'exports-job')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Slow feed is deleted').waitFor()
    const { status } = await send(admin, 'GET', `/api/v1/export-jobs/${job.id}`)
    assert.equal(status, 404)
  })

  it('show the end of a run also where its job was read before it', async (t) => {
    const { admin } = suite().server
    await makeJob(admin, { ...jobFor(puppet, 'waits'), name: 'Late feed' })
    const { page } = await suite().visit(t, { path: '/console/exports' })
    const line = page.getByRole('listitem').filter({ hasText: 'Late feed' }).first()
    await line.getByRole('button', { name: 'Run now' }).click()
    await line.getByText('running', { exact: true }).waitFor()
    const { body: jobs } = await send(admin, 'GET', '/api/v1/export-jobs')
    await page.route('**/api/v1/export-jobs', (route) => route.fulfill({ json: jobs }))
    await line.getByRole('button', { name: 'Cancel' }).click()
    await line.getByText('The run was cancelled.').waitFor()
  })

  itLong('say that their owner is gone, and are taken over', async (t) => {
    const { admin, url } = suite().server
    const role = { id: 'role-feeds', name: 'Feeds', permissions: ['records.read', 'exportJobs.write'] }
    await make(admin, '/api/v1/roles', role)
    const key = await make<{ id: string; key: string }>(admin, '/api/v1/api-keys', { name: 'Old key', roleId: role.id })
    const job = await makeJob(keyClient(url, key.key), { ...jobFor(puppet, 'deliver'), name: 'Orphan feed' })
    const { page } = await suite().visit(t, { path: `/console/exports/${job.id}` })
    await page.getByText('Old key').waitFor()
    assert.equal((await send(admin, 'DELETE', `/api/v1/api-keys/${key.id}`)).status, 204)
    await page.getByRole('button', { name: 'Run now' }).click()
    const why = page.getByText(`the API key '${key.id}', no longer exists`)
    await why.first().waitFor()
    await page.getByText('Paused: these runs will not happen').waitFor()
    await assertSeen(page, 'exports-orphan')
    await page.getByRole('button', { name: 'Take over' }).click()
    await assertSeen(page, 'exports-take-over')
    await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click()
    await page.getByText('Paused: these runs will not happen').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Take over' }).count(), 0)
    const { body } = await send<JobBody>(admin, 'GET', `/api/v1/export-jobs/${job.id}`)
    assert.deepEqual([body.active, body.pausedReason], [true, null])
    assert.notEqual(body.ownerId, key.id)
    assert.equal((await send(admin, 'DELETE', `/api/v1/export-jobs/${job.id}`)).status, 204)
  })

  itLong('are shown in German, and without buttons to those who only look', async (t) => {
    const { admin } = suite().server
    await send(admin, 'POST', '/api/v1/users', { username: 'looker', password: SECRET, roleId: 'role-editor' })
    const { page } = await suite().visit(t, {
      as: { username: 'looker', password: SECRET },
      locale: 'de-DE',
      path: '/console/exports',
    })
    await page.getByText('Good feed').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Jetzt starten' }).count(), 0)
    await assertSeen(page, 'exports')
    await page.setViewportSize({ width: 390, height: 844 })
    const line = page.locator('.job-line').filter({ hasText: 'Good feed' })
    const what = (await line.locator('.job-what').boundingBox())!
    const when = (await line.locator('.job-when').boundingBox())!
    assert.ok(what.width > 250 && when.y >= what.y + what.height, 'the name has the width, the schedule is below')
  })
})
