// Assignments of records to people, over HTTP. Contract 5 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { makeUser } from '../../helpers/people.ts'
import { make, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { type AssignmentBody, listOf, makePerson, newShirt, noticesOf, type TalkingPerson } from '../talking.ts'

const PATH = '/api/v1/assignments'

let shop: Workspace
let anna: TalkingPerson
let ben: TalkingPerson
before(async () => {
  shop = await startWorkspace({ maxRecords: 1000 })
  anna = await makePerson(shop, 'Anna')
  ben = await makePerson(shop, 'Ben', 'role-viewer')
})
after(() => shop.stop())

/** Anna assigns a new shirt to Ben. */
async function assign(more: object = {}): Promise<AssignmentBody> {
  const body = { recordIds: [await newShirt(shop)], assigneeId: ben.id, ...more }
  const { ids } = await make<{ ids: string[] }>(anna.client, PATH, body)
  return (await send<AssignmentBody>(anna.client, 'GET', `${PATH}/${ids[0]!}`)).body
}

const change = (person: TalkingPerson, { id }: AssignmentBody, body: object) =>
  send<AssignmentBody>(person.client, 'PATCH', `${PATH}/${id}`, body)

describe('POST /api/v1/assignments', () => {
  it('assigns a record with a day and a note', async () => {
    const made = await assign({ dueOn: '2001-03-05', note: 'Please check' })
    // GET /api/v1/assignments/:id
    const { recordId, assignee, assignedBy, dueOn, note, state, overdue } = made
    assert.deepEqual([dueOn, note, state, overdue], ['2001-03-05', 'Please check', 'open', true])
    assert.deepEqual(assignee, { id: ben.id, kind: 'user', name: 'Ben' })
    assert.deepEqual(assignedBy, { id: anna.id, kind: 'user', name: 'Anna' })
    const ofRecord = await listOf<AssignmentBody>(ben.client, `${PATH}?recordId=${recordId}`)
    assert.deepEqual(ofRecord, [made])
    assertRefused(await send(anna.client, 'GET', `${PATH}/none`), 'NOT_FOUND', 'Assignment')
  })

  it('assigns 500 records at once, which is one notice', async () => {
    const carl = await makePerson(shop, 'Carl')
    const made = await send<{ results: { id: string }[] }>(shop.admin, 'POST', '/api/v1/records/batch', {
      operations: Array.from({ length: 500 }, (_, at) => ({
        op: 'create',
        id: `many-${at}`,
        schemaId: 'sch-plain',
        values: {},
      })),
    })
    assert.equal(made.status, 200, made.text)
    const recordIds = Array.from({ length: 500 }, (_, at) => `many-${at}`)
    const { ids } = await make<{ ids: string[] }>(anna.client, PATH, { recordIds, assigneeId: carl.id })
    assert.equal(new Set(ids).size, 500)
    const notices = await noticesOf(carl.client)
    assert.deepEqual(
      notices.map(({ kind, count, recordId, actor }) => [kind, count, recordId, actor?.name]),
      [['assignment', 500, null, 'Anna']],
    )
    const first = await send<{ items: AssignmentBody[] }>(carl.client, 'GET', `${PATH}?assigneeId=me&limit=100`)
    assert.equal(first.body.items.length, 100)
    assert.ok(first.headers.get('x-next-cursor'))
    const tooMany = { recordIds: [...recordIds, 'more'], assigneeId: carl.id }
    assertRefused(await send(anna.client, 'POST', PATH, tooMany), 'VALIDATION_ERROR', 'recordIds', '500')
  })

  it('refuses what does not fit, and assigns nothing then', async () => {
    const record = await newShirt(shop)
    const stranger = await makeUser(shop, { roleId: 'role-stranger' })
    const disabled = await makeUser(shop, { disabled: true })
    const faults: readonly (readonly [object, ...string[]])[] = [
      [{ recordIds: [] }, 'recordIds'],
      [{ recordIds: [record, 'none'] }, 'recordIds', 'none'],
      [{ recordIds: [record, record] }, 'recordIds', 'twice'],
      [{ assigneeId: 'nobody' }, 'assigneeId', 'nobody'],
      [{ assigneeId: stranger.id }, 'assigneeId', stranger.id, 'may not read'],
      [{ assigneeId: disabled.id }, 'assigneeId', disabled.id, 'is disabled'],
      [{ dueOn: '2026-02-30' }, 'dueOn'],
      [{ note: 'x'.repeat(1001) }, 'note', '1000'],
    ]
    for (const [fault, ...named] of faults) {
      const body = { recordIds: [record], assigneeId: ben.id, ...fault }
      assertRefused(await send(anna.client, 'POST', PATH, body), 'VALIDATION_ERROR', ...named)
    }
    assert.deepEqual(await listOf(anna.client, `${PATH}?recordId=${record}`), [])
    const body = { recordIds: [record], assigneeId: ben.id }
    assertRefused(await send(ben.client, 'POST', PATH, body), 'PERMISSION_DENIED', 'assignments.write')
    for (let at = 0; at < 20; at += 1) await make(anna.client, PATH, body)
    assertRefused(await send(anna.client, 'POST', PATH, body), 'LIMIT_EXCEEDED', record, '20')
  })
})

describe('An assignment', () => {
  it('is finished and reopened by its person, a viewer too, by PATCH /api/v1/assignments/:id', async () => {
    const made = await assign()
    const done = await change(ben, made, { state: 'done' })
    assert.deepEqual([done.body.state, done.body.changedBy.name], ['done', 'Ben'])
    const ofRecord = `${PATH}?recordId=${made.recordId}`
    assert.deepEqual(await listOf(ben.client, ofRecord), [])
    assert.deepEqual(await listOf(ben.client, `${ofRecord}&state=done`), [done.body])
    assert.equal((await change(ben, made, { state: 'open' })).body.state, 'open')
    assertRefused(await change(ben, made, { state: 'withdrawn' }), 'PERMISSION_DENIED')
    assertRefused(await change(ben, made, { dueOn: null }), 'PERMISSION_DENIED')
  })

  it('is taken back and changed by its giver, and by nobody else', async () => {
    const made = await assign()
    const other = await makePerson(shop, 'Other')
    assertRefused(await change(other, made, { state: 'done' }), 'PERMISSION_DENIED', 'assigned person')
    const later = await change(anna, made, { dueOn: '2999-01-01', note: 'Later' })
    assert.deepEqual([later.body.dueOn, later.body.note, later.body.overdue], ['2999-01-01', 'Later', false])
    assert.equal((await change(anna, made, { state: 'withdrawn' })).body.state, 'withdrawn')
    assertRefused(await change(ben, made, { state: 'open' }), 'PERMISSION_DENIED')
    assert.equal((await send(shop.admin, 'PATCH', `${PATH}/${made.id}`, { state: 'open' })).status, 200)
    assertRefused(await send(anna.client, 'PATCH', `${PATH}/none`, {}), 'NOT_FOUND')
  })

  it('of a deleted record is nowhere, and comes back with the record', async () => {
    const made = await assign()
    await send(shop.admin, 'DELETE', `/api/v1/records/${made.recordId}`)
    assertRefused(await change(ben, made, { state: 'done' }), 'NOT_FOUND', 'Assignment')
    const mine = async (): Promise<string[]> =>
      (await listOf<AssignmentBody>(ben.client, `${PATH}?assigneeId=me&limit=100`)).map(({ id }) => id)
    assert.ok(!(await mine()).includes(made.id))
    const audit = `/api/v1/records/${made.recordId}/audit`
    const { version } = (await send<{ version: number }[]>(shop.admin, 'GET', audit)).body[1]!
    await send(shop.admin, 'POST', `/api/v1/records/${made.recordId}/restore`, { version })
    assert.ok((await mine()).includes(made.id))
  })

  it('stays when its person is deleted, for its giver to take back', async () => {
    const gone = await makeUser(shop, { name: 'Leaving' })
    const made = await assign({ assigneeId: gone.id })
    await send(shop.admin, 'DELETE', `/api/v1/users/${gone.id}`)
    const [left] = await listOf<AssignmentBody>(anna.client, `${PATH}?recordId=${made.recordId}`)
    assert.deepEqual(left!.assignee, { id: gone.id, kind: 'user', name: null })
    assert.equal((await change(anna, made, { state: 'withdrawn' })).status, 200)
  })
})

describe('GET /api/v1/assignments', () => {
  it('lists mine and those I gave, the earliest day first, also page by page and only overdue ones', async () => {
    const eve = await makePerson(shop, 'Eve')
    const give = async (dueOn: string | null): Promise<string> => {
      const body = { recordIds: [await newShirt(shop)], assigneeId: ben.id, dueOn }
      return (await make<{ ids: string[] }>(eve.client, PATH, body)).ids[0]!
    }
    const [none, late, soon] = [await give(null), await give('2999-01-02'), await give('2001-01-01')]
    const list = async (query: string): Promise<string[]> =>
      (await listOf<AssignmentBody>(eve.client, `${PATH}?${query}`)).map(({ id }) => id)
    assert.deepEqual(await list('assignedBy=me'), [soon, late, none])
    assert.deepEqual(await list(`assignedBy=${eve.id}&assigneeId=${ben.id}`), [soon, late, none])
    assert.deepEqual(await list('assignedBy=me&overdue=true'), [soon])
    assert.deepEqual(await list('assigneeId=me'), [])
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const path: string = `${PATH}?assignedBy=me&limit=1${cursor && `&after=${cursor}`}`
      const { body, headers } = await send<{ items: AssignmentBody[] }>(eve.client, 'GET', path)
      pages.push(...body.items.map(({ id }) => id))
      cursor = headers.get('x-next-cursor') ?? ''
      if (cursor === '') break
    }
    assert.deepEqual(pages, [soon, late, none])
    assertRefused(await send(eve.client, 'GET', PATH), 'VALIDATION_ERROR', 'recordId', 'assigneeId', 'assignedBy')
    assertRefused(await send(eve.client, 'GET', `${PATH}?assigneeId=me&after=x`), 'VALIDATION_ERROR', 'after')
    assertRefused(await send(shop.editor, 'GET', `${PATH}?assigneeId=me`), 'VALIDATION_ERROR', 'API key')
    assert.deepEqual(await listOf(shop.editor, `${PATH}?assignedBy=me`), [])
  })
})
