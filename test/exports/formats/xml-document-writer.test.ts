// Documents that a job describes: well-formed for every value, with namespaces, nested and repeated elements.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { xmlDocument } from '../../../src/exports/formats/xml-document-writer.ts'
import type { ColumnValue } from '../../../src/exports/rules/column-rows.ts'
import { assertXml, readPlace, type XmlDocument, XmlInput } from '../../../src/exports/rules/xml-document.ts'
import { parse } from '../../../src/kernel/input/parse.ts'

const GOOGLE = parse(XmlInput, {
  root: 'rss/channel',
  item: 'item',
  namespaces: { g: 'http://base.google.com/ns/1.0' },
  attributes: { version: '2.0' },
  before: [
    { element: 'title', text: 'Tea & more' },
    { element: 'image/url', text: 'https://x.example/a' },
    { element: 'image/title', text: 'A' },
  ],
})

const cell = (value: ColumnValue['cell'], list?: readonly string[]): ColumnValue => ({ json: value, cell: value, list })

function written(xml: XmlDocument, places: readonly string[], ...rows: (readonly ColumnValue[])[]): string {
  const writer = xmlDocument(xml, places)
  return writer.begin() + writer.write(rows) + writer.end()
}

/** The element of one record, without the document around it. */
function elementOf(places: readonly string[], row: readonly ColumnValue[], item = 'item'): string {
  const xml = parse(XmlInput, { root: 'all', item, namespaces: { g: 'urn:g' } })
  const text = written(xml, places, row)
  return text.replace(/^.*\n.*\n/, '').replace(/<\/all>\n$/, '')
}

describe('An xml document', () => {
  it('has its root, namespaces and attributes, and constant elements before the records', () => {
    assert.equal(
      written(GOOGLE, ['g:id', 'title'], [cell('a<b'), cell(5)], [cell('c'), cell(null)]),
      `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0">
  <channel>
    <title>Tea &amp; more</title>
    <image>
      <url>https://x.example/a</url>
      <title>A</title>
    </image>
    <item>
      <g:id>a&lt;b</g:id>
      <title>5</title>
    </item>
    <item>
      <g:id>c</g:id>
    </item>
  </channel>
</rss>
`,
    )
  })

  it('repeats an element for each member of a list', () => {
    const row = [cell('a|b', ['a', 'b']), cell('c')]
    assert.equal(
      elementOf(['g:more', 'g:more'], row),
      '  <item>\n    <g:more>a</g:more>\n    <g:more>b</g:more>\n    <g:more>c</g:more>\n  </item>\n',
    )
  })

  it('puts columns that follow one another into one element, until that has what the next one gives', () => {
    const places = ['g:shipping/g:country', 'g:shipping/g:price', 'g:shipping/g:country', 'g:id', 'g:shipping/g:price']
    const shipping = (...inner: string[]) =>
      `    <g:shipping>\n${inner.map((one) => `      ${one}\n`).join('')}    </g:shipping>\n`
    const row = [cell('DE'), cell('4 EUR'), cell('AT'), cell('1'), cell('5 EUR')]
    assert.equal(
      elementOf(places, row),
      `  <item>\n${shipping('<g:country>DE</g:country>', '<g:price>4 EUR</g:price>')}${shipping('<g:country>AT</g:country>')}    <g:id>1</g:id>\n${shipping('<g:price>5 EUR</g:price>')}  </item>\n`,
    )
  })

  it('has attributes of the record and of its elements', () => {
    const row = [cell('7'), cell('EUR'), cell(5), cell('"x"')]
    assert.equal(
      elementOf(['@id', 'price@currency', 'price', 'price@currency'], row),
      '  <item id="7">\n    <price currency="EUR">5</price>\n    <price currency="&quot;x&quot;"/>\n  </item>\n',
    )
  })

  it('leaves out what has no value, but never a record', () => {
    const nothing = [cell(null), cell(''), cell(null), cell('', [])]
    assert.equal(elementOf(['@id', 'a', 'b/c', 'b/d'], nothing), '  <item/>\n')
  })

  it('is well-formed for every text, and gives it back', () => {
    const places = ['@id', 'g:a', 'g:a@x', 'g:b/g:c', 'g:b/g:d']
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 5, maxLength: 5 })
    const property = fc.property(texts, (row) => {
      const text = written(
        GOOGLE,
        places,
        row.map((one) => cell(one)),
      )
      const found: string[] = []
      let now = ''
      const parser = new SaxesParser({ xmlns: true })
      parser.on('error', (error) => assert.fail(error))
      parser.on('opentag', ({ attributes }) => {
        now = ''
        found.push(
          ...Object.values(attributes).flatMap(({ name, value }) => (name === 'id' || name === 'x' ? value : [])),
        )
      })
      parser.on('text', (part) => (now += part))
      parser.on('closetag', ({ name }) => {
        if (/^g:[acd]$/.test(name)) found.push(now)
        now = ''
      })
      parser.write(text).close()
      // oxlint-disable-next-line no-control-regex
      const kept = row.map((one) =>
        one.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD'),
      )
      // The third column has an attribute that the element of the second one has room for.
      assert.deepEqual(found, [kept[0], kept[2], kept[1], kept[3], kept[4]])
    })
    fc.assert(property, { numRuns: 300 })
  })
})

