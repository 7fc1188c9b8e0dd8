// What the actions of a bulk job make of values. Contract 3 §2, 3 §10.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { BulkAction } from '../../../src/bulk/rules/bulk-actions.ts'
import { updateOf, type ValueSubject } from '../../../src/bulk/rules/value-actions.ts'
import { PimletError } from '../../../src/kernel/errors.ts'
import { replaceValues } from '../../../src/core/values/values.ts'
import type { Values } from '../../../src/core/records/rules/record.ts'
import { attribute, modelOf, role } from '../../helpers/domain-model.ts'

const { model, schema } = modelOf([
  attribute('name', { dimensionIds: ['language', 'market'], validation: { maxLength: 20 } }),
  attribute('note', { dimensionIds: ['language'] }),
  attribute('plain'),
  attribute('count', { dataType: 'number' }),
  attribute('pictures', { dataType: 'references', dimensionIds: ['language'], validation: { maxCount: 4 } }),
])
const writer = role({ defaultAttributePermission: 'write' })
const en = (value: unknown) => ({ scope: { language: 'en' }, value })
const de = (value: unknown) => ({ scope: { language: 'de' }, value })
const all = (value: unknown) => ({ scope: {}, value })

function make(values: Values, action: BulkAction, more: Partial<ValueSubject> = {}): Values {
  const update = updateOf(action, { values, inherited: null, schema, model, role: writer, ...more })
  return replaceValues(values, update!)
}
const fails = (code: string, named: string, values: Values, action: BulkAction): void =>
  assert.throws(
    () => make(values, action),
    (error) => error instanceof PimletError && error.code === code && error.message.includes(named),
  )

describe('clearValues', () => {
  it('removes all values of an attribute, or those of exactly one scope', () => {
    const values = { name: [all('a'), en('b'), de('c')], plain: [all('d')] }
    assert.deepEqual(make(values, { clearValues: { attributeAliases: ['name'] } }), { plain: [all('d')] })
    const ofEnglish = { clearValues: { attributeAliases: ['name', 'note'], scope: { language: 'en' } } }
    assert.deepEqual(make(values, ofEnglish), { ...values, name: [all('a'), de('c')] })
  })

  it('refuses what the schema does not have', () => {
    fails('VALIDATION_ERROR', 'nothing', {}, { clearValues: { attributeAliases: ['nothing'] } })
    const scope = { language: 'en' }
    fails('VALIDATION_ERROR', 'plain', {}, { clearValues: { attributeAliases: ['plain'], scope } })
  })
})

describe('replaceText', () => {
  const replace = (find: string, by: string, more: object = {}): BulkAction => ({
    replaceText: { attributeAlias: 'name', find, replace: by, ...more },
  })

  it('replaces every occurrence, literally, minding case, in every scope or in one', () => {
    const values = { name: [all('a.a A'), en('.'), de('b')] }
    assert.deepEqual(make(values, replace('.', '$&')), { name: [all('a$&a A'), en('$&'), de('b')] })
    assert.deepEqual(make(values, replace('a', '')), { name: [all('. A'), en('.'), de('b')] })
    assert.deepEqual(make(values, replace('.', '-', { scope: {} })), { name: [all('a-a A'), en('.'), de('b')] })
  })

  it('keeps to the rules of the attribute, and to texts', () => {
    fails('VALIDATION_ERROR', 'name', { name: [all('aaaaaaaaaa')] }, replace('a', 'abc'))
    fails('VALIDATION_ERROR', 'count', {}, { replaceText: { attributeAlias: 'count', find: '1', replace: '2' } })
  })

  it('is what splitting and joining gives', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 6 })
    fc.assert(
      fc.property(letters, letters, fc.constantFrom('a', 'ab', '.'), (text, by, find) => {
        const wanted = text.split(find).join(by)
        if (wanted.length > 20) return
        const made = make({ name: [all(text)] }, replace(find, by))
        assert.deepEqual(made, { name: [all(wanted)] })
      }),
    )
  })
})

describe('addReferences', () => {
  const add = (ids: string[], more: object = {}): BulkAction => ({
    addReferences: { attributeAlias: 'pictures', ids, ...more },
  })

  it('adds at the end what is not listed, or puts all at a place', () => {
    const values = { pictures: [all(['a', 'b', 'c'])] }
    assert.deepEqual(make(values, add(['b', 'd'])), { pictures: [all(['a', 'b', 'c', 'd'])] })
    assert.deepEqual(make(values, add(['d', 'c'], { at: 0 })), { pictures: [all(['d', 'c', 'a', 'b'])] })
    assert.deepEqual(make(values, add(['a'], { at: 1 })), { pictures: [all(['b', 'a', 'c'])] })
    assert.deepEqual(make(values, add(['d'], { at: 99 })), { pictures: [all(['a', 'b', 'c', 'd'])] })
    assert.deepEqual(make({}, add(['a'])), { pictures: [all(['a'])] })
  })

  it('begins a list of a narrower scope, or of a variant, with the list in force', () => {
    const scope = { language: 'en' }
    const values = { pictures: [all(['a'])] }
    assert.deepEqual(make(values, add(['b'], { scope })), { pictures: [all(['a']), en(['a', 'b'])] })
    assert.deepEqual(make({}, add(['b']), { inherited: values }), { pictures: [all(['a', 'b'])] })
  })

  it('refuses another data type, an unknown scope, and too many records', () => {
    const code = 'VALIDATION_ERROR'
    fails(code, "'plain' is no list of references", {}, { addReferences: { attributeAlias: 'plain', ids: ['a'] } })
    fails(code, 'addReferences.scope of pictures', {}, add(['a'], { scope: { language: 'xx' } }))
    fails(code, 'must list at most 4 records', { pictures: [all(['a', 'b', 'c'])] }, add(['d', 'e']))
  })
})

