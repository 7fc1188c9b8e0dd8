// Values of files on every way: rules, rights, undo, restore, and the end of bytes that nothing names. Contract 4 §1, 4 §2.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { assertRefused, send } from '../helpers/answers.ts'
import { runJob, undoJob } from '../helpers/bulk-jobs.ts'
import type { Client } from '../helpers/client.ts'
import { HOUR, makeClock } from '../helpers/clock.ts'
import { ask, hashOf, sendFile, uploaded } from '../helpers/files.ts'
import { makeUser, sessionOf } from '../helpers/people.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import {
  everywhere,
  make,
  readAudit,
  readRecord,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../helpers/shirts.ts'

const DAY = 24 * HOUR

const SCHEMA = {
  id: 'sch-picture',
  name: 'Picture',
  attributes: [
    { alias: 'content', dataType: 'file', dimensionIds: [] },
    { alias: 'other', dataType: 'file' },
    {
      alias: 'narrow',
      dataType: 'file',
      validation: {
        mediaTypes: ['image/*', 'text/plain'],
        maxBytes: 5000,
        minPixels: { width: 10 },
        maxPixels: { height: 50 },
      },
    },
    { alias: 'title', dataType: 'text', dimensionIds: [] },
  ],
}

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: width % 255, g: height % 255, b: 9 } } })
    .png()
    .toBuffer()

