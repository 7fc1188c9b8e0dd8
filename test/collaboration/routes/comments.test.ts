// Comments over HTTP. Contract 5 §3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, untilEnded } from '../../helpers/bulk-jobs.ts'
import { makeUser } from '../../helpers/people.ts'
import { everywhere, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { type CommentBody, commentsOf, listOf, makePerson, newShirt, say, type TalkingPerson } from '../talking.ts'

let shop: Workspace
let anna: TalkingPerson
let ben: TalkingPerson
before(async () => {
  shop = await startWorkspace()
  anna = await makePerson(shop, 'Anna')
  ben = await makePerson(shop, 'Ben')
})
after(() => shop.stop())

const idsOf = (comments: readonly CommentBody[]): string[] => comments.map(({ id }) => id)

describe('POST /api/v1/records/:id/comments', () => {
  it('writes a comment about the record, about a value, and an answer', async () => {
    const record = await newShirt(shop)
    const head = await say(anna.client, record, `Hello @[${ben.id}] 😀`)
    assert.deepEqual(
      { ...head, id: '', createdAt: '' },
      {
        id: '',
        createdAt: '',
        recordId: record,
        threadId: null,
        attributeAlias: null,
        scope: {},
        text: `Hello @[${ben.id}] 😀`,
        mentions: [{ id: ben.id, name: 'Ben' }],
        author: { id: anna.id, kind: 'user', name: 'Anna' },
        editedAt: null,
        resolvedAt: null,
        resolvedBy: null,
        deleted: false,
      },
    )
    const place = { attributeAlias: 'description', scope: { language: 'de', market: 'eu' } }
    const value = await say(shop.editor, record, 'Too long', place)
    assert.deepEqual([value.attributeAlias, value.scope, value.author.kind], [...Object.values(place), 'apiKey'])
    const reply = await say(ben.client, record, 'Shorter now', { threadId: value.id })
    assert.deepEqual([reply.threadId, reply.attributeAlias, reply.scope], [value.id, ...Object.values(place)])
  })

  it('takes attributes and dimensions with the names of members of objects', async () => {
    const record = await newShirt(shop)
    const place = { attributeAlias: 'constructor', scope: { constructor: 'toString' } }
    const comment = await say(anna.client, record, 'Odd', place)
    assert.deepEqual([comment.attributeAlias, { ...comment.scope }], ['constructor', place.scope])
    await say(anna.client, record, 'Odd', { attributeAlias: 'toString' })
  })

  it('refuses what does not fit, and names the field', async () => {
    const record = await newShirt(shop)
    const path = `/api/v1/records/${record}/comments`
    const head = await say(anna.client, record, 'Head')
    const reply = await say(anna.client, record, 'Reply', { threadId: head.id })
    const elsewhere = await say(anna.client, await newShirt(shop), 'Elsewhere')
    const disabled = await makeUser(shop, { name: 'Gone', disabled: true })
    const faults: readonly (readonly [object, string, ...string[]])[] = [
      [{}, 'text'],
      [{ text: ' \n ' }, 'text'],
      [{ text: 'x'.repeat(4001) }, 'text', '4000'],
      [{ text: 'x', unknown: 1 }, 'unknown'],
      [{ text: 'x', attributeAlias: 'none' }, 'attributeAlias', 'none'],
      [{ text: 'x', attributeAlias: 'name', scope: { market: 'eu' } }, 'scope', 'market'],
      [{ text: 'x', attributeAlias: 'name', scope: { language: 'xx' } }, 'scope.language'],
      [{ text: 'x', scope: {} }, 'scope', 'attributeAlias'],
      [{ text: 'x', threadId: reply.id }, 'threadId', head.id],
      [{ text: 'x', threadId: head.id, attributeAlias: 'name' }, 'threadId', 'attributeAlias'],
      [{ text: 'x @[nobody]' }, 'text', 'nobody', 'does not exist'],
      [{ text: `x @[${disabled.id}]` }, 'text', disabled.id, 'is disabled'],
      [{ text: Array.from({ length: 21 }, (_, at) => `@[u${at}]`).join('') }, 'text', '21'],
    ]
    for (const [body, ...named] of faults)
      assertRefused(await send(anna.client, 'POST', path, body), 'VALIDATION_ERROR', ...named)
    const missing = { text: 'x', threadId: elsewhere.id }
    assertRefused(await send(anna.client, 'POST', path, missing), 'NOT_FOUND', 'Comment', elsewhere.id)
    assertRefused(await send(anna.client, 'POST', '/api/v1/records/none/comments', { text: 'x' }), 'NOT_FOUND')
    assert.equal((await commentsOf(anna.client, record)).length, 2)
  })

  it('refuses a mention of somebody who may not read the record, or the attribute', async () => {
    const record = await newShirt(shop)
    const path = `/api/v1/records/${record}/comments`
    const stranger = await makeUser(shop, { roleId: 'role-stranger' })
    const clerk = await makeUser(shop, { roleId: 'role-clerk' })
    const refused = await send(anna.client, 'POST', path, { text: `@[${stranger.id}]` })
    assertRefused(refused, 'VALIDATION_ERROR', 'text', stranger.id, 'may not read the record')
    const hidden = { text: `@[${clerk.id}]`, attributeAlias: 'price' }
    const answer = await send(anna.client, 'POST', path, hidden)
    assertRefused(answer, 'VALIDATION_ERROR', clerk.id, "may not read the attribute 'price'")
    await say(anna.client, record, hidden.text)
  })

  it('needs comments.write and records.read', async () => {
    const record = await newShirt(shop)
    const path = `/api/v1/records/${record}/comments`
    const reader = await shop.clientWith(['records.read'])
    assertRefused(await send(reader, 'POST', path, { text: 'x' }), 'PERMISSION_DENIED', 'comments.write')
    const writer = await shop.clientWith(['comments.write'])
    assertRefused(await send(writer, 'POST', path, { text: 'x' }), 'PERMISSION_DENIED', 'records.read')
    await say(shop.viewer, record, 'Viewers may talk')
  })

  it('allows so many open threads, and resolving makes room', async () => {
    const record = await newShirt(shop)
    const first = await say(anna.client, record, 'First')
    for (let at = 1; at < 200; at += 1) await say(anna.client, record, 'More')
    const path = `/api/v1/records/${record}/comments`
    assertRefused(await send(anna.client, 'POST', path, { text: 'x' }), 'LIMIT_EXCEEDED', '200')
    await say(anna.client, record, 'A reply', { threadId: first.id })
    await send(anna.client, 'PATCH', `/api/v1/comments/${first.id}`, { resolved: true })
    await say(anna.client, record, 'x')
    const reopened = await send(anna.client, 'PATCH', `/api/v1/comments/${first.id}`, { resolved: false })
    assertRefused(reopened, 'LIMIT_EXCEEDED', '200')
  })

  it('takes two comments at once, each once', async () => {
    const record = await newShirt(shop)
    await Promise.all(Array.from({ length: 10 }, (_, at) => say(anna.client, record, `At once ${at}`)))
    assert.equal((await commentsOf(anna.client, record)).length, 10)
  })
})

describe('GET /api/v1/records/:id/comments', () => {
  it('lists threads and single comments, page by page, and by state', async () => {
    const record = await newShirt(shop)
    const one = await say(anna.client, record, 'One')
    const two = await say(anna.client, record, 'Two', { attributeAlias: 'sku' })
    const reply = await say(ben.client, record, 'Reply', { threadId: one.id })
    await send(ben.client, 'PATCH', `/api/v1/comments/${two.id}`, { resolved: true })
    const list = async (query: string): Promise<string[]> => idsOf(await commentsOf(ben.client, record, query))
    assert.deepEqual(await list(''), [two.id, one.id, reply.id])
    assert.deepEqual(await list('?order=newest'), [reply.id, two.id, one.id])
    assert.deepEqual(await list('?state=open'), [one.id, reply.id])
    assert.deepEqual(await list('?state=resolved'), [two.id])
    assert.deepEqual(await list('?attributeAlias=sku'), [two.id])
    for (const order of ['threads', 'newest']) {
      const pages: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = `?order=${order}&limit=1${cursor && `&after=${cursor}`}`
        const path = `/api/v1/records/${record}/comments${query}`
        const { body, headers }: Answer<{ items: CommentBody[] }> = await send(ben.client, 'GET', path)
        pages.push(...idsOf(body.items))
        cursor = headers.get('x-next-cursor')
      }
      assert.deepEqual(pages, await list(`?order=${order}`))
    }
    const path = `/api/v1/records/${record}/comments`
    for (const [query, name] of [
      ['after=x', 'after'],
      ['limit=101', 'limit'],
      ['state=closed', 'state'],
    ])
      assertRefused(await send(ben.client, 'GET', `${path}?${query}`), 'VALIDATION_ERROR', name!)
    assertRefused(await send(ben.client, 'GET', '/api/v1/records/none/comments'), 'NOT_FOUND', 'Record')
  })

  it('tells nobody of a hidden attribute: neither here, nor by ID, nor by a count', async () => {
    const record = await newShirt(shop)
    const hidden = await say(anna.client, record, 'The price is 9.90', { attributeAlias: 'price' })
    const reply = await say(anna.client, record, 'No, 8.90', { threadId: hidden.id })
    const shown = await say(anna.client, record, 'A name', { attributeAlias: 'name' })
    assert.deepEqual(idsOf(await commentsOf(shop.clerk, record)), [shown.id])
    const path = `/api/v1/records/${record}/comments`
    const page = await send<{ items: unknown[] }>(shop.clerk, 'GET', `${path}?limit=1&order=newest`)
    assert.equal(page.headers.get('x-next-cursor'), null)
    assert.deepEqual(await commentsOf(shop.clerk, record, '?attributeAlias=price'), [])
    const open = await listOf<{ attributeAlias: string }>(shop.clerk, `/api/v1/comments/open?recordIds=${record}`)
    assert.deepEqual(
      open.map(({ attributeAlias }) => attributeAlias),
      ['name'],
    )
    const clerk = await shop.clientWith(['records.read', 'comments.write', 'comments.moderate'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    for (const { id } of [hidden, reply]) {
      const one = `/api/v1/comments/${id}`
      assertRefused(await send(clerk, 'GET', one), 'NOT_FOUND', 'Comment')
      assertRefused(await send(clerk, 'PATCH', one, { resolved: true }), 'NOT_FOUND', 'Comment')
      assertRefused(await send(clerk, 'DELETE', one), 'NOT_FOUND', 'Comment')
    }
    assertRefused(await send(clerk, 'POST', path, { text: 'x', threadId: hidden.id }), 'NOT_FOUND', 'Comment')
    const about = { text: 'x', attributeAlias: 'price' }
    assertRefused(await send(clerk, 'POST', path, about), 'PERMISSION_DENIED', 'price')
    const readers = `/api/v1/records/${record}/readers?attributeAlias=price`
    assertRefused(await send(clerk, 'GET', readers), 'PERMISSION_DENIED', 'price')
  })
})

describe('A comment', () => {
  it('is read by GET /api/v1/comments/:id', async () => {
    const comment = await say(anna.client, await newShirt(shop), 'Read me')
    assert.deepEqual((await send(ben.client, 'GET', `/api/v1/comments/${comment.id}`)).body, comment)
    assertRefused(await send(ben.client, 'GET', '/api/v1/comments/none'), 'NOT_FOUND', 'Comment', 'none')
  })

  it('is edited by its author alone, by PATCH /api/v1/comments/:id', async () => {
    const { id } = await say(anna.client, await newShirt(shop), 'Frist')
    const path = `/api/v1/comments/${id}`
    const edited = await send<CommentBody>(anna.client, 'PATCH', path, { text: `First @[${ben.id}]` })
    assert.deepEqual([edited.body.text, edited.body.mentions[0]!.name], [`First @[${ben.id}]`, 'Ben'])
    assert.notEqual(edited.body.editedAt, null)
    assertRefused(await send(ben.client, 'PATCH', path, { text: 'Mine' }), 'PERMISSION_DENIED', 'author')
    assertRefused(await send(shop.admin, 'PATCH', path, { text: 'Mine' }), 'PERMISSION_DENIED', 'author')
    assertRefused(await send(anna.client, 'PATCH', path, { text: '@[none]' }), 'VALIDATION_ERROR', 'none')
  })

  it('keeps a mention of somebody who left, and can still be edited', async () => {
    const gone = await makeUser(shop, { name: 'Leaving' })
    const { id } = await say(anna.client, await newShirt(shop), `Ask @[${gone.id}]`)
    await send(shop.admin, 'DELETE', `/api/v1/users/${gone.id}`)
    const path = `/api/v1/comments/${id}`
    const edited = await send<CommentBody>(anna.client, 'PATCH', path, { text: `Ask @[${gone.id}] soon` })
    assert.deepEqual(edited.body.mentions, [{ id: gone.id, name: null }])
  })

  it('names people as they are called now', async () => {
    const user = await makeUser(shop, { name: 'Before' })
    const { id } = await say(anna.client, await newShirt(shop), `@[${user.id}]`)
    await send(shop.admin, 'PATCH', `/api/v1/users/${user.id}`, { name: 'constructor' })
    const { body } = await send<CommentBody>(anna.client, 'GET', `/api/v1/comments/${id}`)
    assert.deepEqual(body.mentions, [{ id: user.id, name: 'constructor' }])
  })

  it('is resolved and reopened as a thread, by anybody who may comment', async () => {
    const record = await newShirt(shop)
    const { id } = await say(anna.client, record, 'Question')
    const reply = await say(ben.client, record, 'Answer', { threadId: id })
    const path = `/api/v1/comments/${id}`
    const resolved = await send<CommentBody>(ben.client, 'PATCH', path, { resolved: true })
    assert.equal(resolved.body.resolvedBy?.name, 'Ben')
    const open = `/api/v1/comments/open?recordIds=${record}`
    assert.deepEqual(await listOf(anna.client, open), [])
    const reopened = await send<CommentBody>(anna.client, 'PATCH', path, { resolved: false })
    assert.deepEqual([reopened.body.resolvedAt, reopened.body.resolvedBy], [null, null])
    const counted = [{ recordId: record, attributeAlias: null, scope: {}, open: 1 }]
    assert.deepEqual(await listOf(anna.client, open), counted)
    const wrong = await send(anna.client, 'PATCH', `/api/v1/comments/${reply.id}`, { resolved: true })
    assertRefused(wrong, 'VALIDATION_ERROR', 'resolved', id)
  })

  it('is deleted by its author or a moderator; with replies only its text goes', async () => {
    // DELETE /api/v1/comments/:id
    const record = await newShirt(shop)
    const head = await say(anna.client, record, 'Head')
    const reply = await say(ben.client, record, 'Reply', { threadId: head.id })
    const remove = (client = anna.client, id = head.id) => send(client, 'DELETE', `/api/v1/comments/${id}`)
    assertRefused(await remove(ben.client), 'PERMISSION_DENIED', 'comments.moderate')
    assert.equal((await remove()).status, 204)
    const [left] = await commentsOf(anna.client, record)
    assert.deepEqual([left!.text, left!.deleted], ['', true])
    const edit = await send(anna.client, 'PATCH', `/api/v1/comments/${head.id}`, { text: 'Again' })
    assertRefused(edit, 'CONFLICT', head.id)
    assert.equal((await remove(shop.admin, reply.id)).status, 204)
    assert.deepEqual(await commentsOf(anna.client, record), [])
    assertRefused(await remove(), 'NOT_FOUND')
  })

  it('goes with its record, and comes back with it', async () => {
    const record = await newShirt(shop)
    const { id } = await say(anna.client, record, 'Still here')
    await send(shop.admin, 'DELETE', `/api/v1/records/${record}`)
    assertRefused(await send(anna.client, 'GET', `/api/v1/comments/${id}`), 'NOT_FOUND', 'Comment')
    assertRefused(await send(anna.client, 'GET', `/api/v1/records/${record}/comments`), 'NOT_FOUND', 'Record')
    const late = await send(anna.client, 'POST', `/api/v1/records/${record}/comments`, { text: 'x', threadId: id })
    assertRefused(late, 'NOT_FOUND', 'Record')
    assert.deepEqual(await listOf(anna.client, `/api/v1/comments/open?recordIds=${record}`), [])
    const trail = await send<{ version: number }[]>(shop.admin, 'GET', `/api/v1/records/${record}/audit`)
    const version = trail.body[1]!.version
    const restored = await send(shop.admin, 'POST', `/api/v1/records/${record}/restore`, { version })
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual(idsOf(await commentsOf(anna.client, record)), [id])
  })

  it('is erased with the history of its record', async () => {
    const record = await newShirt(shop)
    await say(anna.client, record, `Call @[${ben.id}] at home`)
    await make(shop.admin, '/api/v1/assignments', { recordIds: [record], assigneeId: ben.id, note: 'Private' })
    assert.equal((await send(shop.admin, 'DELETE', `/api/v1/records/${record}/history`)).status, 204)
    assert.deepEqual(await commentsOf(anna.client, record), [])
    const assigned = await listOf<{ note: string }>(anna.client, `/api/v1/assignments?recordId=${record}`)
    assert.deepEqual(
      assigned.map(({ note }) => note),
      [''],
    )
  })

  it('follows its attribute to another alias, and stays hidden from those from whom the attribute is hidden', async () => {
    const attributes = [{ alias: 'old', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-told', name: 'Told', attributes })
    const hidden = { attributePermissions: { 'sch-told': { old: 'none' } } }
    const clerk = await shop.clientWith(['records.read', 'comments.write'], hidden)
    const values = { old: everywhere('x') }
    const { id } = await make<{ id: string }>(shop.admin, '/api/v1/records', { schemaId: 'sch-told', values })
    await say(anna.client, id, 'Secret', { attributeAlias: 'old' })
    const rename = { from: 'old', to: 'new' }
    const path = '/api/v1/schemas/sch-told/rename-attribute'
    const { body } = await send<BulkJobBody>(shop.admin, 'POST', path, rename)
    await untilEnded(shop.admin, body.id)
    assert.equal((await commentsOf(anna.client, id))[0]!.attributeAlias, 'new')
    assert.deepEqual(await commentsOf(clerk, id), [])
    // The attribute goes: whoever had a hidden attribute learns nothing.
    const bare = { name: 'Told', attributes: [] }
    const dropped = await send(shop.admin, 'PUT', '/api/v1/schemas/sch-told?dropValues=true', bare)
    assert.ok(dropped.status < 300, dropped.text)
    assert.deepEqual(await commentsOf(clerk, id), [])
  })
})

describe('GET /api/v1/comments/open', () => {
  it('counts the open threads of many records by value', async () => {
    const [one, two] = [await newShirt(shop), await newShirt(shop)]
    const place = { attributeAlias: 'name', scope: { language: 'de' } }
    for (const more of [place, place, {}]) await say(anna.client, one, 'x', more)
    await say(anna.client, two, 'x')
    const items = await listOf<{ recordId: string }>(ben.client, `/api/v1/comments/open?recordIds=${one},none,${two}`)
    const expected = [
      { recordId: one, attributeAlias: null, scope: {}, open: 1 },
      { recordId: one, ...place, open: 2 },
      { recordId: two, attributeAlias: null, scope: {}, open: 1 },
    ]
    assert.deepEqual(
      items,
      expected.toSorted((a, b) => (a.recordId < b.recordId ? -1 : 1)),
    )
    const many = Array.from({ length: 101 }, (_, at) => at).join(',')
    const path = `/api/v1/comments/open?recordIds=${many}`
    assertRefused(await send(ben.client, 'GET', path), 'VALIDATION_ERROR', 'recordIds', '100')
    assertRefused(await send(ben.client, 'GET', '/api/v1/comments/open'), 'VALIDATION_ERROR', 'recordIds')
  })
})

describe('GET /api/v1/records/:id/readers', () => {
  it('finds people by name and username, who may read the record and the attribute', async () => {
    const record = await newShirt(shop)
    const clerk = await makeUser(shop, { name: 'Zoe Clerk', username: 'zoe', roleId: 'role-clerk' })
    await makeUser(shop, { name: 'Zoe Stranger', roleId: 'role-stranger' })
    await makeUser(shop, { name: 'Zoe Disabled', disabled: true })
    const editor = await makeUser(shop, { name: 'Editor', username: 'ZOE2', roleId: 'role-editor' })
    const find = async (query: string): Promise<string[]> =>
      (await listOf<{ id: string }>(anna.client, `/api/v1/records/${record}/readers?${query}`)).map(({ id }) => id)
    assert.deepEqual(await find('text=zoe'), [clerk.id, editor.id])
    assert.deepEqual(await find('text=zoe&attributeAlias=price'), [editor.id])
    assert.deepEqual(await find('text=nobody%20at%20all'), [])
    const inside = await makeUser(shop, { name: 'Claire Marqtin', roleId: 'role-editor' })
    const begins = await makeUser(shop, { name: 'Qtina Trad', roleId: 'role-editor' })
    assert.deepEqual(await find('text=QTIN'), [begins.id, inside.id])
    assertRefused(await send(anna.client, 'GET', '/api/v1/records/none/readers'), 'NOT_FOUND')
  })
})

describe('PUT /api/v1/records/:id/follow', () => {
  it('follows and leaves a record; a comment follows it, too', async () => {
    const record = await newShirt(shop)
    const path = `/api/v1/records/${record}/follow`
    const follows = async (): Promise<unknown> => (await send(ben.client, 'GET', path)).body
    assert.deepEqual(await follows(), { follows: false })
    await say(ben.client, record, 'x')
    // GET /api/v1/records/:id/follow
    assert.deepEqual(await follows(), { follows: true })
    assert.deepEqual((await send(ben.client, 'PUT', path, { follows: false })).body, { follows: false })
    await say(ben.client, record, 'x')
    assert.deepEqual(await follows(), { follows: false })
    assertRefused(await send(shop.editor, 'PUT', path, { follows: true }), 'PERMISSION_DENIED', 'API key')
    assertRefused(await send(ben.client, 'PUT', '/api/v1/records/none/follow', { follows: true }), 'NOT_FOUND')
    assertRefused(await send(ben.client, 'GET', '/api/v1/records/none/follow'), 'NOT_FOUND')
  })
})

describe('Roles', () => {
  it('of a new workspace: editors comment and assign, viewers comment, administrators moderate', async () => {
    const permissionsOf = async (role: string): Promise<string[]> =>
      (await send<{ permissions: string[] }>(shop.admin, 'GET', `/api/v1/roles/${role}`)).body.permissions.filter(
        (permission) => /^(comments|assignments)\./.test(permission),
      )
    assert.deepEqual(await permissionsOf('role-editor'), ['comments.write', 'assignments.write'])
    assert.deepEqual(await permissionsOf('role-viewer'), ['comments.write'])
    assert.deepEqual(await permissionsOf('role-admin'), ['comments.write', 'comments.moderate', 'assignments.write'])
    await makeShirt(shop.admin, {})
  })
})
