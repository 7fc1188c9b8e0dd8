// Many operations on records in one request. Contract 3 §2, 3 §10.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  complete,
  english,
  everywhere,
  german,
  make,
  makeShirt,
  readAudit,
  readRecord,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

interface Result {
  index: number
  status: number
  id?: string
  version?: number
  error?: string
  message?: string
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/catalogs', { id: 'cat-web', name: 'Web' })
  for (const id of ['ctg-a', 'ctg-b', 'ctg-c'])
    await make(shop.admin, '/api/v1/catalogs/cat-web/categories', { id, name: id })
})
after(() => shop.stop())

const post = (body: unknown, client: Client = shop.admin) =>
  send<{ results: Result[] }>(client, 'POST', '/api/v1/records/batch', body)

async function run(operations: object[], more: object = {}, client: Client = shop.admin): Promise<Result[]> {
  const answer = await post({ operations, ...more }, client)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results
}

const create = (id: string, values: object = {}, more: object = {}) => ({
  op: 'create',
  id,
  schemaId: 'sch-shirt',
  values,
  ...more,
})
const statusOf = async (id: string) => (await send(shop.admin, 'GET', `/api/v1/records/${id}`)).status
const categoriesOf = async (id: string) => {
  const { body } = await send<{ categoryId: string; sortOrder: number }[]>(
    shop.admin,
    'GET',
    `/api/v1/records/${id}/categories`,
  )
  return body.map(({ categoryId, sortOrder }) => `${categoryId} ${sortOrder}`)
}

