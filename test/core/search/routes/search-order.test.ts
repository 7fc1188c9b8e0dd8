// Searches by groups, fields and words, in an order and by cursors, over HTTP. Contract 3 §1, 3 §10.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  complete,
  english,
  german,
  make,
  makeShirt,
  type RecordBody,
  startWorkspace,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace

before(async () => {
  shop = await startWorkspace()
  const { admin } = shop
  await makeShirt(admin, complete, { id: 'shirt-1' })
  await makeShirt(admin, { name: [german('Hemd rot'), english('Red shirt')] }, { id: 'shirt-2', parentId: 'shirt-1' })
  await makeShirt(admin, { name: [german('Anzug'), english('zoot suit')] }, { id: 'suit' })
  await makeShirt(admin, { name: [german('Bluse')] }, { id: 'Blouse' })
  await make(admin, '/api/v1/catalogs', { id: 'web', name: 'Web' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'clothes', name: 'Clothes' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'shirts', name: 'Shirts', parentId: 'clothes' })
  const places = [{ categoryId: 'shirts' }]
  assert.equal((await send(admin, 'PUT', '/api/v1/records/shirt-1/categories', places)).status, 200)
})
after(() => shop.stop())

const ask = (body: object, client: Client = shop.admin) =>
  send<RecordBody[]>(client, 'POST', '/api/v1/search', { criteria: [], criteriaOperator: 'and', ...body })

