// Jobs that deliver what has changed, over HTTP. Contract 3 §5, 3 §10.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { getJob, jobFor, makeJob, type RunBody, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { CSV, importFile } from '../../helpers/importing.ts'
import { installPuppet, type Puppet } from '../../helpers/puppet.ts'
import { english, everywhere, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  const { admin } = shop
  for (const id of ['a', 'b', 'c']) await makeShirt(admin, { name: [english(id)], weight: everywhere(5) }, { id })
  await makeShirt(admin, {}, { id: 'b-1', parentId: 'b' })
  await makeShirt(admin, { name: [english('light')], weight: everywhere(1) }, { id: 'light' })
})
after(() => shop.stop())

const isHeavy = { criteria: [{ attributeAlias: 'weight', operator: 'gt', value: '2' }], criteriaOperator: 'and' }
const body = (more: object = {}) =>
  jobFor(puppet, 'deliver', { format: 'jsonl', filenameTemplate: '{runId}', delta: {}, selection: isHeavy, ...more })
const put = async (id: string, values: object) =>
  assert.equal((await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values })).status, 200)
const run = async (id: string): Promise<RunBody> => whenEnded(shop.admin, await trigger(shop.admin, id))
async function told(id: string): Promise<string> {
  const ended = await run(id)
  assert.equal(ended.status, 'success', String(ended.error))
  const lines = puppet.read(ended.id).toString().split('\n').slice(0, -1)
  const rows = lines.map((line) => JSON.parse(line) as { id: string; deleted?: boolean })
  assert.equal(ended.recordCount, rows.length)
  return [ended.kind, ...rows.map(({ id: recordId, deleted }) => (deleted ? `-${recordId}` : recordId))].join(' ')
}

describe('A job with delta', () => {
  it('delivers all, then what changed, variants with their parent, and what is gone or matches no longer', async () => {
    const { id } = await makeJob(shop.admin, body())
    assert.equal(await told(id), 'full a b c b-1')
    assert.equal(await told(id), 'delta')
    await put('b', { name: [english('B')] })
    await put('light', { name: [english('still light')] })
    assert.equal(await told(id), 'delta b b-1')
    await put('a', { weight: everywhere(1) })
    await makeShirt(shop.admin, { weight: everywhere(9) }, { id: 'd' })
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/records/c')).status, 204)
    assert.equal(await told(id), 'delta d -a -c')
    await put('a', { weight: everywhere(5) })
    assert.equal(await told(id), 'delta a')
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/records/d')).status, 204)
    const failing = {
      ...(await getJob(shop.admin, id)),
      destinationConfig: { behaviour: 'permanent', directory: puppet.directory, token: 'x' },
    }
    assert.equal((await send(shop.admin, 'PUT', `${PATH}/${id}`, failing)).status, 200)
    assert.deepEqual([(await run(id)).kind, (await run(id)).status], ['full', 'failed'])
    const mended = { ...failing, destinationConfig: { ...failing.destinationConfig, behaviour: 'deliver' } }
    assert.equal((await send(shop.admin, 'PUT', `${PATH}/${id}`, mended)).status, 200)
    assert.equal(await told(id), 'delta -d')
  })

  it('delivers all again where what its records depend on has changed, with what is gone', async () => {
    const query = { name: 'Q', ...isHeavy }
    await make(shop.admin, '/api/v1/saved-queries', { id: 'sq-delta', ...query })
    const { id } = await makeJob(shop.admin, body({ selection: { savedQueryId: 'sq-delta' }, format: 'jsonl' }))
    assert.equal(await told(id), 'full a b b-1')
    const lightest = {
      name: 'Q',
      criteria: [{ attributeAlias: 'weight', operator: 'lt', value: '2' }],
      criteriaOperator: 'and',
    }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/saved-queries/sq-delta', lightest)).status, 200)
    assert.equal(await told(id), 'delta light -a -b -b-1')
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-new', name: 'New', attributes: [] })
    assert.equal(await told(id), 'delta')
  })

  it('marks in a table what is gone by a last column, and asks for a column with the ID', async () => {
    const columns = [
      { header: 'Name', attributeAlias: 'name', scope: { language: 'en' } },
      { header: 'No', field: 'id' },
    ]
    const refused = await send(shop.admin, 'POST', PATH, body({ format: 'csv', columns: columns.slice(0, 1) }))
    assertRefused(refused, 'VALIDATION_ERROR', "'id'")
    const { id } = await makeJob(shop.admin, body({ format: 'csv', columns, schemaId: 'sch-shirt' }))
    const text = async () => puppet.read((await run(id)).id).toString()
    assert.equal(await text(), 'Name,No\r\na,a\r\nB,b\r\nB,b-1\r\n')
    await put('a', { name: [english('A')] })
    await put('b', { weight: everywhere(1) })
    assert.equal(await text(), 'Name,No,deleted\r\nA,a,\r\n,b,true\r\n,b-1,true\r\n')
    await put('b', { weight: everywhere(5) })
  })

  it('leaves that column its name where an attribute is called so, and an import reads the attribute from its own', async () => {
    const attributes = [{ alias: 'deleted', name: 'Deleted', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-mark', name: 'Mark', attributes })
    const record = (value: string) => ({ id: 'm', schemaId: 'sch-mark', values: { deleted: everywhere(value) } })
    await make(shop.admin, '/api/v1/records', record('no'))
    const { id } = await makeJob(shop.admin, body({ format: 'csv', schemaId: 'sch-mark', selection: null }))
    const [text, header] = [async () => puppet.read((await run(id)).id).toString(), 'updatedAt,values.deleted']
    const full = await text()
    assert.match(full, new RegExp(`${header}\r\nm,.*,no\r\n$`))
    await put('m', { deleted: everywhere('yes') })
    assert.match(await text(), new RegExp(`${header},deleted\r\nm,.*,yes,\r\n$`))
    const back = await importFile(shop.admin, full, 'mode=upsert', CSV)
    assert.deepEqual([back.updated, back.errors], [1, []])
  })

  it('delivers a full file at the matches of fullEvery, which must be a schedule', async () => {
    const bad = await send(shop.admin, 'POST', PATH, body({ delta: { fullEvery: 'often' } }))
    assertRefused(bad, 'VALIDATION_ERROR', 'delta.fullEvery')
    const { id } = await makeJob(shop.admin, body({ delta: { fullEvery: '* * * * * *' } }))
    assert.match(await told(id), /^full/)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.match(await told(id), /^full/)
  })
})
