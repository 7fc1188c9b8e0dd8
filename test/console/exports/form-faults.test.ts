// What the form of an export job does with wrong input: the browser refuses numbers and times, and a refusal of the
// server is shown once, at its field.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { type JobBody, makeJob } from '../../helpers/export-jobs.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'

const WEBHOOK = {
  name: 'Prices',
  destinationType: 'webhook',
  destinationConfig: { url: 'http://127.0.0.1:9/feed' },
  format: 'csv',
  schedule: '0 2 * * *',
  includeVariants: true,
  compress: false,
  filenameTemplate: 'prices.csv',
} as const

describe('The form of an export job', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => undefined, { allowDestinations: ['127.0.0.1'] })
  const stored = async (id: string) =>
    (await send<JobBody & { readonly guards: object | null }>(suite().server.admin, 'GET', `/api/v1/export-jobs/${id}`))
      .body
  const isValid = (input: Element) => (input as HTMLInputElement).checkValidity()

  it('saves no time and no number that it marks as wrong, by the button and by Ctrl+S', async (t) => {
    const { id } = await makeJob(suite().server.admin, WEBHOOK)
    const { page, expectStatus } = await suite().visit(t, { path: `/console/exports/${id}?edit=1` })
    // On a busy machine, the preview of the refused number is requested.
    expectStatus(400)
    const at = page.getByLabel('At *', { exact: true })
    await at.fill('25:00')
    await page.getByText('Write times as 02:00').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.keyboard.press('Control+s')
    assert.equal(await at.evaluate(isValid), false)
    await at.fill('03:30')
    const attempts = page.getByLabel('Attempts at delivering')
    await attempts.fill('')
    assert.equal(await attempts.inputValue(), '')
    await attempts.pressSequentially('11')
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal(await attempts.evaluate(isValid), false)
    assert.equal((await stored(id)).schedule, '0 2 * * *')
    await attempts.fill('7')
    const drop = page.getByLabel('so many percent fewer')
    await drop.pressSequentially('0.05')
    assert.equal(await drop.inputValue(), '0.05')
    await page.keyboard.press('Control+s')
    await page.getByText('Prices is saved').waitFor()
    const job = await stored(id)
    assert.deepEqual([job.schedule, job.maxAttempts, job.guards], ['30 3 * * *', 7, { maxDropPercent: 0.05 }])
  })

  it('saves no file name that the server refuses, and says in the language what to write', async (t) => {
    const { id } = await makeJob(suite().server.admin, WEBHOOK)
    const { page } = await suite().visit(t, { path: `/console/exports/${id}?edit=1`, locale: 'de-DE' })
    const name = page.getByLabel('Name der Datei')
    await name.fill('prices-{day}.csv')
    const save = page.getByRole('button', { name: 'Speichern' })
    await page.locator('.form-foot').getByText('Nur die Platzhalter hier unten').waitFor()
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await page.keyboard.press('Control+s')
    assert.equal((await stored(id)).filenameTemplate, 'prices.csv')
    await name.fill('prices-{date}.csv')
    await save.click()
    await page.getByText('Prices ist gespeichert').waitFor()
    assert.equal((await stored(id)).filenameTemplate, 'prices-{date}.csv')
  })

  it('says in the language why the preview is not refreshed', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/exports?new=1', locale: 'de-DE' })
    expectStatus(503)
    await page.route(/\/export-jobs\/preview$/, (route) =>
      route.fulfill({ status: 503, json: { error: 'UNAVAILABLE', message: 'the server is shutting down' } }),
    )
    await page.getByLabel('Name der Datei').fill('preise.csv')
    await page.locator('.trial .warning').getByText('Der Server').waitFor()
  })

  it('names the stores of Amazon S3 in the language', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/exports?new=1', locale: 'fr-FR' })
    await page.getByRole('option', { name: 'Amazon S3 et stockages compatibles' }).waitFor({ state: 'attached' })
  })

  it('shows a refused check once, at its field, and takes the outcome of the check before away', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/exports?new=1', locale: 'fr-FR' })
    await page.getByLabel('Nom *').fill('Prix')
    await page.getByLabel('Destination', { exact: true }).selectOption('webhook')
    const url = page.getByLabel('URL *')
    const check = page.getByRole('button', { name: 'Vérifier la destination' })
    await url.fill('http://127.0.0.1:9/feed')
    await check.click()
    const outcome = page.getByText('La destination est injoignable')
    await outcome.waitFor()
    expectStatus(400)
    await url.fill('nowhere')
    await check.click()
    const fault = page.getByText('http:// or https://')
    await fault.waitFor()
    assert.equal(await outcome.count(), 0)
    expectStatus(400)
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.locator('[aria-invalid]:focus').waitFor()
    assert.equal(await fault.count(), 1)
    assert.match((await fault.textContent())!, /^Le serveur n’accepte pas ces données/)
  })

  it('adds a header by Enter, and removes one that was added by mistake', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/exports?new=1' })
    await page.getByLabel('Destination', { exact: true }).selectOption('webhook')
    await page.getByLabel('Another name').fill(' X-Wrong ')
    await page.keyboard.press('Enter')
    await page.getByLabel('X-Wrong', { exact: true }).fill('secret')
    await page.getByRole('button', { name: 'Remove X-Wrong' }).click()
    assert.equal(await page.getByLabel('X-Wrong').count(), 0)
  })

  it('switches a setting off that a destination has on by default, and names it in the language', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/exports?new=1', locale: 'de-DE' })
    for (const type of ['sftp', 'webhook', 's3']) {
      await page.getByLabel('Ziel', { exact: true }).selectOption(type)
      assert.equal(await page.locator('.hint', { hasText: 'Default' }).count(), 0)
    }
    await page.getByLabel('Name *').fill('Preise')
    await page.getByLabel('Bucket *').fill('acme-feeds')
    await page.getByLabel('Region *').fill('eu-central-1')
    await page.getByLabel('Prüfsummen', { exact: true }).selectOption('nein')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page
      .getByRole('definition')
      .filter({ hasText: /^nein$/ })
      .waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    assert.equal((await stored(id)).destinationConfig['checksums'], false)
  })
})
