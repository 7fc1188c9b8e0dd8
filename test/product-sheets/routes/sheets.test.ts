// Product sheets, their templates and links, over HTTP. Contract 5 §4.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { assertErrorBody, assertRefused, send } from '../../helpers/answers.ts'
import { untilEnded } from '../../helpers/bulk-jobs.ts'
import { atOneServer, type Client } from '../../helpers/client.ts'
import { uploaded } from '../../helpers/files.ts'
import { HOUR, MINUTE, makeClock, type TestClock } from '../../helpers/clock.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { english, everywhere, german, make, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { startServer } from '../../helpers/server.ts'
import { storedIn } from '../../helpers/tested-database.ts'

const TEMPLATES = '/api/v1/sheet-templates'
const LINKS = '/api/v1/sheet-links'
const SHARING = ['records.read', 'records.share'] as const

interface LinkBody {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly expiresAt: string
  readonly visits: number
  readonly lastVisitAt: string | null
  readonly url: string
}

let shop: Workspace
let clock: TestClock
let shirt: { readonly id: string }
before(async () => {
  clock = makeClock()
  shop = await startWorkspace({ testing: { system: clock } })
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-tea',
    name: 'Tea',
    names: { de: 'Tee' },
    labelAttribute: 'title',
    groups: [{ id: 'facts', name: 'Facts', names: { de: 'Fakten' }, attributeAliases: ['weight', 'kind'] }],
    attributes: [
      { alias: 'title', name: 'Title', names: { de: 'Titel' }, dataType: 'text', dimensionIds: ['language'] },
      { alias: 'weight', name: 'Weight', names: { de: 'Gewicht' }, dataType: 'measurement', units: ['g'] },
      {
        alias: 'kind',
        name: 'Kind',
        dataType: 'select',
        options: [{ id: 'green', name: 'Green', names: { de: 'Grün' } }],
      },
      { alias: 'text', name: 'Text', dataType: 'richText' },
      { alias: 'secret', name: 'Secret', dataType: 'text' },
      { alias: 'photo', name: 'Photo', dataType: 'file' },
      { alias: 'fits', name: 'Fits', dataType: 'reference' },
    ],
  })
  shirt = await makeShirt(shop.admin, { name: [english('Shirt'), german('Hemd')] })
})
after(() => shop.stop())

let count = 0
const makeTea = async (more: object = {}) => {
  count += 1
  const values = {
    title: [english(`Tea ${count}`), german(`Tee ${count}`)],
    weight: everywhere({ amount: 12_345.5, unit: 'g' }),
    kind: everywhere('green'),
    text: everywhere('<p>Fresh</p><script>alert(1)</script>'),
    secret: everywhere('only for us'),
    ...more,
  }
  return make<{ id: string; version: number }>(shop.admin, '/api/v1/records', { schemaId: 'sch-tea', values })
}

