// What a search finds, as a file, over HTTP. Contract 3 §11.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { assertErrorBody, send } from '../../helpers/answers.ts'
import { atOneServer, type Client } from '../../helpers/client.ts'
import { startServer } from '../../helpers/server.ts'
import {
  complete,
  english,
  everywhere,
  german,
  make,
  makeShirt,
  startWorkspace,
  type Workspace,
} from '../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
  const { admin } = shop
  await makeShirt(admin, { ...complete, weight: everywhere(1.5), sku: everywhere('SH-1') }, { id: 'shirt' })
  await makeShirt(admin, { name: [german('Hemd; rot')], color: everywhere('red') }, { id: 'red', parentId: 'shirt' })
  await makeShirt(admin, { name: [english('Sock'), german('Socke')], weight: everywhere(2) }, { id: 'sock' })
  await make(admin, '/api/v1/records', { id: 'plain', schemaId: 'sch-plain', values: { title: everywhere('T') } })
  await placeRecords(admin)
})
after(() => shop.stop())

async function placeRecords(admin: Client): Promise<void> {
  for (const id of ['web', 'print']) await make(admin, '/api/v1/catalogs', { id, name: id })
  const categories = [
    ['web', 'men', 'Men', null],
    ['web', 'shirts', 'Shirts', 'men'],
    ['web', 'reds', 'Red', null],
    ['web', 'new', 'New', null],
    ['print', 'page', 'Page', null],
  ] as const
  for (const [catalogId, id, name, parentId] of categories)
    await make(admin, `/api/v1/catalogs/${catalogId}/categories`, { id, name, parentId })
  for (const [id, ...categoryIds] of [
    ['shirt', 'new', 'shirts', 'page'],
    ['red', 'reds', 'new'],
  ]) {
    const places = categoryIds.map((categoryId) => ({ categoryId }))
    const answer = await send(admin, 'PUT', `/api/v1/records/${id}/categories`, places)
    assert.equal(answer.status, 200, answer.text)
  }
}

const post = (body: object, client: Client = shop.admin, signal = AbortSignal.timeout(60_000)): Promise<Response> =>
  fetch(`${client.url}/api/v1/records/export`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ criteria: [], criteriaOperator: 'and', format: 'csv', ...body }),
    signal,
  })
async function exported(body: object, client?: Client): Promise<string> {
  const response = await post(body, client)
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200, bytes.toString())
  return bytes.toString()
}
async function refused(body: object, code: 'VALIDATION_ERROR' | 'PERMISSION_DENIED', named: string, client?: Client) {
  const response = await post(body, client)
  assertErrorBody(await response.json(), code, named)
  assert.equal(response.status, code === 'VALIDATION_ERROR' ? 400 : 403)
}

const shirts = { schemaId: 'sch-shirt' }
const isRed = { ...shirts, criteria: [{ attributeAlias: 'color', operator: 'equals', value: 'red' }] }
const columns = [
  { header: 'SKU', attributeAlias: 'sku' },
  { header: 'Name', attributeAlias: 'name', scope: { language: 'de' } },
  { header: 'Preis', attributeAlias: 'price', part: 'amount' },
  { header: 'Währung', attributeAlias: 'price', part: 'currency' },
  { header: 'kg', attributeAlias: 'weight' },
  { header: 'id', field: 'id' },
  { header: 'Farbe', attributeAlias: 'color', map: { red: 'rot' } },
  { header: 'Shop', constant: 'web' },
]

