// Composed columns and the forms of feeds over HTTP: what jobs take, what they write, and what a preview says of a fault.
// Contract 3 §11.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { getJob, jobFor, makeJob, runOnce, trigger, whenEnded } from '../../helpers/export-jobs.ts'
import { installPuppet, type Puppet } from '../../helpers/puppet.ts'
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
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

const PATH = '/api/v1/export-jobs'

let shop: Workspace
let puppet: Puppet
before(async () => {
  const dataDir = makeTempDirectory()
  puppet = installPuppet(`${dataDir}/plugins`)
  shop = await startWorkspace({ dataDir })
  const { admin } = shop
  const attributes = [{ alias: 'tags', dataType: 'multiSelect', options: [{ id: 'new' }, { id: 'sale' }] }]
  await make(admin, '/api/v1/schemas', { id: 'sch-tags', name: 'Tags', attributes })
  await make(admin, '/api/v1/records', {
    id: 'tagged',
    schemaId: 'sch-tags',
    values: { tags: everywhere(['new', 'sale']) },
  })
  const values = { ...complete, name: [english('Shirt'), german('Hemd')], sku: everywhere('SH-1') }
  await makeShirt(admin, values, { id: 'shirt' })
  await makeShirt(admin, { sku: everywhere('SH-1-R'), color: everywhere('red') }, { id: 'red', parentId: 'shirt' })
  await make(admin, '/api/v1/catalogs', { id: 'web', name: 'Web' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'men', name: 'Men' })
  await make(admin, '/api/v1/catalogs/web/categories', { id: 'shirts', name: 'Shirts', parentId: 'men' })
  assert.equal((await send(admin, 'PUT', '/api/v1/records/shirt/categories', [{ categoryId: 'shirts' }])).status, 200)
})
after(() => shop.stop())

const template = (text: string, more: object = {}) => ({ header: 'A', template: text, ...more })
const body = (more: object = {}) =>
  jobFor(puppet, 'deliver', { format: 'csv', schemaId: 'sch-shirt', dimensionScope: { language: 'en' }, ...more })
const tags = (more: object) => body({ schemaId: 'sch-tags', dimensionScope: null, ...more })

async function fileOf(job: object): Promise<string> {
  const run = await runOnce(shop.admin, job)
  assert.equal(run.status, 'success', run.error ?? '')
  return readFileSync(run.destinationPath!, 'utf8')
}

async function preview(job: object, client = shop.admin): Promise<{ status: number; text: string }> {
  const response = await fetch(`${shop.url}${PATH}/preview`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json' },
    body: JSON.stringify(job),
  })
  return { status: response.status, text: await response.text() }
}

const composed = [
  { header: 'id', field: 'id' },
  { header: 'group', template: '{parent.sku|default:""}' },
  { header: 'title', template: '{name|upper} {color|map:{red:"in red"}|default:plain}' },
  { header: 'de', template: '{name[language=de]}' },
  { header: 'path', template: '{categoryPath:web|path:" > "}' },
]

