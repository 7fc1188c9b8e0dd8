// The first hour: from an empty workspace to a filled sheet, by a spreadsheet, a template or the demonstration. The test counts
// clicks and keys. Contract 5 §1.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import { ADMIN_PASSWORD } from '../../helpers/server.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const ROWS = 500
const HEADERS = [
  'Article no.',
  'EAN',
  'Name (en)',
  'Name (de)',
  'Description (en)',
  'Description (de)',
  'Brand',
  'Colours',
  'Weight (kg)',
  'List price EUR',
  'Year',
  'Available from',
  'Organic',
  'Stock',
  'Category',
]
const BRANDS = ['Globex', 'Initech', 'Umbrella', 'Hooli', 'Stark']
const COLOURS = ['red', 'blue', 'green', 'black', 'white']

/** A row of a supplier: semicolons, decimal commas, German dates, codes with leading zeros. */
function rowOf(n: number): string {
  const long = 'A kettle that boils water quickly and quietly, with a lid that stays closed. '.repeat(1 + (n % 4))
  return [
    String(n).padStart(6, '0'),
    String(4_006_381_000_000 + n),
    `Kettle ${n}`,
    n % 7 === 0 ? '' : `Kessel ${n}`,
    long.trim(),
    n % 5 === 0 ? '' : `Ein Kessel, der Wasser kocht. Nummer ${n}`,
    BRANDS[n % 5],
    `${COLOURS[n % 5]}, ${COLOURS[(n + 2) % 5]}`,
    `${1 + (n % 3)},${n % 10}5`,
    `${20 + (n % 80)},90`,
    1990 + (n % 35),
    `${1 + (n % 28)}.${1 + (n % 12)}.2024`,
    n % 2 === 0 ? 'ja' : 'nein',
    (n * 13) % 250,
    `Kitchen > ${n % 2 === 0 ? 'Kettles' : 'Kettles > Travel'}`,
  ].join(';')
}

/** Counts what a person does, across pages. */
async function countActions(page: Page): Promise<{ clicks: () => Promise<number>; keys: () => Promise<number> }> {
  await page.context().addInitScript(() => {
    for (const kind of ['click', 'keydown'])
      addEventListener(
        kind,
        (event) => {
          // Labels and forms pass a click on.
          if (!event.isTrusted || (event instanceof MouseEvent && event.detail === 0)) return
          sessionStorage.setItem(`counted-${kind}`, String(Number(sessionStorage.getItem(`counted-${kind}`)) + 1))
        },
        true,
      )
  })
  await page.reload()
  const read = (kind: string) => () => page.evaluate((name) => Number(sessionStorage.getItem(`counted-${name}`)), kind)
  return { clicks: read('click'), keys: read('keydown') }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password').fill(ADMIN_PASSWORD)
  await page.keyboard.press('Enter')
}

/** Of a workspace without anything; imports have their area for files. */
const EMPTY_PLACES = [
  'records',
  'categories',
  'exports',
  'subscriptions',
  'schemas',
  'dimensions',
  'activity',
  'activity?tab=jobs',
  'activity?tab=deleted',
]

