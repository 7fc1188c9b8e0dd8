// What subscribers get: everything that they asked for, once where nothing fails, in the order of commits.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { runJob } from '../helpers/bulk-jobs.ts'
import { HOUR, makeClock, type TestClock } from '../helpers/clock.ts'
import { type EventBody, type EventReceiver, startReceiver } from '../helpers/event-receiver.ts'
import { english, everywhere, make, makeShirt, startWorkspace, type Workspace } from '../helpers/shirts.ts'

const PATH = '/api/v1/subscriptions'
const RECORD_EVENTS = ['record.created', 'record.updated', 'record.deleted', 'record.transitioned']
const QUICK = { firstBackoff: 20, maxBackoff: 40, patience: 500 }

interface Standing {
  readonly id: string
  readonly active: boolean
  readonly cursor: string
  readonly pausedReason: { readonly code: string; readonly message: string } | null
  readonly failingSince: string | null
}
interface Delivery {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly responseStatus: number | null
  readonly error: string | null
}

let shop: Workspace
let clock: TestClock
const receivers: EventReceiver[] = []
before(async () => {
  clock = makeClock()
  shop = await startWorkspace({
    allowDestinations: ['127.0.0.1'],
    maxRecords: 0,
    testing: { eventLimits: QUICK, system: clock },
  })
})
after(async () => {
  await shop.stop()
  await Promise.all(receivers.map((receiver) => receiver.close()))
})

async function receive(options?: { secret?: string }): Promise<EventReceiver> {
  const receiver = await startReceiver(options)
  receivers.push(receiver)
  return receiver
}
const subscribe = (receiver: EventReceiver, more: object = {}) =>
  make<Standing>(shop.admin, PATH, { name: 'S', url: receiver.url, events: RECORD_EVENTS, ...more })
