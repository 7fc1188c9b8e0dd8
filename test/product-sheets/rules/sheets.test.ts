// Rules of product sheets: texts of values, the HTML of a page, templates and tokens of links.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import type { Attribute } from '../../../src/core/model/rules/attributes.ts'
import { expiryOf, hashToken, isOver, linkIdOf, openToken } from '../../../src/product-sheets/rules/sheet-link.ts'
import {
  CLOSE_PAGE,
  closeArticle,
  openArticle,
  openPage,
  SHEET_POLICY,
} from '../../../src/product-sheets/rules/sheet-page.ts'
import { renameInTemplate, type SheetTemplate } from '../../../src/product-sheets/rules/sheet-template.ts'
import { markupOf, SheetLanguage, textOf } from '../../../src/product-sheets/rules/sheet-values.ts'

const german = new SheetLanguage('de')
const attribute = (dataType: string, more: object = {}) => ({ dataType, options: [], ...more }) as unknown as Attribute
const said = (dataType: string, value: unknown, more: object = {}, language = german) =>
  textOf(attribute(dataType, more), value, language, (id) => `the ${id}`)

const LOOK = { language: german, paper: 'A4', pictureSize: 'medium' } as const
const pageOf = (text: string): string => {
  const article = { heading: text, title: text, subtitle: text, footer: text }
  const whole = { ...article, sections: [{ heading: text, rows: [{ label: text, text }] }] }
  return openPage(text, LOOK) + openArticle(whole, LOOK) + [...closeArticle(whole)].join('') + CLOSE_PAGE
}

interface Read {
  readonly names: string[]
  readonly texts: string[]
}

function read(html: string): Read {
  const found: Read = { names: [], texts: [] }
  const parser = new Parser({
    onopentag: (name) => found.names.push(name),
    ontext: (text) => found.texts.push(text),
  })
  parser.write(html)
  parser.end()
  return found
}

describe('A value on a sheet', () => {
  it('is written as the language of the sheet does', () => {
    assert.equal(said('number', 12_345.5), '12.345,5')
    assert.equal(said('price', { amount: 9.9, currency: 'EUR' }), '9,90\u00a0€')
    assert.equal(said('price', { amount: 12_345, currency: 'JPY' }), '12.345\u00a0¥')
    assert.equal(said('measurement', { amount: 1.5, unit: 'kg' }), '1,5\u00a0kg')
    assert.equal(said('date', '2026-12-31'), '31.12.2026')
    assert.equal(said('dateTime', '2026-12-31T09:00:00Z'), '31.12.2026, 09:00 UTC')
    assert.equal(said('boolean', true), '✓')
    assert.equal(said('date', 'one day'), 'one day')
  })

  it('keeps the formats of simple HTML, and its whole addresses', () => {
    const cellOf = (html: string): string => {
      const markup = markupOf(attribute('richText'), html)
      const sections = [{ heading: '', rows: [{ label: '', text: said('richText', html), markup }] }]
      const page = [...closeArticle({ heading: '', title: '', subtitle: '', footer: '', sections })].join('')
      return /<td[^>]*>([^]*)<\/td>/.exec(page)![1]!
    }
    assert.equal(
      cellOf('<p>A <b>bold</b> &amp; fast</p><ul><li>x</li></ul>'),
      '<p>A <strong>bold</strong> &#38; fast</p><ul><li>x</li></ul>',
    )
    const link = '<a href="https://example.com/?a=1&amp;b=%22">x</a>'
    assert.equal(cellOf(link), '<a href="https://example.com/?a=1&#38;b=%22" rel="nofollow noreferrer">x</a>')
    assert.equal(cellOf('<p><a href="/api/v1/me">x</a></p>'), '<p>x</p>')
    assert.equal(cellOf('<table><tr><td>One</td></tr></table>'), 'One')
    assert.equal(cellOf('<p onclick="x()">One</p>'), 'One')
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            '<',
            '>',
            '/',
            '"',
            '=',
            ' ',
            'p',
            'a',
            'b',
            'href',
            'javascript:',
            '&',
            'script',
            'onclick',
          ),
        }),
        (html) => {
          const names = read(cellOf(html)).names
          assert.ok(
            names.every((name) => ['p', 'strong', 'a'].includes(name)),
            names.join(),
          )
        },
      ),
    )
  })

  it('shows numbers as their attribute says, as the console does', () => {
    assert.deepEqual([said('number', 1961), said('number', 1961, { display: { style: 'grouped' } })], ['1961', '1.961'])
    assert.equal(said('number', 12_345.678, { display: { style: 'plain', decimals: 1, unit: 'km' } }), '12345,7 km')
    const rounded = { display: { style: 'grouped', decimals: 0 } } as const
    assert.equal(said('price', { amount: 1234.5, currency: 'EUR' }, rounded), '1.235\u00a0€')
    assert.equal(said('measurement', { amount: 1.25, unit: 'kg' }, { display: { decimals: 1 } }), '1,3\u00a0kg')
  })

  it('names options and records as people do, and formatted text without its markup', () => {
    const options = [
      { id: 'red', name: 'Red', names: { de: 'Rot' } },
      { id: 'constructor', name: 'Odd' },
    ]
    assert.equal(said('select', 'red', { options }), 'Rot')
    assert.equal(said('multiSelect', ['red', 'constructor', 'gone'], { options }), 'Rot, Odd, gone')
    assert.equal(said('select', 'red', { options }, new SheetLanguage('de-AT')), 'Rot')
    assert.equal(said('references', ['a', 'b']), 'the a, the b')
    assert.equal(said('richText', '<p>One</p><script>x()</script><p>Two &amp; more'), 'One\nTwo & more')
    assert.ok(said('text', 'x'.repeat(30_000)).length < 20_010)
  })
})

