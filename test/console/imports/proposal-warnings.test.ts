// What a proposed schema shares with a filled workspace, and rows and sheets of the file that are no products. Contract 5 §1.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { workbookParts, zip } from '../../helpers/xlsx-file.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

interface Catalog {
  readonly id: string
  readonly name: string
}
interface Dimension {
  readonly segments: readonly { readonly id: string }[]
}

describe('The proposal in a filled workspace', { skip: withoutBrowser }, () => {
  const directory = makeTempDirectory()
  const suite = consoleInSuite()

  it('names the catalog and the languages that it adds for all, and rows that are footnotes', async (t) => {
    const file = path.join(directory, 'Lampen.csv')
    const rows = [
      'Nr;Name (de);Name (fr);Kategorie',
      'L-1;Tischlampe;Lampe de table;Wohnen > Lampen',
      'L-2;Stehlampe;Lampadaire;Wohnen > Lampen',
      'Alle Angaben ohne Gewähr;;;',
      '',
    ]
    writeFileSync(file, rows.join('\r\n'))
    const { server, visit } = suite()
    const { page } = await visit(t, { path: '/console/imports', locale: 'de-DE' })
    await page.getByLabel('Datei auswählen').setInputFiles(file)
    await page.getByRole('button', { name: 'Aus dieser Datei ein Schema anlegen' }).click()
    await page.getByText('1 Zeile hat nur eine gefüllte Zelle').waitFor()
    await page.getByText('„Alle Angaben ohne Gewähr“. Löschen Sie').waitFor()
    await page.getByText(/^Neue Sprachen gelten für alle Schemas: Français\. Datensätze von Tea/).waitFor()
    const catalog = page.getByRole('combobox', { name: 'Katalog' })
    assert.equal(await catalog.inputValue(), 'cat-shop')
    await catalog.selectOption({ label: 'Ein neuer Katalog' })
    await page.getByLabel('Name des Katalogs').fill('Lampen 2026')
    await assertSeen(page, 'proposal-warnings')
    await page.getByRole('button', { name: 'Ihre Spalten auslassen' }).click()
    await page.getByText('Neue Sprachen').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Schema anlegen und 3 Zeilen importieren' }).click()
    await page.getByText('0 geändert, 3 neu, 0 wie zuvor, 0 abgelehnt').waitFor({ timeout: 60_000 })
    const { body: catalogs } = await send<Catalog[]>(server.admin, 'GET', '/api/v1/catalogs')
    assert.deepEqual(
      catalogs.map(({ name }) => name),
      ['Web shop', 'Lampen 2026'],
    )
    const { body: dimension } = await send<Dimension>(server.admin, 'GET', '/api/v1/dimensions/language')
    assert.deepEqual(
      dimension.segments.map(({ id }) => id),
      ['en', 'de'],
    )
  })

  it('tells attributes with the same heading apart where the label is chosen', async (t) => {
    const file = path.join(directory, 'Hemden.csv')
    writeFileSync(file, ['Nr;Name (de);Name (de)', 'H-1;Hemd;Shirt', 'H-2;Hose;Trousers', ''].join('\r\n'))
    const { page } = await suite().visit(t, { path: '/console/imports', locale: 'de-DE' })
    await page.getByLabel('Datei auswählen').setInputFiles(file)
    await page.getByRole('button', { name: 'Aus dieser Datei ein Schema anlegen' }).click()
    const label = page.getByLabel('Datensätze heißen nach')
    await label.waitFor()
    const names = await label.locator('option').allTextContents()
    assert.equal(names.length, 3)
    assert.equal(new Set(names).size, 3, names.join())
  })

  it('of a workbook with a cover leads to another sheet', async (t) => {
    const book = path.join(directory, 'Lampen.xlsx')
    const sheets = [
      { name: 'Deckblatt', rows: [['Lampen 2026'], ['für Anna']] },
      {
        name: 'Preise',
        rows: [
          ['Nr', 'Lampe', 'Preis'],
          ['L-1', 'Tischlampe', 12],
        ],
      },
    ]
    writeFileSync(book, zip(workbookParts(sheets)))
    const { page } = await suite().visit(t, { path: '/console/imports' })
    await page.getByLabel('Choose a file').setInputFiles(book)
    await page.getByText('The sheet Deckblatt is read. Read another one:').waitFor()
    await assertSeen(page, 'import-cover')
    await page.getByRole('button', { name: 'Preise' }).click()
    await page.getByText('The sheet Preise is read.').waitFor()
    await page.getByText('Tischlampe').waitFor()
  })

  it('of a template says which records a language makes incomplete', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/start' })
    await page.getByRole('button', { name: 'Use the template Food' }).click()
    const warning = page.getByText('New languages are for all schemas: Italian. Records of Tea')
    await page.getByRole('combobox', { name: 'Languages of texts' }).fill('Ital')
    assert.equal(await warning.count(), 0)
    await page.getByRole('option', { name: 'Italian' }).click()
    await warning.waitFor()
  })
})
