// Composed columns: what their pieces give for a record, and which templates fit a model.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { createCategoryPaths } from '../../../src/exports/rules/category-paths.ts'
import { type ColumnValue, createRows } from '../../../src/exports/rules/column-rows.ts'
import {
  aliasesIn,
  assertColumns,
  catalogsOf,
  ColumnsInput,
  type ExportColumn,
  scopesIn,
} from '../../../src/exports/rules/export-columns.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { RecordHead, Values } from '../../../src/core/records/rules/record.ts'
import { parse } from '../../../src/kernel/input/parse.ts'
import { scopeKey } from '../../../src/core/scopes/scope.ts'
import { attribute, LANGUAGE, layers, MARKET, modelOf, role } from '../../helpers/domain-model.ts'
import { anyScope, anyScopedValues } from '../../helpers/scope-oracle.ts'

const ADMIN = BUILT_IN_ROLES[0]!
const { model, schema } = modelOf([
  attribute('name', { dimensionIds: ['language', 'market'] }),
  attribute('text', { dataType: 'richText' }),
  attribute('price', { dataType: 'price' }),
  attribute('weight', { dataType: 'measurement', units: ['kg', 'g', 'parcel'] }),
  attribute('size', { dataType: 'number' }),
  attribute('organic', { dataType: 'boolean' }),
  attribute('tags', { dataType: 'multiSelect', options: ['new', 'old', 'sale'].map((id) => ({ id, name: id })) }),
  attribute('id'),
])
const clerk = role({ defaultAttributePermission: 'read', attributePermissions: { sch: { price: 'none' } } })
const head: RecordHead = {
  id: 'rec-1',
  schemaId: 'sch',
  parentId: 'rec-0',
  lifecycleStateId: 'state-draft',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  createdBy: 'usr-1',
  updatedBy: 'usr-2',
}
const category = (id: string, parentId: string | null) => ({
  id,
  catalogId: 'web',
  parentId,
  name: id.toUpperCase(),
  sortOrder: 0,
})
const pathsOf = createCategoryPaths([category('shirts', 'men'), category('men', null), category('new', null)])
/** Rows that refer to no other records. */
const NO_LINKS = { linkedOf: () => undefined, addressOf: () => undefined }
const everywhere = (value: unknown) => [{ scope: {}, value }]

function valueOf(column: ExportColumn, own: Values, inherited: Values | null = null, of = ADMIN): ColumnValue {
  const rows = createRows([column], { model, role: of, dimensionScope: { language: 'en' }, pathsOf, ...NO_LINKS })
  return rows(head, layers(own, inherited), ['shirts', 'new'])[0]!
}

/** The text of a template; null: none. */
function textOf(template: string, own: Values = {}, inherited: Values | null = null, of = ADMIN): unknown {
  return valueOf({ header: 'a', template }, own, inherited, of).cell
}

