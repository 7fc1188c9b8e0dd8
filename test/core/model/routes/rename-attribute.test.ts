// Giving an attribute another alias. Contract 3 §2.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { type BulkJobBody, errorsOf, postJob, byIds, untilEnded } from '../../../helpers/bulk-jobs.ts'
import { importFile, lines } from '../../../helpers/importing.ts'
import { over } from '../../../helpers/over.ts'
import { everywhere, make, readAudit, readRecord, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'
import { assertSound } from '../../../helpers/soundness.ts'

/** Jobs stand still before each step while it is closed. */
let gate: { open: () => void; passed: Promise<void> } | undefined
function closeGate(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = { open: resolve, passed: promise }
}
function openGate(): void {
  gate?.open()
  gate = undefined
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace({
    maxRecords: 0,
    testing: { wrapStore: (store) => over(store, { whenCalm: () => gate?.passed ?? Promise.resolve() }) },
  })
})
beforeEach(() => openGate())
after(async () => {
  openGate()
  await shop.stop()
})

const rename = (id: string, from: string, to: string, client = shop.admin) =>
  send<BulkJobBody>(client, 'POST', `/api/v1/schemas/${id}/rename-attribute`, { from, to })
const attributesOf = (id: string) => [
  { alias: 'code', dataType: 'text', unique: true },
  {
    alias: 'size',
    dataType: 'text',
    guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'code', operator: 'isNotEmpty' }] },
  },
  { alias: `only-${id}`, dataType: 'text' },
]
async function makeSchema(id: string, records: number): Promise<void> {
  await make(shop.admin, '/api/v1/schemas', { id, name: id, attributes: attributesOf(id) })
  const file = lines(
    ...Array.from({ length: records }, (_, n) => ({
      id: `${id}-${n}`,
      schemaId: id,
      values: { size: everywhere('M'), ...(n % 2 === 0 && { code: everywhere(`C-${n}`) }) },
    })),
  )
  assert.equal((await importFile(shop.admin, file)).created, records)
}
interface SchemaBody {
  attributes: { alias: string; guard: { criteria: { attributeAlias: string }[] } | null }[]
}
const schemaOf = async (id: string) => (await send<SchemaBody>(shop.admin, 'GET', `/api/v1/schemas/${id}`)).body

