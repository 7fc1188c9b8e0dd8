import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import {
  complete,
  type CompletenessBody,
  english,
  everywhere,
  make,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'
import type { Client } from '../../../helpers/client.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

async function score(client: Client, id: string, query = ''): Promise<CompletenessBody> {
  const answer = await send<CompletenessBody>(client, 'GET', `/api/v1/records/${id}/completeness${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

function move(client: Client, id: string, transitionId: string) {
  return send<RecordBody>(client, 'POST', `/api/v1/records/${id}/transition`, { transitionId })
}

describe('GET /api/v1/records/:id/completeness', () => {
  it('scores the required attributes of the current state: nothing required is 100 percent', async () => {
    const { id } = await makeShirt(shop.admin, {})
    assert.deepEqual(await score(shop.viewer, id), {
      entityId: id,
      lifecycleStateId: 'state-draft',
      filled: 0,
      total: 0,
      percentage: 100,
      missing: [],
    })
    await move(shop.admin, id, 'tr-submit')
    assert.deepEqual(await score(shop.viewer, id), {
      entityId: id,
      lifecycleStateId: 'state-review',
      filled: 0,
      total: 2,
      percentage: 0,
      missing: [
        { attributeAlias: 'name', scope: { language: 'en' } },
        { attributeAlias: 'name', scope: { language: 'de' } },
      ],
    })
  })

  it('each scope combination counts, percentage is rounded down, and missing is in schema order', async () => {
    const { id } = await makeShirt(shop.admin, {
      price: [{ scope: { market: 'us' }, value: { amount: 1, currency: 'USD' } }],
      name: [english('Shirt')],
      description: [
        { scope: { language: 'en', market: 'eu' }, value: 'x' },
        { scope: { market: 'us' }, value: 'y' },
      ],
    })
    assert.deepEqual(await score(shop.admin, id, '?stateId=state-published'), {
      entityId: id,
      lifecycleStateId: 'state-published',
      filled: 5,
      total: 8,
      percentage: 62,
      missing: [
        { attributeAlias: 'name', scope: { language: 'de' } },
        { attributeAlias: 'description', scope: { language: 'de', market: 'eu' } },
        { attributeAlias: 'price', scope: { market: 'eu' } },
      ],
    })
  })

  it('an empty text does not fill a field, and hides the wider value behind it', async () => {
    const { id } = await makeShirt(shop.admin, { name: [english(''), { scope: {}, value: 'Shirt' }] })
    const { missing } = await score(shop.admin, id, '?stateId=state-review')
    assert.deepEqual(missing, [{ attributeAlias: 'name', scope: { language: 'en' } }])
  })

  it('counts only visible attributes: a guard that does not hold takes its attribute out', async () => {
    const { id } = await makeShirt(shop.admin, complete)
    assert.equal((await score(shop.admin, id, '?stateId=state-published')).total, 8)
    await send(shop.admin, 'PATCH', `/api/v1/records/${id}/values/onSale`, { scopedValues: everywhere(true) })
    const onSale = await score(shop.admin, id, '?stateId=state-published')
    assert.deepEqual([onSale.filled, onSale.total, onSale.percentage], [8, 10, 80])
    assert.deepEqual(
      onSale.missing.map((field) => field.attributeAlias),
      ['salePrice', 'salePrice'],
    )
  })

  it('leaves attributes that are hidden from the caller out of all numbers', async () => {
    const { id } = await makeShirt(shop.admin, {
      name: [english('Shirt')],
      price: everywhere({ amount: 1, currency: 'EUR' }),
    })
    const all = await score(shop.admin, id, '?stateId=state-published')
    const seen = await score(shop.clerk, id, '?stateId=state-published')
    assert.deepEqual([all.filled, all.total], [3, 8])
    assert.deepEqual([seen.filled, seen.total, seen.percentage], [1, 2, 50])
    assert.deepEqual(seen.missing, [{ attributeAlias: 'name', scope: { language: 'de' } }])
  })

  it('stateId must be a state of the workflow', async () => {
    const { id } = await makeShirt(shop.admin, {})
    for (const stateId of ['state-none', '', '__proto__']) {
      const answer = await send(shop.admin, 'GET', `/api/v1/records/${id}/completeness?stateId=${stateId}`)
      assertRefused(answer, 'VALIDATION_ERROR', 'stateId', stateId)
    }
  })
})

describe('GET /api/v1/records/:id/transitions', () => {
  async function list(client: Client, id: string) {
    const answer = await send<{ id: string; allowed: boolean; reasons: string[]; missing: object[] }[]>(
      client,
      'GET',
      `/api/v1/records/${id}/transitions`,
    )
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const brief = (items: Awaited<ReturnType<typeof list>>) =>
    items.map(({ id, allowed, reasons }) => [id, allowed, reasons])

  it('lists every transition that leaves the current state, whole', async () => {
    const { id } = await makeShirt(shop.admin, {})
    assert.deepEqual(await list(shop.admin, id), [
      {
        id: 'tr-submit',
        fromStateId: 'state-draft',
        toStateId: 'state-review',
        name: 'Submit for review',
        allowedRoleIds: ['role-admin', 'role-editor'],
        requiresCompleteness: false,
        allowed: true,
        reasons: [],
        missing: [],
      },
    ])
  })

  it('names what the record lacks for each target state, as far as the caller may know of it', async () => {
    const { id } = await makeShirt(shop.admin, { ...complete, name: [english('Shirt')], price: [] })
    await move(shop.admin, id, 'tr-submit')
    const missingFor = async (client: Client) => (await list(client, id)).map((item) => [item.id, item.missing])
    const name = { attributeAlias: 'name', scope: { language: 'de' } }
    const prices = ['eu', 'us'].map((market) => ({ attributeAlias: 'price', scope: { market } }))
    assert.deepEqual(await missingFor(shop.admin), [
      ['tr-publish', [name, ...prices]],
      ['tr-send-back', []],
    ])
    assert.deepEqual(await missingFor(shop.clerk), [
      ['tr-publish', [name]],
      ['tr-send-back', []],
    ])
  })

  it('says what stands in the way of the caller: role, completeness, or both', async () => {
    const { id } = await makeShirt(shop.admin, {})
    await move(shop.admin, id, 'tr-submit')
    assert.deepEqual(brief(await list(shop.admin, id)), [
      ['tr-publish', false, ['completeness']],
      ['tr-send-back', true, []],
    ])
    assert.deepEqual(brief(await list(shop.editor, id)), [
      ['tr-publish', false, ['completeness']],
      ['tr-send-back', false, ['role']],
    ])
    assert.deepEqual(brief(await list(shop.viewer, id)), [
      ['tr-publish', false, ['role', 'completeness']],
      ['tr-send-back', false, ['role']],
    ])
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: complete })
    assert.deepEqual(brief(await list(shop.editor, id)), [
      ['tr-publish', true, []],
      ['tr-send-back', false, ['role']],
    ])
  })
})

describe('POST /api/v1/records/:id/transition', () => {
  it('moves the record, and answers id, schemaId, the new lifecycleStateId, updatedAt and values', async () => {
    const created = await makeShirt(shop.admin, { weight: everywhere(1) })
    const { status, body } = await move(shop.editor, created.id, 'tr-submit')
    const now = await readRecord(shop.admin, created.id)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      id: created.id,
      schemaId: 'sch-shirt',
      lifecycleStateId: 'state-review',
      updatedAt: now.updatedAt,
      values: { weight: everywhere(1) },
    })
    assert.equal(now.lifecycleStateId, 'state-review')
    assert.notEqual(now.updatedBy, created.updatedBy)
  })

  it('writes an audit entry with action transition: lifecycleState, from the old state to the new', async () => {
    const { id } = await makeShirt(shop.admin, { lifecycleState: everywhere('an attribute of that name') })
    await move(shop.admin, id, 'tr-submit')
    for (const client of [shop.admin, shop.viewer, shop.clerk]) {
      const [newest] = await readAudit(client, id)
      assert.equal(newest!.action, 'transition')
      assert.deepEqual(newest!.changes, [
        { attributeAlias: 'lifecycleState', scope: {}, oldValue: 'state-draft', newValue: 'state-review' },
      ])
    }
  })

  it('a transition that the workflow does not have is refused and changes nothing', async () => {
    const { id } = await makeShirt(shop.admin, {})
    for (const transitionId of ['tr-none', '__proto__', ''])
      assertRefused(await move(shop.admin, id, transitionId), 'TRANSITION_ERROR', transitionId)
    assert.equal((await readAudit(shop.admin, id)).length, 1)
  })

  it('a transition that leaves another state is refused, naming both states', async () => {
    const { id } = await makeShirt(shop.admin, complete)
    assertRefused(await move(shop.admin, id, 'tr-publish'), 'TRANSITION_ERROR', 'Draft', 'Published')
    assert.equal((await readRecord(shop.admin, id)).lifecycleStateId, 'state-draft')
  })

  it('a role without permissions may move a record, and sees no value of it', async () => {
    const allowedRoleIds = ['role-stranger', 'role-viewer']
    const there = { id: 'there', fromStateId: 'one', toStateId: 'two', name: 'There', allowedRoleIds }
    const back = { id: 'back', fromStateId: 'two', toStateId: 'one', name: 'Back', allowedRoleIds }
    await make(shop.admin, '/api/v1/workflows', {
      id: 'wf-open',
      name: 'Open',
      initialStateId: 'one',
      states: [{ id: 'one' }, { id: 'two' }].map((state) => ({ ...state, name: state.id })),
      transitions: [there, back].map((one) => ({ ...one, requiresCompleteness: false })),
    })
    const attributes = [{ alias: 'text', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-open', name: 'Open', workflowId: 'wf-open', attributes })
    const body = { schemaId: 'sch-open', values: { text: everywhere('for readers') } }
    const { id } = await make<{ id: string }>(shop.admin, '/api/v1/records', body)
    const moved = await move(shop.stranger, id, 'there')
    assert.deepEqual([moved.status, moved.body.lifecycleStateId, moved.body.values], [200, 'two', {}], moved.text)
    assert.deepEqual((await move(shop.viewer, id, 'back')).body.values, body.values)
  })

  it('a role that is not among allowedRoleIds is refused, with whatever permissions', async () => {
    const { id } = await makeShirt(shop.admin, complete)
    for (const client of [shop.viewer, shop.clerk, shop.stranger])
      assertRefused(await move(client, id, 'tr-submit'), 'TRANSITION_ERROR', 'role')
    await move(shop.admin, id, 'tr-submit')
    assertRefused(await move(shop.editor, id, 'tr-send-back'), 'TRANSITION_ERROR', 'role')
    assert.equal((await readRecord(shop.admin, id)).lifecycleStateId, 'state-review')
  })

  it('requiresCompleteness asks for 100 percent in the target state, not in the current one', async () => {
    const { id } = await makeShirt(shop.admin, { name: complete.name! })
    await move(shop.admin, id, 'tr-submit')
    assert.equal((await score(shop.admin, id)).percentage, 100)
    assertRefused(await move(shop.admin, id, 'tr-publish'), 'TRANSITION_ERROR', 'complete')
    assert.equal((await readRecord(shop.admin, id)).lifecycleStateId, 'state-review')
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: complete })
    assert.equal((await move(shop.editor, id, 'tr-publish')).body.lifecycleStateId, 'state-published')
    assert.equal((await move(shop.editor, id, 'tr-unpublish')).body.lifecycleStateId, 'state-draft')
  })

  it('a refusal names up to five missing fields with their scopes', async () => {
    const { id } = await makeShirt(shop.admin, {})
    await move(shop.admin, id, 'tr-submit')
    const named = [
      "'name' (language=en)",
      "'name' (language=de)",
      "'description' (language=en;market=eu)",
      'and 3 more',
    ]
    assertRefused(await move(shop.admin, id, 'tr-publish'), 'TRANSITION_ERROR', ...named)
  })

  it('the gate is judged on the whole record, whatever is hidden from the caller', async () => {
    await send(shop.admin, 'POST', '/api/v1/workflows', {
      id: 'wf-clerk',
      name: 'Clerk',
      initialStateId: 'open',
      states: [{ id: 'open' }, { id: 'closed' }],
      transitions: [
        {
          id: 'close',
          fromStateId: 'open',
          toStateId: 'closed',
          allowedRoleIds: ['role-clerk'],
          requiresCompleteness: true,
        },
      ],
    })
    await send(shop.admin, 'POST', '/api/v1/schemas', {
      id: 'sch-clerk',
      name: 'Clerk',
      workflowId: 'wf-clerk',
      attributes: [{ alias: 'secret', dataType: 'text', requiredInStateIds: ['closed'] }],
    })
    const role = await send<{ attributePermissions: object }>(shop.admin, 'GET', '/api/v1/roles/role-clerk')
    await send(shop.admin, 'PUT', '/api/v1/roles/role-clerk', {
      ...role.body,
      attributePermissions: { ...role.body.attributePermissions, 'sch-clerk': { secret: 'none' } },
    })
    const created = await send<RecordBody>(shop.admin, 'POST', '/api/v1/records', { schemaId: 'sch-clerk', values: {} })
    const { id } = created.body
    assert.equal(created.body.lifecycleStateId, 'open')
    const refused = await move(shop.clerk, id, 'close')
    assertRefused(refused, 'TRANSITION_ERROR', 'complete', '1 required field has no value')
    assert.doesNotMatch(refused.text, /secret/)
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { secret: everywhere('x') } })
    const moved = await move(shop.clerk, id, 'close')
    assert.deepEqual([moved.body.lifecycleStateId, moved.body.values], ['closed', {}])
  })

  it('transitionId is required, and the record must exist', async () => {
    const { id } = await makeShirt(shop.admin, {})
    const empty = await send(shop.admin, 'POST', `/api/v1/records/${id}/transition`, {})
    assertRefused(empty, 'VALIDATION_ERROR', 'transitionId')
    assertRefused(await move(shop.admin, 'ent-none', 'tr-submit'), 'NOT_FOUND', 'Record', 'ent-none')
  })
})