describe('The first hour, from a spreadsheet', { skip: withoutBrowser }, () => {
  const directory = makeTempDirectory()
  const file = path.join(directory, 'Kettles 2024.csv')
  const suite = consoleInSuite(async () => undefined, { maxRecords: 10_000 })

  it('500 products are in the sheet after few clicks, with sensible types, and one undo takes all back', async (t) => {
    writeFileSync(file, [HEADERS.join(';'), ...Array.from({ length: ROWS }, (_, n) => rowOf(n)), ''].join('\r\n'))
    const { server, visit } = suite()
    const { page } = await visit(t, { as: null })
    const { clicks } = await countActions(page)
    await signIn(page)
    await page.getByRole('heading', { name: 'Import a spreadsheet' }).waitFor()
    await assertSeen(page, 'first-hour-welcome')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    await chooser.setFiles(file)
    await page.getByText('12 attributes from 500 rows.').waitFor()
    const kinds = await page
      .getByRole('combobox', { name: /^Type of / })
      .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).selectedOptions[0]!.text))
    assert.deepEqual(kinds, [
      'Text',
      'Text',
      'Text',
      'Text',
      'Rich text',
      'Rich text',
      'One of a list',
      'Several of a list',
      'Amount with unit',
      'Price',
      'Whole number',
      'Date',
      'Yes or no',
      'Whole number',
      'Categories',
    ])
    await assertSeen(page, 'first-hour-proposal')
    // A correction says at once how many rows fit.
    await page.getByRole('combobox', { name: 'Type of Brand' }).selectOption('number')
    await page.getByText('0 of 500 rows fit', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Type of Brand' }).selectOption('select')
    await page.getByText('0 of 500 rows fit', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make the schema and import 500 rows' }).click()
    await page.getByText('0 changed, 500 new, 0 stayed as they were, 0 refused').waitFor({ timeout: 60_000 })
    await assertSeen(page, 'first-hour-run')
    await page.getByRole('link', { name: 'To the records' }).click()
    await page.getByRole('grid').getByText('Kettle 499').first().waitFor()
    // Two more are for the dialog of the system, in which a person chooses the file.
    assert.ok((await clicks()) + 2 <= 15, `${await clicks()} clicks`)
    await assertSeen(page, 'first-hour-sheet')
    const { body } = await send<{ total: number }>(server.admin, 'GET', '/api/v1/records?limit=1')
    assert.equal(body.total, ROWS)

    await page.goto(`${server.url}/console/imports`)
    await page.getByRole('link', { name: 'Kettles 2024.csv' }).click()
    await page.getByRole('button', { name: 'Undo in 500 records' }).click()
    // The page of the import says "done" as well: about its own job.
    await page.waitForURL(/\/console\/bulk\//)
    await untilEnded(server.admin, new URL(page.url()).pathname.split('/').at(-1)!)
    await page.goto(`${server.url}/console/`)
    await page.getByRole('heading', { name: 'Import a spreadsheet' }).waitFor()
  })
})

describe('The first hour by keys alone', { skip: withoutBrowser }, () => {
  const directory = makeTempDirectory()
  const suite = consoleInSuite(async () => undefined)

  it('a rehearsal shows names of attributes and options before the schema exists', async (t) => {
    const lamps = path.join(directory, 'Lamps.csv')
    writeFileSync(
      lamps,
      'Lamp (en);Light colour;In stock\r\nDesk;warm white;yes\r\nWall;cold white;no\r\nRoom;warm white;yes\r\n',
    )
    const { page } = await suite().visit(t)
    await page.getByRole('heading', { name: 'Import a spreadsheet' }).waitFor()
    await page.locator('input[type=file]').setInputFiles(lamps)
    await page.getByRole('combobox', { name: 'Type of Light colour' }).selectOption('select')
    await page.getByRole('combobox', { name: 'Type of In stock' }).selectOption('boolean')
    await page.getByRole('button', { name: 'Rehearse' }).click()
    const first = page.locator('.differences > li').first()
    await first.getByText('warm white').waitFor({ timeout: 60_000 })
    assert.deepEqual(await first.locator('.difference').allInnerTexts(), [
      'Lamp [en]\nDesk',
      'Light colour\nwarm white',
      'In stock\nyes',
    ])
    await assertSeen(page, 'first-hour-rehearsal')
  })

  it('in German, by keys alone: a column is left out, and another one gets a name', async (t) => {
    const { server, visit } = suite()
    const small = path.join(directory, 'Tees.csv')
    writeFileSync(small, 'Nr;Name;constructor;🫖\r\n1;Assam;x;a\r\n2;Ceylon;y;b\r\n3;Darjeeling;z;c\r\n')
    const { page } = await visit(t, { locale: 'de-DE' })
    const { clicks } = await countActions(page)
    await page.getByRole('heading', { name: 'Eine Tabelle importieren' }).waitFor()
    await assertSeen(page, 'first-hour-welcome')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Datei auswählen' }).press('Enter'),
    ])
    await chooser.setFiles(small)
    await page.getByLabel('Name von Nr').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Nummer')
    await page.getByRole('checkbox', { name: '🫖' }).focus()
    await page.keyboard.press('Space')
    await assertSeen(page, 'first-hour-proposal')
    await page.getByRole('button', { name: 'Schema anlegen und 3 Zeilen importieren' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('0 geändert, 3 neu, 0 wie zuvor, 0 abgelehnt').waitFor({ timeout: 60_000 })
    const { body } = await send<{ attributes: { alias: string; name: string }[] }>(
      server.admin,
      'GET',
      '/api/v1/schemas/sch-tees',
    )
    assert.deepEqual(
      body.attributes.map(({ alias, name }) => [alias, name]),
      [
        ['nr', 'Nummer'],
        ['name', 'Name'],
        ['constructor', 'Constructor'],
      ],
    )
    assert.equal(await clicks(), 0)
  })
})