async function find(body: object): Promise<string[]> {
  const answer = await ask(body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map(({ id }) => id)
}

const where = (...criteria: object[]): Promise<string[]> => find({ criteria })

describe('POST /api/v1/search, groups and fields', () => {
  it('a group holds as its criteria do, or with not where they do not; an empty one holds', async () => {
    const isSuit = { attributeAlias: 'name', operator: 'startsWith', value: 'ANZ' }
    const isBlouse = { field: 'id', operator: 'equals', value: 'Blouse' }
    assert.deepEqual(await where({ criteriaOperator: 'or', criteria: [isSuit, isBlouse] }), ['suit', 'Blouse'])
    assert.deepEqual(await where({ criteriaOperator: 'or', criteria: [isSuit, isBlouse], not: true }), [
      'shirt-1',
      'shirt-2',
    ])
    assert.equal((await where({ criteriaOperator: 'or', criteria: [] })).length, 4)
  })

  it('finds variants, and what is assigned to a category or one below it, with variants', async () => {
    assert.deepEqual(await where({ field: 'parentId', operator: 'isEmpty' }), ['shirt-1', 'suit', 'Blouse'])
    assert.deepEqual(await where({ field: 'parentId', operator: 'equals', value: 'shirt-1' }), ['shirt-2'])
    const inClothes = { field: 'categoryId', operator: 'equals', value: 'clothes' }
    assert.deepEqual(await where(inClothes), ['shirt-1', 'shirt-2'])
    assert.deepEqual(await where({ ...inClothes, includeChildren: false }), [])
    assert.deepEqual(await where({ field: 'catalogId', operator: 'isEmpty' }), ['suit', 'Blouse'])
  })

  it('finds what is incomplete, and what lacks an attribute in a scope', async () => {
    const isComplete = { field: 'completeness', operator: 'equals', value: 100, stateId: 'state-review' }
    assert.deepEqual(await where(isComplete), ['shirt-1', 'shirt-2', 'suit'])
    assert.deepEqual(await where({ ...isComplete, scope: { language: 'de' } }), [
      'shirt-1',
      'shirt-2',
      'suit',
      'Blouse',
    ])
    const isLacking = { field: 'missing', operator: 'equals', value: 'name', stateId: 'state-review' }
    assert.deepEqual(await where({ ...isLacking, scope: { language: 'en' } }), ['Blouse'])
    assert.deepEqual(await where({ ...isLacking, scope: { language: 'de' } }), [])
    await make(shop.admin, '/api/v1/records', { id: 'late', schemaId: 'sch-shirt', values: {} })
    assert.deepEqual(await where({ ...isLacking, scope: { language: 'de' } }), ['late'])
    assert.equal((await send(shop.admin, 'DELETE', '/api/v1/records/late')).status, 204)
    assert.deepEqual(await where({ ...isLacking, scope: { language: 'de' } }), [])
  })

  it('finds by when, and by whom, a record was made or changed', async () => {
    const long = { field: 'createdAt', operator: 'between', value: ['2020-01-01', '2999-01-01T00:00:00Z'] }
    assert.equal((await where(long)).length, 4)
    assert.deepEqual(await where({ field: 'updatedAt', operator: 'lt', value: '2020-01-01' }), [])
    assert.deepEqual(await where({ field: 'createdBy', operator: 'in', value: ['nobody'] }), [])
  })

  it('words are found in any text, in quotes together, and at the beginning of an ID', async () => {
    const words = (text: string): Promise<string[]> => find({ text, textMode: 'words' })
    assert.deepEqual(await words('hemd RED'), ['shirt-2'])
    assert.deepEqual(await words('"red shirt"'), ['shirt-2'])
    assert.deepEqual(await words('"shirt red"'), [])
    assert.deepEqual(await words('BLOUSE'), ['Blouse'])
    assert.deepEqual(await find({ text: 'hemd red' }), [])
    assert.deepEqual(
      await find({ text: 'suit', criteria: [{ attributeAlias: 'name', operator: 'contains', value: 'anzug' }] }),
      ['suit'],
    )
  })

  for (const [name, body, message] of [
    [
      'an operator',
      { criteria: [{ field: 'id', operator: 'gt', value: 'x' }] },
      /criteria\[0\]\.operator must be one of/,
    ],
    [
      'a time',
      { criteria: [{ field: 'createdAt', operator: 'gt', value: 'x' }] },
      /criteria\[0\]\.value must be a date/,
    ],
    [
      'a range',
      { criteria: [{ field: 'completeness', operator: 'between', value: [60, 20] }] },
      /criteria\[0\]\.value must not end before/,
    ],
    ['a percentage', { criteria: [{ field: 'completeness', operator: 'lt', value: 101 }] }, /number from 0 to 100/],
    [
      'a state',
      { criteria: [{ field: 'missing', operator: 'isNotEmpty', stateId: 'x' }] },
      /criteria\[0\]\.stateId names 'x'/,
    ],
    ['an alias', { criteria: [{ field: 'missing', operator: 'equals', value: 'x' }] }, /unknown attribute 'x'/],
    [
      'what is in a group',
      { criteria: [{ criteriaOperator: 'or', criteria: [{ attributeAlias: 'x', operator: 'isEmpty' }] }] },
      /criteria\[0\]\.criteria\[0\]\.attributeAlias names the unknown attribute/,
    ],
    [
      'a member',
      { criteria: [{ field: 'id', operator: 'equals', value: 'x', stateID: 'y' }] },
      /did you mean 'stateId'/,
    ],
  ] as const)
    it(`names ${name} that cannot be`, async () => {
      const answer = await ask(body)
      assertRefused(answer, 'VALIDATION_ERROR')
      assert.match((answer.body as unknown as { message: string }).message, message)
    })

  it('does not tell what a hidden attribute lacks', async () => {
    const criteria = [{ field: 'missing', operator: 'equals', value: 'price' }]
    assertRefused(await ask({ criteria }, shop.clerk), 'PERMISSION_DENIED', 'price')
  })
})

describe('POST /api/v1/search, order and cursors', () => {
  it('sorts by a value in a scope, what has none last, in both directions', async () => {
    const byName = { attributeAlias: 'name', scope: { language: 'en' } }
    assert.deepEqual(await find({ sort: [byName] }), ['shirt-2', 'shirt-1', 'suit', 'Blouse'])
    assert.deepEqual(await find({ sort: [{ ...byName, direction: 'desc' }] }), ['suit', 'shirt-1', 'shirt-2', 'Blouse'])
    assert.deepEqual(await find({ sort: [{ field: 'id' }] }), ['Blouse', 'shirt-1', 'shirt-2', 'suit'])
    assert.deepEqual(await find({ sort: [{ field: 'createdAt', direction: 'desc' }] }), [
      'Blouse',
      'suit',
      'shirt-2',
      'shirt-1',
    ])
  })

  it('sorts by completeness for the state that the search names, with cursors of that state', async () => {
    const sort = [{ field: 'completeness' }]
    const include = ['completeness']
    const percentages = async (stateId: string) => {
      const { body } = await ask({ sort, include, stateId })
      return body.map((item) => (item as unknown as { completeness: { percentage: number } }).completeness.percentage)
    }
    for (const stateId of ['state-draft', 'state-review', 'state-published']) {
      const found = await percentages(stateId)
      assert.deepEqual(
        found,
        found.toSorted((a, b) => a - b),
        stateId,
      )
    }
    assert.ok(new Set(await percentages('state-review')).size > 1)
    const { headers, body } = await ask({ sort, limit: 3, stateId: 'state-review' })
    const next = { sort, limit: 3, after: headers.get('x-next-cursor') }
    const second = await ask({ ...next, stateId: 'state-review' })
    assert.deepEqual(
      [...body, ...second.body].map(({ id }) => id),
      await find({ sort, stateId: 'state-review' }),
    )
    assertRefused(await ask({ ...next, stateId: 'state-published' }), 'VALIDATION_ERROR', 'after')
  })

  it('a full page has a cursor for the next one, of this search alone', async () => {
    const body = { sort: [{ field: 'id' }], limit: 3 }
    const first = await ask(body)
    assert.deepEqual([first.headers.get('x-total-count'), first.body.length], ['4', 3])
    const cursor = first.headers.get('x-next-cursor')!
    const second = await ask({ ...body, after: cursor })
    assert.deepEqual(
      second.body.map(({ id }) => id),
      ['suit'],
    )
    assert.deepEqual([second.headers.get('x-total-count'), second.headers.get('x-next-cursor')], ['4', null])
    const unsorted = await ask({ limit: 2 })
    const rest = await ask({ limit: 2, after: unsorted.headers.get('x-next-cursor') })
    assert.deepEqual(
      rest.body.map(({ id }) => id),
      ['suit', 'Blouse'],
    )
    for (const foreign of [{ ...body, sort: [{ field: 'createdAt' }] }, { limit: 3 }])
      assertRefused(await ask({ ...foreign, after: cursor }), 'VALIDATION_ERROR', 'after')
    assertRefused(await ask({ ...body, after: 'x' }), 'VALIDATION_ERROR', 'after')
    assertRefused(await ask({ ...body, after: cursor, offset: 1 }), 'VALIDATION_ERROR', 'offset')
  })

  it('refuses what has no order, is hidden, or is not there', async () => {
    assertRefused(await ask({ sort: [{ attributeAlias: 'nothing' }] }), 'VALIDATION_ERROR', 'sort[0].attributeAlias')
    assertRefused(await ask({ sort: [{ field: 'createdBy' }] }), 'VALIDATION_ERROR', 'sort[0].field')
    assertRefused(await ask({ sort: Array.from({ length: 4 }, () => ({ field: 'id' })) }), 'VALIDATION_ERROR', 'sort')
    for (const scope of [{}, { language: 'xx' }])
      assertRefused(await ask({ sort: [{ attributeAlias: 'price', scope }] }, shop.clerk), 'PERMISSION_DENIED', 'price')
    assertRefused(
      await ask({ sort: [{ attributeAlias: 'name', scope: { language: 'xx' } }] }),
      'VALIDATION_ERROR',
      'sort[0].scope',
    )
  })
})

describe('GET /api/v1/records, order and cursors', () => {
  interface Page {
    items: RecordBody[]
    total: number
  }
  const list = (query: string) => send<Page>(shop.admin, 'GET', `/api/v1/records?${query}`)
  const idsOf = ({ body }: { body: Page }): string[] => body.items.map(({ id }) => id)

  it('sorts by fields and by attributes in a scope', async () => {
    assert.deepEqual(idsOf(await list('sort=-createdAt')), ['Blouse', 'suit', 'shirt-2', 'shirt-1'])
    const byName = await list(`sort=${encodeURIComponent('name[language=en],-id')}&parentId=none`)
    assert.deepEqual(idsOf(byName), ['shirt-1', 'suit', 'Blouse'])
    assert.equal(byName.body.total, 3)
    assertRefused(await list('sort=nothing'), 'VALIDATION_ERROR', 'sort')
    for (const open of ['name[', 'name[language=en', 'name]'])
      assertRefused(await list(`sort=${encodeURIComponent(open)}`), 'VALIDATION_ERROR', `sort has '${open}'`)
    assertRefused(await list('sort=name%5Blanguage%5D'), 'VALIDATION_ERROR', 'sort')
    assertRefused(await list('sort=id,id,id,id'), 'VALIDATION_ERROR', 'sort')
  })

  for (const more of ['', '&sort=-id', '&include=version', '&updatedSince=2020-01-01'])
    it(`is read page after page by cursors: limit=3${more}`, async () => {
      const whole = idsOf(await list(`limit=50${more}`))
      const first = await list(`limit=3${more}`)
      const cursor = first.headers.get('x-next-cursor')!
      const second = await list(`limit=3${more}&after=${cursor}`)
      assert.deepEqual([...idsOf(first), ...idsOf(second)], whole)
      assert.deepEqual([second.body.total, second.headers.get('x-next-cursor')], [4, null])
      assertRefused(
        await list(`limit=3&lifecycleStateId=state-draft${more}&after=${cursor}`),
        'VALIDATION_ERROR',
        'after',
      )
    })
})

describe('POST /api/v1/search/facets', () => {
  interface Counted {
    total: number
    facets: { values?: { value: string; count: number }[]; min?: unknown; max?: unknown; missing: number }[]
  }
  const count = (body: object, client: Client = shop.admin) =>
    send<Counted>(client, 'POST', '/api/v1/search/facets', { criteria: [], criteriaOperator: 'and', ...body })

  it('counts all matches by fields and attributes, and tells extremes of numbers', async () => {
    const facets = [
      { field: 'lifecycleStateId' },
      { field: 'categoryId' },
      { field: 'completeness', stateId: 'state-review' },
      { attributeAlias: 'price' },
      { attributeAlias: 'onSale', scope: {} },
    ]
    const { status, body, text } = await count({ facets })
    assert.equal(status, 200, text)
    assert.deepEqual(body, {
      total: 4,
      facets: [
        { ...facets[0], values: [{ value: 'state-draft', count: 4 }], missing: 0 },
        { ...facets[1], values: [{ value: 'shirts', count: 2 }], missing: 2 },
        {
          ...facets[2],
          values: [
            { value: '100', count: 3 },
            { value: '50-59', count: 1 },
          ],
          missing: 0,
        },
        { ...facets[3], min: 20, max: 20, missing: 2 },
        { ...facets[4], values: [], missing: 4 },
      ],
    })
    const some = await count({ facets: [facets[0]], criteria: [{ field: 'parentId', operator: 'isEmpty' }] })
    assert.deepEqual(some.body.facets[0]!.values, [{ value: 'state-draft', count: 3 }])
  })

  it('scores the records of each value, in a scope and for a state', async () => {
    const asked = { field: 'lifecycleStateId', completeness: { stateId: 'state-review' } }
    const { status, body, text } = await count({ facets: [asked] })
    assert.equal(status, 200, text)
    const [facet] = body.facets
    const [all] = facet!.values as { value: string; count: number; completeness: number }[]
    assert.ok(all!.completeness > 50 && all!.completeness < 100)
    assert.deepEqual(facet, {
      ...asked,
      values: [{ value: 'state-draft', count: 4, completeness: all!.completeness }],
      missing: 0,
      missingCompleteness: null,
    })
  })

  it('scores each record for the state that comes next, in a scope', async () => {
    const { admin } = shop
    await makeShirt(admin, { name: [german('Mantel'), english('Coat')] }, { id: 'coat' })
    const moved = await send(admin, 'POST', '/api/v1/records/coat/transition', { transitionId: 'tr-submit' })
    assert.equal(moved.status, 200, moved.text)
    const scored = { field: 'lifecycleStateId', completeness: { scope: { language: 'de' } } }
    const { body } = await count({ facets: [scored] })
    assert.equal((await send(admin, 'DELETE', '/api/v1/records/coat')).status, 204)
    const [drafts, reviewed] = body.facets[0]!.values as unknown as { value: string; completeness: number }[]
    // Review asks for a name alone, and each draft has a German one.
    assert.deepEqual(drafts, { value: 'state-draft', count: 4, completeness: 100 })
    assert.equal(reviewed!.value, 'state-review')
    assert.ok(reviewed!.completeness > 0 && reviewed!.completeness < 100, String(reviewed!.completeness))
  })

  it('refuses text, what is hidden, and what it cannot count', async () => {
    for (const [body, field] of [
      [{ facets: [{ attributeAlias: 'name' }] }, 'facets[0].attributeAlias'],
      [{ facets: [{ attributeAlias: 'nothing' }] }, 'facets[0].attributeAlias'],
      [{ facets: [{ field: 'id' }] }, 'facets[0].field'],
      [{ facets: [{ field: 'schemaId', scope: {} }] }, 'facets[0].scope'],
      [{ facets: [{ field: 'completeness', stateId: 'x' }] }, 'facets[0].stateId'],
      [{ facets: [{ field: 'schemaId', completeness: { stateId: 'x' } }] }, 'facets[0].completeness.stateId'],
      [
        { facets: [{ field: 'schemaId', completeness: { scope: { language: 'xx' } } }] },
        'facets[0].completeness.scope',
      ],
      [{ facets: [{ attributeAlias: 'price', completeness: {} }] }, 'facets[0].completeness'],
      [{ facets: [] }, 'facets'],
      [{ facets: [{ field: 'schemaId' }], limit: 101 }, 'limit'],
    ] as const)
      assertRefused(await count(body), 'VALIDATION_ERROR', field)
    // Whatever else is wrong with it.
    for (const scope of [{}, { language: 'xx' }])
      assertRefused(
        await count({ facets: [{ attributeAlias: 'price', scope }] }, shop.clerk),
        'PERMISSION_DENIED',
        'price',
      )
  })
})

describe('GET /api/v1/records/suggest', () => {
  interface Suggested {
    id: string
    schemaId: string
    label: string
    match: { attributeAlias: string; scope: Record<string, string>; excerpt: string } | null
  }
  const suggest = (query: string, client: Client = shop.admin) =>
    send<Suggested[]>(client, 'GET', `/api/v1/records/suggest?${query}`)

  it('says what records are called, and where the words were found', async () => {
    const { status, body, text } = await suggest('query=red')
    assert.equal(status, 200, text)
    assert.deepEqual(body, [
      {
        id: 'shirt-2',
        schemaId: 'sch-shirt',
        label: 'Hemd rot',
        match: { attributeAlias: 'name', scope: { language: 'en' }, excerpt: 'Red shirt' },
      },
    ])
    assert.deepEqual(
      (await suggest('query=BLOU&schemaId=sch-shirt')).body.map(({ id, match }) => [id, match]),
      [['Blouse', null]],
    )
    assert.equal((await suggest('query=s&limit=2')).body.length, 2)
  })

  it('refuses what is no query', async () => {
    assertRefused(await suggest('query='), 'VALIDATION_ERROR', 'query')
    assertRefused(await suggest('query=x&limit=1001'), 'VALIDATION_ERROR', 'limit')
    assert.equal((await suggest('query=x&limit=1000')).status, 200)
    assertRefused(await suggest('query=x', shop.stranger), 'PERMISSION_DENIED', 'records.read')
  })
})

describe('A saved query', () => {
  it('keeps text, order and what is answered of each record, and is executed with them', async () => {
    const query = {
      id: 'sq-sorted',
      name: 'Sorted',
      criteria: [],
      criteriaOperator: 'and',
      text: 'shirt',
      textMode: 'words',
      sort: [{ field: 'id', direction: 'desc' }],
      select: [],
      include: ['version'],
    }
    const made = await make<Record<string, unknown>>(shop.admin, '/api/v1/saved-queries', query)
    assert.deepEqual([made.text, made.sort, made.include], [query.text, query.sort, query.include])
    const found = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/saved-queries/sq-sorted/execute')
    assert.deepEqual(
      found.body.map((record) => [record.id, record.values, 'version' in record]),
      [
        ['shirt-2', {}, true],
        ['shirt-1', {}, true],
      ],
    )
    const hidden = { ...query, id: 'sq-hidden', sort: [{ attributeAlias: 'price' }] }
    assertRefused(await send(shop.clerk, 'POST', '/api/v1/saved-queries', hidden), 'PERMISSION_DENIED')
    const many = { ...query, id: 'sq-many', text: Array.from({ length: 51 }, (_, index) => `w${index}`).join(' ') }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/saved-queries', many), 'VALIDATION_ERROR', 'text')
  })

  it('a state that a search names is that of its criteria on completeness, too', async () => {
    const criteria = [{ field: 'missing', operator: 'isNotEmpty', scope: { language: 'en' } }]
    assert.deepEqual(await find({ criteria, stateId: 'state-review' }), ['Blouse'])
    assert.deepEqual(await find({ criteria, stateId: 'state-draft' }), [])
  })
})
