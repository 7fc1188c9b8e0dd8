// What columns of files may mean, on made-up files in the conventions of those who make such files: nearly all are found, and none is
// called certain that is wrong. Contract 3 §4.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Target } from '../../../src/imports/rules/import-profile.ts'
import { suggestTargets } from '../../../src/imports/rules/column-suggestions.ts'
import { assertProportional } from '../../helpers/proportion.ts'
import { threadTime } from '../../helpers/thread-time.ts'
import { attribute, modelOf } from '../../helpers/domain-model.ts'

const byLanguage = { dimensionIds: ['language'] }
const { model, schema } = modelOf([
  attribute('sku', { unique: true }),
  attribute('ean', { name: 'EAN' }),
  attribute('name', { ...byLanguage, name: 'Product name' }),
  attribute('description', { ...byLanguage, dataType: 'richText' }),
  attribute('price', { dataType: 'price', dimensionIds: ['market'] }),
  attribute('purchasePrice', { dataType: 'price', name: 'Purchase price' }),
  attribute('weight', { dataType: 'measurement', units: ['kg', 'g'] }),
  attribute('brand'),
  attribute('colour', {
    dataType: 'select',
    options: [
      { id: 'red', name: 'Rot' },
      { id: 'blue', name: 'Blau' },
    ],
  }),
  attribute('size'),
  attribute('material', byLanguage),
  attribute('stock', { dataType: 'number' }),
  attribute('launchDate', { dataType: 'date', name: 'Launch date' }),
  attribute('published', { dataType: 'boolean' }),
  attribute('imageUrl', { dataType: 'url', name: 'Image' }),
  attribute('countryOfOrigin', { name: 'Country of origin' }),
  attribute('packSize', { dataType: 'number', name: 'Pack size' }),
])

const of = (attributeAlias: string, scope: Record<string, string> = {}, part?: string): Target =>
  ({ attributeAlias, scope, ...(part === undefined ? {} : { part }) }) as Target
const field = (name: string): Target => ({ field: name }) as Target

type Layout = readonly (readonly [header: string, sample: string, target: Target | null])[]