describe('The first hour, from a template', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => undefined)

  it('a template makes a schema with languages and a workflow, and the first record is one click away', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t)
    const { clicks } = await countActions(page)
    await page.getByRole('button', { name: 'Use the template Food' }).click()
    await page.getByRole('dialog').waitFor()
    await assertSeen(page, 'first-hour-template')
    // A language that is not found makes no schema.
    await page.getByRole('combobox', { name: 'Languages of texts' }).fill('Elvish')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByLabel('Workflow').selectOption('complete')
    await page.getByRole('button', { name: 'Make the schema' }).click()
    await page.getByText('No records yet').waitFor()
    await assertSeen(page, 'first-hour-empty-sheet')
    assert.ok((await clicks()) <= 5, `${await clicks()} clicks`)
    await page.goto(`${server.url}/console/`)
    await page.getByText('No record yet').waitFor()
    await assertSeen(page, 'first-hour-no-record')
    await page.goto(`${server.url}/console/start`)
    const used = page.getByRole('button', { name: 'Use the template Food' })
    await used.waitFor()
    assert.equal(await used.getAttribute('aria-disabled'), 'true')
    await assertSeen(page, 'first-hour-another')
    const { body } = await send<{ workflowId: string }>(server.admin, 'GET', '/api/v1/schemas/sch-food')
    assert.equal(body.workflowId, 'wf-complete')
  })
})

/** Opens each view of the demonstration: the sheet is the view, unchanged, and has a tea. */
async function lookAtViews(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/records?schema=sch-tea`)
  let shown = 'All records'
  for (const [name, tea] of [
    ['Missing German texts', 'Moroccan Mint'],
    ['Ready for the shop', 'Sencha'],
    ['Teas by kind', 'Sencha'],
  ] as const) {
    await page.getByRole('button', { name: shown, exact: true }).click()
    await page.getByRole('dialog').getByText(name).click()
    // A changed view would have an asterisk.
    await page.getByRole('button', { name, exact: true }).waitFor()
    shown = name
    await page.locator('.sheet').getByText(tea).first().waitFor()
    await assertSeen(page, `first-hour-demo-${name.split(' ')[0]!.toLowerCase()}`)
  }
}

describe('The first hour, with the demonstration', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => undefined)

  it('the demonstration is loaded, looked at, and taken away', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t)
    const { clicks } = await countActions(page)
    await page.getByRole('button', { name: 'Load the demo' }).click()
    await page.getByText('0 changed, 42 new, 0 stayed as they were, 0 refused').waitFor({ timeout: 60_000 })
    await assertSeen(page, 'first-hour-demo')
    await page.getByRole('link', { name: 'To the records' }).click()
    await page.getByRole('grid').getByText('Jasmine Pearls').first().waitFor()
    assert.ok((await clicks()) <= 5, `${await clicks()} clicks`)
    await page.goBack()
    await page.waitForURL(/\/console\/imports\//)
    const importUrl = page.url()
    await lookAtViews(page, server.url)
    await page.goto(importUrl)
    await page.getByRole('button', { name: 'Undo in 42 records' }).click()
    // The page of the import says "done" as well: about its own job.
    await page.waitForURL(/\/console\/bulk\//)
    await untilEnded(server.admin, new URL(page.url()).pathname.split('/').at(-1)!)
    await page.goto(`${server.url}/console/`)
    await page.getByRole('heading', { name: 'Look at the demo' }).waitFor()
  })
})

describe('Every empty place', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => undefined)

  it('says in a sentence what it is for, and has a button', async (t) => {
    const { server, visit } = suite()
    const { page } = await visit(t)
    const lacking: string[] = []
    for (const place of EMPTY_PLACES) {
      await page.goto(`${server.url}/console/${place}`)
      const empty = page.locator('.empty')
      await empty.first().waitFor()
      const [sentences, buttons] = [await empty.locator('p').count(), await empty.locator('.button').count()]
      if (sentences === 0 || buttons === 0) lacking.push(`${place}: ${sentences} sentences, ${buttons} buttons`)
      await assertSeen(page, `empty-${place.replaceAll(/\W+/g, '-')}`)
    }
    assert.deepEqual(lacking, [])
  })
})