async function page(client: Client, method: string, path: string, body?: object) {
  const json = body === undefined ? {} : { headers: { ...client.headers, 'content-type': 'application/json' } }
  const answer = await fetch(client.url + path, {
    method,
    headers: client.headers,
    ...json,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const visit = (url: string, client = shop.anonymous) => page(client, 'GET', url)
const share = (client: Client, fields: object) => make<LinkBody>(client, LINKS, fields)
const list = async (client: Client, query = '') => (await send<LinkBody[]>(client, 'GET', LINKS + query)).body

interface Told {
  readonly entityType: string
  readonly entityId: string
  readonly action: string
}
/** The last entries about the model, the oldest first. */
const told = async (limit: number): Promise<Told[]> => {
  const path = `/api/v1/changes?entityType=model&before=latest&limit=${limit}`
  return (await send<{ items: Told[] }>(shop.admin, 'GET', path)).body.items.toReversed()
}

const template = (more: object = {}) => ({
  name: 'For buyers',
  schemaId: 'sch-tea',
  heading: 'Spring <b>collection</b>',
  footer: 'Without VAT',
  sections: [{ heading: 'All', attributeAliases: ['weight'] }],
  ...more,
})

describe('The sheet of a record', () => {
  it('has label, pictures and all filled values by group, in the language and scope that are asked for', async () => {
    // GET /api/v1/records/:id/sheet
    const red = sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
    const { sha256 } = await uploaded(shop.admin, await red.png().toBuffer(), 'red.png')
    const tea = await makeTea({ photo: everywhere({ sha256, fileName: 'red.png' }), fits: everywhere(shirt.id) })
    const { status, headers, text } = await page(
      shop.admin,
      'GET',
      `/api/v1/records/${tea.id}/sheet?language=de&scope=language:de`,
    )
    assert.equal(status, 200, text)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'; img-src data:/)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.match(text, /<html lang="de"/)
    assert.match(text, /<h1 dir="auto">Tee \d+<\/h1>/)
    assert.match(text, /<h2 dir="auto">Fakten<\/h2>/)
    assert.match(text, /Gewicht<\/th><td dir="auto">12\.345,5\u00a0g</)
    assert.match(text, />Grün</)
    assert.match(text, />Fresh</)
    assert.doesNotMatch(text, /<script|alert/)
    assert.match(text, /Fits<\/th><td dir="auto">Hemd</)
    assert.match(text, /<img src="data:image\/webp;base64,[A-Za-z0-9+/=]+" alt="red.png">/)
    assert.doesNotMatch(text, /https?:|src="\/|href/)
  })

  it('leaves out what the role may not read', async () => {
    const tea = await makeTea()
    const some = await shop.clientWith(['records.read'], { attributePermissions: { 'sch-tea': { secret: 'none' } } })
    const path = `/api/v1/records/${tea.id}/sheet`
    assert.match((await page(shop.admin, 'GET', path)).text, /only for us/)
    const { status, text } = await page(some, 'GET', path)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /only for us|Secret/)
  })

  it('is refused for what does not exist, and names the parameter at fault', async () => {
    const tea = await makeTea()
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records/none/sheet'), 'NOT_FOUND', 'none')
    for (const [query, named] of [
      ['language=??', 'language'],
      ['scope=language', 'scope'],
      ['scope=language:xx', 'xx'],
      ['templateId=none', 'templateId'],
      ['sope=language:de', 'scope'],
    ])
      assertRefused(
        await send(shop.admin, 'GET', `/api/v1/records/${tea.id}/sheet?${query}`),
        'VALIDATION_ERROR',
        named!,
      )
  })
})

describe('The sheets of many records', () => {
  const sheets = (fields: object, client = shop.admin) => page(client, 'POST', '/api/v1/records/sheets', fields)

  it('are one page with an article for each record, in the given order', async () => {
    // POST /api/v1/records/sheets
    const teas = [await makeTea(), await makeTea(), await makeTea()]
    const recordIds = teas.map(({ id }) => id).toReversed()
    const { status, text } = await sheets({ recordIds })
    assert.equal(status, 200)
    assert.deepEqual(
      recordIds.map((id) => text.indexOf(id)).toSorted((one, other) => one - other),
      recordIds.map((id) => text.indexOf(id)),
    )
    assert.equal(text.match(/<article /g)!.length, 3)
    assert.ok(text.endsWith('</html>\n'))
  })

  it('may be those that a search finds, and at most 200', async () => {
    const criteria = [{ attributeAlias: 'sku', operator: 'equals', value: 'PRINT-ME' }]
    const query = { criteria, criteriaOperator: 'and' }
    const { id } = await makeShirt(shop.admin, { sku: everywhere('PRINT-ME') })
    const { text } = await sheets({ query })
    // A customer sees the name, not the ID.
    assert.ok(text.includes('PRINT-ME') && !text.includes(id))
    assertErrorBody(JSON.parse((await sheets({ query, except: [id] })).text), 'VALIDATION_ERROR', 'no record')
    const operations = Array.from({ length: 201 }, () => ({
      op: 'create',
      schemaId: 'sch-plain',
      values: {},
    }))
    const batch = await send(shop.admin, 'POST', '/api/v1/records/batch', { atomic: true, operations })
    assert.equal(batch.status, 200, batch.text)
    const all = { criteria: [], criteriaOperator: 'and', schemaId: 'sch-plain' }
    assertErrorBody(JSON.parse((await sheets({ query: all })).text), 'VALIDATION_ERROR', '200')
  })

  it('that nobody reads keep nobody from theirs', async () => {
    // Twenty megabytes: more than connections hold.
    const long = '&'.repeat(20_000)
    const values = { secret: everywhere(long), title: [english(long)] }
    const recordIds = Array.from({ length: 100 }, (_, index) => `unread-${index}`)
    const operations = recordIds.map((id) => ({ op: 'create', id, schemaId: 'sch-tea', values }))
    assert.equal((await send(shop.admin, 'POST', '/api/v1/records/batch', { operations })).status, 200)
    const headers = { ...shop.admin.headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ recordIds })
    const unread = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(`${shop.admin.url}/api/v1/records/sheets`, { method: 'POST', headers, body }),
      ),
    )
    const { status } = await page(shop.admin, 'GET', `/api/v1/records/unread-0/sheet`)
    assert.equal(status, 200)
    await Promise.all(unread.map((answer) => answer.body!.cancel()))
  })

  it('need records: none, twice the same, too many, and both ways at once are refused', async () => {
    const { id } = await makeTea()
    const query = { criteria: [], criteriaOperator: 'and' }
    for (const [fields, named] of [
      [{}, 'recordIds'],
      [{ recordIds: [] }, 'recordIds'],
      [{ recordIds: [id, id] }, 'twice'],
      [{ recordIds: [id], query }, 'not both'],
      [{ recordIds: Array.from({ length: 201 }, (_, at) => `ent-${at}`) }, '200'],
      [{ recordIds: [id], scope: { language: 'xx' } }, 'scope'],
    ] as const)
      assertErrorBody(JSON.parse((await sheets(fields)).text), 'VALIDATION_ERROR', named)
  })
})