describe('A composed column', () => {
  it('puts values, parts, fields, and values of the parent into its text', () => {
    const own = {
      name: [
        { scope: { language: 'en' }, value: 'Shirt' },
        { scope: { language: 'de' }, value: 'Hemd' },
      ],
      price: everywhere({ amount: 24.5, currency: 'EUR' }),
      id: everywhere('own'),
    }
    assert.equal(textOf('{price.amount} {price.currency}', own), '24.5 EUR')
    assert.equal(textOf('{price}', own), '24.5')
    assert.equal(textOf('{name}/{name[language=de]}', own), 'Shirt/Hemd')
    assert.equal(textOf('{id}-{values.id}', own), 'rec-1-own')
    assert.equal(textOf('{parentId} of {createdAt}'), 'rec-0 of 2026-01-01T00:00:00.000Z')
    assert.equal(textOf('{name}, {parent.name}', own, { name: everywhere('All shirts') }), 'Shirt, All shirts')
    assert.equal(textOf('{parent.name}', own), null)
    assert.equal(textOf('{{{id}}}'), '{rec-1}')
    assert.equal(textOf('{organic} {size}', { organic: everywhere(false), size: everywhere(0) }), 'false 0')
  })

  it('has what a column of the attribute has, in any scope, and of a variant', () => {
    const values = anyScopedValues([LANGUAGE, MARKET], fc.constantFrom('a', 'b', ''), 6).map((name): Values => ({
      name,
    }))
    const property = fc.property(values, fc.option(values), anyScope([LANGUAGE, MARKET]), (own, inherited, scope) => {
      const { cell } = valueOf({ header: 'a', attributeAlias: 'name', scope }, own, inherited)
      const text = cell === '' ? null : cell
      assert.equal(textOf(`{name[${scopeKey(scope)}]}`, own, inherited), text)
      assert.equal(
        textOf(`{parent.name[${scopeKey(scope)}]}`, {}, own),
        valueOf({ header: 'a', attributeAlias: 'name', scope }, own).cell || null,
      )
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('has nothing where a piece has no value and no default', () => {
    assert.equal(textOf('{name} {price.amount}', { name: everywhere('Shirt') }), null)
    assert.equal(textOf('{name} {price.amount|default:0}', { name: everywhere('Shirt') }), 'Shirt 0')
    assert.equal(textOf('{name}{size|default:""}', { name: everywhere('Shirt') }), 'Shirt')
    assert.equal(textOf('{name|default:x|upper}', { name: everywhere('') }), 'X')
    assert.equal(textOf('{text|plainText|default:none}', { text: everywhere('<p> </p>') }), 'none')
    assert.equal(textOf('{tags|first}', { tags: everywhere([]) }), null)
    assert.equal(textOf('{size|default:""}'), null)
  })

  it('has nothing of an attribute that the role may not read', () => {
    const own = { price: everywhere({ amount: 5, currency: 'EUR' }) }
    assert.equal(textOf('{price}', own, null, clerk), null)
    assert.equal(textOf('{parent.price}', {}, own, clerk), null)
  })

  it('makes plain text of rich text', () => {
    const html = '<h1>Head</h1><p>One &amp; <b>two</b>,&nbsp;three<br>four</p><script>x()</script><ul><li>a</li></ul>'
    assert.equal(textOf('{text|plainText}', { text: everywhere(html) }), 'Head\nOne & two, three\nfour\na')
    assert.equal(textOf('{text|plainText}', { text: everywhere(' 1 < 2 & 3 ') }), '1 < 2 & 3')
  })

  it('cuts at the end of a word, within the limit, and never within a grapheme', () => {
    const cut = (text: string, length: number) => textOf(`{name|cut:${length}|default:""}x`, { name: everywhere(text) })
    assert.equal(cut('A shirt of cotton', 17), 'A shirt of cottonx')
    assert.equal(cut('A shirt of cotton', 16), 'A shirt ofx')
    assert.equal(cut('A shirt of cotton', 7), 'A shirtx')
    assert.equal(cut('Donaudampfschiff', 5), 'Donaux')
    assert.equal(cut('👩‍👩‍👧👩‍👩‍👧', 12), '👩‍👩‍👧x')
    assert.equal(cut('👩‍👩‍👧', 3), 'x')
    assert.equal(cut('e\u0301e\u0301', 3), 'e\u0301x')
    const unit = fc.constantFrom('a', 'bc', ' ', ', ', '👍🏽', '🇩🇪', 'e\u0301', '漢字', '\n')
    const property = fc.property(
      fc.string({ unit, minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 60 }),
      (text, length) => {
        const result = String(cut(text, length)).slice(0, -1)
        assert.ok(result.length <= length && text.startsWith(result) && result.isWellFormed())
        const starts = [...new Intl.Segmenter('en').segment(text)].map(({ index }) => index)
        assert.ok(
          result.length === text.length ||
            starts.includes(result.length) ||
            text.slice(result.length).trimStart() !== text.slice(result.length),
        )
      },
    )
    fc.assert(property, { numRuns: 1000 })
  })

  it('rounds numbers as they are written in decimal', () => {
    const fixed = (value: number, digits: number) => textOf(`{size|fixed:${digits}}`, { size: everywhere(value) })
    assert.equal(fixed(1.005, 2), '1.01')
    assert.equal(fixed(24.5, 2), '24.50')
    assert.equal(fixed(-0.001, 2), '0.00')
    assert.equal(fixed(1234567.891, 0), '1234568')
    assert.equal(fixed(1e-7, 3), '0.000')
    assert.equal(textOf('{name|fixed:2}', { name: everywhere('much') }), 'much')
  })

  it('converts measurements, and has nothing where the units measure different things', () => {
    const grams = (unit: string, amount = 1.1) => textOf('{weight|unit:g}', { weight: everywhere({ amount, unit }) })
    assert.equal(grams('kg'), '1100')
    assert.equal(grams('g', 0.1 + 0.2), '0.30000000000000004')
    assert.equal(grams('parcel'), null)
    assert.equal(textOf('{weight|unit:kg|fixed:1} kg', { weight: everywhere({ amount: 20, unit: 'g' }) }), '0.0 kg')
  })

  it('changes case, encodes addresses and replaces texts', () => {
    const own = { name: everywhere('Straße 1&2') }
    assert.equal(textOf('{name|upper} {name|lower}', own), 'STRASSE 1&2 straße 1&2')
    assert.equal(textOf('https://x.example/{name|url}', own), 'https://x.example/Stra%C3%9Fe%201%262')
    assert.equal(textOf('{name|url}', { name: everywhere('\uD800') }), '%EF%BF%BD')
    assert.equal(textOf('{lifecycleStateId|map:{state-draft:"no, not yet",x:y}}'), 'no, not yet')
    assert.equal(textOf('{organic|map:{true:yes}}', { organic: everywhere(true) }), 'yes')
    assert.equal(textOf('{lifecycleStateId|map:{constructor:x}}'), 'state-draft')
  })

  it('joins lists, takes their first element, and keeps a list that stands alone', () => {
    const own = { tags: everywhere(['new', 'sale']) }
    assert.equal(textOf('{tags|upper|join:", "}', own), 'NEW, SALE')
    assert.equal(textOf('{tags|first}!', own), 'new!')
    assert.equal(textOf('Tags: {tags}', own), 'Tags: new|sale')
    assert.equal(textOf('{tags|map:{new:""}}', own), 'sale')
    const alone = valueOf({ header: 'a', template: '{tags|map:{new:Neu}}' }, own)
    assert.deepEqual(alone, { json: ['Neu', 'sale'], cell: 'Neu|sale', list: ['Neu', 'sale'] })
  })

  it('has the paths of its categories, with any sign between the names', () => {
    assert.equal(textOf('{categoryPath:web}'), 'MEN/SHIRTS|NEW')
    assert.equal(textOf('{categoryPath:web|path:" > "|join:", "}'), 'MEN > SHIRTS, NEW')
    assert.equal(textOf('{categoryPath:print}'), null)
  })

  it('has a longest text', () => {
    const own = { name: everywhere('x'.repeat(1024 * 1024)) }
    assert.throws(() => textOf('{name}'.repeat(17), own), {
      message: "The column 'a' has more than 16777216 characters for the record 'rec-1'",
    })
  })

  it('is mapped as a whole', () => {
    const column = { header: 'a', template: '{lifecycleStateId}!', map: { 'state-draft!': 'Draft' } }
    assert.equal(valueOf(column, {}).cell, 'Draft')
  })
})

describe('A template of a column', () => {
  const check = (template: string, of = ADMIN) =>
    assertColumns(
      [
        { header: 'a', constant: '' },
        { header: 'b', template },
      ],
      [schema],
      model,
      of,
    )

  it('fits the model, or has a fault that names the column and the place', () => {
    check(
      '{name|cut:5} {weight|unit:lb} {price.currency} {parent.name[language=de;market=eu]} {values.id} {weight|unit:parcel}',
    )
    const cases: [string, string][] = [
      ['Name: {nam}', "columns[1].template names the unknown attribute 'nam' at character 8: did you mean 'name'?"],
      [
        '{name.amount}',
        "columns[1].template names the part 'amount', which the attribute 'name' does not have, at character 6",
      ],
      ['{name[size=l]}', "columns[1].template names the unknown dimension 'size' at character 6"],
      [
        '{name[language=xx]}',
        "columns[1].template names the unknown segment 'xx' of dimension 'language' at character 6",
      ],
      ['{weight|unit:stone-age}', "columns[1].template names the unknown unit 'stone-age' at character 14"],
      [
        '{weight|unit:m}',
        "columns[1].template has 'unit' for 'weight', whose units have no amount in 'm', at character 14",
      ],
      ['{name|unit:g}', "columns[1].template has 'unit' for 'name', which is no measurement, at character 12"],
    ]
    for (const [template, message] of cases) assert.throws(() => check(template), { code: 'VALIDATION_ERROR', message })
  })

  it('names only attributes that the role may read, and a fault names no other', () => {
    assert.throws(() => check('{name}{price}', clerk), { code: 'PERMISSION_DENIED' })
    assert.throws(() => check('{prise}', clerk), { message: /^(?!.*did you mean)/ })
  })

  it('has a fault of its own when it is read', () => {
    const read = (columns: unknown) => parse(ColumnsInput, columns, 'columns')
    assert.throws(() => read([{ header: 'a', template: '{name|cut:x}' }]), {
      message: "columns[0].template needs a whole number from 1 to 100000 for 'cut' at character 11",
    })
    assert.throws(() => read([{ header: 'a', template: 'x', constant: 'y' }]), { message: /exactly one of/ })
    assert.throws(() => read([{ header: 'a', template: '' }]), { message: 'columns[0].template must not be empty' })
    assert.throws(() => read([{ header: 'a', template: 'x'.repeat(5001) }]), { message: /at most 5000 characters/ })
    const many = Array.from({ length: 5 }, (_, at) => ({ header: `${at}`, template: 'x'.repeat(5000) }))
    assert.throws(() => read(many), { message: 'columns must have templates of at most 20000 characters together' })
  })

  it('says which attributes, scopes and catalogs it names', () => {
    const column = {
      header: 'a',
      template: '{name[language=de]}{parent.size}{id}{categoryPath:web}{categoryPath:print}',
    }
    assert.deepEqual(aliasesIn(column), ['name', 'size'])
    assert.deepEqual(scopesIn(column), [{ language: 'de' }])
    assert.deepEqual(catalogsOf([column, { header: 'b', categoryPath: 'web' }]), ['web', 'print'])
  })
})