const standing = async (id: string) => (await send<Standing>(shop.admin, 'GET', `${PATH}/${id}`)).body
const deliveriesOf = async (id: string) => (await send<Delivery[]>(shop.admin, 'GET', `${PATH}/${id}/deliveries`)).body
const put = async (id: string, values: object): Promise<void> => {
  const answer = await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values })
  assert.equal(answer.status, 200, answer.text)
}
const entriesAfter = async (cursor: string): Promise<string[]> => {
  const { body } = await send<{ items: { id: string }[] }>(
    shop.admin,
    'GET',
    `/api/v1/changes?limit=1000&after=${cursor}`,
  )
  return body.items.map(({ id }) => id)
}
const entriesIn = (events: readonly EventBody[]) => events.map(({ data }) => data.entry!.id)
async function until<Value>(read: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    const value = await read()
    if (isSo(value)) return value
    assert.ok(tries < 1000, `still ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
async function unsubscribe(...ids: string[]): Promise<void> {
  for (const id of ids) assert.equal((await send(shop.admin, 'DELETE', `${PATH}/${id}`)).status, 204)
}

describe('Events', () => {
  it('tell of a record what happened, and what it was right after it, whatever it is by now', async () => {
    const receiver = await receive()
    receiver.answers = [500]
    const { id } = await subscribe(receiver, { batchSize: 100 })
    const shirt = await makeShirt(shop.admin, { name: [english('One')] })
    await put(shirt.id, { name: [english('Two')] })
    await send(shop.admin, 'POST', `/api/v1/records/${shirt.id}/transition`, { transitionId: 'tr-submit' })
    await put(shirt.id, { name: [english('Three')] })
    await send(shop.admin, 'DELETE', `/api/v1/records/${shirt.id}`)
    receiver.answers = [200]
    await receiver.untilAccepted(5)
    assert.deepEqual(
      receiver.accepted.map(({ type, data }) => [type, data.record && data.record.values.name]),
      [
        ['record.created', [english('One')]],
        ['record.updated', [english('Two')]],
        ['record.transitioned', [english('Two')]],
        ['record.updated', [english('Three')]],
        ['record.deleted', null],
      ],
    )
    const [created, , moved] = receiver.accepted
    assert.deepEqual(created!.data.record, shirt)
    assert.equal(created!.data.entry!.entityId, shirt.id)
    assert.equal((moved!.data.record as unknown as { lifecycleStateId: string }).lifecycleStateId, 'state-review')
    const cursors = receiver.accepted.map(({ cursor }) => cursor)
    assert.deepEqual(await entriesAfter(cursors[1]!), entriesIn(receiver.accepted.slice(2)))
    await until(
      () => standing(id),
      ({ cursor }) => cursor === cursors.at(-1),
    )
    await unsubscribe(id)
  })

  it('come each once and in order to each, however one of the receivers fails', async () => {
    const [quick, single, faulty, dead] = [await receive(), await receive(), await receive(), await receive()]
    dead.answers = ['hangs']
    faulty.answers = [500, 'hangs', 'resets', 200, 404, 'drips', 302, 'slow', 503, 200]
    const made = [
      await subscribe(quick, { batchSize: 100 }),
      await subscribe(single),
      await subscribe(faulty, { batchSize: 7 }),
      await subscribe(dead, { batchSize: 3 }),
    ]
    const shirts = await Promise.all(
      Array.from({ length: 30 }, (_, n) => makeShirt(shop.admin, { weight: everywhere(n) })),
    )
    for (const round of [1, 2, 3])
      await Promise.all(shirts.map(({ id }, n) => put(id, { weight: everywhere(n + round * 100) })))
    await Promise.all(shirts.slice(0, 10).map(({ id }) => send(shop.admin, 'DELETE', `/api/v1/records/${id}`)))
    const expected = await entriesAfter(made[3]!.cursor)
    assert.equal(expected.length, 130)
    await Promise.all([quick, single, faulty].map((receiver) => receiver.untilAccepted(130)))
    for (const receiver of [quick, single, faulty]) assert.deepEqual(entriesIn(receiver.accepted), expected)
    assert.ok(quick.requests.length < 100 && quick.requests.every(({ events }) => events.length <= 100))
    assert.equal(new Set(single.requests.map((request) => request.id)).size, 130)
    const bodies = new Map<string, string>()
    for (const { id, events } of faulty.requests) {
      const body = JSON.stringify(events)
      assert.equal(bodies.get(id) ?? body, body, 'a delivery keeps its events and its ID')
      bodies.set(id, body)
    }
    assert.ok(faulty.requests.length > bodies.size)
    const retried = (await deliveriesOf(made[2]!.id)).find(({ attempts }) => attempts > 1)!
    assert.equal(retried.status, 'succeeded')
    await until(
      () => deliveriesOf(made[1]!.id),
      ({ length }) => length === 130,
    )
    assert.equal(dead.accepted.length, 0)
    await unsubscribe(...made.map(({ id }) => id))
  })

  it('are chosen by type, schema and selection, judged after the change, of a deletion before it', async () => {
    const [byType, bySelection] = [await receive(), await receive()]
    const criteria = [
      { attributeAlias: 'weight', operator: 'gt', value: '10' },
      // In the state that they are in nothing is required.
      { field: 'completeness', operator: 'lt', value: 100 },
    ]
    const selection = { criteria, criteriaOperator: 'and', schemaId: 'sch-shirt', stateId: 'state-published' }
    const typed = await subscribe(byType, { events: ['record.deleted'], schemaIds: ['sch-shirt'], batchSize: 100 })
    const selected = await subscribe(bySelection, { selection, batchSize: 100 })
    const light = await makeShirt(shop.admin, { weight: everywhere(1) })
    const heavy = await makeShirt(shop.admin, { weight: everywhere(20) })
    const variant = await makeShirt(shop.admin, {}, { parentId: heavy.id })
    await put(heavy.id, { weight: everywhere(2) })
    await put(light.id, { weight: everywhere(30) })
    await send(shop.admin, 'DELETE', `/api/v1/records/${heavy.id}`)
    await send(shop.admin, 'DELETE', `/api/v1/records/${light.id}`)
    await Promise.all([byType.untilAccepted(3), bySelection.untilAccepted(4)])
    const told = ({ accepted }: EventReceiver) => accepted.map(({ type, data }) => `${type} ${data.entry!.entityId}`)
    assert.deepEqual(told(bySelection), [
      `record.created ${heavy.id}`,
      // It inherits what its parent had then.
      `record.created ${variant.id}`,
      `record.updated ${light.id}`,
      `record.deleted ${light.id}`,
    ])
    assert.deepEqual(told(byType), [
      `record.deleted ${variant.id}`,
      `record.deleted ${heavy.id}`,
      `record.deleted ${light.id}`,
    ])
    await unsubscribe(typed.id, selected.id)
  })

  it('keep the ID of their delivery, however much nobody asked for came before', async () => {
    const receiver = await receive()
    receiver.answers = [500, 500, 200]
    const { id } = await subscribe(receiver, { events: ['record.deleted'] })
    const shirt = await makeShirt(shop.admin, {})
    const operations = Array.from({ length: 800 }, (_, n) => ({
      op: 'update',
      id: shirt.id,
      values: { weight: everywhere(n) },
    }))
    for (let round = 1; round <= 3; round += 1) await send(shop.admin, 'POST', '/api/v1/records/batch', { operations })
    await send(shop.admin, 'DELETE', `/api/v1/records/${shirt.id}`)
    await receiver.untilAccepted(1)
    assert.equal(new Set(receiver.requests.map((request) => request.id)).size, 1)
    await unsubscribe(id)
  })

  it('are whole and signed, however large they are', async () => {
    const receiver = await receive({ secret: 'a-secret' })
    const { id } = await subscribe(receiver, { signingSecret: 'a-secret', batchSize: 2 })
    const large = { toString: everywhere('ä€😀x'.repeat(100_000)), name: [english('Y'.repeat(300_000))] }
    const shirts = [await makeShirt(shop.admin, large), await makeShirt(shop.admin, {})]
    await receiver.untilAccepted(2)
    assert.deepEqual(
      receiver.accepted.map(({ data }) => data.record),
      shirts,
    )
    await unsubscribe(id)
  })

  it('hold what the role of the last writer may read', async () => {
    const receiver = await receive()
    const hidden = { attributePermissions: { 'sch-shirt': { weight: 'none' } } }
    const keeper = await shop.clientWith(['subscriptions.write', 'records.read', 'audit.read'], hidden)
    const body = { name: 'S', url: receiver.url, events: ['record.created', 'model.changed'], batchSize: 5 }
    const { id } = await make<Standing>(keeper, PATH, body)
    await makeShirt(shop.admin, { weight: everywhere(1234.5), name: [english('Seen')] })
    await make(shop.admin, '/api/v1/roles', { name: 'R', permissions: ['users.manage'] })
    await receiver.untilAccepted(2)
    assert.doesNotMatch(JSON.stringify(receiver.accepted), /1234\.5|weight|users\.manage/)
    assert.match(JSON.stringify(receiver.accepted), /Seen/)
    await unsubscribe(id)
  })

  it('tell of the model, of export runs and of bulk jobs, as they are asked for, in the same order', async () => {
    const receiver = await receive()
    const events = ['record.created', 'model.changed', 'run.succeeded', 'run.failed', 'bulk.finished']
    const { id } = await subscribe(receiver, { events, batchSize: 2 })
    await make(shop.admin, '/api/v1/catalogs', { id: 'cat-told', name: 'C' })
    const shirt = await makeShirt(shop.admin, {})
    const { id: jobId } = await runJob(shop.admin, {
      selection: { ids: [shirt.id] },
      actions: [{ setValues: { weight: everywhere(1) } }],
    })
    const job = { name: 'J', destinationType: 'webhook', destinationConfig: { url: 'http://example.com/' } }
    const file = {
      format: 'csv',
      schedule: '0 0 1 1 *',
      filenameTemplate: 'x.csv',
      includeVariants: false,
      compress: false,
    }
    await make(shop.admin, '/api/v1/export-jobs', { id: 'job-told', ...job, ...file, active: false })
    for (const status of ['success', 'failed'])
      await make(shop.admin, '/api/v1/export-jobs/job-told/runs', { id: `run-${status}`, status })
    await receiver.untilAccepted(6)
    assert.deepEqual(
      receiver.accepted.map(({ type, data }) => [type, data.entry?.entityId ?? data.entityId ?? data.id]),
      [
        ['model.changed', 'cat-told'],
        ['record.created', shirt.id],
        ['bulk.finished', jobId],
        ['model.changed', 'job-told'],
        ['run.succeeded', 'run-success'],
        ['run.failed', 'run-failed'],
      ],
    )
    const runs = (await send<unknown[]>(shop.admin, 'GET', '/api/v1/export-runs?jobId=job-told')).body
    const told = [2, 5, 4].map((index) => receiver.accepted[index]!.data)
    assert.deepEqual(told, [(await send(shop.admin, 'GET', `/api/v1/bulk-jobs/${jobId}`)).body, ...runs])
    await unsubscribe(id)
  })

  it('pause the subscription when nothing arrives for 24 hours, with a reason; resume goes on there', async () => {
    const receiver = await receive()
    receiver.answers = [503]
    const { id } = await subscribe(receiver)
    const first = await makeShirt(shop.admin, {})
    await receiver.untilRequested(2)
    assert.ok((await standing(id)).failingSince)
    clock.advance(25 * HOUR)
    const paused = await until(
      () => standing(id),
      ({ active }) => !active,
    )
    assert.match(paused.pausedReason!.message, /24 hours.*503/)
    assert.deepEqual([(await deliveriesOf(id))[0]!.status, (await deliveriesOf(id)).length], ['failed', 1])
    receiver.answers = [200]
    const second = await makeShirt(shop.admin, {})
    const resumed = await send<Standing>(shop.admin, 'POST', `${PATH}/${id}/resume`)
    assert.deepEqual([resumed.body.active, resumed.body.pausedReason], [true, null])
    await receiver.untilAccepted(2)
    assert.deepEqual(
      receiver.accepted.map(({ data }) => data.entry!.entityId),
      [first.id, second.id],
    )
    assert.equal(
      new Set(
        receiver.requests
          .filter(({ events }) => events[0]!.data.entry!.entityId === first.id)
          .map((request) => request.id),
      ).size,
      1,
    )
    await unsubscribe(id)
  })

  it('keep the ID of their delivery when the subscription is replaced while it fails, or is under way', async () => {
    const [first, second] = [await receive(), await receive()]
    first.answers = [500]
    const { id } = await subscribe(first, { batchSize: 1, active: false })
    const events = RECORD_EVENTS
    const replace = async (more: object): Promise<void> => {
      const answer = await send(shop.admin, 'PUT', `${PATH}/${id}`, { name: 'S', events, url: first.url, ...more })
      assert.equal(answer.status, 200, answer.text)
    }
    const made = [await makeShirt(shop.admin, {}), await makeShirt(shop.admin, {}), await makeShirt(shop.admin, {})]
    await put(made[0]!.id, { weight: everywhere(1) })
    await replace({ batchSize: 3, events: ['record.created'] })
    await first.untilRequested(1)
    // What was not asked for when it came is none of this delivery, nor is it sent later.
    await replace({ url: second.url, batchSize: 1 })
    await second.untilAccepted(4)
    assert.equal(second.requests[0]!.id, first.requests[0]!.id)
    assert.deepEqual(
      second.requests.map(({ events: told }) => told.map(({ type, data }) => `${type} ${data.entry!.entityId}`)),
      [made.map((shirt) => `record.created ${shirt.id}`), [`record.updated ${made[0]!.id}`]],
    )
    second.answers = ['slow', 200]
    await put(made[0]!.id, { weight: everywhere(2) })
    await second.untilRequested(3)
    await replace({ url: second.url, batchSize: 2 })
    await put(made[0]!.id, { weight: everywhere(3) })
    await second.untilAccepted(6)
    assert.equal(new Set(second.requests.map((request) => request.id)).size, second.requests.length)
    await unsubscribe(id)
  })

  it('are over at once when the receiver answers 410', async () => {
    const receiver = await receive()
    receiver.answers = [410]
    const { id } = await subscribe(receiver)
    await makeShirt(shop.admin, {})
    const paused = await until(
      () => standing(id),
      ({ active }) => !active,
    )
    assert.match(paused.pausedReason!.message, /410/)
    assert.equal(receiver.requests.length, 1)
    await unsubscribe(id)
  })

  it('are sent again from a cursor on', async () => {
    const receiver = await receive()
    const { id, cursor } = await subscribe(receiver, { batchSize: 10 })
    await makeShirt(shop.admin, {})
    await makeShirt(shop.admin, {})
    await receiver.untilAccepted(2)
    const expected = entriesIn(receiver.accepted)
    const answer = await send<Standing>(shop.admin, 'POST', `${PATH}/${id}/replay`, { after: cursor })
    assert.equal(answer.body.cursor, cursor)
    await receiver.untilAccepted(4)
    assert.deepEqual(entriesIn(receiver.accepted), [...expected, ...expected])
    await send(shop.admin, 'POST', `${PATH}/${id}/replay`, { after: receiver.accepted[0]!.cursor })
    await receiver.untilAccepted(5)
    assert.equal(entriesIn(receiver.accepted).at(-1), expected[1])
    await unsubscribe(id)
  })

  it('pause where the selection no longer fits the model, and follow an attribute that is renamed', async () => {
    const receiver = await receive()
    const attributes = [{ alias: 'old', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-renamed', name: 'R', attributes })
    const criteria = [{ attributeAlias: 'old', operator: 'isNotEmpty' }]
    const selection = { criteria, criteriaOperator: 'and', schemaId: 'sch-renamed' }
    const { id } = await subscribe(receiver, { selection })
    const renaming = { from: 'old', to: 'new' }
    const path = '/api/v1/schemas/sch-renamed/rename-attribute'
    const job = (await send<{ id: string }>(shop.admin, 'POST', path, renaming)).body
    await until(
      async () => (await send<{ status: string }>(shop.admin, 'GET', `/api/v1/bulk-jobs/${job.id}?wait=5`)).body,
      ({ status }) => status === 'succeeded',
    )
    await make(shop.admin, '/api/v1/records', { schemaId: 'sch-renamed', values: { new: everywhere('x') } })
    await receiver.untilAccepted(1)
    await send(shop.admin, 'PUT', '/api/v1/schemas/sch-renamed?dropValues=true', { name: 'R', attributes: [] })
    await make(shop.admin, '/api/v1/records', { schemaId: 'sch-renamed', values: {} })
    const paused = await until(
      () => standing(id),
      ({ active }) => !active,
    )
    assert.match(paused.pausedReason!.message, /new/)
    await unsubscribe(id)
  })

  it('go on where they were after a stop, without one that was sent before', async () => {
    const receiver = await receive()
    const { id, cursor } = await subscribe(receiver)
    receiver.answers = ['slow', 200]
    await makeShirt(shop.admin, {})
    await receiver.untilRequested(1)
    const server = await shop.restart()
    await makeShirt(server.admin, {})
    shop = { ...shop, ...server }
    await receiver.untilAccepted(2)
    assert.deepEqual(entriesIn(receiver.accepted), await entriesAfter(cursor))
    assert.equal(receiver.requests.length, 2)
    await unsubscribe(id)
  })
})
