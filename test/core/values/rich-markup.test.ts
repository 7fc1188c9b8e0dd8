// Simple HTML as a tree.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRich, type RichNode, type RichTag, writeRich } from '../../../src/core/values/rich-markup.ts'

test('simple HTML is written as it was read', () => {
  for (const html of [
    'plain text',
    '<p>The <strong>Jaguar</strong> &amp; <em>E-Type</em></p><ul><li>fast</li><li>loud<br>very</li></ul>',
    '<h2>Head</h2><p><a href="https://example.com/?a=1&amp;b=2">link</a></p>',
    'a&nbsp;b',
  ])
    assert.equal(writeRich(parseRich(html)!), html)
  assert.equal(writeRich(parseRich('<P><b>x</b> <i>y</i> 1 < 2</P>')!), '<p><strong>x</strong> <em>y</em> 1 &lt; 2</p>')
})

test('HTML with more than that has no tree, so that nothing of it is lost', () => {
  for (const html of [
    '<table><tr><td>x</td></tr></table>',
    '<p class="x">y</p>',
    '<p>open',
    '<b><i>crossed</b></i>',
    '<a href="javascript:alert(1)">x</a>',
    '<a>no address</a>',
    '<script>alert(1)</script>',
    '<img src="x" onerror="alert(1)">',
    '<!-- comment -->',
    "<a href='https://example.com'>single quotes</a>",
    '<p',
    '</p>',
  ])
    assert.equal(parseRich(html), undefined, html)
})

test('HTML whose elements lie deep within each other has no tree, so that nobody exhausts the stack', () => {
  for (const depth of [60, 50_000]) assert.equal(parseRich('<p>'.repeat(depth) + '</p>'.repeat(depth)), undefined)
})

test('every tree is read again from its HTML', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => !one.includes('\r'))
  const tags = ['p', 'strong', 'em', 'u', 'ul', 'li', 'h3'] as const
  const { node } = fc.letrec<{ node: RichNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.record({ tag: fc.constant<RichTag>('br'), children: fc.constant([]) }),
      fc.record({ tag: fc.constantFrom<RichTag>(...tags), children: fc.array(tie('node'), { maxLength: 3 }) }),
    ),
  }))
  const joined = (nodes: readonly RichNode[]): RichNode[] =>
    nodes.reduce<RichNode[]>((all, one) => {
      const last = all.at(-1)
      if (typeof one === 'string' && typeof last === 'string') all[all.length - 1] = last + one
      else all.push(typeof one === 'string' ? one : { ...one, children: joined(one.children) })
      return all
    }, [])
  fc.assert(
    fc.property(fc.array(node, { maxLength: 4 }), (nodes) => {
      assert.deepEqual(joined(parseRich(writeRich(nodes))!), joined(nodes))
    }),
  )
})
