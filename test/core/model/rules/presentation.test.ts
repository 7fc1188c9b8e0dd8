// Contract 3 §7, 3 §11.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as v from 'valibot'
import { parse } from '../../../../src/kernel/input/parse.ts'
import { keepNames, NamesInput } from '../../../../src/core/model/rules/names.ts'
import { definePresentation, presentationInput } from '../../../../src/core/model/rules/presentation.ts'

const attributes = ['name', 'size', 'constructor'].map((alias) => ({
  alias,
  dataType: alias === 'size' ? ('number' as const) : ('text' as const),
}))
const define = (input: object) => definePresentation(parse(v.object(presentationInput), input), attributes)
const refused = (input: object, message: string | RegExp): void =>
  assert.throws(() => define(input), { code: 'VALIDATION_ERROR', message })

describe('The presentation of a schema', () => {
  it('is kept as it is given, names of groups defaulting to their IDs', () => {
    const groups = [
      { id: 'a', name: 'A', names: { de: 'Ä', 'pt-BR': 'B', constructor: 'C' }, attributeAliases: ['size', 'name'] },
      { id: 'b', attributeAliases: ['name'] },
    ]
    const given = { labelAttribute: 'name', groups, variantAttributes: ['constructor'] }
    assert.deepEqual(define(given), { ...given, groups: [groups[0], { ...groups[1], name: 'b' }] })
  })

  it('is not there where nothing is said', () => {
    assert.deepEqual(define({}), {})
    assert.deepEqual(define({ labelAttribute: null, groups: [], variantAttributes: [] }), {})
  })

  it('names attributes of the schema only, each once', () => {
    refused({ labelAttribute: 'gone' }, "labelAttribute names 'gone', which is not an attribute of the schema")
    refused({ labelAttribute: 'toString' }, /'toString'/)
    refused({ variantAttributes: ['gone'] }, /^variantAttributes names 'gone'/)
    refused({ variantAttributes: ['size', 'size'] }, "variantAttributes lists 'size' twice")
    const group = { id: 'a', attributeAliases: ['name', 'gone'] }
    refused({ groups: [{ id: 'b', attributeAliases: [] }, group] }, /^groups\[1\]\.attributeAliases names 'gone'/)
    refused(
      { groups: [{ ...group, attributeAliases: ['size', 'size'] }] },
      /^groups\[0\]\.attributeAliases lists 'size'/,
    )
    refused({ groups: [1, 2].map(() => ({ id: 'a', attributeAliases: [] })) }, "groups: the ID 'a' occurs twice")
  })

  it('has limits, which messages name', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `g${n}`, attributeAliases: [] }))
    assert.equal(define({ groups: many(200) }).groups!.length, 200)
    refused({ groups: many(201) }, 'groups must have at most 200 items')
    refused({ groups: [{ id: 'a b', attributeAliases: [] }] }, /^groups\[0\]\.id must be an ID/)
    refused({ groups: [{ id: 'a' }] }, 'groups[0].attributeAliases is required')
    refused({ groups: [{ id: 'a', name: ' ', attributeAliases: [] }] }, 'groups[0].name must not be empty')
    refused({ labelAttribute: 7 }, 'labelAttribute must be a string')
  })
})

describe('Names by language', () => {
  it('are up to 100, of 1 to 200 characters', () => {
    const languages = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`l${n}`, 'x']))
    for (const names of [{}, { de: 'x'.repeat(200) }, { 'zh-Hant-TW': '衣' }, { de_CH: 'x' }, languages(100)])
      assert.deepEqual(parse(NamesInput, names), names)
    const wrong = [
      null,
      [],
      'x',
      { '': 'x' },
      { 'd e': 'x' },
      { de: '' },
      { de: ' ' },
      { de: 1 },
      { de: 'x'.repeat(201) },
    ]
    for (const names of [...wrong, languages(101), { ['x'.repeat(36)]: 'x' }, JSON.parse('{"__proto__":"x"}')])
      assert.throws(() => parse(v.object({ names: NamesInput }), { names }), { message: /^names must be an object/ })
  })

  it('are not kept where there are none', () => {
    assert.deepEqual(keepNames({}), {})
    assert.deepEqual(keepNames(undefined), {})
    assert.deepEqual(keepNames({ de: 'x' }), { names: { de: 'x' } })
  })
})
