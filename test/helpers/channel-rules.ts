// The published rules of shops and marketplaces for product files, as far as a file alone can break them.
import assert from 'node:assert/strict'
import { parse as parseCsv } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'

/** Element → its texts, in order. Nested elements are joined by `/`. */
type Item = ReadonlyMap<string, readonly string[]>

const GOOGLE = 'http://base.google.com/ns/1.0'

/** The items of an RSS 2.0 with Google's namespace. */
function readRss(text: string): { channel: Item; items: Item[] } {
  const items: Map<string, string[]>[] = []
  const channel = new Map<string, string[]>()
  const open: string[] = []
  let now = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error))
  parser.on('opentag', (tag) => {
    open.push(tag.name)
    now = ''
    if (tag.name.startsWith('g:')) assert.equal(tag.uri, GOOGLE)
    if (open.length === 1) assert.deepEqual([tag.name, tag.attributes['version']?.value], ['rss', '2.0'])
    if (open.join('/') === 'rss/channel/item') items.push(new Map())
  })
  parser.on('text', (part) => (now += part))
  parser.on('closetag', () => {
    const of = open[2] === 'item' ? items.at(-1)! : channel
    const name = open.slice(open[2] === 'item' ? 3 : 2).join('/')
    if (name !== '' && now.trim() !== '') of.set(name, [...(of.get(name) ?? []), now])
    open.pop()
    now = ''
  })
  parser.write(text).close()
  return { channel, items }
}