describe('Values of files', () => {
  let shop: Workspace
  before(async () => {
    shop = await startWorkspace({ maxRecords: 0 })
    await make(shop.admin, '/api/v1/schemas', SCHEMA)
    await make(shop.admin, '/api/v1/roles', {
      id: 'role-blind',
      name: 'Blind',
      permissions: ['records.read', 'records.create', 'records.update'],
      defaultAttributePermission: 'write',
      attributePermissions: { 'sch-picture': { content: 'none' } },
    })
  })
  after(() => shop.stop())

  const create = (values: object, client: Client = shop.admin) =>
    send<RecordBody>(client, 'POST', '/api/v1/records', { schemaId: 'sch-picture', values })

  it('must name bytes that are there', async () => {
    const absent = { sha256: 'ab'.repeat(32), fileName: 'a.jpg' }
    assertRefused(
      await create({ content: everywhere(absent) }),
      'VALIDATION_ERROR',
      'values.content[0].value',
      absent.sha256,
    )
    assertRefused(await create({ content: everywhere('a.jpg') }), 'VALIDATION_ERROR', 'sha256')
  })

  it('name only files that the caller has sent or may read, whoever else has them', async () => {
    const user = await sessionOf(shop, (await makeUser(shop, { roleId: 'role-blind' })).username)
    const hidden = await uploaded(shop.admin, randomBytes(50))
    const open = await uploaded(shop.admin, randomBytes(50))
    await make(shop.admin, '/api/v1/records', {
      schemaId: 'sch-picture',
      values: { content: everywhere(hidden), other: everywhere(open) },
    })
    assertRefused(await create({ other: everywhere(hidden) }, user), 'VALIDATION_ERROR', 'may not name')
    assert.equal((await create({ other: everywhere(open) }, user)).status, 201)
    const check = await send<{ issues: { code: string }[] }>(user, 'POST', '/api/v1/records/validate', {
      schemaId: 'sch-picture',
      values: { other: everywhere(hidden) },
    })
    assert.deepEqual(
      check.body.issues.map(({ code }) => code),
      ['reference'],
    )
  })

  it('name again what a change took away, for who may read the attribute', async () => {
    const user = await sessionOf(shop, (await makeUser(shop, { roleId: 'role-blind' })).username)
    const [open, hidden] = [await uploaded(shop.admin, randomBytes(50)), await uploaded(shop.admin, randomBytes(50))]
    const values = { other: everywhere(open), content: everywhere(hidden) }
    const { id } = (await create(values)).body
    const patch = (changes: object, client: Client) =>
      send(client, 'PATCH', `/api/v1/records/${id}`, { values: changes })
    const replaced = {
      other: everywhere(await uploaded(shop.admin, randomBytes(50))),
      content: [{ scope: {}, value: null }],
    }
    assert.equal((await patch(replaced, shop.admin)).status, 200)
    // As an undo of somebody else does, who has sent neither file.
    assert.equal((await patch({ other: everywhere(open) }, user)).status, 200)
    assertRefused(await patch({ other: everywhere(hidden) }, user), 'VALIDATION_ERROR', 'may not name')
    assertRefused(await create({ other: everywhere(hidden) }, user), 'VALIDATION_ERROR', 'may not name')
  })

  it('keep the rules of their attribute', async () => {
    const refused = async (bytes: Buffer | string, ...words: string[]) =>
      assertRefused(
        await create({ narrow: everywhere(await uploaded(shop.admin, bytes)) }),
        'VALIDATION_ERROR',
        ...words,
      )
    await refused(randomBytes(10), 'values.narrow[0].value', 'image/*', 'application/octet-stream')
    await refused('x'.repeat(5001), '5000', '5001')
    await refused('short', 'known width')
    await refused(await picture(5, 5), 'width', '10', '5')
    await refused(await picture(20, 60), 'height', '50', '60')
    assert.equal((await create({ narrow: everywhere(await uploaded(shop.admin, await picture(20, 40))) })).status, 201)
  })

  it('are named by a preview where new rules would refuse them', async () => {
    const small = await uploaded(shop.admin, await picture(12, 12), 'small.png')
    const { id } = (await create({ content: everywhere(small) })).body
    const effectsOf = async (validation: object) => {
      const attributes = SCHEMA.attributes.map((one) => (one.alias === 'content' ? { ...one, validation } : one))
      const body = { ...SCHEMA, attributes }
      const answer = await send<{ effects: { kind: string; attributeAlias: string; examples: string[] }[] }>(
        shop.admin,
        'POST',
        '/api/v1/schemas/sch-picture/preview',
        body,
      )
      return answer.body.effects.map(({ kind, attributeAlias, examples }) => [
        kind,
        attributeAlias,
        examples.includes(id),
      ])
    }
    assert.deepEqual(await effectsOf({ mediaTypes: ['application/pdf'] }), [['valuesUnfit', 'content', true]])
    assert.deepEqual(await effectsOf({ minPixels: { width: 13 } }), [['valuesUnfit', 'content', true]])
    assert.deepEqual(await effectsOf({ maxBytes: 100_000 }), [])
  })

  it('are expected by hash and name, as a client sends them, or as they are answered', async () => {
    const [small, other] = [await uploaded(shop.admin, 'small'), await uploaded(shop.admin, 'other')]
    const { id, values } = (await create({ content: everywhere(small) })).body
    const patch = (value: unknown) =>
      send(shop.admin, 'PATCH', `/api/v1/records/${id}`, {
        values: { title: everywhere('Expected') },
        expect: [{ attributeAlias: 'content', scope: {}, value }],
      })
    assert.equal((await patch(small)).status, 200)
    assert.equal((await patch(values.content![0]!.value)).status, 200)
    for (const value of [other, { ...small, fileName: 'Other.txt' }, {}, 'small', null])
      assertRefused(await patch(value), 'PRECONDITION_FAILED', 'content')
  })

  it('are refused with rules that make no sense, and rules of files elsewhere', async () => {
    const withRule = (dataType: string, validation: object) =>
      send(shop.admin, 'POST', '/api/v1/schemas', { name: 'S', attributes: [{ alias: 'a', dataType, validation }] })
    for (const validation of [
      { mediaTypes: [] },
      { mediaTypes: ['image'] },
      { maxBytes: -1 },
      { minPixels: {} },
      { minPixels: { width: 0 } },
    ])
      assertRefused(await withRule('file', validation), 'VALIDATION_ERROR', Object.keys(validation)[0]!)
    assertRefused(
      await withRule('file', { minPixels: { width: 9 }, maxPixels: { width: 8 } }),
      'VALIDATION_ERROR',
      'minPixels.width',
    )
    assertRefused(await withRule('text', { maxBytes: 9 }), 'VALIDATION_ERROR', 'maxBytes', 'file')
    assertRefused(await withRule('file', { maxCount: 9 }), 'VALIDATION_ERROR', 'maxCount', 'references')
  })

  it('are set, cleared and brought back by bulk jobs', async () => {
    const value = await uploaded(shop.admin, randomBytes(80), 'a.bin')
    const { id, values } = (await create({ content: everywhere(value) })).body
    const selection = { ids: [id] }
    const cleared = await runJob(shop.admin, {
      selection,
      actions: [
        { clearValues: { attributeAliases: ['content'] } },
        { setValues: { values: { other: everywhere(value) } } },
      ],
    })
    assert.deepEqual((await readRecord(shop.admin, id)).values, { other: values['content'] })
    await undoJob(shop.admin, cleared.id)
    assert.deepEqual((await readRecord(shop.admin, id)).values, values)
  })
})