describe('removeReferences', () => {
  const remove = (ids: string[], more: object = {}): BulkAction => ({
    removeReferences: { attributeAlias: 'pictures', ids, ...more },
  })

  it('removes the records from the lists of all scopes, or of one; an empty list goes', () => {
    const values = { pictures: [all(['a', 'b', 'c']), en(['b']), de(['c'])] }
    assert.deepEqual(make(values, remove(['b', 'x'])), { pictures: [all(['a', 'c']), de(['c'])] })
    assert.deepEqual(make(values, remove(['c'], { scope: {} })), { pictures: [all(['a', 'b']), en(['b']), de(['c'])] })
    assert.deepEqual(make({ pictures: [all(['a'])] }, remove(['a'])), {})
    assert.deepEqual(make(values, remove(['x'])), values)
  })

  it('refuses another data type', () => {
    const action = { removeReferences: { attributeAlias: 'plain', ids: ['a'] } }
    fails('VALIDATION_ERROR', "'plain' is no list of references", {}, action)
  })
})

describe('copyScope', () => {
  const copy = (more: object = {}): BulkAction => ({
    copyScope: { from: { language: 'en' }, to: { language: 'de' }, onlyEmpty: false, ...more },
  })

  it('copies what is stored in exactly one scope, of all attributes that may be scoped so', () => {
    const values = { name: [all('a'), en('b')], note: [en('n'), de('old')], plain: [all('p')] }
    assert.deepEqual(make(values, copy()), { ...values, name: [all('a'), en('b'), de('b')], note: [en('n'), de('n')] })
    const none = { name: [all('a')] }
    assert.deepEqual(make(none, copy()), none)
  })

  it('onlyEmpty: where nothing is in force, neither its own nor inherited', () => {
    const onlyEmpty = copy({ onlyEmpty: true })
    assert.deepEqual(make({ note: [en('n')] }, onlyEmpty), { note: [en('n'), de('n')] })
    assert.deepEqual(make({ note: [en('n'), de('')] }, onlyEmpty), { note: [en('n'), de('n')] })
    for (const kept of [
      [en('n'), de('own')],
      [en('n'), all('own')],
    ])
      assert.deepEqual(make({ note: kept }, onlyEmpty), { note: kept })
    const inherited = { note: [de('of the parent')] }
    assert.deepEqual(make({ note: [en('n')] }, onlyEmpty, { inherited }), { note: [en('n')] })
  })

  it('leaves attributes alone that are hidden from the role, unless they are named', () => {
    const blind = role({ defaultAttributePermission: 'write', attributePermissions: { sch: { note: 'none' } } })
    const update = updateOf(copy(), {
      values: { note: [en('n')], name: [en('m')] },
      inherited: null,
      schema,
      model,
      role: blind,
    })
    assert.deepEqual(Object.keys(update!), ['name'])
    const values = { note: [en('n')] }
    const named = copy({ attributeAliases: ['note'] })
    assert.deepEqual(Object.keys(updateOf(named, { values, inherited: null, schema, model, role: blind })!), ['note'])
    fails('VALIDATION_ERROR', 'plain', {}, copy({ attributeAliases: ['plain'] }))
  })

  it('names a dimension or segment that there is not, where no attribute would be scoped so', () => {
    fails('VALIDATION_ERROR', "copyScope.from names the unknown dimension 'lang'", {}, copy({ from: { lang: 'en' } }))
    fails('VALIDATION_ERROR', "copyScope.to names the unknown segment 'xx'", {}, copy({ to: { language: 'xx' } }))
  })
})

describe('setValues and patchValues', () => {
  it('take values alone, or the body of their endpoint', () => {
    const values = { name: [en('a'), de('b')] }
    const given = { name: [de('c')] }
    assert.deepEqual(make(values, { setValues: given }), given)
    assert.deepEqual(make(values, { setValues: { values: given } }), given)
    const patched = { name: [en('a'), de('c')] }
    const expect = [{ attributeAlias: 'name', ...de('b') }]
    assert.deepEqual(make(values, { patchValues: given, expect }), patched)
    assert.deepEqual(make(values, { patchValues: { values: given, expect } }), patched)
    fails('PRECONDITION_FAILED', 'name', patched, { patchValues: { values: given, expect } })
  })

  it('take an attribute that is called values for one', () => {
    const odd = modelOf([attribute('values'), attribute('expect')])
    const given = { values: [all('a')], expect: [all('b')] }
    assert.deepEqual(make({}, { setValues: given }, odd), given)
    assert.deepEqual(make({}, { patchValues: given }, odd), given)
  })
})
