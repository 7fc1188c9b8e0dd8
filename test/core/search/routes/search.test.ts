// Search by criteria and by text, over HTTP. Contract 1 §2.7, 1 §4.2, 2 §5.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import {
  english,
  everywhere,
  german,
  make,
  makeShirt,
  type RecordBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

type Criterion = Record<string, unknown>

let shop: Workspace

before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, '/api/v1/schemas', {
    id: 'sch-all',
    name: 'All data types',
    attributes: [
      ...['text', 'richText', 'url', 'number', 'boolean', 'date', 'dateTime', 'price', 'measurement', 'json'].map(
        (dataType) => ({ alias: `a-${dataType}`, dataType }),
      ),
      { alias: 'a-reference', dataType: 'reference' },
      { alias: 'a-references', dataType: 'references', validation: { schemaId: 'sch-all' } },
      { alias: 'a-select', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
      { alias: 'a-multiSelect', dataType: 'multiSelect', options: [{ id: 'red' }, { id: 'blue' }] },
    ],
  })
  const one = {
    'a-text': 'Größe Ä',
    'a-richText': '<p>Cotton</p>',
    'a-url': 'https://example.com/Shirt',
    'a-number': 5,
    'a-boolean': true,
    'a-date': '2024-02-29',
    'a-dateTime': '2024-02-29T12:00:00+01:00',
    'a-price': { amount: 10, currency: 'EUR' },
    'a-measurement': { amount: 2.5, unit: 'kg' },
    'a-json': { b: 1, a: [true] },
    'a-reference': 'all-0',
    'a-references': ['all-1', 'all-0'],
    'a-select': 'red',
    'a-multiSelect': ['red', 'blue'],
  }
  const two = {
    'a-text': '',
    'a-richText': '',
    'a-url': '',
    'a-number': -7,
    'a-boolean': false,
    'a-date': '',
    'a-dateTime': '',
    'a-price': { amount: 0, currency: 'USD' },
    'a-measurement': { amount: 100, unit: 'g' },
    'a-json': [],
    'a-reference': '',
    'a-references': [],
    'a-select': '',
    'a-multiSelect': [],
  }
  await make(shop.admin, '/api/v1/records', { id: 'all-0', schemaId: 'sch-all', values: {} })
  for (const [id, values] of Object.entries({ 'all-1': one, 'all-2': two }))
    await make(shop.admin, '/api/v1/records', {
      id,
      schemaId: 'sch-all',
      values: Object.fromEntries(Object.entries(values).map(([alias, value]) => [alias, everywhere(value)])),
    })
})
after(() => shop.stop())