describe('Bytes that nothing names', () => {
  const clock = makeClock()
  let server: TestServer
  before(async () => {
    server = await startServer({ maxRecords: 0, testing: { system: clock } })
    await make(server.admin, '/api/v1/schemas', SCHEMA)
  })
  after(() => server.stop())

  const bytesOf = (sha256: string): string => path.join(server.dataDir, 'files', sha256.slice(0, 2), sha256)
  /** Lets the duty run: it runs at each start. */
  async function later(milliseconds: number): Promise<void> {
    clock.advance(milliseconds)
    server = await server.restart()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }

  it('go after a day where no value named them, and after 30 days where one did; named ones stay', async () => {
    const [unnamed, removed, kept] = await Promise.all(
      ['unnamed', 'removed', 'kept'].map((text) => uploaded(server.admin, text)),
    )
    const record = (value: object) =>
      make<RecordBody>(server.admin, '/api/v1/records', {
        schemaId: 'sch-picture',
        values: { content: everywhere(value) },
      })
    const [gone] = [await record(removed!), await record(kept!)]
    assert.equal((await send(server.admin, 'DELETE', `/api/v1/records/${gone.id}`)).status, 204)
    const { version } = (await readAudit(server.admin, gone.id)).at(-1)!
    const there = () => [unnamed!, removed!, kept!].map(({ sha256 }) => existsSync(bytesOf(sha256)))
    assert.deepEqual(there(), [true, true, true])
    await later(25 * HOUR)
    assert.deepEqual(there(), [false, true, true])
    const restored = await send(server.admin, 'POST', `/api/v1/records/${gone.id}/restore`, { version })
    assert.ok(restored.status < 300, restored.text)
    assert.equal((await send(server.admin, 'DELETE', `/api/v1/records/${gone.id}`)).status, 204)
    // The duty looks each hour.
    await later(HOUR)
    await later(30 * DAY)
    assert.deepEqual(there(), [false, true, true])
    await later(2 * DAY)
    assert.deepEqual(there(), [false, false, true])
    assertRefused(
      await send(server.admin, 'POST', `/api/v1/records/${gone.id}/restore`, { version }),
      'VALIDATION_ERROR',
    )
  })

  it('can be sent again after they are gone', async () => {
    assert.equal(existsSync(bytesOf(hashOf('unnamed'))), false)
    await uploaded(server.admin, 'unnamed')
    assert.equal(existsSync(bytesOf(hashOf('unnamed'))), true)
  })
})

