// The charts of home in a browser. Contract 5 §6.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matrixOf } from '../../../src/statistics/rules/completeness-matrix.ts'
import { dayBefore } from '../../../src/statistics/rules/day-count.ts'
import type { Store } from '../../../src/store/port.ts'
import { send } from '../../helpers/answers.ts'
import type { Client } from '../../helpers/client.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { makeDemoCatalogue } from '../helpers/catalogue.ts'
import { assertSeen } from '../helpers/seen.ts'

interface SeenModel {
  readonly schemas: readonly { readonly id: string; readonly name: string }[]
}
let store: Store
const skip =
  withoutBrowser !== false ? withoutBrowser : process.env['TEST_PROGRAM'] !== undefined && 'it looks into the store'

/** Numbers of the past that grow, with a gap of three days. */
async function fillPast(schemaId: string, stateId: string, scopes: readonly object[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (let days = 60; days > 0; days -= 1) {
      const wave = Math.round(6 + 5 * Math.sin(days / 4))
      const complete = scopes.map((scope, at) => ({
        scope: scope as Record<string, string>,
        count: 70 - days + 6 * at,
      }))
      const stock = { countedAt: '2026-01-01T00:00:00.000Z', records: 120, states: [], stateId, complete }
      const isGap = days > 20 && days < 24
      await tx.dayCounts.put(
        {
          schemaId,
          day: dayBefore(new Date(), days),
          stock: isGap ? null : stock,
          created: isGap ? 0 : wave,
          updated: isGap ? 0 : 2 * wave,
          deleted: 0,
          entered: isGap ? [] : [{ stateId, count: Math.round(wave / 2) }],
        },
        (await tx.dayCounts.through()) ?? 0,
      )
    }
  })
}

const LANGUAGES = ['English', 'Deutsch', 'Français', 'Italiano', 'Español', 'Polski']

/** Twelve combinations with the two markets. */
async function makeTeasInSixLanguages({ admin }: { readonly admin: Client }): Promise<void> {
  await makeDemoCatalogue(admin)
  const segments = LANGUAGES.map((name) => ({ id: name.slice(0, 2).toLowerCase(), name }))
  const answer = await send(admin, 'PUT', '/api/v1/dimensions/language', { name: 'Language', segments })
  assert.equal(answer.status, 200, answer.text)
}

/** The number of chosen scopes that a write of preferences has; undefined: another request. */
function keptScopes(body: string | null): number | undefined {
  const sent = JSON.parse(body ?? '{}') as { console?: { places: { charts?: Record<string, unknown[]> } } }
  return Object.values(sent.console?.places.charts ?? {})[0]?.length
}

describe('The charts of home', { skip }, () => {
  const suite = consoleInSuite(makeTeasInSixLanguages, {
    testing: { wrapStore: (opened) => (store = opened) },
  })

  it('say that they begin on the second day, and then show both, with tables for readers', async (t) => {
    const { page } = await suite().visit(t)
    await page.getByText('Charts begin on the second day.').waitFor()
    const { admin } = suite().server
    const { schemas } = (await send<SeenModel>(admin, 'GET', '/api/v1/me/model')).body
    const shown = await page.locator('.home h2').first().textContent()
    const schema = schemas.find(({ name }) => shown?.startsWith(name)) ?? schemas[0]!
    const model = await store.read.model()
    const rules = model.schemas.get(schema.id)!
    const { stateId, cells } = matrixOf(rules, model.workflows.get(rules.workflowId)!, model)!
    await fillPast(
      schema.id,
      stateId,
      cells.flat().flatMap((cell) => (cell === null ? [] : [cell.scope])),
    )
    await page.reload()
    await page.getByRole('img', { name: /^Complete for/ }).waitFor()
    await page.getByRole('img', { name: /^Work, / }).waitFor()
    await assertSeen(page, 'home-charts')
    await page.locator('.chart summary').last().focus()
    await page.keyboard.press('Enter')
    const rows = page.locator('.chart').last().getByRole('row')
    assert.equal(await rows.count(), 31)
    await page.locator('.chart summary').first().click()
    await page.locator('.chart').first().scrollIntoViewIfNeeded()
    await assertSeen(page, 'home-charts-tables')
    await page.locator('.charts').scrollIntoViewIfNeeded()
  })

  it('show the scopes that a person chooses, also after a reload and for a scope beyond the first five', async (t) => {
    const { page } = await suite().visit(t)
    const legend = page.locator('.chart').first().locator('.legend li')
    await page.getByRole('button', { name: '5 of 12 scopes' }).click()
    const box = page.getByRole('dialog', { name: 'Scopes of the chart' })
    assert.equal(await box.getByRole('checkbox', { checked: true }).count(), 5)
    await box.getByLabel('Polski · United States').check()
    await legend.filter({ hasText: 'Polski · United States' }).waitFor()
    assert.equal(await legend.count(), 5, 'the first one made room')
    const saved = page.waitForResponse((answer) => keptScopes(answer.request().postData()) === 4)
    await box.getByLabel('Deutsch · Europe').uncheck()
    await saved
    await assertSeen(page, 'home-charts-scopes')
    const names = await legend.locator('span').allTextContents()
    await page.reload()
    await page.getByRole('button', { name: '4 of 12 scopes' }).waitFor()
    assert.deepEqual(await legend.locator('span').allTextContents(), names)
  })

  for (const locale of ['de-DE', 'fr-FR'] as const)
    it(`are named in ${locale}`, async (t) => {
      const { page } = await suite().visit(t, { locale })
      await page.locator('.chart').last().scrollIntoViewIfNeeded()
      await assertSeen(page, 'home-charts-named')
    })
})
