// GET /api/v1/templates lists ready schemas of a trade, POST /api/v1/templates/:id/apply makes one. Contract 5 §1.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TEMPLATE_IDS } from '../../../../src/core/model/rules/schema-template.ts'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { makeUser, sessionOf } from '../../../helpers/people.ts'
import { startServer, type TestServer } from '../../../helpers/server.ts'
import { make } from '../../../helpers/shirts.ts'

interface Named {
  id: string
  name: string
  names?: Record<string, string>
}
interface SchemaBody extends Named {
  workflowId: string
  labelAttribute: string
  groups: (Named & { attributeAliases: string[] })[]
  attributes: {
    alias: string
    name: string
    names: Record<string, string>
    dimensionIds: string[]
    requiredInStateIds: string[]
    options: Named[]
  }[]
}

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const get = async <Body>(path: string) => (await send<Body>(server.admin, 'GET', path)).body
const apply = (id: string, choice: object, client = server.admin) =>
  send<{ schemaId: string; workflowId: string; catalogId: string }>(
    client,
    'POST',
    `/api/v1/templates/${id}/apply`,
    choice,
  )

describe('Templates', () => {
  it('are listed with names in three languages', async () => {
    const listed = await get<(Named & { description: string; attributes: number })[]>('/api/v1/templates')
    assert.deepEqual(
      listed.map(({ id }) => id),
      [...TEMPLATE_IDS],
    )
    for (const { names, description, attributes } of listed) {
      assert.deepEqual(Object.keys(names!), ['de', 'fr'])
      assert.ok(description !== '' && attributes >= 10 && attributes <= 20)
    }
  })

  it('make a schema, its languages, a workflow and a tree of categories', async () => {
    for (const id of TEMPLATE_IDS) {
      const answer = await apply(id, { languages: ['en', 'de'], workflow: 'complete' })
      assert.equal(answer.status, 201, answer.text)
      const schema = await get<SchemaBody>(`/api/v1/schemas/${answer.body.schemaId}`)
      assert.deepEqual([schema.id, schema.workflowId, schema.labelAttribute], [`sch-${id}`, 'wf-complete', 'name'])
      const placed = schema.groups.flatMap(({ attributeAliases }) => attributeAliases)
      assert.deepEqual(
        placed.toSorted(),
        schema.attributes.map(({ alias }) => alias).toSorted(),
        'each attribute is in one group',
      )
      for (const { alias, names, options } of schema.attributes) {
        assert.deepEqual(Object.keys(names), ['de', 'fr'], alias)
        for (const option of options) assert.deepEqual(Object.keys(option.names!), ['de', 'fr'], option.id)
      }
      const name = schema.attributes.find(({ alias }) => alias === 'name')!
      assert.deepEqual([name.dimensionIds, name.requiredInStateIds], [['language'], ['state-published']])
      const categories = await get<Named[]>(`/api/v1/catalogs/${answer.body.catalogId}/categories`)
      assert.ok(categories.length >= 6)
    }
    const { segments } = await get<{ segments: Named[] }>('/api/v1/dimensions/language')
    assert.deepEqual(
      segments.map(({ id, name }) => [id, name]),
      [
        ['en', 'English'],
        ['de', 'Deutsch'],
      ],
    )
    const workflow = await get<{ transitions: { id: string; requiresCompleteness: boolean }[] }>(
      '/api/v1/workflows/wf-complete',
    )
    assert.deepEqual(
      workflow.transitions.filter((one) => one.requiresCompleteness).map(({ id }) => id),
      ['tr-publish'],
    )
  })

  it('name a workflow and a catalog in the first language that they speak', async (t) => {
    const german = await startServer()
    t.after(() => german.stop())
    const body = { languages: ['it', 'de', 'en'], workflow: 'review' }
    const path = '/api/v1/templates/electronics/apply'
    const made = await send<{ catalogId: string; workflowId: string }>(german.admin, 'POST', path, body)
    const { catalogId, workflowId } = made.body
    const nameOf = async (place: string) => (await send<Named>(german.admin, 'GET', `/api/v1/${place}`)).body.name
    assert.equal(await nameOf(`catalogs/${catalogId}`), 'Elektronik')
    assert.equal(await nameOf(`workflows/${workflowId}`), 'Mit Prüfung')
  })

  it('make all or nothing', async () => {
    await make(server.admin, '/api/v1/catalogs', { id: 'cat-clothing-2', name: 'C' })
    assertRefused(
      await apply('clothing', { languages: ['fr'], workflow: 'review' }),
      'CONFLICT',
      "schema 'sch-clothing'",
    )
    assert.equal((await send(server.admin, 'GET', '/api/v1/workflows/wf-review')).status, 404)
    const { segments } = await get<{ segments: Named[] }>('/api/v1/dimensions/language')
    assert.deepEqual(
      segments.map(({ id }) => id),
      ['en', 'de'],
    )
  })

  it('refuse unknown names, no language, and callers who may not change the model', async () => {
    assertRefused(await apply('cars', { languages: ['en'] }), 'NOT_FOUND', 'cars')
    assertRefused(await apply('books', { languages: [] }), 'VALIDATION_ERROR', 'languages must name a language')
    assertRefused(await apply('books', { languages: ['English'] }), 'VALIDATION_ERROR', 'languages')
    assertRefused(await apply('books', { languages: ['en'], workflow: 'none' }), 'VALIDATION_ERROR', 'workflow')
    const { username } = await makeUser(server, { roleId: 'role-editor' })
    assertRefused(await apply('books', { languages: ['en'] }, await sessionOf(server, username)), 'PERMISSION_DENIED')
  })
})
