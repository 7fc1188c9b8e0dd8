// docs/feeds: each job is accepted as it is shown, and its file of the demonstration's records keeps the channel's rules;
// such a job does so for the real catalogue, too.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makePicturedCatalogue } from '../console/helpers/catalogue.ts'
import { assertGoogleProducts, assertShopifyProducts, assertWooProducts } from '../helpers/channel-rules.ts'
import { jobFor, makeJob, runOnce } from '../helpers/export-jobs.ts'
import { installPuppet, type Puppet } from '../helpers/puppet.ts'
import { loadRealCatalogue, readRealCatalogue, withRealCatalogue } from '../helpers/real-catalogue.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const page = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, `../../docs/feeds/${name}.md`), 'utf8')

/** The job of a guide. */
function jobOf(name: string): Record<string, unknown> {
  return JSON.parse(/^```json job\n([^]*?)^```/m.exec(page(name))![1]!) as Record<string, unknown>
}

/** The address of the server, as the guides have it. */
const SHOP = 'https://pim.example.com'
const SQUARE = /^https:\/\/pim\.example\.com\/public\/[\w-]+\/square\/([\w-]+\.jpg)$/

interface Stage {
  readonly server: TestServer
  readonly puppet: Puppet
}

async function startStage(): Promise<Stage> {
  const dataDir = makeTempDirectory()
  const puppet = installPuppet(`${dataDir}/plugins`)
  return { server: await startServer({ dataDir, maxRecords: 0, publicUrl: SHOP }), puppet }
}

/** The file of a job, at a destination of the test. */
async function fileOf({ server, puppet }: Stage, job: object): Promise<string> {
  const { destinationType, destinationConfig } = jobFor(puppet, 'deliver')
  const run = await runOnce(server.admin, { ...job, id: undefined, destinationType, destinationConfig })
  assert.equal(run.status, 'success', run.error ?? '')
  return readFileSync(run.destinationPath!, 'utf8')
}

describe('The guides to feeds', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage()
    await makePicturedCatalogue(stage.server.admin)
  })
  after(() => stage.server.stop())

  it('show jobs that are accepted as they are', async () => {
    for (const name of ['google-merchant', 'shopify', 'woocommerce'])
      assert.equal((await makeJob(stage.server.admin, jobOf(name))).id, jobOf(name)['id'])
  })

  it('make a file that Google Merchant takes', async () => {
    const items = assertGoogleProducts(await fileOf(stage, jobOf('google-merchant')))
    const assam = items.find((item) => item.get('g:id')![0] === 'AB-250')
    const { 'g:image_link': first, 'g:additional_image_link': second, ...others } = Object.fromEntries(assam ?? [])
    assert.equal(SQUARE.exec(first![0]!)?.[1], 'assam-tin.jpg')
    assert.equal(SQUARE.exec(second![0]!)?.[1], 'assam-cup.jpg')
    assert.deepEqual(others, {
      'g:id': ['AB-250'],
      'g:title': ['Assam Frühstückstee 250 g'],
      'g:description': ['Kräftig und malzig; verträgt Milch.'],
      'g:link': ['https://shop.example.com/tee/tea-assam?sku=AB-250'],
      'g:availability': ['in_stock'],
      'g:condition': ['new'],
      'g:price': ['18.90 EUR'],
      'g:brand': ['Teehaus'],
      'g:mpn': ['AB-250'],
      'g:item_group_id': ['tea-assam'],
      'g:size': ['250 g'],
      'g:google_product_category': ['Food, Beverages & Tobacco > Beverages > Tea & Infusions'],
      'g:product_type': ['Tea > Classics'],
      'g:unit_pricing_measure': ['250 g'],
      'g:unit_pricing_base_measure': ['100 g'],
      'g:shipping_weight': ['0.250 kg'],
      'g:shipping/g:country': ['DE'],
      'g:shipping/g:price': ['4.90 EUR'],
    })
    assert.ok(items.length > 10)
  })

  it('make a file that Shopify takes', async () => {
    const rows = assertShopifyProducts(await fileOf(stage, jobOf('shopify')))
    const jasmine = rows.find((row) => row['Variant SKU'] === 'JP-100')!
    assert.deepEqual(
      [
        jasmine['Handle'],
        jasmine['Title'],
        jasmine['Type'],
        jasmine['Tags'],
        jasmine['Option1 Value'],
        jasmine['Variant Price'],
      ],
      ['tea-jasmine', 'Jasminperlen', 'Grüntee', 'floral, gift', '100 g', '17.10'],
    )
    assert.equal(SQUARE.exec(jasmine['Variant Image']!)?.[1], 'jasmine-tin.jpg')
    assert.ok(rows.length > 10)
  })

  it('make a file that WooCommerce takes', async () => {
    const rows = assertWooProducts(await fileOf(stage, jobOf('woocommerce')))
    const assam = rows.find((row) => row['SKU'] === 'AB-100')!
    assert.deepEqual(
      [assam['Name'], assam['Categories'], assam['Weight (kg)'], assam['Regular price']],
      ['Assam Frühstückstee 100 g', 'Tea > Classics', '0.100', '8.60'],
    )
    const images = assam['Images']!.split(', ').map((image) => SQUARE.exec(image)?.[1])
    assert.deepEqual(images, ['assam-tin.jpg', 'assam-cup.jpg'])
    assert.ok(rows.length > 10)
  })
})