describe('POST /api/v1/schemas/:id/rename-attribute', () => {
  it('renames it in values, guards, saved queries and roles', async () => {
    await makeSchema('few', 10)
    const criteria = [{ attributeAlias: 'code', operator: 'equals', value: 'C-4' }]
    const columns = [{ attributeAlias: 'code' }, { field: 'id' }]
    const shown = {
      sort: [{ attributeAlias: 'code' }, { field: 'id' }],
      select: ['size', 'code'],
      view: { columns, group: { attributeAlias: 'code' } },
    }
    const query = { name: 'Q', schemaId: 'few', criteria, criteriaOperator: 'and', ...shown }
    const { id: queryId } = await make<{ id: string }>(shop.admin, '/api/v1/saved-queries', query)
    const role = { id: 'role-few', name: 'Few', permissions: ['records.read'], defaultAttributePermission: 'write' }
    const permissions = (of: object) => ({ ...role, attributePermissions: { few: of, 'sch-shirt': { sku: 'read' } } })
    await make(shop.admin, '/api/v1/roles', permissions({ code: 'read' }))
    await make(shop.admin, '/api/v1/roles', { ...permissions({ code: 'none' }), id: 'role-blind' })

    const answer = await rename('few', 'code', 'number')
    assert.deepEqual([answer.status, answer.body.kind, answer.body.name], [202, 'schema', 'code → number'])
    const job = await untilEnded(shop.admin, answer.body.id)
    assert.deepEqual([job.status, job.selected, job.changed, job.unchanged], ['succeeded', 10, 5, 5])
    const { attributes } = await schemaOf('few')
    assert.deepEqual(
      attributes.map(({ alias }) => alias),
      ['number', 'size', 'only-few'],
    )
    assert.equal(attributes[1]!.guard!.criteria[0]!.attributeAlias, 'number')
    assert.deepEqual((await readRecord(shop.admin, 'few-4')).values, {
      size: everywhere('M'),
      number: everywhere('C-4'),
    })
    const found = await send<{ id: string }[]>(shop.admin, 'POST', `/api/v1/saved-queries/${queryId}/execute`)
    assert.deepEqual(
      found.body.map(({ id }) => id),
      ['few-4'],
    )
    const { body: kept } = await send<typeof query>(shop.admin, 'GET', `/api/v1/saved-queries/${queryId}`)
    assert.deepEqual(
      [kept.sort[0], kept.select, kept.view.columns[0], kept.view.group],
      [
        { attributeAlias: 'number', direction: 'asc' },
        ['size', 'number'],
        { attributeAlias: 'number' },
        { attributeAlias: 'number' },
      ],
    )
    const roleOf = async (id: string) =>
      (await send<{ attributePermissions: object }>(shop.admin, 'GET', `/api/v1/roles/${id}`)).body.attributePermissions
    assert.deepEqual(await roleOf('role-few'), { few: { number: 'read' }, 'sch-shirt': { sku: 'read' } })
    // The history of records has the old alias still: it stays hidden.
    assert.deepEqual(await roleOf('role-blind'), {
      few: { code: 'none', number: 'none' },
      'sch-shirt': { sku: 'read' },
    })

    const [entry] = await readAudit(shop.admin, 'few-4')
    assert.deepEqual(entry!.origin, { kind: 'schema', id: job.id })
    assert.deepEqual(
      entry!.changes.map(({ attributeAlias, oldValue, newValue }) => [attributeAlias, oldValue, newValue]),
      [
        ['code', 'C-4', null],
        ['number', null, 'C-4'],
      ],
    )
    const taken = { schemaId: 'few', values: { number: everywhere('C-4') } }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/records', taken), 'CONFLICT', 'number')
    assertRefused(await send(shop.admin, 'POST', `/api/v1/bulk-jobs/${job.id}/undo`), 'CONFLICT')
  })

  it('of many records goes on while others write, but not the attribute; a reader finds all in the end', async () => {
    await makeSchema('many', 1200)
    closeGate()
    const { body } = await rename('many', 'code', 'number')
    const patch = (values: object) => send(shop.admin, 'PATCH', '/api/v1/records/many-0', { values })
    assertRefused(await patch({ code: everywhere('X') }), 'CONFLICT', 'code')
    assert.equal((await patch({ size: everywhere('L') })).status, 200)
    assertRefused(await rename('many', 'size', 'width'), 'CONFLICT', 'many')
    const definition = { name: 'M', attributes: attributesOf('many') }
    assertRefused(await send(shop.admin, 'PUT', '/api/v1/schemas/many', definition), 'CONFLICT', 'many')
    while (
      (await send<BulkJobBody>(shop.admin, 'GET', `/api/v1/bulk-jobs/${body.id}?wait=1`)).body.status !== 'running'
    );
    assertRefused(await send(shop.admin, 'POST', `/api/v1/bulk-jobs/${body.id}/cancel`), 'CONFLICT', body.id)
    openGate()
    const job = await untilEnded(shop.admin, body.id)
    assert.deepEqual([job.selected, job.changed], [1200, 600])
    const search = {
      criteria: [{ attributeAlias: 'number', operator: 'isNotEmpty' }],
      criteriaOperator: 'and',
      schemaId: 'many',
      limit: 1,
    }
    const found = await send(shop.admin, 'POST', '/api/v1/search', search)
    assert.equal(found.headers.get('x-total-count'), '600')
    assert.equal((await patch({ number: everywhere('X') })).status, 200)
  })

  it('goes on at the next start, and leaves a sound workspace at each moment', async () => {
    const own = await startWorkspace({ maxRecords: 0 })
    await make(own.admin, '/api/v1/schemas', { id: 'own', name: 'Own', attributes: attributesOf('own') })
    const records = Array.from({ length: 1500 }, (_, n) => ({
      schemaId: 'own',
      values: { code: everywhere(`C-${n}`) },
    }))
    await importFile(own.admin, lines(...records))
    const { body } = await send<BulkJobBody>(own.admin, 'POST', '/api/v1/schemas/own/rename-attribute', {
      from: 'code',
      to: 'number',
    })
    for (;;) {
      const { done } = (await send<BulkJobBody>(own.admin, 'GET', `/api/v1/bulk-jobs/${body.id}?wait=1`)).body
      if (done > 0) break
    }
    await own.stop()
    await assertSound(own.dataDir)
    const server = await own.restart()
    const job = await untilEnded(server.admin, body.id)
    assert.deepEqual([job.status, job.changed], ['succeeded', 1500])
    await server.stop()
  })

  it('gives nobody access by what a role still says of a removed attribute, nor to the history of that attribute', async () => {
    const attributes = (...aliases: string[]) => aliases.map((alias) => ({ alias, name: alias, dataType: 'text' }))
    const replaced = async (...aliases: string[]) => {
      const path = '/api/v1/schemas/left?dropValues=true'
      const answer = await send(shop.admin, 'PUT', path, { name: 'L', attributes: attributes(...aliases) })
      assert.equal(answer.status, 200, answer.text)
    }
    await make(shop.admin, '/api/v1/schemas', {
      id: 'left',
      name: 'L',
      attributes: attributes('cost', 'note', 'rate', 'text'),
    })
    const values = { cost: everywhere('12'), rate: everywhere('7 %'), text: everywhere('T') }
    await make(shop.admin, '/api/v1/records', { id: 'left-1', schemaId: 'left', values })
    const rights = (access: string, left: object) => ({
      defaultAttributePermission: access,
      attributePermissions: { left },
    })
    const seeing = await shop.clientWith(['records.read'], rights('none', { note: 'read' }))
    const trailing = await shop.clientWith(
      ['records.read', 'audit.read'],
      rights('read', { rate: 'none', text: 'read' }),
    )
    await replaced('cost', 'text')
    await untilEnded(shop.admin, (await rename('left', 'cost', 'note')).body.id)
    assert.deepEqual((await readRecord(seeing, 'left-1')).values, {})
    await untilEnded(shop.admin, (await rename('left', 'text', 'rate')).body.id)
    assert.ok(!JSON.stringify(await readAudit(trailing, 'left-1')).includes('7 %'))
  })

  it('refuses what cannot be', async () => {
    await makeSchema('odd', 2)
    assertRefused(await rename('nothing', 'code', 'number'), 'NOT_FOUND', 'nothing')
    assertRefused(await rename('odd', 'cod', 'number'), 'VALIDATION_ERROR', "'cod'")
    assertRefused(await rename('odd', 'code', 'code'), 'VALIDATION_ERROR', 'to')
    assertRefused(await rename('odd', 'code', '1'), 'VALIDATION_ERROR', 'to')
    assertRefused(await rename('odd', 'code', 'size'), 'CONFLICT', 'size')
    assertRefused(await rename('odd', 'code', 'number', shop.editor), 'PERMISSION_DENIED', 'model.write')
  })

  it('ends before it has begun where it is cancelled', async () => {
    await makeSchema('idle', 2)
    closeGate()
    const slow = { selection: byIds('idle-0', 'idle-1'), actions: [{ clearValues: { attributeAliases: ['size'] } }] }
    const before = [await postJob(shop.admin, slow), await postJob(shop.admin, slow)]
    for (const { body } of before)
      while (
        (await send<BulkJobBody>(shop.admin, 'GET', `/api/v1/bulk-jobs/${body.id}?wait=1`)).body.status !== 'running'
      );
    const { body } = await rename('idle', 'code', 'number')
    const cancelled = await send<BulkJobBody>(shop.admin, 'POST', `/api/v1/bulk-jobs/${body.id}/cancel`)
    assert.equal(cancelled.body.status, 'cancelled')
    openGate()
    for (const one of before) await untilEnded(shop.admin, one.body.id)
    const patched = await send(shop.admin, 'PATCH', '/api/v1/records/idle-0', { values: { code: everywhere('N') } })
    assert.equal(patched.status, 200)
    assert.deepEqual(await errorsOf(shop.admin, body.id), [])
  })
})
