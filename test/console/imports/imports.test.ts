// Journey 12: a large foreign file. Its columns are mapped, rehearsed, run with the tab closed midway, and undone.
import assert from 'node:assert/strict'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import { sizeOf } from '../../helpers/in-full.ts'
import { itLong } from '../../helpers/long.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { workbookParts, zip } from '../../helpers/xlsx-file.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const ROWS = 1000
const WRONG = 37
const BYTES = sizeOf({ full: 50, short: 3 }) * 1024 * 1024
const TAKEN = (ROWS - WRONG).toLocaleString('en')
const MADE = (ROWS - WRONG - 1).toLocaleString('en')
const HEADER = 'Artikelnummer;Bezeichnung;Teesorte;VK-Preis;Währung;Interner Vermerk'
const KINDS = ['Green tea', 'Black tea', 'Oolong']

/** A typical file of an office: its own headers, semicolons, decimal commas, windows-1252. */
async function writePriceList(file: string): Promise<void> {
  const stream = createWriteStream(file, 'latin1')
  const note = 'nur für das Lager '.repeat(Math.ceil(BYTES / ROWS / 18))
  stream.write(`${HEADER}\r\n`)
  for (let row = 1; row <= ROWS; row += 1) {
    const isWrong = row % Math.floor(ROWS / WRONG) === 0 && row / Math.floor(ROWS / WRONG) <= WRONG
    const price = isWrong ? 'auf Anfrage' : `${row % 90},50`
    const sku = row === 1 ? 'JP-50' : `TE-${row}`
    stream.write(`${sku};Grüntee ${row};${KINDS[row % 3]};${price};EUR;${note}\r\n`)
  }
  stream.end()
  await finished(stream)
}

async function countRecords(admin: Parameters<typeof send>[0]): Promise<number> {
  const { headers } = await send(admin, 'POST', '/api/v1/search', { criteria: [], criteriaOperator: 'and', limit: 1 })
  return Number(headers.get('x-total-count'))
}