describe('Searches for files', () => {
  let shop: Workspace
  before(async () => {
    shop = await startWorkspace({ maxRecords: 0 })
    await make(shop.admin, '/api/v1/schemas', SCHEMA)
    const [large, small] = [await picture(300, 200), await picture(30, 20)]
    const values = {
      large: everywhere(await uploaded(shop.admin, large, 'Hemd rot.png')),
      small: everywhere(await uploaded(shop.admin, small, 'hemd-blau.PNG')),
      text: everywhere(await uploaded(shop.admin, 'words', 'lies mich.txt')),
    }
    for (const [id, content] of Object.entries(values))
      await make(shop.admin, '/api/v1/records', { id, schemaId: 'sch-picture', values: { content } })
    await make(shop.admin, '/api/v1/records', { id: 'bare', schemaId: 'sch-picture', values: {} })
  })
  after(() => shop.stop())

  const find = async (criterion: object) => {
    const body = {
      schemaId: 'sch-picture',
      criteriaOperator: 'and',
      criteria: [{ attributeAlias: 'content', ...criterion }],
    }
    const { status, body: found, text } = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search', body)
    assert.equal(status, 200, text)
    return found.map(({ id }) => id).sort()
  }

  it('ask for parts of the value', async () => {
    assert.deepEqual(await find({ part: 'fileName', operator: 'contains', value: 'HEMD' }), ['large', 'small'])
    assert.deepEqual(await find({ part: 'fileName', operator: 'startsWith', value: 'hemd-' }), ['small'])
    assert.deepEqual(await find({ part: 'mediaType', operator: 'equals', value: 'text/plain' }), ['text'])
    assert.deepEqual(await find({ part: 'mediaType', operator: 'in', value: ['image/png', 'image/gif'] }), [
      'large',
      'small',
    ])
    assert.deepEqual(await find({ part: 'size', operator: 'lt', value: '6' }), ['text'])
    assert.deepEqual(await find({ part: 'width', operator: 'gte', value: '300' }), ['large'])
    assert.deepEqual(await find({ part: 'height', operator: 'isEmpty' }), ['bare', 'text'])
    assert.deepEqual(await find({ operator: 'isEmpty' }), ['bare'])
    assert.deepEqual(await find({ operator: 'equals', value: hashOf('words') }), ['text'])
  })

  it('find file names by full text, and count media types', async () => {
    const { body } = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search/full-text', { query: 'lies' })
    assert.deepEqual(
      body.map(({ id }) => id),
      ['text'],
    )
    const facets = [{ attributeAlias: 'content', part: 'mediaType' }]
    const counted = await send<{ facets: object[] }>(shop.admin, 'POST', '/api/v1/search/facets', {
      criteriaOperator: 'and',
      criteria: [],
      facets,
    })
    const values = [
      { value: 'image/png', count: 2 },
      { value: 'text/plain', count: 1 },
    ]
    assert.deepEqual(counted.body.facets, [{ attributeAlias: 'content', part: 'mediaType', values, missing: 1 }])
  })

  it('refuse parts of other attributes, unknown parts, and orders', async () => {
    const search = (criterion: object) =>
      send(shop.admin, 'POST', '/api/v1/search', {
        schemaId: 'sch-picture',
        criteriaOperator: 'and',
        criteria: [criterion],
      })
    const title = { attributeAlias: 'title', part: 'size', operator: 'gt', value: '1' }
    assertRefused(await search(title), 'VALIDATION_ERROR', 'criteria[0].part')
    assertRefused(await search({ ...title, part: 'pages' }), 'VALIDATION_ERROR', 'part')
    assertRefused(await search({ ...title, attributeAlias: 'content.size', part: undefined }), 'VALIDATION_ERROR')
    assertRefused(await send(shop.admin, 'GET', '/api/v1/records?sort=content'), 'VALIDATION_ERROR', 'file')
  })
})

describe('Bytes that the store has lost', () => {
  it('are asked for by HEAD, kept again by an upload, and are not served from renditions', async () => {
    const server = await startServer({ maxRecords: 0, allowFaults: true })
    await make(server.admin, '/api/v1/schemas', SCHEMA)
    const bytes = await picture(90, 60)
    const value = await uploaded(server.admin, bytes, 'lost.png')
    const values = { content: everywhere(value) }
    const { id } = await make<RecordBody>(server.admin, '/api/v1/records', { schemaId: 'sch-picture', values })
    const at = `/api/v1/files/${value.sha256}`
    const file = path.join(server.dataDir, 'files', value.sha256.slice(0, 2), value.sha256)
    rmSync(file)
    assert.equal((await ask(server.admin, at, { method: 'HEAD' })).status, 404)
    assert.equal((await ask(server.admin, `/api/v1/records/${id}/files/${value.sha256}`)).status, 404)
    assert.equal((await sendFile(server.admin, bytes, 'again.png')).status, 200)
    assert.equal((await ask(server.admin, at, { method: 'HEAD' })).status, 200)
    assert.ok((await ask(server.admin, `/api/v1/records/${id}/files/${value.sha256}`)).bytes.equals(bytes))
    await server.stop()
  })
})
