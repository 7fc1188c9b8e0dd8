// Which records a job exports, in which order and in which columns, over HTTP. Contract 3 §5, 3 §9.6, 3 §10.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import type { Client } from '../../helpers/client.ts'
import {
  getJob,
  type JobBody,
  jobFor,
  makeJob,
  type RunBody,
  runOnce,
  trigger,
  whenEnded,
} from '../../helpers/export-jobs.ts'
import { eventually, installPuppet, type Puppet, puppetIn } from '../../helpers/puppet.ts'
import { complete, english, everywhere, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { readSheet } from '../../helpers/workbook.ts'

const PATH = '/api/v1/export-jobs'
const FEED = '/api/v1/changes?entityType=model&before=latest&limit=9'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  const { admin } = shop
  await make(admin, '/api/v1/catalogs', { id: 'web', name: 'Web' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'men', name: 'Men' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'tees', name: 'Tees', parentId: 'men' })
  await makeShirt(admin, { ...complete, weight: everywhere(3), sku: everywhere('S-3') }, { id: 'heavy' })
  await makeShirt(admin, { name: [english('Red')], color: everywhere('red') }, { id: 'red', parentId: 'heavy' })
  await makeShirt(
    admin,
    { name: [english('Light')], weight: everywhere(1.5), price: everywhere({ amount: 9, currency: 'EUR' }) },
    { id: 'light' },
  )
  await make(admin, '/api/v1/records', { id: 'plain', schemaId: 'sch-plain', values: { title: everywhere('T') } })
  assert.equal((await send(admin, 'PUT', '/api/v1/records/heavy/categories', [{ categoryId: 'tees' }])).status, 200)
})
after(() => shop.stop())

const body = (more: object = {}) => jobFor(puppet, 'deliver', { format: 'jsonl', filenameTemplate: '{runId}', ...more })
const has = (attributeAlias: string, operator: string, value?: string) => ({ attributeAlias, operator, value })
const search = (...criteria: object[]) => ({ criteria, criteriaOperator: 'and' })

async function exported(more: object): Promise<Buffer> {
  const run = await runOnce(shop.admin, body(more))
  assert.equal(run.status, 'success', String(run.error))
  return puppet.read(run.id)
}
const ids = async (more: object): Promise<string> =>
  (await exported(more))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id)
    .join(' ')

