// What csv looks like, where the round trip cannot tell.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFlatten, exportedAttributes } from '../../../src/core/records/rules/exported-record.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../src/core/scopes/scope.ts'
import { writeCsv } from '../../../src/exports/formats/csv.ts'
import { AT, exportModel } from '../../helpers/export-model.ts'

interface Options {
  readonly scope?: Scope | null
  readonly spreadsheetSafe?: boolean
  readonly schemaId?: string
  readonly roleId?: string
}

type Rows = readonly (readonly [schemaId: string, values: Values])[]

function csv(rows: Rows, { scope = null, spreadsheetSafe = false, schemaId, roleId = 'role-admin' }: Options): string {
  const role = exportModel.roles.get(roleId)!
  const schemas = [...exportModel.schemas.values()].filter(({ id }) => schemaId === undefined || id === schemaId)
  const writer = writeCsv({
    isFlat: scope !== null,
    spreadsheetSafe,
    attributes: schemas.flatMap((schema) => exportedAttributes(schema, role)),
    dimensions: exportModel.dimensions,
  })
  const flatten = createFlatten({ model: exportModel, role, dimensionScope: scope, variantValues: 'effective' })
  const records = rows.map(([id, own], index) => {
    const moments = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1' }
    const head = { id: `ent-${index}`, schemaId: id, parentId: null, lifecycleStateId: 'state-draft', ...moments }
    return flatten(head, { own, inherited: null })
  })
  if (writer.survey !== undefined) records.forEach(writer.survey)
  return writer.begin() + writer.write(records) + writer.end()
}

const FIXED = 'id,schemaId,parentId,lifecycleStateId,createdAt,updatedAt'
const row = (index: number, schemaId: string) => `ent-${index},${schemaId},,state-draft,${AT},${AT}`
const everywhere = (value: unknown) => [{ scope: {}, value }]

