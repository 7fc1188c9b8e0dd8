// A store may run the work of a transaction more than once. Here it always does, so that use cases that keep something between
// the runs are found; `TEST_STORE_TWICE=1 npm run test:run` does the same to every server of the tests.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { importFile, lines, sendImport } from '../helpers/importing.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { runTwice } from '../helpers/twice-store.ts'

const text = (value: string) => [{ scope: {}, value }]

describe('On a store that runs each transaction twice', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ maxRecords: 6, testing: { wrapStore: runTwice } })
    const attributes = [
      { alias: 'sku', dataType: 'text', unique: true },
      { alias: 'name', dataType: 'text' },
    ]
    await ask('POST', '/api/v1/schemas', 201, { id: 'sch-a', name: 'A', attributes })
  })
  after(() => server.stop())

  async function ask<Body>(method: string, path: string, status: number, body?: unknown): Promise<Body> {
    const answer = await send<Body>(server.admin, method, path, body)
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }

  const importAll = async (records: readonly object[], dryRun: boolean): Promise<number[]> => {
    const query = `mode=upsert&duplicates=last&schemaId=sch-a&dryRun=${dryRun}`
    const { created, updated, unchanged, failed } = await importFile(server.admin, lines(...records), query)
    return [created, updated, unchanged, failed]
  }

  it('records are made, changed, moved and deleted once, each with one entry in the trail', async () => {
    const made = await ask<{ id: string }>('POST', '/api/v1/records', 201, {
      schemaId: 'sch-a',
      values: { sku: text('1'), name: text('One') },
    })
    await ask('PUT', `/api/v1/records/${made.id}`, 200, { values: { sku: text('2') } })
    await ask('PATCH', `/api/v1/records/${made.id}/values/name`, 200, { scopedValues: text('Two') })
    await ask('POST', `/api/v1/records/${made.id}/transition`, 200, { transitionId: 'tr-submit' })
    await ask('DELETE', `/api/v1/records/${made.id}`, 204)
    const trail = await ask<{ action: string; version: number }[]>('GET', `/api/v1/records/${made.id}/audit`, 200)
    assert.deepEqual(
      trail.map(({ action }) => action),
      ['delete', 'transition', 'update', 'update', 'create'],
    )
    const versions = trail.map(({ version }) => version)
    assert.deepEqual(
      versions,
      versions.map((_, index) => versions[0]! - index),
    )
  })

  it('an import, its rehearsal and the limit of records come out as on any other', async () => {
    const records = [
      { id: 'ent-1', values: { sku: text('1') } },
      { id: 'ent-2', parentId: 'ent-1', values: { sku: text('2') } },
      { id: 'ent-1', values: { sku: text('3') } },
      { id: 'ent-3', values: { sku: text('1') } },
      { id: 'ent-4', values: { sku: text('2') } },
      { id: 'ent-3', values: { sku: text('1') } },
    ]
    assert.deepEqual(await importAll(records, true), [3, 1, 1, 1])
    assert.deepEqual(await importAll(records, false), [3, 1, 1, 1])
    const more = Array.from({ length: 5 }, (_, index) => ({ id: `ent-m${index}`, values: {} }))
    assert.deepEqual(await importAll(more, true), [5, 0, 0, 0])
    const query = 'schemaId=sch-a'
    assert.equal((await sendImport(server.admin, lines(...more), { query })).status, 403)
    // A line that is too long to wait for the others.
    const long = { id: 'ent-long', values: { sku: text('x'.repeat(70_000)) } }
    assert.deepEqual(await importAll([long, ...more], false), [3, 0, 0, 3])
  })

  it('a definition is replaced, with the values that it drops, and a category goes with its assignments', async () => {
    await ask('POST', '/api/v1/catalogs', 201, { id: 'cat-1', name: 'Web' })
    await ask('POST', '/api/v1/catalogs/cat-1/categories', 201, { id: 'ctg-1', name: 'All' })
    await ask('PUT', '/api/v1/records/ent-1/categories', 200, [{ categoryId: 'ctg-1' }])
    await ask('DELETE', '/api/v1/categories/ctg-1', 204)
    assert.deepEqual(await ask('GET', '/api/v1/records/ent-1/categories', 200), [])
    const attributes = [{ alias: 'name', dataType: 'text' }]
    await ask('PUT', '/api/v1/schemas/sch-a?dropValues=true', 200, { name: 'A', attributes })
    const { values } = await ask<{ values: object }>('GET', '/api/v1/records/ent-1', 200)
    assert.deepEqual(values, {})
    const trail = await ask<{ action: string }[]>('GET', '/api/v1/records/ent-1/audit', 200)
    assert.equal(trail.length, 5)
  })
})
