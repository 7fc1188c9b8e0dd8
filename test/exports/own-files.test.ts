// Tables of own values, imported again, keep files: a cell has the hash of the file beside its name. Contract 3 §5 (`variantValues`), 4 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { ask, uploaded } from '../helpers/files.ts'
import { counts, CSV, importFile } from '../helpers/importing.ts'
import { everywhere, make, type RecordBody, startWorkspace, type Workspace } from '../helpers/shirts.ts'

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-manual',
    name: 'Manuals',
    attributes: [{ alias: 'manual', dataType: 'file', dimensionIds: ['language'] }],
  })
  const manual = await uploaded(shop.admin, 'Read this first.', 'Read this; first.txt')
  const other = await uploaded(shop.admin, 'Lies mich.', 'Lies mich.txt')
  const variant = { id: 'variant', schemaId: 'sch-manual', parentId: 'product' }
  for (const record of [
    { id: 'product', schemaId: 'sch-manual', values: { manual: everywhere(manual) } },
    { ...variant, values: { manual: [{ scope: { language: 'de' }, value: other }] } },
  ])
    await make(shop.admin, '/api/v1/records', record)
})
after(() => shop.stop())

const download = async (members: object) => {
  const body = JSON.stringify({ criteria: [], criteriaOperator: 'and', schemaId: 'sch-manual', ...members })
  const headers = { 'content-type': 'application/json' }
  return (await ask(shop.admin, '/api/v1/records/export', { method: 'POST', body, headers })).bytes
}

const readValues = async () => {
  const { body } = await send<{ items: RecordBody[] }>(shop.admin, 'GET', '/api/v1/records?schemaId=sch-manual')
  return body.items.map(({ id, parentId, values }) => ({ id, parentId, values }))
}

describe('An export of own values', () => {
  for (const [format, type] of [
    ['csv', CSV],
    ['xlsx', SHEET],
  ] as const)
    it(`as ${format} brings files back to the same records`, async () => {
      const first = await readValues()
      const table = await download({ format, variantValues: 'own' })
      assert.deepEqual(counts(await importFile(shop.admin, table, 'mode=upsert', type)), [0, 0, 2, 0])
      for (const { id } of first) await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { manual: [] } })
      assert.deepEqual(counts(await importFile(shop.admin, table, 'mode=upsert', type)), [0, 2, 0, 0])
      assert.deepEqual(await readValues(), first)
    })

  it('has only the names of files for readers of effective values', async () => {
    const [, product, variant] = (await download({ format: 'csv' })).toString().split('\r\n')
    assert.match(product!, /,Read this; first\.txt,?$/)
    assert.match(variant!, /,Lies mich\.txt$/)
  })
})