describe('The names of an xml document', () => {
  it('are paths of XML names, at most five, and may end with an attribute', () => {
    assert.deepEqual(readPlace('g:shipping/g:price'), { elements: ['g:shipping', 'g:price'], attribute: undefined })
    assert.deepEqual(readPlace('@id'), { elements: [], attribute: 'id' })
    assert.deepEqual(readPlace('größe@xml:lang'), { elements: ['größe'], attribute: 'xml:lang' })
    for (const wrong of [
      '',
      '@',
      'a b',
      '1a',
      'a//b',
      '/a',
      'a:b:c',
      'a@b@c',
      'a@b/c',
      'xmlns:a',
      '@xmlns',
      'a/b/c/d/e/f',
      '<a',
      ':a',
    ])
      assert.equal(readPlace(wrong), undefined, wrong)
  })

  it('are refused where they are no names, undeclared, or declared twice', () => {
    const document = { root: 'rss/channel', item: 'item' }
    const cases: [object, RegExp][] = [
      [{ ...document, root: 'a b' }, /^xml\.root must be names of XML elements/],
      [{ ...document, root: 'a@b' }, /^xml\.root must be names/],
      [{ ...document, item: 'a/b' }, /^xml\.item must be the name of an XML element/],
      [{ ...document, namespaces: { xml: 'urn:x' } }, /^xml\.namespaces must be at most 20 prefixes/],
      [{ ...document, namespaces: { a: ' ' } }, /^xml\.namespaces/],
      [{ ...document, namespaces: { a: 'urn:x', b: 'urn:x' } }, /^xml\.namespaces must have a namespace of its own/],
      [{ ...document, attributes: { 'xmlns:a': 'x' } }, /^xml\.attributes must have names of XML attributes/],
      [{ ...document, before: [{ element: '<', text: '' }] }, /^xml\.before\[0\]\.element must be names/],
      [{ ...document, other: 1 }, /^Unknown member 'xml\.other'/],
    ]
    for (const [input, message] of cases) assert.throws(() => parse(XmlInput, input, 'xml'), { message })
  })

  it('fit the columns of the job, where its format is xml', () => {
    const xml = parse(XmlInput, { root: 'a', item: 'b', namespaces: { g: 'urn:g' } })
    const columns = [{ header: 'id', constant: '1', element: 'g:id' }]
    const check = (content: object) => assertXml({ format: 'xml', xml, columns, ...content })
    check({})
    check({ format: 'csv', columns: null, delta: {} })
    const cases: [object, RegExp][] = [
      [{ xml: null }, /^columns\[0\]\.element needs the member xml/],
      [{ columns: null }, /^xml needs columns$/],
      [{ delta: {} }, /^delta does not go with xml/],
      [{ xml: { ...xml, root: 'h:a' } }, /^xml\.root has the prefix 'h', which xml\.namespaces does not declare$/],
      [{ xml: { ...xml, attributes: { 'h:a': '' } } }, /^xml\.attributes has the prefix 'h'/],
      [{ xml: { ...xml, before: [{ element: 'h:a', text: '' }] } }, /^xml\.before\[0\]\.element has the prefix 'h'/],
      [{ columns: [{ header: 'h:id', constant: '' }] }, /^columns\[0\]\.header has the prefix 'h'/],
      [{ columns: [{ header: 'a b', constant: '' }] }, /^columns\[0\] needs an element: its header must be names/],
      [
        {
          columns: [
            { header: 'a', constant: '', element: '@x' },
            { header: '@x', constant: '' },
          ],
        },
        /^columns\[1\] gives .* 'x' twice/,
      ],
    ]
    for (const [content, message] of cases) assert.throws(() => check(content), { code: 'VALIDATION_ERROR', message })
  })
})