const CARS = {
  name: 'Cars',
  schedule: '0 4 * * *',
  filenameTemplate: 'cars',
  compress: false,
  schemaId: 'sch-car',
  includeVariants: true,
  dimensionScope: { language: 'en', market: 'eu' },
  selection: {
    criteriaOperator: 'and',
    criteria: [
      { field: 'parentId', operator: 'isNotEmpty' },
      { attributeAlias: 'name', scope: { language: 'en' }, operator: 'isNotEmpty' },
      { attributeAlias: 'description', scope: { language: 'en' }, operator: 'isNotEmpty' },
      { attributeAlias: 'price', scope: { market: 'eu' }, operator: 'isNotEmpty' },
    ],
  },
}

describe('Feeds of the real catalogue', withRealCatalogue, () => {
  let stage: Stage
  before(async () => {
    stage = await startStage()
    await loadRealCatalogue(stage.server.admin, readRealCatalogue())
  })
  after(() => stage.server.stop())

  it('keep the rules of Google Merchant', async () => {
    const { xml } = jobOf('google-merchant')
    const columns = [
      { header: 'g:id', field: 'id' },
      { header: 'g:title', template: '{manufacturer} {name} {productionYear|default:""}' },
      { header: 'g:description', template: '{description|plainText|cut:5000}' },
      { header: 'g:link', template: 'https://cars.example.com/{id|url}' },
      {
        header: 'g:availability',
        template: '{availability|map:{instant:in_stock,couple-days:backorder,couple-weeks:backorder}}',
      },
      { header: 'g:condition', template: '{condition|map:{broken:used,reworked:refurbished}}' },
      { header: 'g:price', template: '{price.amount|fixed:2} {price.currency}' },
      { header: 'g:identifier_exists', constant: 'no' },
      { header: 'g:item_group_id', field: 'parentId' },
      { header: 'g:color', template: '{color|first}' },
      { header: 'g:product_type', template: '{categoryPath:cat-products|path:" > "|first}' },
      { header: 'g:shipping_weight', template: '{weight|unit:kg|fixed:1} kg' },
    ]
    const items = assertGoogleProducts(await fileOf(stage, { ...CARS, format: 'xml', xml, columns }))
    assert.ok(items.length > 100, `${items.length} items`)
    assert.ok(items.some((item) => item.get('g:product_type')?.[0]?.startsWith('Products > Cars > ')))
  })

  it('keep the rules of Shopify and of WooCommerce', async () => {
    const price = { template: '{price.amount|fixed:2}' }
    const yes = { constant: 'TRUE' }
    const named = (columns: Readonly<Record<string, object>>) =>
      Object.entries(columns).map(([header, column]) => ({ header, ...column }))
    const columns = named({
      Handle: { template: '{parentId|lower}' },
      Title: { template: '{name|cut:255}' },
      'Body (HTML)': { attributeAlias: 'description' },
      Vendor: { template: '{manufacturer}' },
      Tags: { attributeAlias: 'color' },
      Published: yes,
      'Option1 Name': { constant: 'Car' },
      'Option1 Value': { template: '{id}' },
      'Variant SKU': { field: 'id' },
      'Variant Grams': { template: '{weight|unit:g|fixed:0}' },
      'Variant Inventory Policy': { constant: 'deny' },
      'Variant Fulfillment Service': { constant: 'manual' },
      'Variant Price': price,
      'Variant Requires Shipping': yes,
      'Variant Taxable': yes,
      'Variant Weight Unit': { constant: 'kg' },
      Status: { constant: 'active' },
    })
    const csv = { ...CARS, format: 'csv', separator: ', ' }
    assert.ok(assertShopifyProducts(await fileOf(stage, { ...csv, columns })).length > 100)
    const woo = named({
      Type: { constant: 'simple' },
      SKU: { field: 'id' },
      Name: { template: '{manufacturer|map:{bmw:BMW}} {name}' },
      Published: { constant: '1' },
      'Visibility in catalog': { constant: 'visible' },
      'Short description': { template: '{description|plainText|cut:200}' },
      Description: { attributeAlias: 'description' },
      'Tax status': { constant: 'taxable' },
      'In stock?': { constant: '1' },
      'Weight (kg)': { template: '{weight|unit:kg|fixed:3}' },
      'Regular price': price,
      Categories: { template: '{categoryPath:cat-products|path:" > "}' },
    })
    assert.ok(assertWooProducts(await fileOf(stage, { ...csv, columns: woo })).length > 100)
  })
})