const LAYOUTS: Record<string, Layout> = {
  'the products of a shop platform, with words for everything': [
    ['Handle', 'cotton-shirt', field('id')],
    ['Title', 'Cotton shirt', of('name')],
    ['Body (HTML)', '<p>Soft</p>', of('description')],
    ['Vendor', 'Acme', of('brand')],
    ['Product Category', 'Apparel/Shirts', field('categories')],
    ['Tags', 'summer, sale', null],
    ['Published', 'TRUE', of('published')],
    ['Variant SKU', 'SH-1-M', of('sku')],
    ['Variant Grams', '250', of('weight', {}, 'amount')],
    ['Variant Inventory Qty', '12', of('stock')],
    ['Variant Price', '29.90', of('price', {}, 'amount')],
    ['Variant Barcode', '4006381333931', of('ean')],
    ['Image Src', 'https://cdn.example/a.jpg', of('imageUrl')],
    ['Variant Taxable', 'TRUE', null],
    ['Gift Card', 'FALSE', null],
    ['Cost per item', '12.00', of('purchasePrice', {}, 'amount')],
  ],
  'the price list of a supplier, with abbreviations': [
    ['Item no.', '4711', of('sku')],
    ['EAN/GTIN', '4006381333931', of('ean')],
    ['Item name', 'Shirt', of('name')],
    ['Brand name', 'Acme', of('brand')],
    ['Purchase price (EUR)', '12.50', of('purchasePrice', {}, 'amount')],
    ['RRP', '29.90', of('price', {}, 'amount')],
    ['Currency', 'EUR', of('price', {}, 'currency')],
    ['Net weight', '0.25', of('weight', {}, 'amount')],
    ['Weight unit', 'kg', of('weight', {}, 'unit')],
    ['Country of origin', 'PT', of('countryOfOrigin')],
    ['MOQ', '10', of('packSize')],
    ['Qty', '120', of('stock')],
    ['Remarks', 'new', null],
  ],
  'the file of a German office': [
    ['Artikel-Nr.', 'SH-1', of('sku')],
    ['Bezeichnung', 'Baumwollhemd', of('name', { language: 'de' })],
    ['Langtext', 'Weich', of('description', { language: 'de' })],
    ['Hersteller', 'Acme', of('brand')],
    ['Farbe', 'Rot', of('colour')],
    ['Größe', 'M', of('size')],
    ['Gewicht', '0,25', of('weight', {}, 'amount')],
    ['Einheit', 'kg', of('weight', {}, 'unit')],
    ['VK-Preis brutto', '29,90', of('price', {}, 'amount')],
    ['EK netto', '12,50', of('purchasePrice', {}, 'amount')],
    ['Lagerbestand', '12', of('stock')],
    ['Warengruppe', 'Hemden', field('categories')],
    ['Hauptartikel', 'SH-0', field('parentId')],
    ['Ursprungsland', 'PT', of('countryOfOrigin')],
    ['Erscheinungsdatum', '01.03.2026', of('launchDate')],
    ['Sachbearbeiter', 'Müller', null],
  ],
  'translated columns, one for each language and market': [
    ['sku', 'SH-1', of('sku')],
    ['name_en', 'Shirt', of('name', { language: 'en' })],
    ['name_de', 'Hemd', of('name', { language: 'de' })],
    ['Name (French)', 'Chemise', of('name', { language: 'fr' })],
    ['description-en', 'Soft', of('description', { language: 'en' })],
    ['Beschreibung Deutsch', 'Weich', of('description', { language: 'de' })],
    ['description.fr_FR', 'Doux', of('description', { language: 'fr' })],
    ['Material EN', 'Cotton', of('material', { language: 'en' })],
    ['Material DE', 'Baumwolle', of('material', { language: 'de' })],
    ['Price EU', '29.90', of('price', { market: 'eu' }, 'amount')],
    ['Price EU Currency', 'EUR', of('price', { market: 'eu' }, 'currency')],
    ['price_us', '33.00', of('price', { market: 'us' }, 'amount')],
    ['Comment', 'x', null],
  ],
  'an export of our own': [
    ['id', 'ent-1', field('id')],
    ['schemaId', 'sch', field('schemaId')],
    ['parentId', '', field('parentId')],
    ['lifecycleStateId', 'state-draft', field('ignore')],
    ['createdAt', '2026-01-01T00:00:00.000Z', field('ignore')],
    ['updatedAt', '2026-01-01T00:00:00.000Z', field('ignore')],
    ['sku', 'SH-1', of('sku')],
    ['name[language=de]', 'Hemd', of('name', { language: 'de' })],
    ['name[language=en]', 'Shirt', of('name', { language: 'en' })],
    ['price[market=eu]', '29.9', of('price', { market: 'eu' }, 'amount')],
    ['price[market=eu].currency', 'EUR', of('price', { market: 'eu' }, 'currency')],
    ['weight', '0.25', of('weight', {}, 'amount')],
    ['weight.unit', 'kg', of('weight', {}, 'unit')],
    ['packSize', '10', of('packSize')],
  ],
}