async function search(body: object, client: Client = shop.admin): Promise<RecordBody[]> {
  const answer = await send<RecordBody[]>(client, 'POST', '/api/v1/search', {
    criteria: [],
    criteriaOperator: 'and',
    ...body,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function idsOf(criteria: Criterion[], more: object = { schemaId: 'sch-all' }): Promise<string> {
  const found = await search({ criteria, ...more })
  return found.map((record) => record.id).join(' ')
}

describe('POST /api/v1/search, operator by data type', () => {
  const rows: readonly [operator: string, dataType: string, value: string, expected: string][] = [
    ['equals', 'text', 'Größe Ä', 'all-1'],
    ['equals', 'text', 'größe ä', ''],
    ['equals', 'text', '', 'all-2'],
    ['equals', 'richText', '<p>Cotton</p>', 'all-1'],
    ['equals', 'url', 'https://example.com/Shirt', 'all-1'],
    ['equals', 'number', '5.0', 'all-1'],
    ['equals', 'number', 'five', ''],
    ['equals', 'boolean', 'true', 'all-1'],
    ['equals', 'boolean', 'false', 'all-2'],
    ['equals', 'date', '2024-02-29', 'all-1'],
    ['equals', 'dateTime', '2024-02-29T11:00:00Z', 'all-1'],
    ['equals', 'select', 'red', 'all-1'],
    ['equals', 'multiSelect', 'blue', 'all-1'],
    ['equals', 'multiSelect', '', ''],
    ['equals', 'price', '10', 'all-1'],
    ['equals', 'measurement', '2.5', 'all-1'],
    ['equals', 'reference', 'all-0', 'all-1'],
    ['equals', 'references', 'all-0', 'all-1'],
    ['equals', 'references', '', ''],
    ['notEquals', 'references', 'all-0', 'all-0 all-2'],
    ['equals', 'json', '{"a":[true],"b":1}', 'all-1'],
    ['equals', 'json', '[]', 'all-2'],
    ['notEquals', 'number', '5', 'all-0 all-2'],
    ['notEquals', 'text', 'Größe Ä', 'all-0 all-2'],
    ['contains', 'text', 'GRÖSSE', ''],
    ['contains', 'text', 'GRÖßE', 'all-1'],
    ['contains', 'text', 'ä', 'all-1'],
    ['contains', 'text', 'a\u0308', 'all-1'],
    ['contains', 'text', '', 'all-1 all-2'],
    ['contains', 'richText', 'p>cot', 'all-1'],
    ['contains', 'url', 'SHIRT', 'all-1'],
    ['contains', 'number', '5', ''],
    ['contains', 'select', 'red', ''],
    ['gt', 'number', '-7', 'all-1'],
    ['gt', 'number', '-8', 'all-1 all-2'],
    ['lt', 'number', '5', 'all-2'],
    ['gt', 'price', '0', 'all-1'],
    ['lt', 'measurement', '50', 'all-1'],
    ['gt', 'date', '2024-02-28', 'all-1'],
    ['gt', 'date', '1900-01-01', 'all-1'],
    ['lt', 'date', '2024-03-01', 'all-1'],
    ['gt', 'dateTime', '2024-02-29T11:59:59+01:00', 'all-1'],
    ['lt', 'dateTime', '2024-03-01', 'all-1'],
  ]
  for (const [operator, dataType, value, expected] of rows) {
    it(`${operator} '${value}' on ${dataType} finds ${expected === '' ? 'nothing' : expected}`, async () => {
      assert.equal(await idsOf([{ attributeAlias: `a-${dataType}`, operator, value }]), expected)
    })
  }

  it('isEmpty and isNotEmpty are each other’s opposites; empty texts, lists and dates are empty, zero and false are not', async () => {
    for (const dataType of [
      'text',
      'richText',
      'url',
      'date',
      'dateTime',
      'json',
      'reference',
      'references',
      'select',
      'multiSelect',
    ]) {
      assert.equal(await idsOf([{ attributeAlias: `a-${dataType}`, operator: 'isEmpty' }]), 'all-0 all-2', dataType)
      assert.equal(await idsOf([{ attributeAlias: `a-${dataType}`, operator: 'isNotEmpty' }]), 'all-1', dataType)
    }
    for (const dataType of ['number', 'boolean', 'price', 'measurement']) {
      assert.equal(await idsOf([{ attributeAlias: `a-${dataType}`, operator: 'isEmpty' }]), 'all-0', dataType)
      assert.equal(await idsOf([{ attributeAlias: `a-${dataType}`, operator: 'isNotEmpty' }]), 'all-1 all-2', dataType)
    }
  })
})

describe('POST /api/v1/search, combining', () => {
  const five = { attributeAlias: 'a-number', operator: 'equals', value: '5' }
  const usd = { attributeAlias: 'a-price', operator: 'lt', value: '5' }

  it('criteria combine by AND or OR as criteriaOperator says', async () => {
    assert.equal(await idsOf([five, usd], { schemaId: 'sch-all', criteriaOperator: 'and' }), '')
    assert.equal(await idsOf([five, usd], { schemaId: 'sch-all', criteriaOperator: 'or' }), 'all-1 all-2')
  })

  it('no criteria find every record of the schema, oldest first', async () => {
    assert.equal(await idsOf([]), 'all-0 all-1 all-2')
    assert.equal(await idsOf([], { schemaId: 'sch-all', criteriaOperator: 'or' }), 'all-0 all-1 all-2')
  })

  it('a schemaId that names nothing finds nothing', async () => {
    assert.equal(await idsOf([five], { schemaId: 'sch-none' }), '')
    const nobodys = {
      schemaId: 'sch-none',
      criteriaOperator: 'and',
      criteria: [{ ...five, attributeAlias: 'nobodys' }],
    }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/search', nobodys), 'VALIDATION_ERROR', 'nobodys')
  })

  it('each record comes in full', async () => {
    const [record] = await search({ schemaId: 'sch-all', criteria: [five] })
    assert.deepEqual(record, (await send(shop.admin, 'GET', '/api/v1/records/all-1')).body)
  })

  it('limit and offset page the result, with the number of all matches in X-Total-Count', async () => {
    const body = { criteria: [], criteriaOperator: 'and', schemaId: 'sch-all', limit: 2, offset: 1 }
    const page = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search', body)
    assert.deepEqual(
      page.body.map((record) => record.id),
      ['all-1', 'all-2'],
    )
    assert.equal(page.headers.get('x-total-count'), '3')
    const rest = await send<RecordBody[]>(shop.admin, 'POST', '/api/v1/search', {
      ...body,
      limit: undefined,
      offset: 2,
    })
    assert.deepEqual(
      rest.body.map((record) => record.id),
      ['all-2'],
    )
    assert.equal(rest.headers.get('x-total-count'), null)
  })

  it('a change is found at once, and what is deleted is not', async () => {
    const { id } = await make<RecordBody>(shop.admin, '/api/v1/records', {
      schemaId: 'sch-plain',
      values: { title: everywhere('zebra one') },
    })
    const find = (value: string) => idsOf([{ attributeAlias: 'title', operator: 'contains', value }], {})
    assert.equal(await find('ZEBRA'), id)
    await send(shop.admin, 'PUT', `/api/v1/records/${id}`, { values: { title: everywhere('lion two') } })
    assert.equal(await find('zebra'), '')
    assert.equal(await find('lion'), id)
    await send(shop.admin, 'DELETE', `/api/v1/records/${id}`)
    assert.equal(await find('lion'), '')
  })
})

describe('POST /api/v1/search, scopes and variants', () => {
  let parent: RecordBody
  let variant: RecordBody
  const find = (attributeAlias: string, value: string, scope?: object) =>
    idsOf([{ attributeAlias, operator: 'equals', value, scope }], { schemaId: 'sch-shirt' })

  before(async () => {
    const values: ValuesBody = {
      name: [english('Scoped shirt'), { scope: {}, value: 'Fallback' }],
      description: [
        { scope: { language: 'de' }, value: 'deutsch' },
        { scope: { market: 'eu' }, value: 'europe' },
        { scope: { language: 'en', market: 'us' }, value: 'american' },
      ],
    }
    parent = await makeShirt(shop.admin, values)
    variant = await makeShirt(shop.admin, { name: [german('Variante')] }, { parentId: parent.id })
  })

  it('with a scope the effective value counts: the most specific one that covers it', async () => {
    assert.equal(await find('name', 'Scoped shirt', { language: 'en' }), `${parent.id} ${variant.id}`)
    assert.equal(await find('name', 'Fallback', { language: 'en' }), '')
    assert.equal(await find('name', 'Fallback', { language: 'de' }), parent.id)
    assert.equal(await find('name', 'Fallback'), parent.id)
  })

  it('on a tie the dimension that comes first in dimensionIds wins', async () => {
    assert.equal(await find('description', 'deutsch', { language: 'de', market: 'eu' }), `${parent.id} ${variant.id}`)
    assert.equal(await find('description', 'europe', { language: 'de', market: 'eu' }), '')
    assert.equal(await find('description', 'europe', { language: 'en', market: 'eu' }), `${parent.id} ${variant.id}`)
  })

  it('a scope that names some of the dimensions asks for all combinations that agree with it', async () => {
    assert.equal(await find('description', 'american', { language: 'en' }), `${parent.id} ${variant.id}`)
    assert.equal(await find('description', 'american', { language: 'de' }), '')
    assert.equal(await find('description', 'american', {}), `${parent.id} ${variant.id}`)
  })

  it('a variant is found by its own value where it has any, else by its parent’s', async () => {
    assert.equal(await find('name', 'Variante', { language: 'de' }), variant.id)
    assert.equal(await find('name', 'Scoped shirt'), `${parent.id} ${variant.id}`)
  })

  it('a parent’s change is found in its variants at once', async () => {
    const values = { name: [english('Renamed shirt'), { scope: {}, value: 'Fallback' }] }
    await send(shop.admin, 'PUT', `/api/v1/records/${parent.id}`, { values })
    assert.equal(await find('name', 'Scoped shirt'), '')
    assert.equal(await find('name', 'Renamed shirt'), `${parent.id} ${variant.id}`)
  })

  it('keys of dimensions that the attribute does not have are ignored', async () => {
    assert.equal(await find('name', 'Fallback', { language: 'de', market: 'us' }), parent.id)
  })

  it('dimensions, segments and aliases called like members of Object do no harm', async () => {
    const odd = [{ scope: { constructor: 'toString' }, value: 'odd' }]
    const { id } = await makeShirt(shop.admin, {
      constructor: odd,
      toString: everywhere('string'),
    })
    assert.equal(await find('constructor', 'odd', { constructor: 'toString' }), id)
    assert.equal(await find('constructor', 'odd', { constructor: 'valueOf' }), '')
    assert.equal(await find('toString', 'string'), id)
  })
})

describe('POST /api/v1/search, refusals', () => {
  const refused = async (criterion: Criterion, ...named: string[]) =>
    assertRefused(
      await send(shop.admin, 'POST', '/api/v1/search', { criteria: [criterion], criteriaOperator: 'and' }),
      'VALIDATION_ERROR',
      ...named,
    )

  it('an alias that no schema, or not the given one, defines is named', async () => {
    await refused({ attributeAlias: 'nope', operator: 'isEmpty' }, 'criteria[0]', 'nope')
    const body = {
      criteria: [{ attributeAlias: 'title', operator: 'isEmpty' }],
      criteriaOperator: 'and',
      schemaId: 'sch-all',
    }
    assertRefused(await send(shop.admin, 'POST', '/api/v1/search', body), 'VALIDATION_ERROR', 'title')
  })

  it('an unknown dimension or segment is named', async () => {
    await refused({ attributeAlias: 'name', operator: 'isEmpty', scope: { planet: 'mars' } }, 'planet')
    await refused({ attributeAlias: 'name', operator: 'isEmpty', scope: { language: 'xx' } }, 'xx')
  })

  it('gt and lt want a number, or a date for a date, and an attribute that has an order', async () => {
    await refused({ attributeAlias: 'a-number', operator: 'gt', value: 'many' }, 'criteria[0].value')
    await refused({ attributeAlias: 'a-number', operator: 'gt', value: '2024-01-01' }, 'criteria[0].value')
    await refused({ attributeAlias: 'a-date', operator: 'lt', value: '5' }, 'criteria[0].value')
    await refused({ attributeAlias: 'a-text', operator: 'gt', value: '5' }, 'gt', 'a-text')
  })

  it('an unknown member is refused wherever it is, naming what may have been meant', async () => {
    const ask = (path: string, body: object) => send(shop.admin, 'POST', path, body)
    const all = { criteria: [], criteriaOperator: 'and' }
    const search = (body: object) => ask('/api/v1/search', { ...all, ...body })
    assertRefused(await search({ schemaid: 'sch-all' }), 'VALIDATION_ERROR', "'schemaid': did you mean 'schemaId'?")
    const misspelt = { criterias: [], criteriaOperator: 'and' }
    assertRefused(await ask('/api/v1/search', misspelt), 'VALIDATION_ERROR', "'criterias': did you mean 'criteria'?")
    await refused({ attributeAlias: 'name', operator: 'isEmpty', scop: {} }, "'criteria[0].scop'", "'scope'")
    assertRefused(await ask('/api/v1/search/full-text', { query: 'x', lmit: 1 }), 'VALIDATION_ERROR', "'limit'")
    assertRefused(await ask('/api/v1/search?limit=1', all), 'VALIDATION_ERROR', "'limit': none is known here")
    assertRefused(await send(shop.admin, 'GET', '/api/v1/search/text?query=x&schema=y'), 'VALIDATION_ERROR', "'schema'")
  })

  it('an unknown member may have been meant for another form of the object', async () => {
    const all = { criteria: [], criteriaOperator: 'and' }
    const actions = [{ delete: true }]
    for (const [path, body, ...words] of [
      [
        'search',
        { ...all, criteria: [{ criterias: [], criteriaOperator: 'and' }] },
        "criterias': did you mean 'criteria'",
      ],
      ['search', { ...all, sort: [{ fields: 'id' }] }, "'sort[0].fields': did you mean 'field'?"],
      ['search/facets', { ...all, facets: [{ fields: 'id' }] }, "'facets[0].fields': did you mean 'field'?"],
      ['bulk-jobs', { selection: { id: ['a'] }, actions }, "'selection.id': did you mean 'ids'?"],
    ] as const)
      assertRefused(await send(shop.admin, 'POST', `/api/v1/${path}`, body), 'VALIDATION_ERROR', ...words)
  })

  it('a missing or wrong part is named', async () => {
    await refused({ operator: 'isEmpty' }, 'criteria[0].attributeAlias')
    await refused({ attributeAlias: 'name', operator: 'like', value: 'x' }, 'criteria[0].operator')
    await refused({ attributeAlias: 'name', operator: 'equals' }, 'criteria[0].value')
    await refused({ attributeAlias: 'name', operator: 'equals', value: 5 }, 'criteria[0].value')
    await refused({ attributeAlias: 'name', operator: 'equals', value: 'x', scope: 'de' }, 'criteria[0].scope')
    for (const [body, field] of [
      [{ criteriaOperator: 'and' }, 'criteria'],
      [{ criteria: [] }, 'criteriaOperator'],
      [{ criteria: [], criteriaOperator: 'xor' }, 'criteriaOperator'],
      [{ criteria: [], criteriaOperator: 'and', limit: 0 }, 'limit'],
      [{ criteria: [], criteriaOperator: 'and', offset: -1 }, 'offset'],
      [{ criteria: [], criteriaOperator: 'and', offset: 2 ** 53 }, 'offset'],
      [
        {
          criteria: Array.from({ length: 201 }, () => ({ attributeAlias: 'name', operator: 'isEmpty' })),
          criteriaOperator: 'and',
        },
        'criteria',
      ],
    ] as const)
      assertRefused(await send(shop.admin, 'POST', '/api/v1/search', body), 'VALIDATION_ERROR', field)
  })

  it('needs a credential and records.read, and refuses a criterion on a hidden attribute', async () => {
    const body = { criteria: [{ attributeAlias: 'price', operator: 'isEmpty' }], criteriaOperator: 'and' }
    assertRefused(await send(shop.anonymous, 'POST', '/api/v1/search', body), 'UNAUTHORIZED')
    assertRefused(await send(shop.stranger, 'POST', '/api/v1/search', body), 'PERMISSION_DENIED', 'records.read')
    assertRefused(await send(shop.clerk, 'POST', '/api/v1/search', body), 'PERMISSION_DENIED', 'price')
    const unfit = { ...body, criteria: [{ attributeAlias: 'price', operator: 'startsWith', value: 'x' }] }
    assertRefused(await send(shop.clerk, 'POST', '/api/v1/search', unfit), 'PERMISSION_DENIED', 'price')
    assert.equal((await send(shop.viewer, 'POST', '/api/v1/search', body)).status, 200)
  })
})

describe('POST /api/v1/search/full-text and GET /api/v1/search/text', () => {
  let shirt: RecordBody
  before(async () => {
    shirt = await makeShirt(shop.admin, {
      name: [english('Wool & Wind'), german('日本 Wolle')],
      description: everywhere('secret weave "OR" (NEAR) 100%_x'),
    })
  })
  const byPost = async (query: string, client: Client = shop.admin, more: object = {}) =>
    (await send<RecordBody[]>(client, 'POST', '/api/v1/search/full-text', { query, ...more })).body.map(
      (record) => record.id,
    )
  const byGet = async (query: string, client: Client = shop.admin) =>
    (await send<RecordBody[]>(client, 'GET', `/api/v1/search/text?query=${encodeURIComponent(query)}`)).body.map(
      (record) => record.id,
    )

  it('finds a substring of any length in any text value, not regarding case, by POST and by GET', async () => {
    for (const query of ['WOOL & WIND', 'ool', 'l &', '&', '日', '日本', '本 wo', '"or"', 'OR" (near', '%_X', '100%'])
      for (const find of [byPost, byGet]) assert.deepEqual(await find(query), [shirt.id], query)
    for (const query of ['wool*', 'wool AND wind', '100x', 'w_ol']) assert.deepEqual(await byPost(query), [], query)
  })

  it('does not look into values that the caller may not read, nor show them', async () => {
    assert.deepEqual(await byPost('secret weave'), [shirt.id])
    assert.deepEqual(await byPost('secret weave', shop.clerk), [])
    assert.deepEqual(await byPost('se', shop.clerk), [])
    const [found] = (await send<RecordBody[]>(shop.clerk, 'POST', '/api/v1/search/full-text', { query: 'wool & w' }))
      .body
    assert.deepEqual(Object.keys(found!.values), ['name'])
  })

  it('schemaId restricts it, limit and offset page it', async () => {
    assert.deepEqual(await byPost('wool', shop.admin, { schemaId: 'sch-plain' }), [])
    assert.deepEqual(await byPost('wool', shop.admin, { schemaId: 'sch-shirt' }), [shirt.id])
    const beyond = await send(shop.admin, 'GET', '/api/v1/search/text?query=wool&offset=9007199254740993')
    assertRefused(beyond, 'VALIDATION_ERROR', 'offset')
    const page = await send<RecordBody[]>(shop.admin, 'GET', '/api/v1/search/text?query=wool&limit=1&offset=1')
    assert.deepEqual(page.body, [])
    assert.equal(page.headers.get('x-total-count'), '1')
  })

  it('an empty or missing query is refused, and so is a caller without credential or permission', async () => {
    assertRefused(
      await send(shop.admin, 'POST', '/api/v1/search/full-text', { query: '' }),
      'VALIDATION_ERROR',
      'query',
    )
    assertRefused(await send(shop.admin, 'POST', '/api/v1/search/full-text', {}), 'VALIDATION_ERROR', 'query')
    assertRefused(await send(shop.admin, 'GET', '/api/v1/search/text'), 'VALIDATION_ERROR', 'query')
    assertRefused(await send(shop.admin, 'GET', '/api/v1/search/text?query='), 'VALIDATION_ERROR', 'query')
    assertRefused(await send(shop.anonymous, 'GET', '/api/v1/search/text?query=a'), 'UNAUTHORIZED')
    assertRefused(await send(shop.stranger, 'GET', '/api/v1/search/text?query=a'), 'PERMISSION_DENIED')
    assertRefused(await send(shop.stranger, 'POST', '/api/v1/search/full-text', { query: 'a' }), 'PERMISSION_DENIED')
  })
})