describe('POST /api/v1/records/export', () => {
  it('sends what the search finds in the format, with a name and the media type', async () => {
    const day = new Date().toISOString().slice(0, 10)
    for (const [format, type] of [
      ['csv', 'text/csv; charset=utf-8'],
      ['json', 'application/json'],
      ['jsonl', 'application/x-ndjson'],
      ['xml', 'application/xml'],
    ] as const) {
      const response = await post({ format, ...shirts })
      assert.equal(response.headers.get('content-type'), type)
      assert.equal(response.headers.get('content-disposition'), `attachment; filename="sch-shirt-${day}.${format}"`)
      const text = await response.text()
      for (const id of ['shirt', 'red', 'sock']) assert.ok(text.includes(id))
      assert.ok(!text.includes('plain'))
    }
    const odd = await post({ schemaId: 'x"\r\ny' })
    assert.equal(odd.headers.get('content-disposition'), `attachment; filename="records-${day}.csv"`)
    assert.equal(await odd.text(), 'id,schemaId,parentId,lifecycleStateId,createdAt,updatedAt\r\n')
    assert.equal(await exported({ schemaId: 'x', format: 'jsonl' }), '')
  })

  it('has a column for each attribute and scope that occurs, with what variants inherit, or what is their own', async () => {
    const [header, red] = (await exported(isRed)).split('\r\n')
    assert.ok(
      header!.endsWith(',name[language=en],name[language=de],description,sku,price,price.currency,weight,color'),
    )
    assert.ok(red!.endsWith(',Shirt,Hemd; rot,Cotton,SH-1,20,EUR,1.5,red'), red)
    const own = JSON.parse(await exported({ ...isRed, format: 'json', variantValues: 'own' })) as { values: object }[]
    assert.deepEqual(own[0]!.values, { name: [german('Hemd; rot')], color: everywhere('red') })
  })

  it('has one value of each attribute in a scope, the attributes that are selected, and the page of the search', async () => {
    const body = {
      ...shirts,
      format: 'jsonl',
      dimensionScope: { language: 'de' },
      select: ['name', 'weight'],
      limit: 2,
      offset: 1,
    }
    const lines = (await exported(body))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; values: object })
    assert.deepEqual(
      lines.map(({ id, values }) => ({ id, values })),
      [
        { id: 'red', values: { name: 'Hemd; rot', weight: 1.5 } },
        { id: 'sock', values: { name: 'Socke', weight: 2 } },
      ],
    )
  })

  it('has the columns that are named, in their order, in each format', async () => {
    assert.equal(
      await exported({ ...shirts, columns }),
      'SKU,Name,Preis,Währung,kg,id,Farbe,Shop\r\nSH-1,Hemd,20,EUR,1.5,shirt,,web\r\nSH-1,Hemd; rot,20,EUR,1.5,red,rot,web\r\n,Socke,,,2,sock,,web\r\n',
    )
    assert.equal(
      await exported({ ...shirts, columns, delimiter: ';', decimal: ',', bom: true, limit: 2 }),
      '\uFEFFSKU;Name;Preis;Währung;kg;id;Farbe;Shop\r\nSH-1;Hemd;20;EUR;1,5;shirt;;web\r\nSH-1;"Hemd; rot";20;EUR;1,5;red;rot;web\r\n',
    )
    const row = {
      SKU: 'SH-1',
      Name: 'Hemd; rot',
      Preis: 20,
      Währung: 'EUR',
      kg: 1.5,
      id: 'red',
      Farbe: 'rot',
      Shop: 'web',
    }
    assert.deepEqual(JSON.parse(await exported({ ...isRed, columns, format: 'json' })), [row])
    assert.deepEqual(JSON.parse(await exported({ ...isRed, columns, format: 'jsonl' })), row)
    const whole = {
      ...isRed,
      format: 'json',
      columns: [
        { header: '1', attributeAlias: 'price' },
        { header: '0', attributeAlias: 'name' },
      ],
    }
    assert.equal(await exported(whole), '[\n{"1":{"amount":20,"currency":"EUR"},"0":null}\n]\n')
    assert.match(await exported({ ...whole, dimensionScope: { language: 'de' } }), /"0":"Hemd; rot"/)
    const xml = await exported({
      ...isRed,
      format: 'xml',
      columns: [
        { header: '<N>', field: 'id' },
        { header: 'C', attributeAlias: 'slug' },
      ],
    })
    assert.match(xml, /<value column="&lt;N&gt;">red<\/value>\s*<value column="C" nil="true"\/>/)
  })

  it('has the place of each record in a catalog, of a variant that of its parent, too', async () => {
    const placed = [
      { header: 'id', field: 'id' },
      { header: 'where', categoryPath: 'web' },
    ]
    const lines = await exported({ ...shirts, columns: placed })
    assert.equal(lines, 'id,where\r\nshirt,Men/Shirts|New\r\nred,Men/Shirts|Red|New\r\nsock,\r\n')
    await refused(
      { columns: [{ header: 'a', categoryPath: 'wbe' }] },
      'VALIDATION_ERROR',
      "columns[0].categoryPath names the unknown catalog 'wbe'",
    )
  })

  it('writes any csv with the delimiter and the decimal sign that are asked for', async () => {
    const text = await exported({
      ...shirts,
      delimiter: '\t',
      decimal: ',',
      bom: true,
      dimensionScope: {},
      select: ['weight', 'sku'],
    })
    assert.ok(text.startsWith('\uFEFFid\tschemaId\t'), text)
    assert.match(text, /\tSH-1\t1,5\r\n/)
  })

  it('is in the order of the search, with its text, its fields and its cursor', async () => {
    const id = [{ header: 'id', field: 'id' }]
    const sort = [{ attributeAlias: 'weight', direction: 'desc' }]
    assert.equal(await exported({ ...shirts, sort, columns: id }), 'id\r\nsock\r\nshirt\r\nred\r\n')
    const scoped = await exported({ ...shirts, sort, format: 'csv' })
    assert.deepEqual(
      scoped.split('\r\n').map((line) => line.split(',')[0]),
      ['id', 'sock', 'shirt', 'red', ''],
    )
    assert.equal(await exported({ text: 'SOCKE', columns: id }), 'id\r\nsock\r\n')
    const criteria = [{ field: 'parentId', operator: 'isNotEmpty' }]
    assert.equal(await exported({ criteria, columns: id }), 'id\r\nred\r\n')
    const page = { ...shirts, criteria: [], criteriaOperator: 'and', sort, limit: 1 }
    const first = await send(shop.admin, 'POST', '/api/v1/search', page)
    const after = first.headers.get('x-next-cursor')!
    assert.equal(await exported({ ...page, after, columns: id }), 'id\r\nshirt\r\n')
    await refused({ sort: [{ attributeAlias: 'nmae' }] }, 'VALIDATION_ERROR', 'nmae')
  })

  it('is packed by gzip where that is asked for', async () => {
    const response = await post({ ...shirts, columns, compress: true })
    assert.equal(response.headers.get('content-type'), 'application/gzip')
    assert.match(response.headers.get('content-disposition')!, /\.csv\.gz"$/)
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
    assert.equal(text, await exported({ ...shirts, columns }))
  })

  it('shows what the role may read, and refuses what it names and may not', async () => {
    const text = await exported({ ...shirts, format: 'json' }, shop.clerk)
    assert.ok(!text.includes('price') && !text.includes('Cotton'), text)
    await refused({ columns }, 'PERMISSION_DENIED', "'price'", shop.clerk)
    await refused({ select: ['price'] }, 'PERMISSION_DENIED', "'price'", shop.clerk)
    const criteria = [{ attributeAlias: 'price', operator: 'isNotEmpty' }]
    await refused({ criteria }, 'PERMISSION_DENIED', "'price'", shop.clerk)
    assert.equal((await post({}, shop.stranger)).status, 403)
  })

  it('is refused for what it cannot be', async () => {
    const column = { header: 'A', attributeAlias: 'name' }
    for (const [body, named] of [
      [{ format: 'pdf' }, 'format'],
      [{ columns: [] }, 'columns'],
      [
        { columns: [{ ...column, attributeAlias: 'nmae' }] },
        "columns[0].attributeAlias names the unknown attribute 'nmae'",
      ],
      [{ columns: [column, column] }, "'A' twice"],
      [{ columns: [{ header: 'A' }] }, 'columns[0]'],
      [{ columns: [{ ...column, field: 'id' }] }, 'columns[0]'],
      [{ columns: [{ header: 'A', field: 'id', scope: {} }] }, 'columns[0]'],
      [{ columns: [{ ...column, scope: { language: 'xx' } }] }, 'columns[0].scope'],
      [{ columns: [{ ...column, part: 'unit' }] }, 'columns[0].part'],
      [{ columns: [{ header: 'A', field: 'ids' }] }, 'columns[0].field'],
      [{ columns: [{ header: 'A', categoryPth: 'web' }] }, 'columns[0].categoryPth'],
      [{ columns: Array.from({ length: 501 }, (_, index) => ({ header: `h${index}`, field: 'id' })) }, '500'],
      [{ dimensionScope: { language: 'xx' } }, 'dimensionScope'],
      [{ delimiter: '"' }, 'delimiter'],
      [{ separator: '' }, 'separator'],
      [{ format: 'xml', xml: { root: 'a', item: 'b' } }, 'xml needs columns'],
      [{ decimal: ';' }, 'decimal'],
      [{ bom: 1 }, 'bom'],
      [{ compres: true }, "'compress'"],
      [{ criteria: [{ attributeAlias: 'nmae', operator: 'isEmpty' }] }, "'nmae'"],
    ] as const)
      await refused(body, 'VALIDATION_ERROR', named)
  })

  it('is of one moment, waits for who reads, and ends with who goes', async () => {
    const { admin } = shop
    for (let at = 0; at < 3000; at += 1000) {
      const operations = Array.from({ length: 1000 }, (_, index) => ({
        op: 'create',
        id: `many-${at + index}`,
        schemaId: 'sch-plain',
        values: { title: everywhere('x'.repeat(2000)) },
      }))
      const answer = await fetch(`${admin.url}/api/v1/records/batch`, {
        method: 'POST',
        headers: { ...admin.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ operations }),
      })
      assert.equal(answer.status, 200)
    }
    const body = { schemaId: 'sch-plain', format: 'jsonl' }
    const response = await post(body)
    await make(admin, '/api/v1/records', { id: 'late', schemaId: 'sch-plain', values: {} })
    await pause(300)
    const text = await response.text()
    assert.equal(text.trim().split('\n').length, 3001)
    assert.ok(!text.includes('late'))
    // Two of one caller at a time: the third begins when one of them has gone.
    const leaving = [new AbortController(), new AbortController()]
    // Far more than sockets hold that nobody reads.
    const columns = Array.from({ length: 20 }, (_, index) => ({ header: `title ${index}`, attributeAlias: 'title' }))
    const one = atOneServer(admin)
    // Kept: an answer that nobody holds any more is taken as one that nobody wants.
    const held: Response[] = []
    for (const { signal } of leaving) held.push(await post({ ...body, columns }, one, signal))
    assert.ok(held.every(({ status }) => status === 200))
    const third = post(body, one)
    assert.equal(await Promise.race([third.then(() => 'begun'), pause(700, 'waits')]), 'waits')
    assert.equal(held.length, leaving.length)
    leaving[0]!.abort()
    assert.equal((await third).status, 200)
    assert.equal((await (await third).text()).trim().split('\n').length, 3002)
    leaving[1]!.abort()
  })
})

describe('POST /api/v1/records/export, a search that takes too long', () => {
  it('is told so', async () => {
    const server = await startServer({ queryTimeout: 0.000_001, allowFaults: true })
    try {
      const response = await post({}, server.admin)
      assert.equal(response.status, 503)
      assertErrorBody(await response.json(), 'UNAVAILABLE', '--query-timeout')
    } finally {
      await server.stop()
    }
  })
})