describe('Journey 12: imports', { skip: withoutBrowser }, () => {
  const directory = makeTempDirectory()
  const file = path.join(directory, 'Preisliste.csv')
  const suite = consoleInSuite(undefined, { maxRecords: 10_000 })

  it('I1 to I4: a large file of a supplier, 37 wrong rows, and a tab that is closed midway', async (t) => {
    await writePriceList(file)
    const { server, visit } = suite()
    const before = await countRecords(server.admin)
    const { page, context } = await visit(t, { path: '/console/imports' })
    await page.getByText('No import yet').waitFor()
    await assertSeen(page, 'imports-empty')
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByRole('navigation', { name: 'Steps of the import' }).waitFor({ timeout: 60_000 })
    await page.getByRole('link', { name: 'File' }).click()
    for (const [label, value] of [
      ['Cells are separated by', ';'],
      ['Decimal sign', ','],
      ['Encoding', 'windows-1252'],
      ['Schema', 'sch-tea'],
    ] as const)
      assert.equal(await page.getByLabel(label).inputValue(), value)
    await page.getByRole('cell', { name: 'Grüntee 1', exact: true }).waitFor()
    await assertSeen(page, 'imports-file')
    await page.getByRole('link', { name: 'On to the columns' }).click()
    await page.getByText('1 column is left out: Interner Vermerk').waitFor()
    assert.equal(await page.getByLabel('Records are found by').inputValue(), 'sku')
    // The cells are names of options, so the column is proposed for them.
    assert.equal(await page.getByRole('combobox', { name: 'Target of Teesorte' }).inputValue(), 'Kind')
    // The cells contain names of options, not their IDs.
    await page.getByRole('button', { name: 'options by their names' }).click()
    await page.getByLabel('VK-Preis: Market').selectOption('eu')
    assert.equal(await page.getByLabel('Währung: Market').inputValue(), 'eu')
    await page.getByText('1 column is left out: Interner Vermerk').waitFor()
    await assertSeen(page, 'imports-columns')
    await page.getByRole('button', { name: 'Keep as a profile' }).click()
    await page.getByLabel('Name *').fill('Price list of the supplier')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Profile Price list of the supplier is kept').waitFor()
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText(`1 would change, ${MADE} would be new, 0 stay, ${WRONG} refused`).waitFor({ timeout: 60_000 })
    // Refused rows are shown first.
    await page.getByRole('tab', { name: 'Refused', selected: true }).waitFor()
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.locator('.difference ins').first().waitFor()
    await assertSeen(page, 'imports-rehearsal')
    await page.getByRole('tab', { name: 'Refused' }).click()
    await page.getByRole('button', { name: `VK-Preis: ${WRONG}` }).click()
    await assertSeen(page, 'imports-refused')
    assert.equal(await countRecords(server.admin), before)
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      page.getByRole('button', { name: `Download the ${WRONG} that failed` }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'Preisliste-failed.csv')
    const failed = readFileSync(await download.path(), 'latin1')
      .trimEnd()
      .split('\r\n')
    assert.equal(failed[0], `${HEADER};error;message`)
    assert.equal(failed.length, 1 + WRONG)
    assert.match(failed[1]!, /^TE-27;Grüntee 27;.*;auf Anfrage;EUR;.*;VALIDATION_ERROR;/)
    await page.getByRole('button', { name: `Import ${TAKEN} rows` }).click()
    const address = page.url()
    // The job may have been faster than the page.
    await page.waitForFunction(
      () =>
        (document.querySelector('progress')?.value ?? 0) > 0 ||
        document.body.textContent.includes('stayed as they were'),
    )
    await page.close()
    // An import that is opened later, in another tab, shows its progress, and then its result.
    const later = await context.newPage()
    await later.goto(`${server.url}/console/imports`)
    const line = later.locator('.job-line').filter({ hasText: 'Preisliste.csv' })
    // The list knows only the schema of the first look at the file, which may be another one.
    assert.doesNotMatch(await line.locator('.job-what').innerText(), /Tea/)
    await line.getByRole('link', { name: 'Preisliste.csv', exact: true }).click()
    await later
      .getByText(`1 changed, ${MADE} new, 0 stayed as they were, ${WRONG} refused`)
      .waitFor({ timeout: 60_000 })
    assert.equal(new URL(later.url()).pathname, new URL(address).pathname)
    assert.equal(await countRecords(server.admin), before + ROWS - WRONG - 1)
    await assertSeen(later, 'imports-run')
    await later.getByRole('button', { name: `Undo in ${TAKEN} records` }).click()
    await later.waitForURL(/\/console\/bulk\//)
    // The old page says "done" as well: about its own job.
    await untilEnded(server.admin, new URL(later.url()).pathname.split('/').at(-1)!)
    await later.locator('.job-facts').getByText('done', { exact: true }).waitFor({ timeout: 60_000 })
    assert.equal(await countRecords(server.admin), before)
    await later.goBack()
    await later.getByRole('link', { name: 'This run was undone.' }).waitFor()
  })

  itLong(
    'of a workbook in German: another sheet, a profile that does not fit, and what is done to cells, in its order',
    async (t) => {
      const { page } = await suite().visit(t, { path: '/console/imports', locale: 'de-DE' })
      const book = path.join(directory, 'teas.xlsx')
      const sheets = [
        { name: 'Deckblatt', rows: [['Tees 2026'], ['für Anna']] },
        {
          name: 'Tees',
          rows: [
            ['Artikelnummer', 'Bezeichnung', 'Teesorte', 'Gewicht in g'],
            ['JP-50', 'Jasminperlen fein', 'grün', 55],
            ['TE-1', 'Neuer Tee', 'Oolong', 100],
          ],
        },
      ]
      writeFileSync(book, zip(workbookParts(sheets)))
      await page.getByLabel('Datei auswählen').setInputFiles(book)
      // The first sheet is read, and the step says which one that is.
      await page.getByRole('link', { name: 'Datei: Deckblatt' }).click()
      await page.getByLabel('Blatt').selectOption('Tees')
      await page.getByRole('link', { name: 'Datei: Tees' }).waitFor()
      await page.getByRole('cell', { name: 'Jasminperlen fein' }).waitFor()
      await assertSeen(page, 'imports-file')
      await page.getByRole('link', { name: 'Weiter zu den Spalten' }).click()
      await page.getByLabel('Profil').selectOption({ label: 'Price list of the supplier' })
      await page.getByText('Der Datei fehlt, was das Profil nennt').first().waitFor()
      await page.getByLabel('Profil').selectOption('')
      await page.getByRole('button', { name: 'Verwerfen' }).click()
      const target = (column: string) => page.getByRole('combobox', { name: `Wofür ${column} ist` })
      const pick = async (column: string, option: string) => {
        await target(column).fill(option)
        await page.getByRole('option', { name: option }).first().click()
      }
      await pick('Gewicht in g', 'Name')
      await page.getByText('dafür ist schon eine andere Spalte').first().waitFor()
      assert.equal(await page.getByRole('button', { name: 'Probe' }).getAttribute('aria-disabled'), 'true')
      await pick('Gewicht in g', 'Net weight')
      await pick('Teesorte', 'Kind')
      await page.getByRole('button', { name: 'Optionen beim Namen' }).click()
      await page.getByLabel('Mit jeder Zelle etwas tun').selectOption({ label: 'ersetzen' })
      await page.getByLabel('Paar 1: was dasteht').fill('grün')
      await page.getByLabel('Paar 1: was daraus wird').fill('Green tea')
      // The text of the cell is replaced before it is matched with names of options.
      await page.getByRole('button', { name: 'ersetzen nach oben' }).click()
      await assertSeen(page, 'imports-columns')
      await page.keyboard.press('Control+s')
      await page.getByText('Zu ändern: 1, neu: 1, unverändert: 0, abgelehnt: 0').waitFor()
      await page.getByText('Green tea').waitFor()
      await assertSeen(page, 'imports-rehearsal')
    },
  )

  it('of a file that is dropped: lines of JSON, which need no columns told apart', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: '/console/imports' })
    const lines = [
      { id: 'tea-dropped', schemaId: 'sch-tea', values: { sku: [{ scope: {}, value: 'DR-1' }] } },
      { id: 'tea-wrong', schemaId: 'sch-tea', values: { nothing: [{ scope: {}, value: 'x' }] } },
    ]
    const over = page.locator('.file-drop.over')
    const drag = await page.evaluateHandle(
      (text) => {
        const data = new DataTransfer()
        data.items.add(new File([text], 'teas.jsonl'))
        return data
      },
      lines.map((line) => JSON.stringify(line)).join('\n'),
    )
    const zone = page.locator('.file-drop')
    await zone.dispatchEvent('dragover', { dataTransfer: drag })
    await over.waitFor()
    await zone.dispatchEvent('dragleave', { dataTransfer: drag })
    await over.waitFor({ state: 'detached' })
    await zone.dispatchEvent('drop', { dataTransfer: drag })
    await page.getByRole('heading', { level: 1, name: 'teas.jsonl' }).waitFor()
    await page.getByRole('button', { name: 'Rehearse' }).click()
    await page.getByText('0 would change, 1 would be new, 0 stay, 1 refused').waitFor()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('0 changed, 1 new, 0 stayed as they were, 1 refused').waitFor()
    await page.getByText('done, 1 refused', { exact: true }).first().waitFor()
    assert.equal((await send(server.admin, 'GET', '/api/v1/records/tea-dropped')).status, 200)
  })

  it('go on where their rehearsal ends while the page is reading', async (t) => {
    const { visit } = suite()
    const { page, context } = await visit(t, { path: '/console/imports' })
    await page.getByLabel('Choose a file').setInputFiles({
      name: 'quick.jsonl',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from('{"id":"tea-quick"}\n'),
    })
    const rehearse = page.getByRole('button', { name: 'Rehearse' })
    await rehearse.waitFor()
    let times = 0
    // The server's answer from just before the end of the job.
    await context.route(/\/api\/v1\/imports\/imp-[^/?]+$/, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { readonly jobIds: readonly string[] }
      if (body.jobIds.length > 0) times += 1
      await route.fulfill({ response, json: times === 1 ? { ...body, status: 'running' } : body })
    })
    await page.route('**/bulk-jobs/*', async (route) => {
      let response = await route.fetch()
      while (((await response.json()) as { status: string }).status !== 'succeeded') response = await route.fetch()
      await route.fulfill({ response })
    })
    await rehearse.click()
    await page.getByText('0 would change, 0 would be new, 0 stay, 1 refused').waitFor()
    assert.ok(times >= 1)
    await page.getByText('It is under way').waitFor({ state: 'detached' })
    assert.equal(await page.locator('[title="It is under way"]').count(), 0)
  })

  it('are given up while their file is on its way, and nothing of it stays', async (t) => {
    const { server, visit } = suite()
    const { page, context } = await visit(t, { path: '/console/imports' })
    const count = async () => (await send<unknown[]>(server.admin, 'GET', '/api/v1/imports')).body.length
    const before = await count()
    // The upload never arrives.
    await context.route('**/api/v1/imports?fileName=*', () => undefined)
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'late.csv', mimeType: 'text/csv', buffer: Buffer.from('id\n1\n') })
    await page.getByRole('progressbar').waitFor()
    await page.getByText('late.csv').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(await page.getByRole('progressbar').count(), 0)
    assert.equal(await count(), before)
  })

  it('propose attributes by similar words, and make those that the schema lacks', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t, { path: '/console/imports' })
    const foreign = path.join(directory, 'Fremd.csv')
    writeFileSync(foreign, 'Artikelnummer;Bez.;Lieferzeit;Lager;Lager\r\nFR-1;Neuer Tee;3 Tage;5;7\r\n')
    await page.getByLabel('Choose a file').setInputFiles(foreign)
    await page.getByText('3 columns are left out: Lieferzeit, Lager (D) and Lager (E)').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Target of Bez.' }).inputValue(), 'Name')
    await assertSeen(page, 'imports-foreign')
    await page.locator('.map-row', { hasText: 'Lieferzeit' }).getByRole('button', { name: 'New attribute' }).click()
    await page.getByText('2 columns are left out: Lager (D) and Lager (E)').waitFor()
    // The focus stays where the work goes on, so that keys go on, too.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    assert.equal(await focused(), 'Target of Lieferzeit')
    await page.getByRole('button', { name: 'Make 2 attributes for them' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Lager (D) and Lager (E) is saved').waitFor()
    await page.getByText('left out').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByText('0 would change, 1 would be new, 0 stay, 0 refused').waitFor()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByText('0 changed, 1 new, 0 stayed as they were, 0 refused').waitFor()
    const search = { criteria: [{ attributeAlias: 'sku', operator: 'equals', value: 'FR-1' }], criteriaOperator: 'and' }
    const find = { ...search, schemaId: 'sch-tea', limit: 1 }
    const { body: found } = await send<{ id: string }[]>(server.admin, 'POST', '/api/v1/search', find)
    const { body } = await send<{ values: Record<string, { value: unknown }[]> }>(
      server.admin,
      'GET',
      `/api/v1/records/${found[0]!.id}`,
    )
    const made = ['lieferzeit', 'lager', 'lager2'].map((alias) => body.values[alias]![0]!.value)
    assert.deepEqual(made, ['3 Tage', 5, 7])
  })

  it('are not there for those who may not write records', async (t) => {
    const { server, visit } = suite()
    const password = 'looks at records only'
    await send(server.admin, 'POST', '/api/v1/users', { username: 'looker', password, roleId: 'role-viewer' })
    const { page } = await visit(t, { as: { username: 'looker', password }, path: '/console/imports' })
    await page.getByText('Your role lacks the permission records.create').waitFor()
    assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Imports' }).count(), 0)
  })
})

