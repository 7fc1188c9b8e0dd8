// Lists in the form of an attribute: units and options.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { makeSheetModel, SHEET_SCHEMA } from '../helpers/sheet.ts'

describe('Lists of an attribute', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(({ admin }) =>
    makeSheetModel(admin, [{ alias: 'length', name: 'Length', dataType: 'measurement', units: ['cm', 'm'] }]),
  )

  it('units that were typed and discarded are those that are stored again', async (t) => {
    const { page } = await suite().visit(t, { path: `/console/schemas/${SHEET_SCHEMA}?at=length` })
    const units = page.getByLabel('Units')
    await units.fill('cm, m, mm, ')
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor()
    assert.equal(await units.inputValue(), 'cm, m, mm, ')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    assert.equal(await units.inputValue(), 'cm, m')
  })

  it('Ctrl+S in the field of a new option adds it, and it is among the changes', async (t) => {
    const { page } = await suite().visit(t, { path: `/console/schemas/${SHEET_SCHEMA}?at=kind` })
    await page.getByLabel('New option').fill('White')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied', { exact: true }).waitFor()
    const { headers } = suite().server.admin
    const answer = await fetch(`${suite().server.url}/api/v1/schemas/${SHEET_SCHEMA}`, { headers })
    const { attributes } = (await answer.json()) as { attributes: { alias: string; options: { id: string }[] }[] }
    const kind = attributes.find(({ alias }) => alias === 'kind')!
    assert.deepEqual(
      kind.options.map(({ id }) => id),
      ['green', 'black', 'white'],
    )
  })
})