describe('A job with composed columns', () => {
  it('writes them in every format, with values of parents, categories and scopes', async () => {
    const lines = [
      'id,group,title,de,path',
      'shirt,,SHIRT plain,Hemd,Men > Shirts',
      'red,SH-1,SHIRT in red,Hemd,Men > Shirts',
    ]
    assert.equal(await fileOf(body({ columns: composed })), lines.map((line) => `${line}\r\n`).join(''))
    const json = JSON.parse(await fileOf(body({ columns: composed, format: 'json' }))) as object[]
    assert.deepEqual(json[1], { id: 'red', group: 'SH-1', title: 'SHIRT in red', de: 'Hemd', path: ['Men > Shirts'] })
    const own = await fileOf(body({ columns: composed.slice(0, 2), variantValues: 'own' }))
    assert.equal(own, 'id,group\r\nshirt,\r\nred,SH-1\r\n')
  })

  it('is refused with the column and the place of a fault, as its preview is', async () => {
    const cases: [string, string][] = [
      ['{nam}', "columns[1].template names the unknown attribute 'nam' at character 2: did you mean 'name'?"],
      ['{name|cut:x}', "columns[1].template needs a whole number from 1 to 100000 for 'cut' at character 11"],
      ['x {name', "columns[1].template needs '|' or '}' at character 8"],
      ['{categoryPath:none}', "columns[1].template names the unknown catalog 'none' at character 2"],
    ]
    for (const [text, message] of cases) {
      const job = body({ columns: [{ header: 'B', field: 'id' }, template(text)] })
      assertRefused(await send(shop.admin, 'POST', PATH, job), 'VALIDATION_ERROR', message)
      const { status, text: answer } = await preview(job)
      assert.deepEqual([status, (JSON.parse(answer) as { message: string }).message], [400, message])
    }
    const shown = await preview(body({ columns: [template('{name} {sku|lower}')], limit: 1 }))
    assert.deepEqual(shown, { status: 200, text: 'A\r\nShirt sh-1\r\n' })
  })

  it('needs an owner who may read what templates name, at every run', async () => {
    const clerk = await shop.clientWith(['exportJobs.write', 'exportJobs.read', 'records.read'], {
      attributePermissions: { 'sch-shirt': { price: 'none' } },
    })
    const job = body({ columns: [template('{price.amount}')] })
    assertRefused(await send(clerk, 'POST', PATH, job), 'PERMISSION_DENIED', "'price'")
    assert.equal((await preview(job, clerk)).status, 403)
    const { id } = await makeJob(shop.admin, body({ columns: [template('{parent.price.amount}')] }))
    assertRefused(await send(clerk, 'POST', `${PATH}/${id}/take-over`), 'PERMISSION_DENIED', "'price'")
  })

  it('fails when a template names an attribute that is gone', async () => {
    const attributes = [
      { alias: 'old', dataType: 'text' },
      { alias: 'new', dataType: 'text' },
    ]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-gone', name: 'Gone', attributes })
    const { id } = await makeJob(shop.admin, body({ schemaId: 'sch-gone', columns: [template('{new} {old}')] }))
    const schema = { name: 'Gone', attributes: attributes.slice(1) }
    assert.equal((await send(shop.admin, 'PUT', '/api/v1/schemas/sch-gone', schema)).status, 200)
    const run = await whenEnded(shop.admin, await trigger(shop.admin, id))
    assert.match(run.error ?? '', /columns\[0\]\.template names the unknown attribute 'old' at character 8/)
  })

  it('keeps the catalog that a template names', async () => {
    await make(shop.admin, '/api/v1/catalogs', { id: 'kept', name: 'Kept' })
    const { id } = await makeJob(shop.admin, body({ columns: [template('{categoryPath:kept}')] }))
    assertRefused(await send(shop.admin, 'DELETE', '/api/v1/catalogs/kept'), 'CONFLICT', id)
  })
})

describe('A csv', () => {
  it('has any one character between its cells, and any text between the elements of a list', async () => {
    const columns = [
      { header: 'id', field: 'id' },
      { header: 'tags', attributeAlias: 'tags' },
      { header: 'n', template: '1' },
    ]
    assert.equal(
      await fileOf(tags({ columns, delimiter: '^', separator: ', ' })),
      'id^tags^n\r\ntagged^new, sale^1\r\n',
    )
    assert.match(await fileOf(tags({ separator: ';', delimiter: ';' })), /;"new;sale"\r\n$/)
    assert.match(await fileOf(tags({ separator: ',' })), /,"new,sale"\r\n$/)
    assert.match(await fileOf(tags({})), /,new\|sale\r\n$/)
  })

  it('quotes numbers that have the delimiter in them', async () => {
    const columns = [
      { header: 'w', attributeAlias: 'weight' },
      { header: 'sale', attributeAlias: 'onSale' },
    ]
    await makeShirt(shop.admin, { weight: everywhere(-1.5 + 3), onSale: everywhere(true) }, { id: 'half' })
    const job = {
      columns,
      schemaId: 'sch-shirt',
      selection: { criteria: [{ field: 'id', operator: 'equals', value: 'half' }], criteriaOperator: 'and' },
    }
    assert.equal(await fileOf(body({ ...job, delimiter: '.' })), 'w.sale\r\n"1.5".true\r\n')
    assert.equal(await fileOf(body({ ...job, delimiter: 't' })), 'wtsale\r\n1.5t"true"\r\n')
    assert.equal(await fileOf(body({ ...job, delimiter: ']' })), 'w]sale\r\n1.5]true\r\n')
  })
})