describe('POST /api/v1/records/batch', () => {
  it('does every kind of operation, in order, also on records that it made before', async () => {
    const results = await run([
      create('all-1', { name: [english('Shirt')] }),
      create('all-2', {}, { parentId: 'all-1' }),
      { op: 'update', id: 'all-1', values: { ...complete, related: everywhere('all-2') } },
      {
        op: 'patch',
        id: 'all-1',
        values: { name: [german('Bluse')] },
        expect: [{ attributeAlias: 'name', ...german('Hemd') }],
      },
      { op: 'transition', id: 'all-1', transitionId: 'tr-submit' },
      { op: 'transition', id: 'all-1', transitionId: 'tr-publish' },
      {
        op: 'setCategories',
        id: 'all-1',
        categories: [{ categoryId: 'ctg-a', sortOrder: 7 }, { categoryId: 'ctg-b' }],
      },
      {
        op: 'addCategories',
        id: 'all-1',
        categories: [{ categoryId: 'ctg-a' }, { categoryId: 'ctg-c', sortOrder: 2 }],
      },
      { op: 'removeCategories', id: 'all-1', categories: ['ctg-b'] },
      { op: 'delete', id: 'all-2' },
    ])
    assert.deepEqual(
      results.map(({ index, status, id }) => [index, status, id]),
      [201, 201, 200, 200, 200, 200, 200, 200, 200, 204].map((status, index) => [
        index,
        status,
        index === 1 || index === 9 ? 'all-2' : 'all-1',
      ]),
    )
    const record = await readRecord(shop.admin, 'all-1')
    assert.deepEqual(record.values['name'], [english('Shirt'), german('Bluse')])
    assert.equal(record.lifecycleStateId, 'state-published')
    assert.deepEqual(await categoriesOf('all-1'), ['ctg-a 7', 'ctg-c 2'])
    assert.equal(await statusOf('all-2'), 404)
    const trail = await readAudit(shop.admin, 'all-1')
    const versions = results
      .filter(({ id, version }) => id === 'all-1' && version !== undefined)
      .map((one) => one.version)
    assert.deepEqual(trail.map(({ version }) => version).toReversed(), versions)
    assert.equal('version' in results.at(-1)!, false)
  })

  it('answers with the error of the operation that fails, with its index, and changes nothing', async () => {
    await makeShirt(shop.admin, { sku: everywhere('HELD') }, { id: 'held' })
    const failing: [object, Parameters<typeof assertRefused>[1], string][] = [
      [{ op: 'update', id: 'held', values: { weight: everywhere(-1) } }, 'VALIDATION_ERROR', 'values.weight[0].value'],
      [{ op: 'delete', id: 'nobody' }, 'NOT_FOUND', 'nobody'],
      [create('held'), 'CONFLICT', 'held'],
      [create('new-2', { sku: everywhere('HELD') }), 'CONFLICT', 'values.sku'],
      [{ op: 'transition', id: 'new-1', transitionId: 'tr-publish' }, 'TRANSITION_ERROR', 'Draft'],
      [{ op: 'patch', id: 'new-1', ifMatch: 1, values: {} }, 'PRECONDITION_FAILED', 'If-Match'],
      [
        { op: 'addCategories', id: 'new-1', categories: [{ categoryId: 'ctg-none' }] },
        'VALIDATION_ERROR',
        "categories[0].categoryId names the unknown category 'ctg-none'",
      ],
      [
        { op: 'removeCategories', id: 'new-1', categories: ['ctg-none'] },
        'VALIDATION_ERROR',
        "categories[0] names the unknown category 'ctg-none'",
      ],
    ]
    for (const [operation, code, named] of failing) {
      const answer = await post({ operations: [create('new-1'), operation, { op: 'delete', id: 'held' }] })
      assertRefused(answer, code, 'operations[1]', named)
      assert.equal(await statusOf('new-1'), 404)
    }
    assert.equal((await readAudit(shop.admin, 'held')).length, 1)
    assert.equal((await send(shop.admin, 'GET', '/api/v1/records/new-1/audit')).status, 404)
  })

  it('does the others where one fails and it is not atomic', async () => {
    const results = await run(
      [
        create('some-1', { sku: everywhere('SOME') }),
        create('some-2', { sku: everywhere('SOME') }),
        create('some-2', { sku: everywhere('OTHER') }),
        { op: 'delete', id: 'nobody' },
        { op: 'patch', id: 'some-1', values: { sku: everywhere('OTHER') } },
      ],
      { atomic: false },
    )
    assert.deepEqual(
      results.map(({ status, error }) => [status, error]),
      [
        [201, undefined],
        [409, 'CONFLICT'],
        [201, undefined],
        [404, 'NOT_FOUND'],
        [409, 'CONFLICT'],
      ],
    )
    assert.deepEqual(Object.keys(results[3]!).sort(), ['error', 'id', 'index', 'message', 'status'])
    assert.equal((await readAudit(shop.admin, 'some-2')).length, 1)
  })

  it('keeps to the version that an operation names, as a number or as an ETag', async () => {
    await makeShirt(shop.admin, {}, { id: 'once' })
    const { version } = (await readAudit(shop.admin, 'once'))[0]!
    const patch = (ifMatch: unknown) => ({ op: 'patch', id: 'once', values: {}, ifMatch })
    for (const stale of [version - 1, `"${version - 1}"`, `${version - 1}`, 'W/"1"', ''])
      assertRefused(await post({ operations: [patch(stale)] }), 'PRECONDITION_FAILED', 'operations[0]')
    let now = version
    for (const present of [(n: number) => n, (n: number) => `"${n}"`, (n: number) => `${n}`, () => '*'])
      now = (await run([patch(present(now))]))[0]!.version!
    assertRefused(await post({ operations: [patch(null)] }), 'VALIDATION_ERROR', 'operations[0].ifMatch')
  })

  it('refuses a body of the wrong form, naming the operation that may have been meant', async () => {
    assertRefused(
      await post({ operations: [create('x'), { op: 'creat' }] }),
      'VALIDATION_ERROR',
      'operations[1].op',
      "'create'",
    )
    assertRefused(await post({ operations: [{ id: 'x' }] }), 'VALIDATION_ERROR', 'operations[0].op')
    assertRefused(await post({ operations: ['x'] }), 'VALIDATION_ERROR', 'operations[0]')
    assertRefused(await post({ atomic: false, operations: [{ op: 'delete' }] }), 'VALIDATION_ERROR', 'operations[0].id')
    assertRefused(await post({ operations: [create('batch')] }), 'VALIDATION_ERROR', 'operations[0].id')
    assertRefused(await post({}), 'VALIDATION_ERROR', 'operations')
    const many = Array.from({ length: 1001 }, () => ({ op: 'delete', id: 'x' }))
    assertRefused(await post({ operations: many }), 'VALIDATION_ERROR', 'at most 1000')
    assert.deepEqual(await run([]), [])
    assert.deepEqual((await run([create('with-more', {}, { unknown: 1 })]))[0]!.status, 201)
  })

  it('takes for each operation the permission that its endpoint takes', async () => {
    await makeShirt(shop.admin, {}, { id: 'guarded' })
    const operations: [object, string | undefined][] = [
      [create('never'), 'records.create'],
      [{ op: 'update', id: 'guarded', values: {} }, 'records.update'],
      [{ op: 'patch', id: 'guarded', values: {} }, 'records.update'],
      [{ op: 'delete', id: 'guarded' }, 'records.delete'],
      [{ op: 'transition', id: 'guarded', transitionId: 'tr-submit' }, undefined],
      [{ op: 'setCategories', id: 'guarded', categories: [] }, 'categories.write'],
      [{ op: 'addCategories', id: 'guarded', categories: [] }, 'categories.write'],
      [{ op: 'removeCategories', id: 'guarded', categories: [] }, 'categories.write'],
    ]
    for (const [operation, permission] of operations) {
      const answer = await post({ operations: [operation] }, shop.stranger)
      if (permission === undefined) assertRefused(answer, 'TRANSITION_ERROR', 'role')
      else assertRefused(answer, 'PERMISSION_DENIED', permission, 'operations[0]')
    }
    assertRefused(
      await post({ operations: [{ op: 'patch', id: 'guarded', values: { sku: [] } }] }, shop.clerk),
      'PERMISSION_DENIED',
      'sku',
    )
    assert.equal((await readAudit(shop.admin, 'guarded')).length, 1)
  })

  it('judges a gate that is long to score by what the batch wrote before', async () => {
    const segments = (letter: string, length: number) =>
      Array.from({ length }, (_, index) => ({ id: `${letter}${index}` }))
    await make(shop.admin, '/api/v1/dimensions', { id: 'row', name: 'Row', segments: segments('r', 100) })
    await make(shop.admin, '/api/v1/dimensions', { id: 'column', name: 'Column', segments: segments('c', 60) })
    const attributes = [
      { alias: 'wide', dataType: 'text', dimensionIds: ['row', 'column'], requiredInStateIds: ['state-published'] },
    ]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-wide', name: 'Wide', attributes })
    const before = [
      { op: 'create', id: 'wide', schemaId: 'sch-wide', values: {} },
      { op: 'transition', id: 'wide', transitionId: 'tr-submit' },
    ]
    const publish = { op: 'transition', id: 'wide', transitionId: 'tr-publish' }
    assertRefused(
      await post({ operations: [...before, publish] }),
      'TRANSITION_ERROR',
      'operations[2]',
      'column=c0;row=r0',
    )
    const fill = { op: 'patch', id: 'wide', values: { wide: everywhere('x') } }
    assert.equal((await run([...before, fill, publish])).at(-1)!.status, 200)
    assert.equal((await readRecord(shop.admin, 'wide')).lifecycleStateId, 'state-published')
  })

  it('lets others read while it is under way', async () => {
    const operations = Array.from({ length: 1000 }, (_, index) => create(`many-${index}`, complete))
    let isOver = false
    let reads = 0
    const writing = run(operations).finally(() => (isOver = true))
    while (!isOver) {
      if ((await statusOf('many-0')) === 404) reads += 1
    }
    assert.equal((await writing).length, 1000)
    assert.ok(reads >= 3, String(reads))
    assert.equal(await statusOf('many-999'), 200)
  })
})

it('The record limit is exact in a batch', async (test) => {
  const small = await startWorkspace({ maxRecords: 3 })
  test.after(() => small.stop())
  const four = [1, 2, 3, 4].map((n) => create(`r-${n}`))
  assertRefused(await post({ operations: four }, small.admin), 'LIMIT_EXCEEDED', 'operations[3]', 'at most 3')
  const gone = { op: 'delete', id: 'r-1' }
  assert.equal((await run([...four.slice(0, 3), gone, four[3]!], {}, small.admin)).length, 5)
  const statuses = (
    await run(
      [create('r-5'), gone, { op: 'delete', id: 'r-2' }, create('r-6'), create('r-7')],
      { atomic: false },
      small.admin,
    )
  ).map(({ status }) => status)
  assert.deepEqual(statuses, [403, 404, 204, 201, 403])
})
