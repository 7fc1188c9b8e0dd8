import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import { assertGuarded, assertNotFound } from '../../../helpers/ladder.ts'
import { make, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

interface DimensionBody {
  id: string
  name: string
  segments: { id: string; name: string }[]
}

const PATH = '/api/v1/dimensions'
const colors = { name: 'Colors', segments: [{ id: 'red', name: 'Red' }, { id: 'blue' }] }

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

const segments = (...ids: string[]): { id: string }[] => ids.map((id) => ({ id }))
const put = (id: string, body: unknown) => send<DimensionBody>(shop.admin, 'PUT', `${PATH}/${id}`, body)
const list = async (): Promise<DimensionBody[]> => (await send<DimensionBody[]>(shop.admin, 'GET', PATH)).body
const read = (id: string) => send<DimensionBody>(shop.admin, 'GET', `${PATH}/${id}`)

describe('POST /api/v1/dimensions', () => {
  it('needs model.write', () => assertGuarded(shop, { method: 'POST', path: PATH, body: colors }, 'model.write'))

  it('answers 201 with the dimension; segments without a name are called by their ID', async () => {
    const { status, body } = await send<DimensionBody>(shop.admin, 'POST', PATH, colors)
    assert.equal(status, 201)
    const { id, ...rest } = body
    assert.match(id, /^dim-[0-9a-z]{20,}$/)
    assert.deepEqual(rest, {
      name: 'Colors',
      segments: [
        { id: 'red', name: 'Red' },
        { id: 'blue', name: 'blue' },
      ],
    })
    assert.deepEqual((await read(id)).body, body)
  })

  it('takes an ID from the client, and a duplicate is a CONFLICT that changes nothing', async () => {
    await make(shop.admin, PATH, { ...colors, id: 'toString' })
    const again = await send(shop.admin, 'POST', PATH, { id: 'toString', name: 'Other', segments: [] })
    assertRefused(again, 'CONFLICT', 'Dimension', 'toString')
    assert.equal((await read('toString')).body.name, 'Colors')
  })

  it('refuses bad input, naming the field, and keeps nothing of it', async () => {
    const before = await list()
    for (const [changes, field] of [
      [{ name: undefined }, 'name is required'],
      [{ name: ' ' }, 'name'],
      [{ segments: undefined }, 'segments is required'],
      [{ segments: {} }, 'segments'],
      [{ segments: [{}] }, 'segments[0].id is required'],
      [{ segments: segments('a', 'b', 'a') }, "segments: the ID 'a' occurs twice"],
      [{ segments: segments('a=b') }, 'segments[0].id'],
      [{ segments: segments('__proto__') }, 'segments[0].id'],
      [{ segments: segments(...Array.from({ length: 1001 }, (_, index) => `s${index}`)) }, 'segments'],
      [{ id: 'a;b' }, 'id'],
    ] as const)
      assertRefused(await send(shop.admin, 'POST', PATH, { ...colors, ...changes }), 'VALIDATION_ERROR', field)
    for (const body of [[], 'text', 5, null])
      assertRefused(await send(shop.admin, 'POST', PATH, body), 'VALIDATION_ERROR')
    assert.deepEqual(await list(), before)
  })
})

describe('GET /api/v1/dimensions and GET /api/v1/dimensions/:id', () => {
  it('needs model.read', async () => {
    await assertGuarded(shop, { method: 'GET', path: PATH }, 'model.read')
    await assertGuarded(shop, { method: 'GET', path: `${PATH}/language` }, 'model.read')
  })

  it('lists dimensions in the order of their creation', async () => {
    const ids = (await list()).map(({ id }) => id)
    assert.deepEqual(ids.slice(0, 3), ['language', 'market', 'constructor'])
  })

  it('an unknown dimension is 404', () =>
    assertNotFound(shop.admin, 'Dimension', (id) => ({ method: 'GET', path: `${PATH}/${id}` })))
})

describe('PUT /api/v1/dimensions/:id', () => {
  it('needs model.write', () =>
    assertGuarded(shop, { method: 'PUT', path: `${PATH}/language`, body: colors }, 'model.write'))

  it('an unknown dimension is 404', () =>
    assertNotFound(shop.admin, 'Dimension', (id) => ({ method: 'PUT', path: `${PATH}/${id}`, body: colors })))

  it('replaces the whole dimension; the ID in the path wins', async () => {
    await make(shop.admin, PATH, { ...colors, id: 'whole' })
    const { status, body } = await put('whole', { id: 'other', name: 'Sizes', segments: segments('s') })
    assert.equal(status, 200)
    assert.deepEqual(body, { id: 'whole', name: 'Sizes', segments: [{ id: 's', name: 's' }] })
    assert.deepEqual((await read('whole')).body, body)
  })

  it('what was read can be sent back', async () => {
    const { body } = await read('language')
    const answer = await put('language', body)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, body)
  })

  it('a segment that a stored value uses cannot be left out, and one that nothing uses can', async () => {
    await make(shop.admin, PATH, { id: 'region', name: 'Region', segments: segments('north', 'south', 'east') })
    const attributes = [{ alias: 'note', dataType: 'text', dimensionIds: ['region'] }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-region', name: 'Region', attributes })
    const note = [{ scope: { region: 'north' }, value: '"region":"south"' }]
    const record = await make<{ id: string }>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-region',
      values: { note },
    })

    assertRefused(
      await put('region', { name: 'Region', segments: segments('south', 'east') }),
      'CONFLICT',
      'north',
      'region',
    )
    assert.equal((await read('region')).body.segments.length, 3)
    assert.equal((await put('region', { name: 'Region', segments: segments('east', 'north') })).status, 200)

    await send(shop.admin, 'DELETE', `/api/v1/records/${record.id}`)
    assert.equal((await put('region', { name: 'Region', segments: [] })).status, 200)
  })

  it("a segment that a schema's combinations or a guard name cannot be left out", async () => {
    await make(shop.admin, PATH, { id: 'season', name: 'Season', segments: segments('summer', 'winter', 'spring') })
    const guard = {
      criteriaOperator: 'and',
      criteria: [{ attributeAlias: 'a', operator: 'isEmpty', scope: { season: 'winter' } }],
    }
    await make(shop.admin, '/api/v1/schemas', {
      id: 'sch-season',
      name: 'Season',
      attributes: [
        { alias: 'a', dataType: 'text' },
        { alias: 'b', dataType: 'text', guard },
      ],
      combinations: [{ season: 'summer' }],
    })
    const leaveOut = (...left: string[]) => put('season', { name: 'Season', segments: segments(...left) })
    assertRefused(await leaveOut('winter', 'spring'), 'CONFLICT', 'summer', 'combinations', 'sch-season')
    assertRefused(await leaveOut('summer', 'spring'), 'CONFLICT', 'winter', 'guard', "'b'")
    assert.equal((await leaveOut('summer', 'winter')).status, 200)
  })

  it('a segment that an export job names cannot be left out: for its file, a column, its order, or in its search', async () => {
    await make(shop.admin, PATH, { id: 'channel', name: 'Channel', segments: segments('web', 'print') })
    const attributes = [{ alias: 'note', dataType: 'text', dimensionIds: ['channel'] }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-channel', name: 'Channel', attributes })
    const [scope, leaveOut] = [{ channel: 'print' }, () => put('channel', { name: 'C', segments: segments('web') })]
    const noNote = { attributeAlias: 'note', operator: 'isEmpty', scope }
    const search = { criteria: [{ criteriaOperator: 'or', criteria: [noNote] }], criteriaOperator: 'and' }
    await make(shop.admin, '/api/v1/saved-queries', { id: 'sq-channel', name: 'Channel', ...search })
    const settings = { destinationType: 'webhook', destinationConfig: { url: 'https://example.com' }, format: 'csv' }
    const rest = { schedule: '0 0 1 1 *', includeVariants: true, compress: false, filenameTemplate: 'x' }
    for (const naming of [
      { dimensionScope: scope },
      { columns: [{ header: 'Note', attributeAlias: 'note', scope }] },
      { columns: [{ header: 'Note', template: 'Note: {note[channel=print]|upper}' }] },
      { sort: [{ attributeAlias: 'note', scope }] },
      { selection: search },
      { selection: { savedQueryId: 'sq-channel' } },
    ]) {
      const job = { id: 'job-channel', name: 'Channel', ...settings, ...rest, ...naming }
      await make(shop.admin, '/api/v1/export-jobs', job)
      assertRefused(await leaveOut(), 'CONFLICT', "'print'", "the export job 'job-channel'")
      assert.equal((await send(shop.admin, 'DELETE', '/api/v1/export-jobs/job-channel')).status, 204)
    }
    assert.equal((await leaveOut()).status, 200)
  })

  it('segments that make more than 10,000 combinations for an attribute are refused by its name', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `s${index}`)
    await make(shop.admin, PATH, { id: 'left', name: 'Left', segments: segments(...hundred) })
    await make(shop.admin, PATH, { id: 'right', name: 'Right', segments: segments(...hundred) })
    const attributes = [{ alias: 'wide', dataType: 'text', dimensionIds: ['left', 'right'] }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-wide', name: 'Wide', attributes })
    const more = { name: 'Right', segments: segments(...hundred, 'more') }
    assertRefused(await put('right', more), 'VALIDATION_ERROR', 'segments', "'wide'", "'sch-wide'", '10000')
    assert.equal((await read('right')).body.segments.length, 100)
  })

  it('segments that make more than 100,000 combinations for the attributes that a schema requires are refused by its name', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `s${index}`)
    await make(shop.admin, PATH, { id: 'row', name: 'Row', segments: segments(...hundred) })
    await make(shop.admin, PATH, { id: 'column', name: 'Column', segments: segments('s0') })
    const attributes = Array.from({ length: 11 }, (_, index) => ({
      alias: `a${index}`,
      dataType: 'text',
      dimensionIds: ['row', 'column'],
      requiredInStateIds: ['state-draft'],
    }))
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-required', name: 'Required', attributes })
    const more = { name: 'Column', segments: segments(...hundred) }
    assertRefused(await put('column', more), 'VALIDATION_ERROR', 'segments', "'sch-required'", '100000')
    assert.equal((await put('column', { name: 'Column', segments: segments('s0', 's1') })).status, 200)
  })

  it('segments that make the guards of a schema look at more than 1,000,000 combinations are refused by its name', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => `s${index}`)
    await make(shop.admin, PATH, { id: 'shelf', name: 'Shelf', segments: segments(...hundred) })
    await make(shop.admin, PATH, { id: 'box', name: 'Box', segments: segments('s0') })
    const criteria = Array.from({ length: 50 }, () => ({ attributeAlias: 'asked', operator: 'isEmpty' }))
    const attributes = ['a', 'b', 'c'].map((alias) => ({
      alias,
      dataType: 'text',
      guard: { criteriaOperator: 'and', criteria },
    }))
    const asked = { alias: 'asked', dataType: 'text', dimensionIds: ['shelf', 'box'] }
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-guards', name: 'Guards', attributes: [asked, ...attributes] })
    const more = { name: 'Box', segments: segments(...hundred) }
    assertRefused(await put('box', more), 'VALIDATION_ERROR', 'segments', "'sch-guards'", 'guards', '1000000')
    assert.equal((await put('box', { name: 'Box', segments: segments('s0', 's1') })).status, 200)
  })

  it('a new segment counts for completeness at once', async () => {
    await make(shop.admin, PATH, { id: 'tongue', name: 'Tongue', segments: segments('en') })
    const attributes = [
      { alias: 'title', dataType: 'text', dimensionIds: ['tongue'], requiredInStateIds: ['state-draft'] },
    ]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-tongue', name: 'Tongue', attributes })
    const record = await make<{ id: string }>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-tongue',
      values: { title: [{ scope: { tongue: 'en' }, value: 'Title' }] },
    })
    const score = async () =>
      (
        await send<{ percentage: number; missing: unknown }>(
          shop.admin,
          'GET',
          `/api/v1/records/${record.id}/completeness`,
        )
      ).body
    assert.equal((await score()).percentage, 100)
    await put('tongue', { name: 'Tongue', segments: segments('en', 'de') })
    assert.deepEqual((await score()).missing, [{ attributeAlias: 'title', scope: { tongue: 'de' } }])
  })
})

describe('DELETE /api/v1/dimensions/:id', () => {
  it('needs model.write', () => assertGuarded(shop, { method: 'DELETE', path: `${PATH}/language` }, 'model.write'))

  it('an unknown dimension is 404', () =>
    assertNotFound(shop.admin, 'Dimension', (id) => ({ method: 'DELETE', path: `${PATH}/${id}` })))

  it('deletes a dimension that nothing uses, with an empty 204', async () => {
    await make(shop.admin, PATH, { ...colors, id: 'unused' })
    const { status, text } = await send(shop.admin, 'DELETE', `${PATH}/unused`)
    assert.deepEqual([status, text], [204, ''])
    assert.equal((await read('unused')).status, 404)
  })

  it('a dimension that an attribute is scoped by is kept, and the message names the attribute', async () => {
    assertRefused(await send(shop.admin, 'DELETE', `${PATH}/language`), 'CONFLICT', 'language', "'name'", "'sch-shirt'")
    assert.equal((await read('language')).status, 200)
  })
})