/** Characters that a text may have. */
const GOOGLE_LENGTHS: Readonly<Record<string, number>> = {
  'g:id': 50,
  'g:title': 150,
  'g:description': 5000,
  'g:link': 2000,
  'g:brand': 70,
  'g:mpn': 70,
  'g:product_type': 750,
  'g:item_group_id': 50,
  'g:size': 100,
  'g:color': 100,
}
const GOOGLE_VALUES: Readonly<Record<string, RegExp>> = {
  'g:link': /^https?:\/\/[^\s<>"{}|\\^`]+$/,
  'g:image_link': /^https:\/\/[^\s<>"{}|\\^`]{1,1990}\.(?:jpe?g|png|webp|gif|bmp|tiff?)$/,
  'g:additional_image_link': /^https:\/\/[^\s<>"{}|\\^`]{1,1990}$/,
  'g:availability': /^(?:in_stock|out_of_stock|preorder|backorder)$/,
  'g:condition': /^(?:new|refurbished|used)$/,
  'g:price': /^\d+\.\d{2} [A-Z]{3}$/,
  'g:gtin': /^(?:\d{8}|\d{12,14})$/,
  'g:identifier_exists': /^(?:yes|no)$/,
  'g:shipping_weight': /^\d+(?:\.\d+)? (?:lb|oz|g|kg)$/,
  'g:unit_pricing_measure': /^\d+(?:\.\d+)? (?:oz|lb|mg|g|kg|floz|pt|qt|gal|ml|cl|l|cbm|in|ft|yd|cm|m|sqft|sqm|ct)$/,
  'g:unit_pricing_base_measure':
    /^(?:1|10|100|2|4|8|75|750|50|1000) ?(?:oz|lb|mg|g|kg|ml|cl|l|cbm|in|ft|yd|cm|m|sqft|sqm|ct)$/,
  'g:shipping/g:country': /^[A-Z]{2}$/,
  'g:shipping/g:price': /^\d+\.\d{2} [A-Z]{3}$/,
}
/** Pictures are checked where a file has them. */
const GOOGLE_REQUIRED = ['g:id', 'g:title', 'g:description', 'g:link', 'g:availability', 'g:price']

/** @returns the items */
export function assertGoogleProducts(text: string): Item[] {
  const { channel, items } = readRss(text)
  for (const name of ['title', 'link', 'description']) assert.ok(channel.has(name), `the channel lacks ${name}`)
  for (const item of items) {
    const shown = JSON.stringify([...item])
    for (const name of GOOGLE_REQUIRED) assert.equal(item.get(name)?.length, 1, `${name} of ${shown}`)
    for (const [name, length] of Object.entries(GOOGLE_LENGTHS))
      for (const value of item.get(name) ?? []) assert.ok(value.length <= length, `${name}: ${value.length} characters`)
    for (const [name, pattern] of Object.entries(GOOGLE_VALUES))
      for (const value of item.get(name) ?? []) assert.match(value, pattern, `${name} of ${shown}`)
    assert.doesNotMatch(item.get('g:title')![0]! + item.get('g:description')![0]!, /<\/?[a-z]+>|&[a-z]+;/)
    const isIdentified = item.has('g:gtin') || (item.has('g:brand') && item.has('g:mpn'))
    assert.ok(isIdentified || item.get('g:identifier_exists')?.[0] === 'no', `${shown} has no identifier`)
    assert.equal(item.get('g:shipping/g:country')?.length, item.get('g:shipping/g:price')?.length)
  }
  assertDistinct(items.map((item) => item.get('g:id')![0]!))
  return items
}

type Row = Readonly<Record<string, string>>

function readRows(text: string): Row[] {
  return parseCsv(text, { columns: true, bom: true })
}

function assertDistinct(values: readonly string[]): void {
  assert.equal(new Set(values).size, values.length, 'an identifier occurs twice')
}

function assertValues(rows: readonly Row[], rules: Readonly<Record<string, RegExp>>): void {
  for (const row of rows)
    for (const [name, pattern] of Object.entries(rules))
      assert.match(row[name] ?? '', pattern, `${name} of ${JSON.stringify(row)}`)
}

/** @returns the rows */
export function assertShopifyProducts(text: string): Row[] {
  const rows = readRows(text)
  assertValues(rows, {
    Handle: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    Title: /^.{1,255}$/,
    Vendor: /^.{2,255}$/,
    Published: /^(?:TRUE|FALSE)$/,
    'Option1 Name': /./,
    'Option1 Value': /^.{1,255}$/,
    'Variant Grams': /^\d*$/,
    'Variant Inventory Policy': /^(?:deny|continue)$/,
    'Variant Fulfillment Service': /^manual$/,
    'Variant Price': /^\d+\.\d{2}$/,
    'Variant Requires Shipping': /^(?:TRUE|FALSE)$/,
    'Variant Taxable': /^(?:TRUE|FALSE)$/,
    'Variant Image': /^(?:https:\/\/\S+\.(?:jpe?g|png|webp|gif))?$/,
    'Variant Weight Unit': /^(?:g|kg|lb|oz)$/,
    Status: /^(?:active|draft|archived)$/,
  })
  assertDistinct(rows.map((row) => row['Variant SKU']!))
  assertDistinct(rows.map((row) => `${row['Handle']} ${row['Option1 Value']}`))
  const handles = rows.map((row) => row['Handle']!).filter((handle, at, all) => handle !== all[at - 1])
  assertDistinct(handles)
  return rows
}

/** @returns the rows */
export function assertWooProducts(text: string): Row[] {
  const rows = readRows(text)
  assertValues(rows, {
    Type: /^(?:simple|variable|variation|grouped|external)$/,
    SKU: /./,
    Name: /./,
    Published: /^(?:1|0|-1)$/,
    'Visibility in catalog': /^(?:visible|catalog|search|hidden)$/,
    'Tax status': /^(?:taxable|shipping|none)$/,
    'In stock?': /^[01]$/,
    'Weight (kg)': /^(?:\d+(?:\.\d+)?)?$/,
    'Regular price': /^\d+(?:\.\d+)?$/,
    Categories: /^(?:[^,>]+(?: > [^,>]+)*(?:, [^,>]+(?: > [^,>]+)*)*)?$/,
  })
  assertDistinct(rows.map((row) => row['SKU']!))
  return rows
}
