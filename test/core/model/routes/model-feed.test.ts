// Changes of the model in GET /api/v1/changes: alone, in one order with those of records, and without what a role may not read.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../../helpers/answers.ts'
import { runJob } from '../../../helpers/bulk-jobs.ts'
import type { Client } from '../../../helpers/client.ts'
import { make, makeShirt, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface Entry {
  entityType?: string
  entityId: string
  action: string
  userId: string
  changes: { field: string; oldValue: unknown; newValue: unknown }[]
  origin: { kind: string; id?: string }
}
interface Feed {
  items: Entry[]
  cursor: string
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

async function read(client: Client, query: string): Promise<Feed> {
  const answer = await send<Feed>(client, 'GET', `/api/v1/changes${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const latest = async () => (await read(shop.admin, '?after=latest')).cursor
const told = ({ entityType, action, entityId }: Entry) => `${action} ${entityType} ${entityId}`
const ok = async (method: 'PUT' | 'DELETE' | 'POST', path: string, body?: unknown): Promise<void> => {
  const answer = await send(shop.admin, method, `/api/v1/${path}`, body)
  assert.ok(answer.status < 300, answer.text)
}
const schemaWith = (...aliases: string[]) => ({
  id: 'sch-fed',
  name: 'Fed',
  attributes: aliases.map((alias) => ({ alias, dataType: 'text' })),
})

describe('GET /api/v1/changes?entityType=model', () => {
  it('has every change of the model, in the order of commits, with who did it', async () => {
    const after = await latest()
    await make(shop.admin, '/api/v1/dimensions', { id: 'dim-fed', name: 'F', segments: [{ id: 'a', name: 'A' }] })
    await ok('PUT', 'dimensions/dim-fed', { name: 'G', segments: [{ id: 'a', name: 'A' }] })
    await ok('DELETE', 'dimensions/dim-fed')
    const workflow = { name: 'W', initialStateId: 's', states: [{ id: 's', name: 'S' }], transitions: [] }
    await make(shop.admin, '/api/v1/workflows', { id: 'wf-fed', ...workflow })
    await ok('PUT', 'workflows/wf-fed', { ...workflow, name: 'V' })
    await ok('DELETE', 'workflows/wf-fed')
    await make(shop.admin, '/api/v1/schemas', schemaWith('a'))
    await ok('PUT', 'schemas/sch-fed', schemaWith('a', 'b'))
    await ok('DELETE', 'schemas/sch-fed')
    await make(shop.admin, '/api/v1/roles', { id: 'role-fed', name: 'R', permissions: [] })
    await ok('PUT', 'roles/role-fed', { name: 'R', permissions: ['records.read'] })
    await ok('DELETE', 'roles/role-fed')
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-fed', name: 'C' })
    await ok('PUT', 'catalogs/cat-fed', { name: 'D' })
    await make(shop.admin, '/api/v1/catalogs/cat-fed/categories', { id: 'ctg-fed', name: 'C' })
    await ok('PUT', 'categories/ctg-fed', { name: 'D' })
    await ok('DELETE', 'categories/ctg-fed')
    await ok('DELETE', 'catalogs/cat-fed')
    const { items } = await read(shop.admin, `?entityType=model&after=${after}`)
    const [three, two] = [
      ['create', 'update', 'delete'],
      ['create', 'update'],
    ]
    const of = (actions: string[], what: string) => actions.map((action) => `${action} ${what}`)
    assert.deepEqual(items.map(told), [
      ...of(three, 'dimension dim-fed'),
      ...of(three, 'workflow wf-fed'),
      ...of(three, 'schema sch-fed'),
      ...of(three, 'role role-fed'),
      ...of(two, 'catalog cat-fed'),
      ...of(three, 'category ctg-fed'),
      'delete catalog cat-fed',
    ])
    const me = (await send<{ id: string }>(shop.admin, 'GET', '/api/v1/me')).body
    assert.deepEqual([...new Set(items.map(({ userId }) => userId))], [me.id])
    assert.deepEqual(items[1]!.changes, [{ field: 'name', oldValue: 'F', newValue: 'G' }])
    const [added, ...more] = items[7]!.changes
    assert.deepEqual([added!.field, added!.oldValue, more], ['attributes.b', null, []])
  })

  it('stands in one order with records where both are asked for, and apart from them where not', async () => {
    const after = await latest()
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-1', name: 'C' })
    const { id } = await makeShirt(shop.admin, {})
    await ok('PUT', 'catalogs/cat-1', { name: 'D' })
    const both = await read(shop.admin, `?entityType=record,model&after=${after}`)
    const expected = ['create catalog cat-1', `create record ${id}`, 'update catalog cat-1']
    assert.deepEqual(both.items.map(told), expected)
    assert.equal(both.cursor, await latest())
    const paged: string[] = []
    let page = await read(shop.admin, `?entityType=model,record&limit=1&before=latest`)
    while (paged.length < 3) {
      paged.push(...page.items.map(told))
      page = await read(shop.admin, `?entityType=model,record&limit=1&before=${page.cursor}`)
    }
    assert.deepEqual(paged, expected.toReversed())
    const records = await read(shop.admin, `?after=${after}`)
    assert.deepEqual(records.items.map(told), [`create undefined ${id}`])
  })

  it('says of an export job what clients see of it, and of a change of its secret only that there is one', async () => {
    const after = await latest()
    const headers = { Authorization: 'the secret of the job' }
    const job = {
      name: 'J',
      destinationType: 'webhook',
      format: 'csv',
      schedule: '0 0 1 1 *',
      filenameTemplate: 'x.csv',
      destinationConfig: { url: 'http://example.com/', headers },
      includeVariants: false,
      compress: false,
      active: false,
    }
    await make(shop.admin, '/api/v1/export-jobs', { id: 'job-fed', ...job })
    headers.Authorization = 'another secret'
    await ok('PUT', 'export-jobs/job-fed', job)
    await ok('POST', 'export-jobs/job-fed/resume')
    await ok('DELETE', 'export-jobs/job-fed')
    const { items } = await read(shop.admin, `?entityType=model&after=${after}`)
    assert.deepEqual(items.map(told), [
      'create exportJob job-fed',
      'update exportJob job-fed',
      'update exportJob job-fed',
      'delete exportJob job-fed',
    ])
    assert.deepEqual(items[1]!.changes, [])
    assert.deepEqual(items[2]!.changes, [{ field: 'active', oldValue: false, newValue: true }])
    assert.doesNotMatch(JSON.stringify(items), /secret/)
  })

  it('says that a job has renamed an attribute', async () => {
    await make(shop.admin, '/api/v1/schemas', schemaWith('old'))
    const after = await latest()
    const renaming = { from: 'old', to: 'new' }
    const { body } = await send<{ id: string }>(
      shop.admin,
      'POST',
      '/api/v1/schemas/sch-fed/rename-attribute',
      renaming,
    )
    await send(shop.admin, 'GET', `/api/v1/bulk-jobs/${body.id}?wait=20`)
    const { items } = await read(shop.admin, `?entityType=model&after=${after}&wait=20`)
    assert.deepEqual(items.map(told), ['update schema sch-fed'])
    assert.deepEqual(items[0]!.origin, { kind: 'schema', id: body.id })
    assert.deepEqual(items[0]!.changes.map(({ field }) => field).sort(), ['attributes.new', 'attributes.old'])
  })

  it('hides what the role may not read where it is', async () => {
    const after = await latest()
    await make(shop.admin, '/api/v1/roles', { id: 'role-seen', name: 'R', permissions: [] })
    const guard = {
      criteriaOperator: 'and',
      criteria: [{ attributeAlias: 'secret', operator: 'equals', value: 'the hidden value' }],
    }
    const attributes = [
      { alias: 'secret', dataType: 'text' },
      { alias: 'guarded', dataType: 'text', guard },
    ]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-hidden', name: 'H', attributes })
    const hidden = { attributePermissions: { 'sch-hidden': { secret: 'none' } } }
    const auditor = await shop.clientWith(['audit.read'])
    const modeller = await shop.clientWith(['audit.read', 'model.read'], hidden)
    const query = `?entityType=model&after=${after}&limit=2`
    assert.deepEqual(
      (await read(auditor, query)).items.map(({ changes }) => changes),
      [[], []],
    )
    const [role, schema] = (await read(modeller, query)).items
    assert.deepEqual(role!.changes, [])
    assert.equal(schema!.changes.find(({ field }) => field === 'attributes.guarded') !== undefined, true)
    assert.doesNotMatch(JSON.stringify(schema), /the hidden value/)
    assert.match(JSON.stringify((await read(shop.admin, query)).items), /the hidden value/)
    const reader = await shop.clientWith(['records.read'])
    const [note] = (await read(reader, query)).items
    assert.deepEqual(Object.keys(note!), ['entityId', 'action', 'timestamp'])
  })

  it('has no export runs and no bulk jobs, which stand in the same order', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const after = await latest()
    await runJob(shop.admin, { selection: { ids: [id] }, actions: [{ delete: true }] })
    assert.deepEqual((await read(shop.admin, `?entityType=model&after=${after}`)).items, [])
    assert.equal((await read(shop.admin, `?entityType=record,model&after=${after}`)).items.length, 1)
  })
})
