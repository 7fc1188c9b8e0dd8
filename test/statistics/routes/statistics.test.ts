// Counts of days over HTTP. Contract 5 §6.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../../helpers/client.ts'
import { assertRefused, send } from '../../helpers/answers.ts'
import { eventually } from '../../helpers/puppet.ts'
import type { TestServer } from '../../helpers/server.ts'
import { complete, makeShirt, startWorkspace } from '../../helpers/shirts.ts'

interface Days {
  readonly schemaId: string
  readonly items: {
    readonly day: string
    readonly stock: {
      readonly records: number
      readonly stateId: string | null
      readonly complete: object[] | null
    } | null
    readonly created: number
  }[]
}

let shop: TestServer
let clerk: Client
let stranger: Client
before(async () => {
  const first = await startWorkspace()
  await makeShirt(first.admin, complete)
  // Records are counted when a server takes over the duty: at its start.
  shop = await first.restart()
  clerk = { ...first.clerk, url: shop.url }
  stranger = { ...first.stranger, url: shop.url }
})
after(() => shop.stop())

const ask = async (client: Client, query = ''): Promise<Days> =>
  (await send<Days>(client, 'GET', `/api/v1/statistics/days?schemaId=sch-shirt${query}`)).body

describe('GET /api/v1/statistics/days', () => {
  it('has the records of today by state, and the complete ones by scope', async () => {
    await eventually(async () => (await ask(shop.admin)).items.some(({ stock }) => stock !== null))
    const { items } = await ask(shop.admin)
    const { stock } = items.find((one) => one.stock !== null)!
    assert.deepEqual([items.at(-1)?.created, stock?.records], [1, 1])
    assert.equal(stock?.stateId, 'state-published')
    assert.deepEqual(stock.complete?.length, 4)
  })

  it('says nothing of completeness to a role that may not read every attribute', async () => {
    const { items } = await ask(clerk)
    assert.deepEqual(
      items.flatMap(({ stock }) => (stock === null ? [] : [stock.complete])),
      items.flatMap(({ stock }) => (stock === null ? [] : [null])),
    )
    assert.ok(items.some(({ stock }) => stock !== null))
  })

  it('refuses roles that may not read records, unknown schemas, and more than 750 days', async () => {
    const path = '/api/v1/statistics/days?schemaId=sch-shirt'
    assertRefused(await send(stranger, 'GET', path), 'PERMISSION_DENIED')
    const unknown = await send(shop.admin, 'GET', '/api/v1/statistics/days?schemaId=constructor')
    assertRefused(unknown, 'NOT_FOUND')
    const range = (from: string, to: string) => send(shop.admin, 'GET', `${path}&from=${from}&to=${to}`)
    assert.equal((await range('2024-01-01', '2026-01-19')).status, 200)
    assertRefused(await range('2024-01-01', '2026-01-20'), 'VALIDATION_ERROR', '750 days')
    assertRefused(await range('2026-01-02', '2026-01-01'), 'VALIDATION_ERROR', 'to must not be before')
    assertRefused(await range('2026-02-30', '2026-01-01'), 'VALIDATION_ERROR', 'from must be a day')
  })
})
