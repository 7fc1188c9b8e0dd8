// Journey 14: the effect of a model change is shown first, and the grid then agrees. Journey 1: from an empty directory
// to a first record by forms.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { itLong } from '../../helpers/long.ts'
import { ADMIN_PASSWORD } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'
import type { Client } from '../../helpers/client.ts'
import { withoutBrowser } from '../helpers/chromium.ts'
import { consoleInSuite } from '../helpers/console.ts'
import { assertSeen } from '../helpers/seen.ts'

interface SchemaBody {
  readonly attributes: readonly { readonly alias: string; readonly requiredInStateIds: readonly string[] }[]
}

const COMPLETE = { field: 'completeness', operator: 'equals', value: 100, stateId: 'tea-sold' }

async function countComplete(admin: Client): Promise<number> {
  const body = { schemaId: 'sch-tea', criteria: [COMPLETE], criteriaOperator: 'and', limit: 1 }
  return Number((await send(admin, 'POST', '/api/v1/search', body)).headers.get('x-total-count'))
}

describe('Journey 14: the model', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite()
  const readSchema = async () => (await send<SchemaBody>(suite().server.admin, 'GET', '/api/v1/schemas/sch-tea')).body

  it('M1 tells what a change would do before it is applied, and nothing is applied before', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/schemas/sch-tea' })
    const complete = await countComplete(suite().server.admin)
    await page.getByLabel('New alias').fill('allergens')
    await page.keyboard.press('Enter')
    await page.getByLabel('Required in').click()
    await page.getByRole('option', { name: 'In the shop' }).click()
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/allergens is required now and missing in \d+ record/).waitFor()
    const falls = await dialog.getByText(/fall.? below 100 % in In the shop/).innerText()
    const told = Number(/\d+/.exec(falls)![0])
    assert.ok(told > 0 && told <= complete, falls)
    await assertSeen(page, 'model-effects')
    const before = await readSchema()
    assert.equal(
      before.attributes.some(({ alias }) => alias === 'allergens'),
      false,
    )
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied', { exact: true }).waitFor()
    const after = await readSchema()
    assert.deepEqual(after.attributes.find(({ alias }) => alias === 'allergens')!.requiredInStateIds, ['tea-sold'])
    await assertSeen(page, 'schema')
    // The grid agrees with the effect.
    const where = JSON.stringify([COMPLETE])
    await page.goto(`${suite().server.url}/console/records?schema=sch-tea&variants=shown&where=${where}`)
    const left = complete - told
    await page.getByText(left === 0 ? 'No record matches' : new RegExp(`^${left} of `)).waitFor()
    await page.goto(`${suite().server.url}/console/records?schema=sch-tea&cols=name,allergens`)
    await page.getByRole('columnheader', { name: 'allergens' }).waitFor()
  })

  it('M1 says how many values go with an attribute; discarding leaves all as it was', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/schemas/sch-tea?at=tags' })
    await page.getByRole('button', { name: 'Remove the attribute' }).click()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Apply and remove \d+ value/ }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // The tab stores unapplied changes.
    await page.reload()
    await page.getByRole('button', { name: 'Apply 1 change' }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Tags' }).waitFor()
    assert.equal(
      (await readSchema()).attributes.some(({ alias }) => alias === 'tags'),
      true,
    )
  })

  for (const [locale, remove, said] of [
    ['en-GB', 'Remove the attribute', 'your role may not see the effect on its values'],
    ['de-DE', 'Attribut entfernen', 'was aus den Werten wird, sieht Ihre Rolle nicht'],
  ] as const)
    (locale === 'en-GB' ? it : itLong)(
      `M1 says of an attribute that the role may not read that the effect is hidden, in ${locale}`,
      async (t) => {
        const { admin } = suite().server
        const username = `modeller-${locale}`
        await make(admin, '/api/v1/roles', {
          id: username,
          name: 'Modeller',
          permissions: ['records.read', 'model.read', 'model.write'],
          defaultAttributePermission: 'read',
          attributePermissions: { 'sch-tea': { tags: 'none' } },
        })
        const account = { username, password: ADMIN_PASSWORD }
        await make(admin, '/api/v1/users', { ...account, name: 'M', roleId: username })
        const { page } = await suite().visit(t, { path: '/console/schemas/sch-tea?at=tags', as: account, locale })
        await page.getByRole('button', { name: remove }).click()
        await page.keyboard.press('Control+s')
        await page.getByRole('dialog').getByText(said).waitFor()
        await assertSeen(page, 'model-effects-hidden')
      },
    )

  it('M2 M3 renames an attribute by a job, and keeps its values', async (t) => {
    const { admin } = suite().server
    const valuesOf = async (alias: string) => {
      const criteria = [{ attributeAlias: alias, operator: 'isNotEmpty' }]
      const body = { criteriaOperator: 'and', criteria }
      return (await send<unknown[]>(admin, 'POST', '/api/v1/search', body)).body.length
    }
    const before = await valuesOf('organic')
    const { page } = await suite().visit(t, { path: '/console/schemas/sch-tea?at=organic' })
    await page.getByRole('button', { name: 'Rename …' }).click()
    await page.getByRole('dialog').getByLabel('New alias').fill('bio')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename …' }).click()
    await page.getByText('It runs as a job').waitFor()
    await page
      .getByRole('group')
      .filter({ hasText: 'bio' })
      .or(page.locator('legend', { hasText: 'bio' }))
      .first()
      .waitFor()
    assert.ok(before > 0)
    assert.equal(await valuesOf('bio'), before)
  })

  it('shows groups and combinations', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/schemas/sch-tea?tab=groups' })
    await page.getByLabel('New group').fill('Texts')
    await page.keyboard.press('Enter')
    await page.getByText('texts', { exact: true }).waitFor()
    await assertSeen(page, 'schema-groups')
    await page.getByRole('tab', { name: 'Combinations' }).click()
    await page.getByLabel('All of them').click()
    await assertSeen(page, 'schema-combinations')
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  for (const locale of ['en-GB', 'de-DE'] as const)
    (locale === 'en-GB' ? it : itLong)(`M4 shows a workflow as a matrix, in ${locale}`, async (t) => {
      const { page } = await suite().visit(t, { path: '/console/workflows/wf-tea', locale })
      const cell = page.getByRole('button', { name: /^Sell/ })
      await cell.click()
      await page.getByRole('group', { name: /Sell/ }).waitFor()
      await assertSeen(page, 'workflow')
    })

  it('M4 shows the first workflow by the names that records have', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/workflows/wf-default', locale: 'de-DE' })
    await page.getByRole('columnheader', { name: 'Veröffentlicht' }).waitFor()
    await page.getByRole('button', { name: /^Zur Prüfung geben/ }).click()
    await page.getByRole('group', { name: /^Zur Prüfung geben/ }).waitFor()
  })

  it('M4 adds a transition, and tells that nothing stored is touched', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/workflows/wf-tea' })
    await page.getByRole('button', { name: 'Lead from Described to Tasted' }).click()
    await page
      .getByRole('group', { name: /Tasted/ })
      .getByLabel('Name', { exact: true })
      .fill('Taste again')
    await page.getByRole('button', { name: 'Apply' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No stored record is touched.').waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied', { exact: true }).waitFor()
    const { body } = await send<{ transitions: { name: string }[] }>(
      suite().server.admin,
      'GET',
      '/api/v1/workflows/wf-tea',
    )
    assert.ok(body.transitions.some(({ name }) => name === 'Taste again'))
  })

  it('lists what there is', async (t) => {
    const { page } = await suite().visit(t, { path: '/console/schemas' })
    await page.getByRole('link', { name: 'Tea', exact: true }).waitFor()
    await assertSeen(page, 'schemas')
    await page.getByRole('link', { name: 'Dimensions' }).click()
    await page.getByLabel('Name en').waitFor()
    await assertSeen(page, 'dimensions')
    await page.getByRole('link', { name: 'Workflows' }).click()
    await page.getByRole('link', { name: 'From the tasting to the shop' }).waitFor()
    await assertSeen(page, 'workflows')
  })
})

