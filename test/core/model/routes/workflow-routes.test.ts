import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import { make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface WorkflowBody {
  id: string
  name: string
  initialStateId: string
  states: { id: string; name: string }[]
  transitions: { id: string; allowedRoleIds: string[] }[]
}

const PATH = '/api/v1/workflows'
const finish = { id: 'finish', fromStateId: 'open', toStateId: 'done', allowedRoleIds: ['role-admin'] }
const tickets = {
  name: 'Tickets',
  initialStateId: 'open',
  states: [{ id: 'open', name: 'Open' }, { id: 'done' }],
  transitions: [finish],
}

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const put = (id: string, body: unknown) => send<WorkflowBody>(shop.admin, 'PUT', `${PATH}/${id}`, body)
const read = (id: string) => send<WorkflowBody>(shop.admin, 'GET', `${PATH}/${id}`)

/** A workflow and a schema that has it. */
async function makeUsed(id: string, attributes: object[] = []): Promise<{ schemaId: string }> {
  await make(shop.admin, PATH, { ...tickets, id })
  const schema = await make<{ id: string }>(shop.admin, '/api/v1/schemas', { name: id, workflowId: id, attributes })
  return { schemaId: schema.id }
}

describe('POST /api/v1/workflows', () => {
  it('needs model.write', () => assertGuarded(shop, { method: 'POST', path: PATH, body: tickets }, 'model.write'))

  it('answers 201 with the workflow and its defaults', async () => {
    const { status, body } = await send<WorkflowBody>(shop.admin, 'POST', PATH, tickets)
    assert.equal(status, 201)
    const { id, ...rest } = body
    assert.match(id, /^wf-[0-9a-z]{20,}$/)
    assert.deepEqual(rest, {
      ...tickets,
      states: [tickets.states[0], { id: 'done', name: 'done' }],
      transitions: [{ ...finish, name: 'finish', requiresCompleteness: false }],
    })
    assert.deepEqual((await read(id)).body, body)
  })

  it('a duplicate ID is a CONFLICT', async () => {
    assertRefused(await send(shop.admin, 'POST', PATH, { ...tickets, id: 'wf-default' }), 'CONFLICT', 'wf-default')
    assert.equal((await read('wf-default')).body.name, DEFAULT_WORKFLOW.name)
  })

  it('refuses bad input, naming the field', async () => {
    for (const [changes, field] of [
      [{ name: 5 }, 'name'],
      [{ initialStateId: undefined }, 'initialStateId is required'],
      [{ initialStateId: 'gone' }, "initialStateId names the unknown state 'gone'"],
      [{ states: [] }, 'initialStateId'],
      [{ states: [...tickets.states, { id: 'open' }] }, "states: the ID 'open' occurs twice"],
      [{ transitions: [finish, finish] }, "transitions: the ID 'finish' occurs twice"],
      [{ transitions: [{ ...finish, toStateId: 'gone' }] }, 'transitions[0].toStateId'],
      [{ transitions: [{ ...finish, allowedRoleIds: undefined }] }, 'transitions[0].allowedRoleIds is required'],
      [{ transitions: [{ ...finish, requiresCompleteness: 1 }] }, 'transitions[0].requiresCompleteness'],
      [
        { transitions: [finish, { ...finish, id: 'again', allowedRoleIds: ['role-admin', 'role-gone'] }] },
        "transitions[1].allowedRoleIds names the unknown role 'role-gone'",
      ],
      [{ transitions: [{ ...finish, allowedRoleIds: ['constructor'] }] }, "unknown role 'constructor'"],
    ] as const)
      assertRefused(await send(shop.admin, 'POST', PATH, { ...tickets, ...changes }), 'VALIDATION_ERROR', field)
  })
})

describe('GET /api/v1/workflows and GET /api/v1/workflows/:id', () => {
  it('needs model.read', async () => {
    await assertGuarded(shop, { method: 'GET', path: PATH }, 'model.read')
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/wf-default` }, 'model.read')
  })

  it('has the default workflow from the first start, first', async () => {
    const { body } = await send<WorkflowBody[]>(shop.admin, 'GET', PATH)
    assert.deepEqual(body[0], DEFAULT_WORKFLOW)
  })

  it('an unknown workflow is 404', () =>
    assertNotFound(shop.admin, 'Workflow', (id) => ({ method: 'GET', path: `${PATH}/${id}` })))
})

describe('PUT /api/v1/workflows/:id', () => {
  it('needs model.write', () =>
    assertGuarded(shop, { method: 'PUT', path: `${PATH}/wf-default`, body: tickets }, 'model.write'))

  it('an unknown workflow is 404', () =>
    assertNotFound(shop.admin, 'Workflow', (id) => ({ method: 'PUT', path: `${PATH}/${id}`, body: tickets })))

  it('what was read can be sent back', async () => {
    const answer = await put('wf-default', DEFAULT_WORKFLOW)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, DEFAULT_WORKFLOW)
  })

  it('unknown roles are refused', async () => {
    await make(shop.admin, PATH, { ...tickets, id: 'wf-roles' })
    const transitions = [{ ...finish, allowedRoleIds: ['role-gone'] }]
    assertRefused(await put('wf-roles', { ...tickets, transitions }), 'VALIDATION_ERROR', 'role-gone')
  })

  it('a state that holds records cannot be left out, and can when they are gone', async () => {
    const { schemaId } = await makeUsed('wf-held')
    const record = await make<{ id: string }>(shop.admin, '/api/v1/records', { schemaId, values: {} })
    const renamed = { ...tickets, initialStateId: 'done', states: [{ id: 'done' }, { id: 'new' }], transitions: [] }
    assertRefused(await put('wf-held', renamed), 'CONFLICT', "'open'", '1 record', schemaId)
    assert.equal((await read('wf-held')).body.states.length, 2)
    assert.equal(
      (await send(shop.admin, 'POST', `/api/v1/records/${record.id}/transition`, { transitionId: 'finish' })).status,
      200,
    )
    const { status, body } = await put('wf-held', renamed)
    assert.equal(status, 200)
    assert.deepEqual(
      body.states.map(({ id }) => id),
      ['done', 'new'],
    )
  })

  it('a state that an attribute is required in cannot be left out', async () => {
    await makeUsed('wf-required', [{ alias: 'title', dataType: 'text', requiredInStateIds: ['done'] }])
    const without = { ...tickets, states: [{ id: 'open' }], transitions: [] }
    assertRefused(await put('wf-required', without), 'CONFLICT', "'done'", "'title'")
  })

  it('records and rules of other workflows with the same state IDs do not matter', async () => {
    await makeUsed('wf-one', [{ alias: 'title', dataType: 'text', requiredInStateIds: ['done'] }])
    await makeUsed('wf-two')
    assert.equal((await put('wf-two', { ...tickets, states: [{ id: 'open' }], transitions: [] })).status, 200)
  })
})

describe('DELETE /api/v1/workflows/:id', () => {
  it('needs model.write', () => assertGuarded(shop, { method: 'DELETE', path: `${PATH}/wf-default` }, 'model.write'))

  it('an unknown workflow is 404', () =>
    assertNotFound(shop.admin, 'Workflow', (id) => ({ method: 'DELETE', path: `${PATH}/${id}` })))

  it('deletes a workflow that no schema has, and keeps one that a schema has', async () => {
    const { schemaId } = await makeUsed('wf-kept')
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/wf-kept`), 'CONFLICT', 'wf-kept', schemaId)
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/schemas/${schemaId}`)).status, 204)
    assert.equal((await send(shop.admin, 'DELETE', `${PATH}/wf-kept`)).status, 204)
    assert.equal((await read('wf-kept')).status, 404)
  })
})