describe('An xml', () => {
  const xml = {
    root: 'rss/channel',
    item: 'item',
    namespaces: { g: 'urn:g' },
    attributes: { version: '2.0' },
    before: [{ element: 'title', text: 'Shop' }],
  }

  it('has the document and the elements that its job names, and a list as several elements', async () => {
    const columns = [
      { header: 'id', field: 'id', element: 'g:id' },
      { header: 'tags', attributeAlias: 'tags', element: 'g:tag' },
      { header: 'again', template: '{tags|upper}', element: 'g:tag' },
      { header: 'none', template: '{parent.tags}' },
    ]
    assert.equal(
      await fileOf(tags({ format: 'xml', xml, columns })),
      `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="urn:g" version="2.0">
  <channel>
    <title>Shop</title>
    <item>
      <g:id>tagged</g:id>
      <g:tag>new</g:tag>
      <g:tag>sale</g:tag>
      <g:tag>NEW</g:tag>
      <g:tag>SALE</g:tag>
    </item>
  </channel>
</rss>
`,
    )
  })

  it('is a member that a job gives back, and that names its faults', async () => {
    const columns = [{ header: 'id', field: 'id' }]
    const { id } = await makeJob(shop.admin, tags({ format: 'xml', xml, columns, separator: ',' }))
    const job = (await getJob(shop.admin, id)) as unknown as { xml: object; separator: string }
    assert.deepEqual([job.xml, job.separator], [xml, ','])
    const plain = (await getJob(shop.admin, (await makeJob(shop.admin, tags({}))).id)) as unknown as typeof job
    assert.deepEqual([plain.xml, plain.separator], [null, '|'])
    const refused = async (more: object, named: string) =>
      assertRefused(
        await send(shop.admin, 'POST', PATH, tags({ format: 'xml', xml, columns, ...more })),
        'VALIDATION_ERROR',
        named,
      )
    await refused({ columns: null }, 'xml needs columns')
    await refused({ xml: { ...xml, item: 'h:item' } }, 'xml.item')
    await refused({ columns: [{ ...columns[0], element: 'h:id' }] }, 'columns[0].element')
    await refused({ columns: [{ ...columns[0], element: 'a b' }] }, 'columns[0].element')
    await refused({ delta: {} }, 'delta')
  })

  it('has them in a file of a search, too', async () => {
    const response = await fetch(`${shop.url}/api/v1/records/export`, {
      method: 'POST',
      headers: { ...shop.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        schemaId: 'sch-shirt',
        criteria: [],
        criteriaOperator: 'and',
        format: 'xml',
        xml: { root: 'all', item: 'one' },
        columns: [
          { header: '@id', field: 'id' },
          { header: 'of', template: '{parent.sku}' },
        ],
        limit: 2,
      }),
    })
    assert.equal(
      await response.text(),
      '<?xml version="1.0" encoding="UTF-8"?>\n<all>\n  <one id="shirt"/>\n  <one id="red">\n    <of>SH-1</of>\n  </one>\n</all>\n',
    )
  })
})