function suggestionsOf(...given: Parameters<typeof suggestTargets>) {
  const steps = suggestTargets(...given)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

const suggest = (layout: Layout) =>
  suggestionsOf(
    layout.map(([header, sample]) => ({ header, samples: sample === '' ? [] : [sample] })),
    [{ schema, attributes: schema.attributes }],
    model,
  ).columns

describe('Suggestions', () => {
  for (const [what, layout] of Object.entries(LAYOUTS))
    it(`for ${what} are right nearly always, and never wrong with confidence`, () => {
      const wrong: string[] = []
      for (const [index, { suggestion, confidence }] of suggest(layout).entries()) {
        const [header, , expected] = layout[index]!
        const isRight = JSON.stringify(suggestion) === JSON.stringify(expected)
        if (!isRight) wrong.push(`${header}: ${JSON.stringify(suggestion)} (${confidence})`)
        assert.ok(isRight || confidence !== 'high', wrong.at(-1))
      }
      assert.ok(wrong.length <= layout.length / 10, wrong.join('\n'))
    })

  it('take a column for nothing whose cells cannot be that', () => {
    const [stock, date] = suggest([
      ['Stock', 'plenty', null],
      ['Launch date', 'soon', null],
    ])
    assert.deepEqual([stock!.suggestion, date!.suggestion], [null, null])
  })

  it('guess by similar words and by cells where no header is known, never with confidence', () => {
    const guesses = [
      ['Hemdenmarke', 'Acme', 'brand'],
      ['Nummer', 'SH-1', 'sku'],
      ['Bez.', 'Hemd', 'name'],
      ['Descripton', 'Soft', 'description'],
      ['Ausführung', 'Rot', 'colour'],
      ['Kennung', '4006381333931', 'ean'],
      ['Ab wann', '01.03.2026', 'launchDate'],
      ['Adresse im Netz', 'https://example.com/a.jpg', 'imageUrl'],
    ] as const
    const found = suggest(guesses.map(([header, sample]) => [header, sample, null]))
    assert.deepEqual(
      found.map(({ suggestion }) => suggestion && 'attributeAlias' in suggestion && suggestion.attributeAlias),
      guesses.map(([, , alias]) => alias),
    )
    assert.deepEqual(new Set(found.map(({ confidence }) => confidence)), new Set(['low']))
    const strange = suggest([
      ['Sachbearbeiter', 'Müller', null],
      ['Ausführung', 'hell', null],
      ['Lager 7', '12', null],
    ])
    assert.deepEqual(new Set(strange.map(({ suggestion }) => suggestion)), new Set([null]))
  })

  it('choose the schema that fits the columns best', () => {
    const other = modelOf([attribute('voltage', { dataType: 'number' })])
    const schemas = [
      { schema: other.schema, attributes: other.schema.attributes },
      { schema, attributes: schema.attributes },
    ]
    const columns = [
      { header: 'EAN', samples: [] },
      { header: 'Voltage', samples: [] },
      { header: 'Brand', samples: [] },
    ]
    assert.deepEqual(
      suggestionsOf(columns, schemas, model).columns.map(({ suggestion }) => suggestion),
      [of('ean'), null, of('brand')],
    )
  })

  it('come in short steps where many columns are like many attributes', () => {
    const alike = modelOf(Array.from({ length: 600 }, (_, n) => attribute(`a${n}`, { name: 'article text' })))
    const columns = Array.from({ length: 400 }, () => ({ header: 'article text', samples: ['x'] }))
    const steps = suggestTargets(columns, [{ ...alike, attributes: alike.schema.attributes }], alike.model)
    let [all, longest] = [0, 0]
    for (let isDone = false; !isDone;) {
      const started = threadTime()
      isDone = steps.next().done === true
      all += threadTime() - started
      longest = Math.max(longest, threadTime() - started)
    }
    assert.ok(longest < Math.max(20, all / 4), `${longest} ms of ${all} in one step`)
  })

  it('take time in proportion to the attributes of one data type', async () => {
    const columns = Array.from({ length: 20 }, (_, n) => ({ header: `zz${n}`, samples: ['2026-01-31'] }))
    const large = (count: number) =>
      modelOf(Array.from({ length: count }, (_, n) => attribute(`a${n}`, { name: `quux${n}`, dataType: 'date' })))
    const models = new Map([100, 1000].map((count) => [count, large(count)]))
    await assertProportional([100, 1000], (count) => {
      const { model: dates, schema: of } = models.get(count)!
      suggestionsOf(columns, [{ schema: of, attributes: of.attributes }], dates)
    })
  })

  it('are for what the caller may know of', () => {
    const known = schema.attributes.filter(({ alias }) => alias !== 'brand')
    const { columns } = suggestionsOf([{ header: 'Brand', samples: [] }], [{ schema, attributes: known }], model)
    assert.equal(columns[0]!.suggestion, null)
  })
})
