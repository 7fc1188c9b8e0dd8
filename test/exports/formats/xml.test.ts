// What xml looks like, where the round trip cannot tell.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFlatten } from '../../../src/core/records/rules/exported-record.ts'
import { BUILT_IN_ROLES } from '../../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../src/core/scopes/scope.ts'
import { writeXml } from '../../../src/exports/formats/xml.ts'
import { AT, exportModel } from '../../helpers/export-model.ts'

/** The lines of one record. */
function recordLines(schemaId: string, own: Values, scope: Scope | null = null): string[] {
  const dimensionScope = scope
  const flatten = createFlatten({
    model: exportModel,
    role: BUILT_IN_ROLES[0]!,
    dimensionScope,
    variantValues: 'effective',
  })
  const moments = { createdAt: AT, updatedAt: AT, createdBy: 'usr-1', updatedBy: 'usr-1' }
  const head = { id: 'ent-1', schemaId, parentId: null, lifecycleStateId: 'state-draft', ...moments }
  const { dimensions } = exportModel
  const writer = writeXml({ isFlat: scope !== null, spreadsheetSafe: false, attributes: [], dimensions })
  const text = writer.begin() + writer.write([flatten(head, { own, inherited: null })]) + writer.end()
  const lines = text.split('\n')
  assert.deepEqual(lines.slice(0, 2), ['<?xml version="1.0" encoding="UTF-8"?>', '<records>'])
  assert.deepEqual(lines.slice(-2), ['</records>', ''])
  return lines.slice(2, -2)
}

const tag = (schemaId: string) =>
  `<record id="ent-1" schemaId="${schemaId}" lifecycleStateId="state-draft" createdAt="${AT}" updatedAt="${AT}"`
const everywhere = (value: unknown) => [{ scope: {}, value }]

describe('xml', () => {
  it('tells an empty text from no value', () => {
    assert.deepEqual(recordLines('sch-other', { title: everywhere('') }, {}), [
      `${tag('sch-other')}>`,
      '  <value attribute="title"/>',
      '  <value attribute="weight" nil="true"/>',
      '  <value attribute="name" nil="true"/>',
      '</record>',
    ])
  })

  it('has truth values and numbers as text, and an element for a record without values', () => {
    assert.deepEqual(recordLines('sch-all', { active: everywhere(true), stock: everywhere(1e21) }), [
      `${tag('sch-all')}>`,
      '  <value attribute="stock">1e+21</value>',
      '  <value attribute="active">true</value>',
      '</record>',
    ])
    assert.deepEqual(recordLines('sch-all', {}), [`${tag('sch-all')}/>`])
  })

  it('refers to what a parser would take for markup or change, and replaces what XML forbids', () => {
    const values = {
      weight: everywhere({ amount: 1, unit: `<"&'\t\n\r\0\uFFFE\uD83D` }),
      constructor: everywhere(`]]> & <a b="c" d='e'>\t\r\0\u001F\uFFFF\uDE00😀\u0085`),
    }
    assert.deepEqual(recordLines('sch-all', values).slice(1, -1), [
      '  <value attribute="weight" unit="&lt;&quot;&amp;&apos;&#9;&#10;&#13;\uFFFD\uFFFD\uFFFD">1</value>',
      '  <value attribute="constructor">' +
        `]]&gt; &amp; &lt;a b="c" d='e'&gt;\t&#13;\uFFFD\uFFFD\uFFFD\uFFFD😀\u0085</value>`,
    ])
  })
})
