// Attributes, dimensions, segments and options with names of members that every JavaScript object has. The sheet and
// the page of a record show them. The standing checks find any damage.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { make, type RecordBody } from '../helpers/shirts.ts'
import type { TestServer } from '../helpers/server.ts'
import type { Page } from 'playwright-core'
import { withoutBrowser } from './helpers/chromium.ts'
import { consoleInSuite } from './helpers/console.ts'
import { assertSeen } from './helpers/seen.ts'

const NAMES = ['constructor', 'hasOwnProperty', 'isPrototypeOf', 'toString', 'valueOf', 'toLocaleString'] as const
const [text, choice, price, scoped, hidden, long] = NAMES

const field = (page: Page, alias: string) =>
  page.locator(`[data-alias=${alias}]`).locator('input, textarea, [contenteditable]')

async function fill({ admin }: TestServer): Promise<void> {
  const segments = NAMES.map((id) => ({ id, name: `Segment ${id}` }))
  await make(admin, '/api/v1/dimensions', { id: 'constructor', name: 'Dimension', segments })
  const options = NAMES.map((id) => ({ id, name: `Option ${id}` }))
  const requiredInStateIds = ['state-published']
  const guard = { criteriaOperator: 'and', criteria: [{ attributeAlias: text, operator: 'isNotEmpty' }] }
  const attributes = [
    { alias: text, name: 'Text', dataType: 'text', requiredInStateIds },
    { alias: choice, name: 'Choice', dataType: 'select', options },
    { alias: price, name: 'Price', dataType: 'price', currencies: ['EUR', 'USD'] },
    { alias: scoped, name: 'Scoped', dataType: 'text', dimensionIds: ['constructor'], requiredInStateIds },
    { alias: hidden, name: 'Guarded', dataType: 'number', guard },
    { alias: long, name: 'Long', dataType: 'richText', dimensionIds: ['constructor'] },
  ]
  await make(admin, '/api/v1/schemas', { id: 'valueOf', name: 'Schema', attributes })
  await make(admin, '/api/v1/records', { id: 'toString', schemaId: 'valueOf', values: {} })
  await make(admin, '/api/v1/records', { id: 'constructor', schemaId: 'valueOf', parentId: 'toString', values: {} })
}

describe('Names that every object has', { skip: withoutBrowser }, () => {
  const suite = consoleInSuite(fill)
  const stored = async () =>
    (await send<RecordBody>(suite().server.admin, 'GET', '/api/v1/records/toString')).body.values

  it('are shown and written on the page of a record that has no value for them', async (t) => {
    const { page } = await suite().visit(t, {
      path: '/console/records/toString?scope=constructor:valueOf',
    })
    await field(page, text).fill('typed')
    await field(page, scoped).fill('in a segment')
    await field(page, price).fill('3 constructor')
    await field(page, hidden).fill('7')
    await assertSeen(page, 'inherited-names-record')
    await field(page, price).fill('3 EUR')
    await page.keyboard.press('Control+s')
    await page.locator('.save-bar').waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), {
      [text]: [{ scope: {}, value: 'typed' }],
      [price]: [{ scope: {}, value: { amount: 3, currency: 'EUR' } }],
      [scoped]: [{ scope: { constructor: 'valueOf' }, value: 'in a segment' }],
      [hidden]: [{ scope: {}, value: 7 }],
    })
  })

  for (const place of [
    'records/constructor?scope=constructor:toString',
    'records/constructor?tab=variants',
    'records?schema=valueOf',
    '',
    'schemas/valueOf',
    'schemas/valueOf?tab=combinations',
    'exports?new=1',
  ])
    it(`are nothing special at /${place}`, async (t) => {
      const { page } = await suite().visit(t, { path: `/console/${place}` })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      assert.equal(await page.getByText('[native code]').count(), 0)
    })

  it('are translated from one segment to another', async (t) => {
    const { page } = await suite().visit(t, {
      path: '/console/records/toString?scope=constructor:toString&with=constructor:valueOf',
    })
    await field(page, scoped).waitFor()
    assert.equal(await page.getByText('[native code]').count(), 0)
    await assertSeen(page, 'inherited-names-translation')
  })
})
