// A batch is its operations one by one, or nothing.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../../helpers/answers.ts'
import { english, everywhere, make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat', name: 'Catalog' })
  for (const id of ['ctg-a', 'ctg-b']) await make(shop.admin, '/api/v1/catalogs/cat/categories', { id, name: id })
})
after(() => shop.stop())

const anyId = fc.constantFrom('one', 'two', 'three')
const values = fc.record(
  {
    name: fc.constantFrom([english('a')], [english('b')], [english(null)], [], [english(1)]),
    sku: fc.constantFrom(everywhere('S'), everywhere('T'), []),
    weight: fc.constantFrom(everywhere(1), everywhere(2)),
  },
  { requiredKeys: [] },
)
const places = fc.constantFrom([], [{ categoryId: 'ctg-a', sortOrder: 1 }], [{ categoryId: 'ctg-b' }])
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant('create'), id: anyId, values }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('update', 'patch'), id: anyId, values }) },
  fc.record({ op: fc.constant('delete'), id: anyId }),
  fc.record({ op: fc.constant('transition'), id: anyId, transitionId: fc.constantFrom('tr-submit', 'tr-send-back') }),
  fc.record({ op: fc.constant('setCategories'), id: anyId, categories: places }),
)
type Drawn = { op: string; id: string; values?: object; transitionId?: string; categories?: readonly object[] }

/** With IDs and unique values of its own, so that rounds do not meet. */
function ofRound(drawn: readonly Drawn[], round: string): object[] {
  return drawn.map((one) => ({
    ...(JSON.parse(
      JSON.stringify(one).replaceAll(/"value":"([ST])"/g, `"value":"${round.toUpperCase()}-$1"`),
    ) as Drawn),
    id: `${one.id}-${round}`,
    schemaId: 'sch-shirt',
  }))
}

async function alone({ op, id, ...body }: Record<string, unknown>): Promise<number> {
  const path = `/api/v1/records/${String(id)}`
  const [method, at, sent] =
    op === 'create'
      ? ['POST', '/api/v1/records', { id, ...body }]
      : op === 'setCategories'
        ? ['PUT', `${path}/categories`, body['categories']]
        : op === 'transition'
          ? ['POST', `${path}/transition`, body]
          : [{ update: 'PUT', patch: 'PATCH', delete: 'DELETE' }[String(op)]!, path, op === 'delete' ? undefined : body]
  return (await send(shop.admin, method, at, sent)).status
}

/** All that a client can see of the round's records, but for what differs by time and round. */
async function stateOf(round: string): Promise<unknown> {
  const states = []
  for (const id of ['one', 'two', 'three']) {
    const path = `/api/v1/records/${id}-${round}`
    const [record, categories, audit] = await Promise.all([
      send<Record<string, unknown>>(shop.admin, 'GET', path),
      send(shop.admin, 'GET', `${path}/categories`),
      send<{ action: string; changes: unknown }[]>(shop.admin, 'GET', `${path}/audit`),
    ])
    const { lifecycleStateId, values: held } = record.body
    const trail = audit.status !== 404 && audit.body.map(({ action, changes }) => ({ action, changes }))
    states.push({
      status: record.status,
      lifecycleStateId,
      held,
      categories: record.status === 200 && categories.body,
      trail,
    })
  }
  return JSON.parse(
    JSON.stringify(states).replaceAll(`-${round}`, '').replaceAll(`${round.toUpperCase()}-`, ''),
  ) as unknown
}

it('A batch does what its operations do one by one; atomic, where one of them fails, it changes nothing', async () => {
  let rounds = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (drawn) => {
      rounds += 1
      const [single, each, whole] = ['s', 'e', 'w'].map((letter) => `${letter}${rounds}`) as [string, string, string]
      const statuses: number[] = []
      for (const one of ofRound(drawn, single)) statuses.push(await alone(one as Record<string, unknown>))
      const post = (round: string, atomic: boolean) =>
        send<{ results: { status: number }[] }>(shop.admin, 'POST', '/api/v1/records/batch', {
          atomic,
          operations: ofRound(drawn, round),
        })
      const { body } = await post(each, false)
      assert.deepEqual(
        body.results.map(({ status }) => status),
        statuses,
      )
      assert.deepEqual(await stateOf(each), await stateOf(single))
      const untouched = await stateOf(whole)
      const answer = await post(whole, true)
      const failed = statuses.find((status) => status >= 400)
      assert.equal(answer.status, failed ?? 200)
      assert.deepEqual(await stateOf(whole), failed === undefined ? await stateOf(single) : untouched)
    }),
    { numRuns: 25 },
  )
})