describe('The page of a sheet', () => {
  const expected = read(pageOf('x')).names

  it('has no other elements than its own, whatever people typed', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '</style><script>x()</script>',
        '"><img src=x onerror=y>',
        "'",
        '<!--',
        ']]>',
        '&lt;',
        'constructor',
      ),
    )
    fc.assert(
      fc.property(nasty, fc.string(), (one, other) => {
        const text = one + other
        const { names, texts } = read(pageOf(text))
        const isEmpty = text === ''
        assert.deepEqual(names, isEmpty ? read(pageOf('')).names : expected)
        if (!isEmpty && !/[\r\0]/.test(text)) assert.ok(texts.join('').includes(text.toWellFormed()))
      }),
    )
  })

  it('allows its own style and pictures inside of it, and nothing else', () => {
    for (const paper of ['A4', 'letter'] as const) {
      const [, style] = /<style>([^]*?)<\/style>/.exec(openPage('T', { ...LOOK, paper }))!
      const hash = createHash('sha256').update(style!).digest('base64')
      assert.ok(SHEET_POLICY.includes(`'sha256-${hash}'`), paper)
    }
    assert.match(SHEET_POLICY, /^default-src 'none'; img-src data:; style-src 'sha256-/)
  })

  it('reads from right to left in such a language', () => {
    assert.match(openPage('T', { ...LOOK, language: new SheetLanguage('ar') }), /<html lang="ar" dir="rtl">/)
  })
})

describe('A template', () => {
  const template = {
    id: 't',
    schemaId: 'tea',
    sections: [{ heading: '', attributeAliases: ['name', 'price'] }],
    pictures: ['price'],
  } as unknown as SheetTemplate

  it('follows an attribute of its schema that is renamed', () => {
    const renamed = renameInTemplate(template, { schemaId: 'tea', from: 'price', to: 'cost' })
    assert.deepEqual(renamed.sections[0]!.attributeAliases, ['name', 'cost'])
    assert.deepEqual(renamed.pictures, ['cost'])
    assert.equal(renameInTemplate(template, { schemaId: 'other', from: 'price', to: 'cost' }), template)
    assert.equal(renameInTemplate(template, { schemaId: 'tea', from: 'gone', to: 'cost' }), template)
  })
})

describe('The token of a link', () => {
  it('leads to the ID and the hash of its link; another text leads nowhere', () => {
    const token = randomBytes(32).toString('base64url')
    const hash = hashToken(token)
    assert.deepEqual(openToken(token), { id: linkIdOf(hash), hash })
    assert.ok(!linkIdOf(hash).includes(token.slice(0, 8)))
    for (const other of ['', token.slice(1), `${token}A`, 'constructor', `${token.slice(0, 42)}=`])
      assert.equal(openToken(other), undefined)
  })

  it('counts for the hours of its link, and for ten minutes where a page is printed', () => {
    const now = new Date('2026-03-01T00:00:00Z')
    assert.equal(expiryOf({ purpose: 'share', hours: 24 }, now), '2026-03-02T00:00:00.000Z')
    assert.equal(expiryOf({ purpose: 'print', hours: 24 }, now), '2026-03-01T00:10:00.000Z')
    assert.ok(isOver({ expiresAt: '2026-03-01T00:00:00.000Z' }, now))
    assert.ok(!isOver({ expiresAt: '2026-03-01T00:00:00.001Z' }, now))
  })
})
