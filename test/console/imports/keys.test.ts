// The price list of a supplier, imported by keys alone: into a schema of its own, and once more into the same schema.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

const ROWS = 40
/** Pressed before the test gives up. */
const MOST_TABS = 60
const GROUPS = ['Werkzeuge > Zangen', 'Garten > Bewässerung', 'Befestigung > Dübel > Nageldübel']
const COLOURS = ['rot', 'schwarz', 'Rot', 'grün']

/** The first cells of the colours have names that are IDs of options, too. */
function priceList(): string {
  const rows = Array.from({ length: ROWS }, (_, at) =>
    [`A-${at}`, `Zange ${at}`, GROUPS[at % 3], at < 6 ? 'rot' : COLOURS[at % 4], `${at},50`, '19%'].join(';'),
  )
  return ['Art.-Nr.;Bezeichnung;Warengruppe;Farbe;EK netto;MwSt.', ...rows].join('\r\n')
}

/** Presses Tab until an element with this text has the focus, which no element loses to the page. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    const focused = page.locator('a:focus, button:focus')
    if ((await focused.count()) > 0 && (await focused.innerText()).includes(text)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`No Tab leads to ${text}`)
}

async function choose(page: Page, content: string): Promise<void> {
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await tabTo(page, 'Choose a file')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator(':focus').press('Enter')])
  await chooser.setFiles({ name: 'Preisliste.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
}

describe('An import by keys alone', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => undefined, { maxRecords: 1000 })

  it('says what is wrong with a file, proposes a schema, rehearses, runs, and takes the same file again', async (t) => {
    const { page, expectStatus } = await suite().visit(t, { path: '/console/imports' })
    expectStatus(400)
    await choose(page, '')
    await page.getByRole('alert').getByText('The csv is empty').waitFor()
    await choose(page, priceList())
    await page.getByLabel('Name of the schema').waitFor()
    // The cells say their unit.
    assert.equal(await page.getByLabel('Unit of MwSt.').getAttribute('placeholder'), '%')
    await assertSeen(page, 'import-by-keys')
    await page.keyboard.press('Control+s')
    await page.getByText(`0 would change, ${ROWS} would be new, 0 stay, 0 refused`).waitFor()
    await tabTo(page, `Import ${ROWS} rows`)
    await page.keyboard.press('Enter')
    await page.getByText(`${ROWS} new`).first().waitFor()
    await tabTo(page, 'To the records')
    await page.keyboard.press('Enter')
    await page.getByText(`${ROWS} records`).waitFor()
    await page.goto(`${suite().server.url}/console/imports`)
    await choose(page, priceList())
    await page.getByLabel('Records are found by').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText(`0 would change, 0 would be new, ${ROWS} stay, 0 refused`).waitFor()
    await page.waitForFunction(() => document.activeElement !== document.body)
  })
})
