// A real catalogue, with its gaps and oddities, through the whole service.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from './helpers/answers.ts'
import {
  loadRealCatalogue,
  readRealCatalogue,
  type RealCatalogue,
  withRealCatalogue,
} from './helpers/real-catalogue.ts'
import { startServer, type TestServer } from './helpers/server.ts'
import { type CompletenessBody, readAudit, readRecord, type RecordBody } from './helpers/shirts.ts'

describe('The real catalogue', withRealCatalogue, () => {
  let server: TestServer
  let catalogue: RealCatalogue
  let refused: Awaited<ReturnType<typeof loadRealCatalogue>>
  let listed: RecordBody[]

  before(async () => {
    catalogue = readRealCatalogue()
    server = await startServer()
    refused = await loadRealCatalogue(server.admin, catalogue)
    listed = await listAll()
    server = await server.restart()
  })
  after(() => server.stop())

  async function listAll(): Promise<RecordBody[]> {
    const page = await send<{ items: RecordBody[] }>(server.admin, 'GET', '/api/v1/records?limit=1000')
    return page.body.items
  }

  it('breaks one of its own rules once, which is refused, naming the attribute', () => {
    assert.deepEqual(
      refused.map(({ id }) => id),
      ['ent-car-345'],
    )
    assertRefused(refused[0]!.answer, 'VALIDATION_ERROR', 'productionYear', '1880')
  })

  it('fits the default record limit and is read back equal after a restart, every record', async () => {
    assert.equal(catalogue.records.length, 438)
    for (const { id, schemaId, parentId = null, values } of catalogue.records) {
      const record = await readRecord(server.admin, id)
      assert.deepEqual([record.schemaId, record.parentId, record.values], [schemaId, parentId, values])
    }
  })

  it('is listed in the order of its creation, as before the restart', async () => {
    assert.deepEqual(
      listed.map((record) => record.id),
      catalogue.records.map((record) => record.id),
    )
    assert.deepEqual(await listAll(), listed)
  })

  it('keeps the assignments to categories', async () => {
    for (const { entityId, categories } of catalogue.assignments) {
      const { body } = await send<object[]>(server.admin, 'GET', `/api/v1/records/${entityId}/categories`)
      const byId = (one: { categoryId: string }, other: { categoryId: string }) =>
        one.categoryId < other.categoryId ? -1 : 1
      assert.deepEqual(
        (body as { categoryId: string }[]).sort(byId),
        categories.map((category) => ({ entityId, ...category })).sort(byId),
      )
    }
  })

  it('has a trail of one creation per record that gives its values, and of its categories', async () => {
    const assigned = new Set(catalogue.assignments.map(({ entityId }) => entityId))
    for (const { id, values } of catalogue.records.slice(0, 50)) {
      const entries = await readAudit(server.admin, id)
      assert.deepEqual(
        entries.map((entry) => entry.action),
        assigned.has(id) ? ['update', 'create'] : ['create'],
      )
      assert.deepEqual(
        entries.at(-1)!.changes,
        Object.entries(values).flatMap(([attributeAlias, scoped]) =>
          scoped.map(({ scope, value }) => ({ attributeAlias, scope, oldValue: null, newValue: value })),
        ),
      )
    }
  })

  it('scores completeness from the values of each record and its parent', async () => {
    const byId = new Map(catalogue.records.map((record) => [record.id, record]))
    for (const record of catalogue.records.filter(({ schemaId }) => schemaId === 'sch-car').slice(0, 120)) {
      const parent = record.parentId === undefined ? undefined : byId.get(record.parentId)
      const holds = (alias: string, language?: string): boolean =>
        [record, parent].some((layer) =>
          (layer?.values[alias] ?? []).some(
            ({ scope, value }) => value !== '' && (language === undefined || scope['language'] === language),
          ),
        )
      const missing = [
        ...['en', 'de', 'fr']
          .filter((language) => !holds('name', language))
          .map((language) => ({ attributeAlias: 'name', scope: { language } })),
        ...['productionYear', 'manufacturer']
          .filter((alias) => !holds(alias))
          .map((attributeAlias) => ({ attributeAlias, scope: {} })),
      ]
      const path = `/api/v1/records/${record.id}/completeness?stateId=state-review`
      const { body } = await send<CompletenessBody>(server.admin, 'GET', path)
      assert.deepEqual(body, {
        entityId: record.id,
        lifecycleStateId: 'state-review',
        filled: 5 - missing.length,
        total: 5,
        percentage: (5 - missing.length) * 20,
        missing,
      })
    }
  })

  it('publishes what is complete and refuses what is not', async () => {
    let [published, refused] = [0, 0]
    for (const { id } of catalogue.records.slice(0, 60)) {
      const path = `/api/v1/records/${id}`
      const { body: score } = await send<CompletenessBody>(
        server.admin,
        'GET',
        `${path}/completeness?stateId=state-published`,
      )
      assert.equal((await send(server.admin, 'POST', `${path}/transition`, { transitionId: 'tr-submit' })).status, 200)
      const answer = await send(server.admin, 'POST', `${path}/transition`, { transitionId: 'tr-publish' })
      const isComplete = score.percentage === 100
      assert.equal(answer.status, isComplete ? 200 : 400)
      assert.equal((answer.body as { error?: string }).error, isComplete ? undefined : 'TRANSITION_ERROR')
      if (isComplete) published += 1
      else refused += 1
      const [newest] = await readAudit(server.admin, id)
      assert.equal(newest!.action, 'transition')
    }
    assert.ok(refused > 0, 'the real catalogue has gaps')
    const { body } = await send<{ total: number }>(
      server.admin,
      'GET',
      '/api/v1/records?lifecycleStateId=state-published',
    )
    assert.equal(body.total, published)
  })

  it('a model goes with its variants, and the trail stays', async () => {
    const { parentId } = catalogue.records.find((record) => record.parentId !== undefined)!
    const gone = catalogue.records.filter((record) => record.id === parentId || record.parentId === parentId)
    assert.equal((await send(server.admin, 'DELETE', `/api/v1/records/${parentId}`)).status, 204)
    for (const { id } of gone) {
      assert.equal((await send(server.admin, 'GET', `/api/v1/records/${id}`)).status, 404)
      assert.equal((await readAudit(server.admin, id))[0]!.action, 'delete')
    }
    const { body } = await send<{ total: number }>(server.admin, 'GET', '/api/v1/records')
    assert.equal(body.total, 438 - gone.length)
  })
})