describe('csv', () => {
  it('has the fixed fields, then a column for each attribute and scope that occurs, in the order of the model', () => {
    const values: Values = {
      weight: everywhere({ amount: 1.5, unit: 'kg' }),
      price: [
        { scope: { market: 'eu' }, value: { amount: -0.1, currency: 'EUR' } },
        { scope: {}, value: { amount: 1e21, currency: 'USD' } },
        { scope: { market: 'us' }, value: { amount: 5, currency: 'USD' } },
      ],
      description: [
        { scope: { language: 'de', market: 'eu' }, value: 'a' },
        { scope: { language: 'en' }, value: 'b' },
        { scope: { market: 'eu' }, value: 'c' },
      ],
    }
    assert.deepEqual(csv([['sch-all', values]], {}).split('\r\n'), [
      `${FIXED},description[market=eu],description[language=en],description[language=de;market=eu],` +
        'price,price.currency,price[market=us],price[market=us].currency,price[market=eu],price[market=eu].currency,' +
        'weight,weight.unit',
      `${row(0, 'sch-all')},c,b,a,1e+21,USD,5,USD,-0.1,EUR,1.5,kg`,
      '',
    ])
  })

  it('joins a list by vertical bars, writes JSON as text, and tells an empty text from no value', () => {
    const values: Values = {
      tags: everywhere(['a.b', 'e~f']),
      extra: everywhere({ a: ['"'] }),
      active: everywhere(false),
      constructor: everywhere(''),
    }
    const [header, first, second] = csv(
      [
        ['sch-all', values],
        ['sch-all', {}],
      ],
      {},
    ).split('\r\n')
    assert.equal(header, `${FIXED},active,tags,extra,constructor`)
    assert.equal(first, `${row(0, 'sch-all')},false,a.b|e~f,"{""a"":[""\\""""]}",""`)
    assert.equal(second, `${row(1, 'sch-all')},,,,`)
  })

  it('gives an attribute that is called like a fixed field a name that no other column has', () => {
    const values: Values = { id: [{ scope: { constructor: 'valueOf' }, value: 'x' }, ...everywhere('y')] }
    assert.equal(
      csv([['sch-all', values]], {}),
      `${FIXED},values.id,values.id[constructor=valueOf]\r\n${row(0, 'sch-all')},y,x\r\n`,
    )
  })

  it('of several schemas lets attributes of one alias share a column, each with the units that it has', () => {
    const rows: Rows = [
      [
        'sch-other',
        { title: everywhere('t'), weight: everywhere({ amount: 2, currency: 'EUR' }), name: everywhere('n') },
      ],
      ['sch-all', { weight: everywhere({ amount: 3, unit: 'g' }), name: everywhere('m') }],
    ]
    assert.deepEqual(csv(rows, {}).split('\r\n'), [
      `${FIXED},name,weight,weight.currency,weight.unit,title`,
      `${row(0, 'sch-other')},n,2,EUR,,t`,
      `${row(1, 'sch-all')},m,3,,g,`,
      '',
    ])
  })

  it('without records is the header: the fixed fields and, when flat, every attribute', () => {
    assert.equal(csv([], {}), `${FIXED}\r\n`)
    assert.equal(csv([], { scope: {}, schemaId: 'sch-other' }), `${FIXED},title,weight,weight.currency,name\r\n`)
  })

  it('has no column of what is hidden from the role', () => {
    const values: Values = { name: everywhere('secret'), color: everywhere('red') }
    assert.equal(csv([['sch-all', values]], { roleId: 'role-clerk' }), `${FIXED},color\r\n${row(0, 'sch-all')},red\r\n`)
    const header = csv([], { roleId: 'role-clerk', scope: {}, schemaId: 'sch-all' })
    assert.doesNotMatch(header, /price|name/)
  })

  it('quotes what RFC 4180 asks for, a lone CR and a lone LF as well', () => {
    const texts = ['a"b', 'a,b', 'a\rb', 'a\nb', 'a\r\nb', ' a ']
    const rows: Rows = texts.map((text) => ['sch-other', { title: everywhere(text) }])
    const expected = ['"a""b"', '"a,b"', '"a\rb"', '"a\nb"', '"a\r\nb"', ' a ']
    assert.equal(
      csv(rows, {}),
      `${FIXED},title\r\n${expected.map((cell, index) => `${row(index, 'sch-other')},${cell}\r\n`).join('')}`,
    )
  })

  it('refuses more columns than a spreadsheet has, saying what to do', () => {
    const attribute = exportModel.schemas.get('sch-other')!.attributes[0]!
    const attributes = Array.from({ length: 16_379 }, (_, index) => ({ ...attribute, alias: `a${index}` }))
    const options = { isFlat: true, spreadsheetSafe: false, dimensions: exportModel.dimensions }
    assert.ok(writeCsv({ ...options, attributes: attributes.slice(1) }).begin())
    assert.throws(() => writeCsv({ ...options, attributes }).begin(), /16384 columns.*dimensionScope/)
  })
})

describe('csv for spreadsheets', () => {
  const cellOf = (alias: string, value: unknown, spreadsheetSafe: boolean): string => {
    const schemaId = alias === 'title' ? 'sch-other' : 'sch-all'
    const text = csv([[schemaId, { [alias]: everywhere(value) }]], { spreadsheetSafe })
    return text.slice(text.indexOf(row(0, schemaId)) + row(0, schemaId).length + 1, -2)
  }

  it('puts an apostrophe before a text that would be read as a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@sum', '\ta'])
      assert.equal(cellOf('title', text, true), `'${text}`, JSON.stringify(text))
    assert.equal(cellOf('title', '\ra', true), `"'\ra"`)
    assert.equal(cellOf('title', '=a,b', true), `"'=a,b"`)
    assert.equal(cellOf('weight', { amount: 1, unit: '=kg' }, true), "1,'=kg")
  })

  it('leaves numbers, truth values and other texts as they are', () => {
    assert.equal(cellOf('stock', -5, true), '-5')
    assert.equal(cellOf('weight', { amount: -5, unit: 'kg' }, true), '-5,kg')
    assert.equal(cellOf('active', true, true), 'true')
    assert.equal(cellOf('title', 'a=b', true), 'a=b')
    assert.equal(cellOf('title', "'=", true), "'=")
  })

  it('is asked for: otherwise every text is written as it is', () => {
    for (const text of ['=1+1', '+1', '-1', '@sum', '\ta']) assert.equal(cellOf('title', text, false), text)
  })
})
