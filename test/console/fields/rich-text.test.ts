// The text of HTML in one line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textOfHtml } from '../../../console/fields/rich-text.ts'
import { plainText } from '../../../src/core/values/plain-text.ts'

test('HTML is shown as its text, and a text without markup as it is', () => {
  assert.equal(textOfHtml('<p>The <b>Jaguar</b> E-Type</p><p>fast &amp; loud</p>'), 'The Jaguar E-Type fast & loud')
  assert.equal(textOfHtml('a < b'), 'a < b')
  assert.equal(textOfHtml('x<script>alert(1)</script><!-- no -->y<br/>z'), 'xy z')
  assert.equal(textOfHtml('&#8364; &#x1F600; &unknown; &#0; &#xD800;'), '€ 😀 &unknown; &#0; \uFFFD')
  assert.equal(textOfHtml('cut <a href="'), 'cut')
})

test('the text is that which the server finds, for the HTML that editors write', () => {
  const word = fc.stringMatching(/^[a-zäß€ ]{0,8}$/)
  const tag = fc.constantFrom('p', 'b', 'i', 'li', 'h2', 'div')
  const html = fc
    .array(fc.tuple(tag, word), { maxLength: 6 })
    .map((parts) => parts.map(([name, text]) => `<${name}>${text}</${name}>`).join(''))
  fc.assert(fc.property(html, (text) => assert.equal(textOfHtml(text), plainText(text).replaceAll(/\s+/g, ' ').trim())))
})