describe('Imports into a workspace with a limit of records', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(undefined, { maxRecords: 150 })

  it('ask for the decimal sign by the code of the refusal, whatever its words are', async (t) => {
    const { page, context, expectStatus } = await suite().visit(t, { path: '/console/imports' })
    const buffer = Buffer.from('Artikelnummer;Bezeichnung\nJP-50;Jasminperlen\n')
    await page.getByLabel('Choose a file').setInputFiles({ name: 'words.csv', mimeType: 'text/csv', buffer })
    const asked = page.getByText('can be read with either decimal sign: 1.200 is 1200 or 1.2')
    const rehearse = page.getByRole('button', { name: 'Rehearse' })
    await rehearse.waitFor()
    assert.equal(await asked.count(), 0)
    expectStatus(400)
    const json = { error: 'VALIDATION_ERROR', message: 'Other words' }
    await context.route(/\/dry-run/, (route) => route.fulfill({ status: 400, json }))
    await rehearse.click()
    await asked.waitFor()
  })

  it('ask for the decimal sign where it can be either, and say that there would be too many records', async (t) => {
    const { server, visit } = suite()
    const { page, expectStatus } = await visit(t)
    const before = await countRecords(server.admin)
    await page.getByText(`${before} of at most 150 records in the workspace`).waitFor()
    await assertSeen(page, 'home-limit')
    await page.goto(`${server.url}/console/imports`)
    const rows = Array.from({ length: 151 - before }, (_, row) => `LM-${row};1.200;EUR`)
    const buffer = Buffer.from(['Artikelnummer;VK-Preis;Währung', ...rows].join('\n'))
    await page.getByLabel('Choose a file').setInputFiles({ name: 'limit.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('VK-Preis: Market').selectOption('eu')
    const sign = page.getByLabel('Decimal sign')
    await page.getByText('can be read with either decimal sign: 1.200 is 1200 or 1.2').waitFor()
    await assertSeen(page, 'imports-decimal')
    const rehearse = page.getByRole('button', { name: 'Rehearse' })
    expectStatus(400)
    await rehearse.click()
    await page.getByText('say by decimal').waitFor()
    await sign.selectOption(',')
    await rehearse.click()
    await page.getByText('There would be 151 records, and there may be 150').waitFor({ timeout: 60_000 })
    await page.getByText('More records than there may be').waitFor()
    await page.locator('.difference ins').getByText('1200').first().waitFor()
    // The message of the first try is not hidden by the actions below it.
    const message = await page.locator('.status').boundingBox()
    const actions = await page.locator('.form-foot').boundingBox()
    assert.ok(message!.y + message!.height <= actions!.y)
    await assertSeen(page, 'imports-limit')
    const run = page.getByRole('button', { name: `Import ${rows.length} rows` })
    assert.equal(await run.getAttribute('aria-disabled'), 'true')
    assert.equal(await countRecords(server.admin), before)
  })
})