describe('The selection of an export job', () => {
  it('is what its search finds, within its plain rules', async () => {
    const isHeavy = search(has('weight', 'gte', '2'))
    assert.equal(await ids({ selection: isHeavy }), 'heavy red')
    const rules = { includeVariants: false, catalogId: 'web', includeLifecycleStateIds: ['state-draft'] }
    assert.equal(await ids({ selection: isHeavy, ...rules }), 'heavy')
    assert.equal(await ids({ selection: { ...search(), schemaId: 'sch-plain' }, schemaId: 'sch-shirt' }), '')
    // What it asks of one schema, the other one need not have.
    assert.equal(await ids({ selection: { ...isHeavy, schemaId: 'sch-shirt' }, schemaId: 'sch-plain' }), '')
    assert.equal(await ids({ selection: { ...search(), text: 'light' } }), 'light')
    assert.equal(
      await ids({
        selection: { criteria: [has('color', 'equals', 'red'), has('weight', 'lt', '2')], criteriaOperator: 'or' },
      }),
      'red light',
    )
    const complete100 = { field: 'completeness', operator: 'equals', value: 100 }
    assert.equal(
      await ids({ selection: { ...search(complete100), stateId: 'state-published', schemaId: 'sch-shirt' } }),
      'heavy red',
    )
  })

  it('is in the order of its sort', async () => {
    const byWeight = [{ attributeAlias: 'weight', direction: 'desc' }]
    assert.equal(await ids({ sort: byWeight, schemaId: 'sch-shirt' }), 'heavy red light')
    assert.equal(await ids({ sort: [{ field: 'id' }] }), 'heavy light plain red')
  })

  it('may be a saved query, which cannot be deleted meanwhile, and follows what becomes of it', async () => {
    const query = '/api/v1/saved-queries/sq-1'
    await make(shop.admin, '/api/v1/saved-queries', { id: 'sq-1', name: 'Light', ...search(has('weight', 'lt', '2')) })
    const job = await makeJob(shop.admin, body({ id: 'job-saved', selection: { savedQueryId: 'sq-1' } }))
    assert.deepEqual(job.selection, { savedQueryId: 'sq-1' })
    const run = async () => puppet.read((await whenEnded(shop.admin, await trigger(shop.admin, job.id))).id).toString()
    assert.match(await run(), /^\{"id":"light"[^\n]*\n$/)
    assertRefused(await send(shop.admin, 'DELETE', query), 'CONFLICT', "'job-saved'")
    const changed = { name: 'Red', ...search(has('color', 'equals', 'red')) }
    assert.equal((await send(shop.admin, 'PUT', query, changed)).status, 200)
    assert.match(await run(), /^\{"id":"red"[^\n]*\n$/)
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/job-saved`)).status, 204)
    assert.equal((await send(shop.admin, 'DELETE', query)).status, 204)
  })

  it('is sent back as it was read where the owner of the query has made it private since', async () => {
    const mine = { id: 'sq-own', name: 'Own', ...search(has('weight', 'lt', '2')) }
    await make(shop.editor, '/api/v1/saved-queries', mine)
    const job = await makeJob(shop.admin, body({ id: 'job-own', selection: { savedQueryId: 'sq-own' } }))
    const hidden = { ...mine, visibility: 'private' }
    assert.equal((await send(shop.editor, 'PUT', '/api/v1/saved-queries/sq-own', hidden)).status, 200)
    const back = await send(shop.admin, 'PUT', `${PATH}/job-own`, job)
    assert.equal(back.status, 200, back.text)
    const another = await send(shop.admin, 'POST', PATH, body({ selection: { savedQueryId: 'sq-own' } }))
    assertRefused(another, 'VALIDATION_ERROR', "'sq-own'")
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/job-own`)).status, 204)
  })

  it('must fit the model and the role of its writer', async () => {
    const refused = async (more: object, status: 400 | 403, named: string, client = shop.admin) =>
      assertRefused(
        await send(client, 'POST', PATH, body(more)),
        status === 400 ? 'VALIDATION_ERROR' : 'PERMISSION_DENIED',
        named,
      )
    await refused({ selection: { savedQueryId: 'none' } }, 400, 'selection.savedQueryId')
    await refused({ selection: { savedQueryId: 'x', criteria: [] } }, 400, 'criteria')
    await refused({ selection: { ...search(), limit: 3 } }, 400, 'limit')
    await refused({ selection: search(has('unknown', 'isEmpty')) }, 400, 'unknown')
    await refused({ selection: search('********' as unknown as object) }, 400, 'selection.criteria[0]')
    await refused({ sort: [{ attributeAlias: 'unknown' }] }, 400, 'unknown')
    await refused({ columns: [{ header: 'A', attributeAlias: 'unknown' }] }, 400, 'unknown')
    await refused({ columns: [{ header: 'A', categoryPath: 'none' }] }, 400, 'none')
    await refused({ sheet: 'a/b' }, 400, 'sheet')
    await refused({ sheet: 'x'.repeat(32) }, 400, 'sheet')
    await refused({ delimiter: '"' }, 400, 'delimiter')
    await refused({ delimiter: '##' }, 400, 'delimiter')
    await refused({ separator: '' }, 400, 'separator')
    const clerk = await shop.clientWith(['exportJobs.write', 'exportJobs.read', 'records.read'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    await refused({ selection: search(has('price', 'gt', '1')) }, 403, 'price', clerk)
    await refused({ sort: [{ attributeAlias: 'price' }] }, 403, 'price', clerk)
    await refused({ columns: [{ header: 'A', attributeAlias: 'price' }] }, 403, 'price', clerk)
  })

  it('may be a saved query, whose search nobody changes who may read less than the owner of the job', async () => {
    const { id: recordId } = await makeShirt(shop.admin, { toString: everywhere('the secret') })
    const query = { id: 'sq-lent', name: 'Lent', schemaId: 'sch-shirt', ...search() }
    await make(shop.admin, '/api/v1/saved-queries', query)
    const { id } = await makeJob(shop.admin, body({ selection: { savedQueryId: 'sq-lent' } }))
    const permissions = ['savedQueries.write', 'exportJobs.read', 'records.read'] as const
    const hidden = { attributePermissions: { 'sch-shirt': { toString: 'none' } } }
    const [guesser, other] = [await shop.clientWith(permissions, hidden), await shop.clientWith(permissions)]
    const put = (client: Client, more: object) =>
      send(client, 'PUT', '/api/v1/saved-queries/sq-lent', { ...query, ...more })
    const isIncluded = async () => {
      const asked = { entityId: recordId }
      return (await send<{ included: boolean }>(guesser, 'POST', `${PATH}/${id}/explain`, asked)).body.included
    }
    for (const text of ['secret', 'other']) {
      assertRefused(await put(guesser, { text }), 'PERMISSION_DENIED', id)
      assert.equal(await isIncluded(), true)
    }
    assert.equal((await put(guesser, { name: 'Named' })).status, 200)
    assert.equal((await put(other, { text: 'none of these' })).status, 200)
    assert.equal(await isIncluded(), false)
  })

  it('shows placeholders for criteria on hidden attributes, which a PUT sends back; a run for whoever took it over says what the role may not read', async () => {
    const hidden = has('price', 'gt', '10')
    const { id } = await makeJob(shop.admin, body({ selection: search(hidden, has('weight', 'gt', '1')) }))
    const clerk = await shop.clientWith(['exportJobs.write', 'exportJobs.read', 'records.read'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    const seen = await getJob(clerk, id)
    assert.deepEqual((seen.selection as { criteria: unknown[] }).criteria, ['********', has('weight', 'gt', '1')])
    assert.equal((await send(clerk, 'PUT', `${PATH}/${id}`, { ...seen, name: 'Renamed' })).status, 200)
    assert.deepEqual((await getJob(shop.admin, id)).selection, search(hidden, has('weight', 'gt', '1')))
    assert.equal((await whenEnded(shop.admin, await trigger(shop.admin, id))).status, 'success')
    const wider = { ...(await getJob(clerk, id)), includeVariants: !seen.includeVariants }
    assert.equal((await send(clerk, 'PUT', `${PATH}/${id}`, wider)).status, 200)
    const run = await whenEnded(shop.admin, await trigger(shop.admin, id))
    assert.match(String(run.error), /may not read the attribute 'price'/)
  })
})

describe('Texts for values of a hidden attribute in an export job', () => {
  const template = '{color|map:{red:Rot}} shirt'
  const columns = [
    { header: 'Colour', attributeAlias: 'color', map: { red: 'Rot' } },
    { header: 'Both', template },
    { header: 'SKU', attributeAlias: 'sku', map: { 'S-3': 'three' } },
  ]
  const masked = [{ ...columns[0], map: '********' }, { header: 'Both', template: '********' }, columns[2]]

  it('are placeholders, also in lists and in changes, and stay as they were where a PUT sends these back', async () => {
    const { id } = await makeJob(shop.admin, body({ columns, schemaId: 'sch-shirt' }))
    const clerk = await shop.clientWith(['exportJobs.write', 'exportJobs.read', 'records.read', 'audit.read'], {
      attributePermissions: { 'sch-shirt': { color: 'none' } },
    })
    const seen = await getJob(clerk, id)
    assert.deepEqual(seen.columns, masked)
    const listed = await send<JobBody[]>(clerk, 'GET', PATH)
    assert.deepEqual(listed.body.find((job) => job.id === id)?.columns, masked)
    assert.deepEqual((await getJob(shop.admin, id)).columns, columns)
    const put = (client: Client, more: object) => send<JobBody>(client, 'PUT', `${PATH}/${id}`, { ...seen, ...more })
    const renamed = await put(clerk, { name: 'Renamed' })
    assert.deepEqual([renamed.status, renamed.body.name, renamed.body.ownerId], [200, 'Renamed', 'key-bootstrap'])
    assert.deepEqual((await getJob(shop.admin, id)).columns, columns)
    assertRefused(await put(clerk, { columns: masked.slice(0, 2) }), 'PERMISSION_DENIED', 'color')
    const elsewhere = { destinationConfig: { ...seen.destinationConfig, token: 'another' } }
    for (const more of [{ includeVariants: !seen.includeVariants }, elsewhere])
      assertRefused(await put(clerk, more), 'PERMISSION_DENIED', 'color')
    assert.deepEqual((await put(shop.admin, { columns: masked.toReversed() })).body.columns, columns.toReversed())
    for (const client of [clerk, shop.admin]) {
      const { body: feed } = await send<{ items: { entityId: string }[] }>(client, 'GET', FEED)
      const told = JSON.stringify(feed.items.filter(({ entityId }) => entityId === id))
      assert.deepEqual([told.includes('Rot'), told.includes('columns')], [client === shop.admin, true])
    }
  })

  it('have placeholders that stand for nothing else', async () => {
    const { id } = await makeJob(shop.admin, body({ columns, schemaId: 'sch-shirt' }))
    const seen = await getJob(shop.admin, id)
    for (const [column, named] of [
      [{ header: 'Colour', attributeAlias: 'sku', map: '********' }, 'columns[0].map'],
      [{ header: 'New', attributeAlias: 'color', map: '********' }, 'columns[0].map'],
      [{ header: 'SKU', template: '********' }, 'columns[0].template'],
    ] as const)
      assertRefused(
        await send(shop.admin, 'PUT', `${PATH}/${id}`, { ...seen, columns: [column] }),
        'VALIDATION_ERROR',
        named,
      )
    const asked = { ...search(), format: 'csv', columns: [masked[0]] }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/records/export', asked), 'VALIDATION_ERROR', 'columns[0].map')
  })

  it('stay with their schema: for another one, whose attribute the caller may read, placeholders stand for nothing', async () => {
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-tinted',
      name: 'Tinted',
      attributes: [{ alias: 'color', name: 'Colour', dataType: 'text' }],
    })
    const hidden = has('color', 'equals', 'red')
    const job = { columns: columns.slice(0, 2), selection: { ...search(hidden), schemaId: 'sch-shirt' } }
    const { id } = await makeJob(shop.admin, body({ ...job, schemaId: 'sch-shirt' }))
    const clerk = await shop.clientWith(['exportJobs.write', 'exportJobs.read', 'records.read'], {
      attributePermissions: { 'sch-shirt': { color: 'none' } },
    })
    const seen = await getJob(clerk, id)
    const before = await getJob(shop.admin, id)
    const selection = { ...(seen.selection as object), schemaId: 'sch-tinted' }
    for (const [more, named] of [
      [{ schemaId: 'sch-tinted', selection: null, columns: masked.slice(0, 1) }, 'columns[0].map'],
      [{ schemaId: 'sch-tinted', selection: null, columns: masked.slice(1, 2) }, 'columns[0].template'],
      [{ columns: null, selection }, 'selection.criteria[0]'],
    ] as const) {
      const sent = { ...seen, ...more }
      assertRefused(await send(clerk, 'PUT', `${PATH}/${id}`, sent), 'VALIDATION_ERROR', named, 'schemaId')
      const draft = await send(clerk, 'POST', `${PATH}/preview`, { ...sent, limit: 1 })
      assertRefused(draft, 'VALIDATION_ERROR', named, 'schemaId')
    }
    assert.deepEqual(await getJob(shop.admin, id), before)
  })
})

describe('The columns of an export job', () => {
  const columns = [
    { header: 'No', field: 'id' },
    { header: 'Preis', attributeAlias: 'price', part: 'amount' },
    { header: 'Währung', attributeAlias: 'price', part: 'currency' },
    { header: 'kg', attributeAlias: 'weight' },
    { header: 'Name', attributeAlias: 'name', scope: { language: 'en' } },
    { header: 'Weg', categoryPath: 'web' },
    { header: 'Farbe', attributeAlias: 'color', map: { red: 'rot' } },
    { header: 'Shop', constant: '=1' },
    { header: 'Seit', field: 'createdAt' },
  ]
  const shirts = { schemaId: 'sch-shirt', columns }

  it('are those of a csv, as its dialect and spreadsheetSafe have it', async () => {
    const csv = { ...shirts, format: 'csv', delimiter: ';', decimal: ',', bom: true, spreadsheetSafe: true }
    const [header, heavy, red] = (await exported(csv)).toString().split('\r\n')
    assert.equal(header, '\uFEFFNo;Preis;Währung;kg;Name;Weg;Farbe;Shop;Seit')
    assert.match(heavy!, /^heavy;20;EUR;3;Shirt;Men\/Tees;;'=1;20/)
    assert.match(red!, /^red;20;EUR;3;Red;Men\/Tees;rot;'=1;20/)
    assert.match((await exported({ ...csv, variantValues: 'own' })).toString(), /\r\nred;;;;Red;;rot;/)
  })

  it('are those of a workbook, with typed cells on the sheet of that name', async () => {
    const table = await readSheet(
      await exported({ ...shirts, format: 'xlsx', sheet: 'Hemden', includeVariants: false }),
    )
    assert.deepEqual(
      table[0],
      columns.map(({ header }) => header),
    )
    assert.deepEqual(table[1]!.slice(0, 8), ['heavy', 20, 'EUR', 3, 'Shirt', 'Men/Tees', null, '=1'])
    assert.ok(table[1]![8] instanceof Date)
    assert.deepEqual(table[2]!.slice(0, 5), ['light', 9, 'EUR', 1.5, 'Light'])
  })

  it('and the selection fail a run, naming the attribute that is gone', async () => {
    const attributes = [{ alias: 'old', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-old', name: 'Old', attributes })
    const column = { header: 'A', attributeAlias: 'old' }
    const job = await makeJob(shop.admin, body({ format: 'csv', schemaId: 'sch-old', columns: [column] }))
    const selection = search(has('old', 'isNotEmpty'))
    const selecting = await makeJob(shop.admin, body({ selection: { ...selection, schemaId: 'sch-old' } }))
    assert.equal(
      (await send(shop.admin, 'PUT', '/api/v1/schemas/sch-old', { name: 'Old', attributes: [] })).status,
      200,
    )
    for (const [{ id }, fault] of [
      [job, /^columns\[0\].*'old'/],
      [selecting, / selection\.criteria\[0\]\.attributeAlias names the unknown attribute 'old'$/],
    ] as const) {
      const run = await whenEnded(shop.admin, await trigger(shop.admin, id))
      assert.deepEqual([run.status, run.recordCount], ['failed', null])
      assert.match(String(run.error), fault)
    }
  })

  it('follow an attribute that is renamed, as the selection and the order do', async () => {
    const attributes = [{ alias: 'title', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-names', name: 'Names', attributes })
    const of = (alias: string) => ({
      columns: [
        { header: 'A', attributeAlias: alias },
        { header: 'B', template: `title: { ${alias} | upper }, {parent.${alias}[language=de]}` },
      ],
      sort: [{ attributeAlias: alias, direction: 'asc' }],
      selection: { ...search({ ...search(has(alias, 'isNotEmpty')) }), schemaId: 'sch-names' },
    })
    const { id } = await makeJob(shop.admin, body({ schemaId: 'sch-names', ...of('title') }))
    const renaming = { from: 'title', to: 'label' }
    assert.equal((await send(shop.admin, 'POST', '/api/v1/schemas/sch-names/rename-attribute', renaming)).status, 202)
    const { columns: named, sort, selection } = await untilRenamed(id)
    assert.deepEqual(
      JSON.parse(JSON.stringify({ columns: named, sort, selection })),
      JSON.parse(JSON.stringify(of('label'))),
    )
  })

  it('follow it during a run that waits for others', async () => {
    const attributes = [{ alias: 'title', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-late', name: 'Late', attributes })
    const values = { title: everywhere('T') }
    await make(shop.admin, '/api/v1/records', { id: 'late', schemaId: 'sch-late', values })
    const columns = [{ header: 'A', attributeAlias: 'title' }]
    const { id } = await makeJob(shop.admin, body({ schemaId: 'sch-late', columns }))
    const others = await occupy()
    const run = await trigger(shop.admin, id)
    const renaming = { from: 'title', to: 'label' }
    assert.equal((await send(shop.admin, 'POST', '/api/v1/schemas/sch-late/rename-attribute', renaming)).status, 202)
    await untilRenamed(id)
    await others.go()
    assert.equal((await whenEnded(shop.admin, run)).error, null)
    assert.equal(puppet.read(run.id).toString(), '{"A":"T"}\n')
  })
})

/** Triggers as many runs as go on at the same time. They wait for `go()`. */
async function occupy(): Promise<{ go(): Promise<void> }> {
  const stage = puppetIn(makeTempDirectory())
  const runs: RunBody[] = []
  for (let index = 0; index < 4; index += 1)
    runs.push(await trigger(shop.admin, (await makeJob(shop.admin, jobFor(stage, 'waits'))).id))
  await eventually(() => stage.log().length === runs.length)
  const go = async (): Promise<void> => {
    stage.go()
    for (const run of runs) await whenEnded(shop.admin, run)
  }
  return { go }
}

async function untilRenamed(id: string): Promise<JobBody> {
  for (;;) {
    const job = await getJob(shop.admin, id)
    if (JSON.stringify(job.columns).includes('label')) return job
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('POST /api/v1/export-jobs/:id/preview', () => {
  it('shows what the job selects, of a workbook as csv', async () => {
    const selection = search(has('weight', 'lt', '2'))
    const job = await makeJob(shop.admin, body({ format: 'xlsx', selection, columns: [{ header: 'No', field: 'id' }] }))
    const response = await fetch(`${shop.url}${PATH}/${job.id}/preview`, {
      method: 'POST',
      headers: shop.admin.headers,
    })
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(await response.text(), 'No\r\nlight\r\n')
  })
})