describe('A template', () => {
  it('is created, read, replaced and deleted, and the feed tells of that', async () => {
    // POST /api/v1/sheet-templates
    const made = await make<{ id: string; pictureSize: string }>(shop.admin, TEMPLATES, template())
    assert.equal(made.pictureSize, 'medium')
    // GET /api/v1/sheet-templates
    assert.ok((await send<{ id: string }[]>(shop.viewer, 'GET', TEMPLATES)).body.some(({ id }) => id === made.id))
    // GET /api/v1/sheet-templates/:id
    const read = await send<object>(shop.viewer, 'GET', `${TEMPLATES}/${made.id}`)
    assert.deepEqual(read.body, made)
    // PUT /api/v1/sheet-templates/:id
    const replaced = await send<{ name: string }>(shop.admin, 'PUT', `${TEMPLATES}/${made.id}`, {
      ...read.body,
      name: 'B',
    })
    assert.equal(replaced.body.name, 'B', replaced.text)
    // DELETE /api/v1/sheet-templates/:id
    assert.equal((await send(shop.admin, 'DELETE', `${TEMPLATES}/${made.id}`)).status, 204)
    assertRefused(await send(shop.admin, 'GET', `${TEMPLATES}/${made.id}`), 'NOT_FOUND', made.id)
    const items = await told(3)
    assert.deepEqual(
      items.map(({ entityType, action }) => `${entityType} ${action}`),
      ['create', 'update', 'delete'].map((action) => `sheetTemplate ${action}`),
    )
  })

  it('says what the sheet shows: its attributes, heading and footer, escaped', async () => {
    const tea = await makeTea()
    const { id } = await make<{ id: string }>(shop.admin, TEMPLATES, template({ paper: 'letter', language: 'de' }))
    const { text } = await page(shop.admin, 'GET', `/api/v1/records/${tea.id}/sheet?templateId=${id}`)
    assert.match(text, /Spring &#60;b&#62;collection&#60;\/b&#62;/)
    assert.match(text, /Without VAT/)
    assert.match(text, /Gewicht/)
    assert.doesNotMatch(text, /Kind|only for us/)
    assert.match(text, /size: letter/)
  })

  it('is for records of its schema', async () => {
    const { id } = await make<{ id: string }>(shop.admin, TEMPLATES, template())
    const answer = await page(shop.admin, 'GET', `/api/v1/records/${shirt.id}/sheet?templateId=${id}`)
    assertErrorBody(JSON.parse(answer.text), 'VALIDATION_ERROR', 'templateId', 'sch-tea')
  })

  it('is refused where it does not fit the model, and names the member', async () => {
    for (const [more, named] of [
      [{ schemaId: 'none' }, 'schemaId'],
      [{ sections: [{ attributeAliases: ['none'] }] }, 'sections[0].attributeAliases'],
      [{ sections: [{ attributeAliases: ['kind', 'kind'] }] }, 'twice'],
      [{ pictures: ['kind'] }, 'pictures'],
      [{ preset: 'none' }, 'preset'],
      [{ scope: { language: 'xx' } }, 'scope'],
      [{ language: 'de_DE' }, 'language'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      const answer = await send(shop.admin, 'POST', TEMPLATES, template(more))
      assertRefused(answer, 'VALIDATION_ERROR', named)
    }
  })

  it('follows an attribute of its schema that is renamed', async () => {
    const attributes = [{ alias: 'old', dataType: 'text' }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-renamed', name: 'R', attributes })
    const sections = [{ heading: '', attributeAliases: ['old'] }]
    const { id } = await make<{ id: string }>(shop.admin, TEMPLATES, template({ schemaId: 'sch-renamed', sections }))
    const path = '/api/v1/schemas/sch-renamed/rename-attribute'
    const renaming = await send<{ id?: string }>(shop.admin, 'POST', path, { from: 'old', to: 'new' })
    assert.ok(renaming.status < 300, renaming.text)
    if (renaming.status === 202) await untilEnded(shop.admin, renaming.body.id!)
    const { body } = await send<{ sections: object[] }>(shop.admin, 'GET', `${TEMPLATES}/${id}`)
    assert.deepEqual(body.sections, [{ heading: '', attributeAliases: ['new'] }])
  })

  it('is for those who may configure exports, and names no attribute that is hidden from them', async () => {
    assertRefused(await send(shop.viewer, 'POST', TEMPLATES, template()), 'PERMISSION_DENIED', 'exportJobs.write')
    const hidden = { attributePermissions: { 'sch-tea': { weight: 'none' } } }
    const some = await shop.clientWith(['records.read', 'exportJobs.write'], hidden)
    assertRefused(await send(some, 'POST', TEMPLATES, template()), 'PERMISSION_DENIED', 'weight')
  })
})

describe('A link', () => {
  it('shows the present values to somebody without an account, and counts visits', async () => {
    // POST /api/v1/sheet-links
    const tea = await makeTea()
    const link = await share(shop.admin, { recordIds: [tea.id], language: 'de', name: 'Fair' })
    assert.match(link.url, /^\/public\/sheets\/[\w-]{43}$/)
    assert.equal(Date.parse(link.expiresAt), clock.now().getTime() + 14 * 24 * HOUR)
    // GET /public/sheets/:token
    const first = await visit(link.url)
    assert.equal(first.status, 200)
    assert.match(first.text, /12\.345,5/)
    assert.deepEqual(
      ['x-robots-tag', 'referrer-policy', 'cache-control'].map((name) => first.headers.get(name)),
      ['noindex, nofollow', 'no-referrer', 'private, no-store'],
    )
    const change = { values: { weight: everywhere({ amount: 7, unit: 'g' }) } }
    assert.equal((await send(shop.admin, 'PATCH', `/api/v1/records/${tea.id}`, change)).status, 200)
    assert.match((await visit(link.url)).text, />7\u00a0g</)
    // GET /api/v1/sheet-links
    const [listed] = await list(shop.admin)
    assert.deepEqual([listed!.id, listed!.name, listed!.visits], [link.id, 'Fair', 2])
    assert.equal(listed!.lastVisitAt, clock.now().toISOString())
    assert.ok(!('url' in listed!))
  })

  it('is stored as a hash, and the history tells who made and ended it', async () => {
    const tea = await makeTea()
    const link = await share(shop.admin, { recordIds: [tea.id] })
    const token = link.url.split('/').at(-1)!
    assert.ok(!JSON.stringify(await storedIn(shop.dataDir)).includes(token))
    // DELETE /api/v1/sheet-links/:id
    assert.equal((await send(shop.admin, 'DELETE', `${LINKS}/${link.id}`)).status, 204)
    assertErrorBody(JSON.parse((await visit(link.url)).text), 'NOT_FOUND')
    const items = await told(2)
    assert.deepEqual(
      items.map(({ entityType, action, entityId }) => `${entityType} ${action} ${entityId}`),
      [`sheetLink create ${link.id}`, `sheetLink delete ${link.id}`],
    )
    assert.ok(!JSON.stringify(items).includes(token) && !JSON.stringify(items).includes('"hash"'))
  })

  it('ends with its time', async () => {
    const tea = await makeTea()
    const link = await share(shop.admin, { recordIds: [tea.id], hours: 1 })
    clock.advance(59 * MINUTE)
    assert.equal((await visit(link.url)).status, 200)
    clock.advance(MINUTE)
    assertErrorBody(JSON.parse((await visit(link.url)).text), 'NOT_FOUND')
    assert.ok(!(await list(shop.admin)).some(({ id }) => id === link.id))
    for (const hours of [0, 2161, 1.5, '1'])
      assertRefused(await send(shop.admin, 'POST', LINKS, { recordIds: [tea.id], hours }), 'VALIDATION_ERROR', 'hours')
  })

  it('shows what its owner may read now, and ends when the owner loses the right or is disabled', async () => {
    const tea = await makeTea()
    const role = { id: 'role-sharing', name: 'S', permissions: [...SHARING], defaultAttributePermission: 'read' }
    await make(shop.admin, '/api/v1/roles', role)
    const user = await makeUser(shop, { roleId: role.id })
    const client = await sessionOf(shop, user.username)
    const link = await share(client, { recordIds: [tea.id] })
    assert.match((await visit(link.url)).text, /only for us/)
    const put = (more: object) => send(shop.admin, 'PUT', '/api/v1/roles/role-sharing', { ...role, ...more })
    assert.equal((await put({ attributePermissions: { 'sch-tea': { secret: 'none' } } })).status, 200)
    assert.doesNotMatch((await visit(link.url)).text, /only for us/)
    assert.equal((await put({ permissions: ['records.read'] })).status, 200)
    assert.equal((await visit(link.url)).status, 404)
    assert.equal((await put({})).status, 200)
    assert.equal((await visit(link.url)).status, 200)
    const disabled = await send(shop.admin, 'PATCH', `/api/v1/users/${user.id}`, { disabled: true })
    assert.ok(disabled.status < 300, disabled.text)
    const ended = await visit(link.url)
    assert.equal(ended.status, 404)
    assert.match(ended.text, /Ask whoever sent it for a new one/)
  })

  it('ends with its template, without which it would show all values', async () => {
    const tea = await makeTea()
    const { id } = await make<{ id: string }>(shop.admin, TEMPLATES, template())
    const link = await share(shop.admin, { recordIds: [tea.id], templateId: id })
    const other = await share(shop.admin, { recordIds: [tea.id] })
    assert.doesNotMatch((await visit(link.url)).text, /only for us/)
    assert.equal((await send(shop.admin, 'DELETE', `${TEMPLATES}/${id}`)).status, 204)
    const { status, text } = await visit(link.url)
    assert.doesNotMatch(text, /only for us/)
    assert.equal(status, 404, text)
    assert.equal((await visit(other.url)).status, 200)
    const items = await told(2)
    assert.deepEqual(
      items.map(({ entityType, action }) => `${entityType} ${action}`),
      ['sheetLink delete', 'sheetTemplate delete'],
    )
  })

  it('leaves out records of another schema than that of its template, which somebody may have changed', async () => {
    const { id } = await makeTea()
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-note',
      name: 'Note',
      attributes: [{ alias: 'secret', name: 'Secret', dataType: 'text' }],
    })
    const made = await make<{ id: string }>(shop.admin, TEMPLATES, template())
    const { url } = await share(shop.admin, { recordIds: [id], templateId: made.id })
    const configurer = await shop.clientWith(['records.read', 'exportJobs.write'], {
      attributePermissions: { 'sch-tea': { secret: 'none' } },
    })
    const other = template({ schemaId: 'sch-note', sections: [{ attributeAliases: ['secret'] }] })
    const moved = await send(configurer, 'PUT', `${TEMPLATES}/${made.id}`, other)
    assert.equal(moved.status, 200, moved.text)
    const { status, text } = await visit(url)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /only for us|<article/)
  })

  it('needs the permission records.share; everybody sees and ends their own', async () => {
    const tea = await makeTea()
    assertRefused(await send(shop.viewer, 'POST', LINKS, { recordIds: [tea.id] }), 'PERMISSION_DENIED', 'records.share')
    const [one, other] = [await shop.clientWith(SHARING), await shop.clientWith(SHARING)]
    const link = await share(one, { recordIds: [tea.id] })
    assert.deepEqual(
      (await list(one)).map(({ id }) => id),
      [link.id],
    )
    assert.deepEqual(await list(other), [])
    assertRefused(await send(other, 'GET', `${LINKS}?all=true`), 'PERMISSION_DENIED', 'users.manage')
    assert.ok((await list(shop.admin, '?all=true')).some(({ id }) => id === link.id))
    assertRefused(await send(other, 'DELETE', `${LINKS}/${link.id}`), 'NOT_FOUND')
    assert.equal((await send(shop.admin, 'DELETE', `${LINKS}/${link.id}`)).status, 204)
  })

  it('for print needs no permission to share, is in no list, and lasts ten minutes', async () => {
    const tea = await makeTea()
    const link = await share(shop.viewer, { recordIds: [tea.id], purpose: 'print' })
    assert.equal((await visit(link.url)).status, 200)
    assert.deepEqual(await list(shop.viewer), [])
    clock.advance(10 * MINUTE)
    assert.equal((await visit(link.url)).status, 404)
  })

  it('for print takes no room from others: if there are too many, the oldest one of whoever has most ends', async () => {
    clock.advance(10 * MINUTE)
    const fields = { recordIds: [(await makeTea()).id], purpose: 'print' }
    const busy = await shop.clientWith(['records.read'])
    const [first, second] = [await share(busy, fields), await share(busy, fields)]
    for (let more = 2; more < 100; more += 1) await share(busy, fields)
    assertRefused(await send(busy, 'POST', LINKS, fields), 'LIMIT_EXCEEDED', '100')
    const other = await share(shop.viewer, fields)
    for (const [{ url }, status] of [
      [first, 404],
      [second, 200],
      [other, 200],
    ] as const)
      assert.equal((await visit(url)).status, status)
  })

  it('is made once for one Idempotency-Key', async () => {
    const tea = await makeTea()
    const ask = () =>
      send<LinkBody>(shop.admin, 'POST', LINKS, { recordIds: [tea.id] }, { 'Idempotency-Key': `sheet-${tea.id}` })
    const [first, second] = [await ask(), await ask()]
    assert.equal(first.status, 201)
    assert.equal(second.body.url, first.body.url)
  })

  it('cannot be guessed: after some wrong tokens, an address has to wait', async () => {
    const answers: number[] = []
    const stranger = atOneServer(shop.anonymous)
    for (let at = 0; at < 30; at += 1)
      answers.push((await visit(`/public/sheets/${'A'.repeat(40)}${100 + at}`, stranger)).status)
    assert.ok(answers.includes(404) && answers.at(-1) === 429, answers.join())
    const link = await share(shop.admin, { recordIds: [(await makeTea()).id] })
    assert.equal((await visit(link.url)).status, 200)
    clock.advance(15 * MINUTE)
    assert.equal((await visit(`/public/sheets/${'A'.repeat(43)}`)).status, 404)
  })
})

describe('The address of a link', () => {
  it('begins with the path below which the server is, or with its public address', async (t) => {
    for (const [options, begin] of [
      [{ basePath: '/pim' }, '/pim/public/sheets/'],
      [{ publicUrl: 'https://pim.example.com/pim' }, 'https://pim.example.com/pim/public/sheets/'],
    ] as const) {
      const server = await startServer(options)
      t.after(() => server.stop())
      await make(server.admin, '/api/v1/schemas', {
        id: 's',
        name: 'S',
        attributes: [{ alias: 'a', dataType: 'text' }],
      })
      const { id } = await make<{ id: string }>(server.admin, '/api/v1/records', { schemaId: 's', values: {} })
      const { url } = await share(server.admin, { recordIds: [id] })
      assert.ok(url.startsWith(begin), url)
      const token = url.split('/').at(-1)!
      assert.equal((await page(server.anonymous, 'GET', `/public/sheets/${token}`)).status, 200)
    }
  })
})
