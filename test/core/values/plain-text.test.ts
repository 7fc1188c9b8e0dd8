// The text of HTML: what a reader sees, in time that grows with the length alone.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { plainText } from '../../../src/core/values/plain-text.ts'

describe('The plain text of HTML', () => {
  it('has a line for each block, a space for white space, and nothing of scripts', () => {
    const cases: [string, string][] = [
      ['<p>One &amp; <b>two</b>,&nbsp;three<br>four</p>\n\n<p>five</p>', 'One & two, three\nfour\nfive'],
      ['<ul><li>a</li><li>b</li></ul><table><tr><td>c</td><td>d</td></tr></table>', 'a\nb\nc d'],
      ['a<script>x("<p>")</script>b<style>p{}</style><title>t</title>c<!-- d -->', 'abc'],
      ['<p>open <b>ever <i>more', 'open ever more'],
      ['&#128512;&hearts;&unknown;', '😀♥&unknown;'],
    ]
    for (const [html, text] of cases) assert.equal(plainText(html), text)
  })

  it('of a text without markup is the text, with its lines', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '1 < 2', ' & ', '>', 'é')
    const property = fc.property(fc.string({ unit }), (text) => assert.equal(plainText(text), text.trim()))
    fc.assert(property)
  })

  it('has no white space at the ends of lines, and no empty line', () => {
    const unit = fc.constantFrom(
      '<p>',
      '</p>',
      '<br>',
      ' ',
      '\u00A0',
      '\n',
      'a',
      '&nbsp;',
      '<b>',
      '</td>',
      '<script>',
      '</script>',
    )
    const property = fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      assert.doesNotMatch(plainText(`<i>${text}`), /^\s|\s$|\s\n|\n\s|\s\s/)
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('takes no time that grows with the depth or with gaps', () => {
    const started = performance.now()
    for (const part of ['<div>', '\u00A0', ' <i>', '<', '&', '<p ', '<!--', '</p>'])
      plainText(`<b>${part.repeat(100_000)}x`)
    assert.ok(performance.now() - started < 10_000)
  })
})