describe('Journey 1: from an empty directory', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(async () => undefined)

  it('H3 to a first record that is told what Published lacks, by forms', async (t) => {
    const { admin } = suite().server
    const { page } = await suite().visit(t)
    await page.getByRole('link', { name: 'Add a dimension' }).click()
    await page.getByLabel('Name *').fill('Language')
    await page.getByLabel('New segment').fill('English')
    await page.keyboard.press('Enter')
    // Saving adds the last typed item.
    await page.getByLabel('New segment').fill('Deutsch')
    await assertSeen(page, 'dimension-new')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Applied', { exact: true }).waitFor()
    const [language] = (await send<{ segments: { name: string }[] }[]>(admin, 'GET', '/api/v1/dimensions')).body
    assert.deepEqual(
      language?.segments.map(({ name }) => name),
      ['English', 'Deutsch'],
    )
    await page.goto(`${suite().server.url}/console/`)
    await page.getByRole('link', { name: 'Add a schema' }).click()
    await page.getByLabel('Name *').fill('Tea')
    await assertSeen(page, 'schema-new')
    await page.getByRole('button', { name: 'Save, then its attributes' }).click()
    await page.getByRole('heading', { name: 'Tea', level: 1 }).waitFor()
    await page.getByLabel('New alias').fill('name')
    await page.keyboard.press('Enter')
    await page.getByLabel('Differs by').click()
    await page.getByRole('option', { name: 'Language' }).click()
    await page.getByLabel('Required in').click()
    await page.getByRole('option', { name: 'Published' }).click()
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('No stored record is touched.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Applied', { exact: true }).waitFor()
    const { body } = await send<{ attributes: { alias: string; dimensionIds: string[] }[] }>(
      admin,
      'GET',
      '/api/v1/schemas/tea',
    )
    assert.deepEqual(
      body.attributes.map(({ alias, dimensionIds }) => [alias, dimensionIds]),
      [['name', ['language']]],
    )
    await page.goto(`${suite().server.url}/console/`)
    await page.getByRole('link', { name: 'Add a record' }).click()
    await page.getByRole('combobox', { name: 'Language' }).selectOption('English')
    await page.getByRole('dialog', { name: 'New record' }).getByLabel('name').fill('Assam')
    await assertSeen(page, 'record-new')
    await page.keyboard.press('Enter')
    const missing = page.getByRole('region', { name: 'Missing' })
    await missing.getByText(/Published/).waitFor()
    assert.deepEqual(await missing.getByRole('button').allTextContents(), ['Deutsch'])
    await assertSeen(page, 'record-first')
    const made = await send<{ items: { values: object }[] }>(admin, 'GET', '/api/v1/records')
    assert.deepEqual(
      made.body.items.map(({ values }) => values),
      [{ name: [{ scope: { language: 'english' }, value: 'Assam' }] }],
    )
  })
})
